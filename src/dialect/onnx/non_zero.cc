// onnx.NonZero(X): the positions of all elements that are not zero, (rank, n).
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "index/outputs.h"

namespace garner::onnx {
namespace {

Status positions(const View& X, Index opset, const RunOptions& options, index::Output& out) {
  const Node node{"onnx.NonZero", opset};
  GARNER_TRY(check_opset(node, 9));
  GARNER_TRY(check_dtype(node, {"X", X.dtype()}, with_bf16(kAny, node, 13)));
  return to_status(index::nonzero(X, {.layout = Layout::kColumns}, options, out));
}

}  // namespace

Tensor non_zero(const View& X, Index opset, const RunOptions& options) {
  return value_or_throw(index::fresh([&](index::Output& out) { return positions(X, opset, options, out); }));
}

extern const Op op_non_zero;
const Op op_non_zero = on_any_device(
    {"NonZero", "(X, *, opset=None)", nullptr, [](Arguments& a, const RunOptions& options, Results& results) -> Status {
  const View X = a.tensor("X");
  const Index opset = opset_of(a);
  GARNER_TRY(a.status());
  return results.one([&](index::Output& out) { return positions(X, opset, options, out); });
}});

}  // namespace garner::onnx
