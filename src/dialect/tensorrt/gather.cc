// tensorrt.gather(data, indices, mode=DEFAULT, axis=0, num_elementwise_dims=0)
//   DEFAULT  result[b, …, i…, …] = data[b, …, indices[b, i…], …]   (b only when there is an elementwise dimension)
//   ELEMENT  result[j] = data[j with j[axis] replaced by indices[j]]
//   ND       result[b…, i…, rest] = data[b…, indices[b…, i…, :], rest]
// One set of checks serves build time, where extents may be dynamic, and run time.
#include <algorithm>

#include "base/fail.h"
#include "dialect/tensorrt/layer.h"
#include "garner/error.h"

namespace garner::tensorrt {
namespace {

constexpr Rules kRules{"tensorrt.gather", "TR3", "TR4", "TR2", "TR8", "TR9", "TR10"};
constexpr DType kDataDTypes[] = {DType::kBool,   DType::kI8,  DType::kI32, DType::kI64,
                                 DType::kF8E4M3, DType::kF16, DType::kF32, DType::kBF16};

Status check_elementwise(const char* rule, Index given, Index most) {
  if (given >= 0 && given <= most) return {};
  return fail(Code::kInvalidArgument, rule, "{}: num_elementwise_dims is {}, allowed [0, {}]", kRules.op, given, most);
}

/// DEFAULT alone broadcasts, and only over the elementwise dimension.
Result<Index> shared_extent(Index data, Index indices) {
  if (data == 1) return indices;
  if (indices == 1 || indices == kDynamic) return data;
  if (may_equal(data, indices)) return indices;
  return fail(Code::kInvalidArgument, "TR7", "{}: extent of indices is {}, allowed 1 or {} on axis 0", kRules.op,
              indices, data);
}

Result<Axes> infer_default(const TensorType& data, const TensorType& indices, const GatherLayer& layer) {
  const Index axis = layer.axis, shared = layer.num_elementwise_dims;
  GARNER_TRY(check_axis(kRules, axis, rank_of(data)));
  // The gathered axis and what indices replace it by come after the shared dimension.
  GARNER_TRY(check_elementwise("TR7", shared, std::min({Index{1}, axis, rank_of(indices)})));
  Axes shape = part(data.shape, 0, axis);
  if (shared == 1) { GARNER_ASSIGN(shape[0], shared_extent(extent_of(data, 0), extent_of(indices, 0))); }
  shape.insert(shape.end(), indices.shape.begin() + shared, indices.shape.end());
  shape.insert(shape.end(), data.shape.begin() + axis + 1, data.shape.end());
  return shape;
}

Result<Axes> infer_element(const TensorType& data, const TensorType& indices, const GatherLayer& layer) {
  GARNER_TRY(check_axis(kRules, layer.axis, rank_of(data)));
  GARNER_TRY(check_elementwise("TR7", layer.num_elementwise_dims, 0));
  GARNER_TRY(check_element(kRules, data, indices, layer.axis));
  return indices.shape;
}

Status check_leading(const Axes& data, const Axes& indices) {
  if (may_equal(data, indices)) return {};
  return fail(Code::kInvalidArgument, "TR10", "{}: leading shape of indices is {}, allowed {} (that of data)",
              kRules.op, list(indices), list(data));
}

Result<Axes> infer_nd(const TensorType& data, const TensorType& indices, const GatherLayer& layer) {
  const Index shared = layer.num_elementwise_dims, last = rank_of(indices) - 1;
  GARNER_TRY(check_elementwise("TR10", shared, std::min(rank_of(data) - 1, last)));
  GARNER_TRY(check_leading(part(data.shape, 0, shared), part(indices.shape, 0, shared)));
  GARNER_ASSIGN(const Index k, tuple_length(kRules, indices, rank_of(data) - shared));
  Axes shape = part(indices.shape, 0, last);
  // Where only one side knows a shared extent, that is what it will be.
  for (std::size_t a = 0; a < static_cast<std::size_t>(shared); ++a) shape[a] = std::max(shape[a], data.shape[a]);
  shape.insert(shape.end(), data.shape.begin() + shared + k, data.shape.end());
  return shape;
}

void address_default(JobBuilder& job, const View& data, const View& indices, const GatherLayer& layer) {
  const Index axis = layer.axis, shared = layer.num_elementwise_dims, replaced = indices.rank() - shared;
  Axes along = axes_from(axis, replaced);
  if (shared == 1) along.insert(along.begin(), 0);
  for (Index a = 0; a < data.rank(); ++a) {
    // A shared dimension of data that is stretched stays at its only position.
    const bool stretched = a < shared && data.extent(a) != job.domain()[static_cast<std::size_t>(a)];
    if (a < axis) job.follow(a, a, stretched ? 0 : 1);
    if (a > axis) job.follow(a, a - 1 + replaced);
  }
  const Bounds within = bounds(data.extent(axis), OutOfRange::kFill);
  job.look_up(axis, job.term(indices, along, within, "indices", "TR13"));
}

void address(JobBuilder& job, const View& data, const View& indices, const GatherLayer& layer) {
  switch (layer.mode) {
    case GatherMode::kDefault: return address_default(job, data, indices, layer);
    case GatherMode::kElement: return address_elements(job, data, indices, layer.axis, OutOfRange::kFill);
    case GatherMode::kNd: return address_tuples(job, data, indices, layer.num_elementwise_dims, OutOfRange::kFill);
  }
}

Result<GatherMode> mode_named(const std::string& word) {
  if (word == "DEFAULT") return GatherMode::kDefault;
  if (word == "ELEMENT") return GatherMode::kElement;
  if (word == "ND") return GatherMode::kNd;
  return fail(Code::kInvalidArgument, "TR1", "{}: mode is {}, allowed DEFAULT ELEMENT ND", kRules.op, word);
}

}  // namespace

Result<Axes> infer_gather(const TensorType& data, const TensorType& indices, const GatherLayer& layer) {
  GARNER_TRY(check_dtype(kRules, {"data", data.dtype}, kDataDTypes));
  GARNER_TRY(check_index_dtype(kRules, indices));
  GARNER_TRY(check_shape(kRules, "data", data.shape, 1));
  GARNER_TRY(check_shape(kRules, "indices", indices.shape, layer.mode == GatherMode::kDefault ? 0 : 1));
  switch (layer.mode) {
    case GatherMode::kDefault: return infer_default(data, indices, layer);
    case GatherMode::kElement: return infer_element(data, indices, layer);
    case GatherMode::kNd: return infer_nd(data, indices, layer);
  }
  return fail(Code::kInvalidArgument, "TR1", "{}: mode is {}, allowed [0, 3)", kRules.op, static_cast<int>(layer.mode));
}

Result<Job> lower_gather(const View& data, const View& indices, const GatherLayer& layer) {
  GARNER_ASSIGN(Axes domain, infer_gather(type_of(data), type_of(indices), layer));
  auto job = JobBuilder::gather(kRules.op, data, std::move(domain));
  address(job, data, indices, layer);
  return std::move(job).build();
}

Tensor gather(const View& data, const View& indices, const GatherLayer& layer, const RunOptions& options) {
  return value_or_throw(run_one(lower_gather(data, indices, layer), options));
}

extern const Op op_gather;
const Op op_gather{"gather", "(data, indices, mode=DEFAULT, axis=0, num_elementwise_dims=0)",
                   [](Arguments& a) -> Result<Jobs> {
  const View data = a.tensor("data"), indices = a.tensor("indices");
  const std::string word = a.word("mode");
  GatherLayer layer{.axis = a.integer("axis"), .num_elementwise_dims = a.integer("num_elementwise_dims")};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(layer.mode, mode_named(word));
  return one(lower_gather(data, indices, layer));
}};

}  // namespace garner::tensorrt
