// onnx.Compress(input, condition, *, axis=None): the slices at which the condition is true, a gather of those places.
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "garner/cuda.h"
#include "index/memory.h"

namespace garner::onnx {
namespace {

Status check(const Node& node, const View& input, const View& condition) {
  GARNER_TRY(check_opset(node, 9));
  GARNER_TRY(check_dtype(node, {"input", input.dtype()}, with_bf16(kAny, node, 28)));
  GARNER_TRY(check_dtype(node, {"condition", condition.dtype()}, bit(DType::kBool)));
  GARNER_TRY(check_rank(node, "input", input, 1));
  return check_rank_is(node, "condition", condition, 1);
}

/// The places along the axis; in order, so that the last one tells whether all are inside.
Result<Tensor> places(const Node& node, const View& condition, Index extent, const RunOptions& options) {
  GARNER_ASSIGN(Tensor found, index::flatnonzero(condition, {}, options));
  const Index n = found.elements();
  if (n == 0 || condition.elements() <= extent) return found;
  GARNER_ASSIGN(const Tensor last, cuda::copy_to(slice_at(found, 0, n - 1), {}, options.stream));
  if (*last.as<Index>() < extent) return found;
  return fail(Code::kIndex, "OX6", "{}: condition is true at {}, allowed [0, {})", node.op, *last.as<Index>(), extent);
}

Result<Job> take(const Node& node, const View& input, const View& condition, Index axis, const RunOptions& options) {
  GARNER_ASSIGN(const Tensor found, places(node, condition, input.extent(axis), options));
  const Slices slices{.axis = axis};
  auto job = JobBuilder::gather(node.op, input, slices_shape(input, found, slices));
  address_slices(job, input, found, slices, reading(false));
  Job built = std::move(job).build();
  built.kept.push_back(found);
  return built;
}

Result<Job> lower(const View& input, const View& condition, const CompressAttributes& attributes,
                  const RunOptions& options) {
  const Node node{"onnx.Compress", attributes.opset};
  GARNER_TRY(check(node, input, condition));
  if (attributes.axis) {
    const Index lowest = node.opset >= 11 ? -input.rank() : 0;
    GARNER_ASSIGN(const Index axis, effective_axis(node, *attributes.axis, lowest, input.rank()));
    return take(node, input, condition, axis, options);
  }
  GARNER_ASSIGN(const index::Packed packed, index::pack_anywhere(input, node.op, options));
  GARNER_ASSIGN(Job job, take(node, packed.view().seen_as({input.elements()}), condition, 0, options));
  if (packed.kept()) job.kept.push_back(*packed.kept());
  return job;
}

}  // namespace

Result<Job> lower_compress(const View& input, const View& condition, const CompressAttributes& attributes) {
  return lower(input, condition, attributes, {});
}

Tensor compress(const View& input, const View& condition, const CompressAttributes& attributes,
                const RunOptions& options) {
  return value_or_throw(run_one(lower(input, condition, attributes, options), options));
}

extern const Op op_compress;
const Op op_compress{"Compress", "(input, condition, *, axis=None, opset=None)", [](Arguments& a) -> Result<Jobs> {
  const View input = a.tensor("input"), condition = a.tensor("condition");
  const CompressAttributes attributes{.axis = a.maybe_integer("axis"), .opset = opset_of(a)};
  GARNER_TRY(a.status());
  return one(lower_compress(input, condition, attributes));
}};

}  // namespace garner::onnx
