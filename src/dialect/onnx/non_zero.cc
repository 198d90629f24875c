// onnx.NonZero(X): the positions of all elements that are not zero, (rank, n).
#include "base/fail.h"
#include "dialect/onnx/node.h"

namespace garner::onnx {
namespace {

Result<Tensor> positions(const View& X, Index opset, const RunOptions& options) {
  const Node node{"onnx.NonZero", opset};
  GARNER_TRY(check_opset(node, 9));
  GARNER_TRY(check_dtype(node, {"X", X.dtype()}, with_bf16(kAny, node, 13)));
  return index::nonzero(X, {.layout = Layout::kColumns}, options);
}

}  // namespace

Tensor non_zero(const View& X, Index opset, const RunOptions& options) {
  return value_or_throw(positions(X, opset, options));
}

extern const Op op_non_zero;
const Op op_non_zero = on_any_device({"NonZero", "(X, *, opset=None)", nullptr,
                                      [](Arguments& a, const RunOptions& options) -> Result<std::vector<Tensor>> {
  const View X = a.tensor("X");
  const Index opset = opset_of(a);
  GARNER_TRY(a.status());
  return one_result(positions(X, opset, options));
}});

}  // namespace garner::onnx
