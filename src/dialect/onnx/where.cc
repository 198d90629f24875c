// onnx.Where(condition, X, Y)
//   result[d] = condition[d] ? X[d] : Y[d]: a gather of X at d itself, masked by condition and filled from Y
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "garner/error.h"

namespace garner::onnx {
namespace {

Result<Axes> common_shape(const Node& node, const View& condition, const View& X, const View& Y) {
  const Axes shapes[] = {condition.shape(), X.shape(), Y.shape()};
  if (auto shape = broadcast_shapes(shapes)) return *std::move(shape);
  return fail(Code::kInvalidArgument, "OX16", "{}: shapes are {} {} {}, allowed those that broadcast", node.op,
              list(shapes[0]), list(shapes[1]), list(shapes[2]));
}

}  // namespace

Result<Job> lower_where(const View& condition, const View& X, const View& Y, Index opset) {
  const Node node{"onnx.Where", opset};
  GARNER_TRY(check_opset(node, 9));
  GARNER_TRY(check_dtype(node, {"condition", condition.dtype()}, bit(DType::kBool)));
  GARNER_TRY(check_dtype(node, {"X", X.dtype()}, with_bf16(kAny, node, 16)));
  GARNER_TRY(check_dtype(node, {"Y", Y.dtype()}, bit(X.dtype())));
  GARNER_ASSIGN(const Axes shape, common_shape(node, condition, X, Y));
  GARNER_ASSIGN(const View wide, broadcast_to(X, shape));
  auto job = JobBuilder::gather(node.op, wide, shape);
  for (Index a = 0; a < wide.rank(); ++a) job.follow(a, a);
  return std::move(job.mask(condition).fill(Y)).build();
}

Tensor where(const View& condition, const View& X, const View& Y, Index opset, const RunOptions& options) {
  return value_or_throw(run_one(lower_where(condition, X, Y, opset), options));
}

extern const Op op_where;
const Op op_where{"Where", "(condition, X, Y, *, opset=None)", [](Arguments& a) -> Result<Jobs> {
  const View condition = a.tensor("condition"), X = a.tensor("X"), Y = a.tensor("Y");
  const Index opset = opset_of(a);
  GARNER_TRY(a.status());
  return one(lower_where(condition, X, Y, opset));
}};

}  // namespace garner::onnx
