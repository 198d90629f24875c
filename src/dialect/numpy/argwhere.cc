// numpy.argwhere(a): the positions of all elements that are not zero, one row each
#include "base/fail.h"
#include "dialect/op.h"
#include "garner/index.h"
#include "garner/numpy.h"

namespace garner::numpy {

Tensor argwhere(const View& a, const RunOptions& run) { return nonzero(a, {}, run); }

extern const Op op_argwhere;
const Op op_argwhere = on_any_device(
    {"argwhere", "(a)", nullptr, [](Arguments& args, const RunOptions& run) -> Result<std::vector<Tensor>> {
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  GARNER_ASSIGN(Tensor positions, index::nonzero(a, {}, run));
  return std::vector<Tensor>{std::move(positions)};
}});

}  // namespace garner::numpy
