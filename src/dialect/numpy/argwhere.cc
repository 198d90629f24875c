// numpy.argwhere(a): the positions of all elements that are not zero, one row each
#include "base/fail.h"
#include "dialect/op.h"
#include "garner/numpy.h"
#include "index/outputs.h"

namespace garner::numpy {

Tensor argwhere(const View& a, const RunOptions& run) { return nonzero(a, {}, run); }

extern const Op op_argwhere;
const Op op_argwhere =
    on_any_device({"argwhere", "(a)", nullptr, [](Arguments& args, const RunOptions& run, Results& results) -> Status {
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  return results.one([&](index::Output& out) { return index::nonzero(a, {}, run, out); });
}});

}  // namespace garner::numpy
