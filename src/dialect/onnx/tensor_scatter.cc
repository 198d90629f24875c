// onnx.TensorScatter(past_cache, update, write_indices=None, *, axis=-2, mode=linear)
//   result = past_cache; result[b, …, write_indices[b] + s, …] = update[b, …, s, …], s along the axis
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "garner/error.h"

namespace garner::onnx {
namespace {

Status check_axis(const Node& node, Index axis, Index rank) {
  if (axis > -rank && axis < rank && axis != 0) return {};
  return fail(Code::kInvalidArgument, "OX2", "{}: axis is {}, allowed [{}, {}) but not 0, the batch", node.op, axis,
              1 - rank, rank);
}

Status check_update(const Node& node, const View& cache, const View& update, Index axis) {
  for (Index a = 0; a < cache.rank(); ++a) {
    const Index extent = update.extent(a), least = a == axis ? 0 : cache.extent(a);
    if (extent < least || extent > cache.extent(a))
      return fail(Code::kInvalidArgument, "OX12", "{}: extent of update is {}, allowed [{}, {}] on axis {}", node.op,
                  extent, least, cache.extent(a), a);
  }
  return {};
}

Status check_write_indices(const Node& node, const View& cache, const View& write_indices) {
  GARNER_TRY(check_dtype(node, {"write_indices", write_indices.dtype()}, bit(DType::kI64)));
  GARNER_TRY(validate(write_indices, node.op));
  if (write_indices.shape() == Axes{cache.extent(0)}) return {};
  return fail(Code::kInvalidArgument, "OX12", "{}: shape of write_indices is {}, allowed [{}]", node.op,
              list(write_indices.shape()), cache.extent(0));
}

Result<Index> check(const Node& node, const View& cache, const View& update, Index axis) {
  constexpr DTypes kCacheDTypes = kAny | bit(DType::kBF16) | bit(DType::kF8E4M3) | bit(DType::kF8E5M2);
  GARNER_TRY(check_opset(node, 24));
  GARNER_TRY(check_dtype(node, {"past_cache", cache.dtype()}, kCacheDTypes));
  GARNER_TRY(check_dtype(node, {"update", update.dtype()}, bit(cache.dtype())));
  GARNER_TRY(check_rank(node, "past_cache", cache, 2));
  GARNER_TRY(check_rank_is(node, "update", update, cache.rank()));
  GARNER_TRY(check_axis(node, axis, cache.rank()));
  axis = axis < 0 ? axis + cache.rank() : axis;
  GARNER_TRY(check_update(node, cache, update, axis));
  return axis;
}

Index floor_mod(Index a, Index n) { return a % n < 0 ? a % n + n : a % n; }

/// Where every step of the sequence lands, [batch, sequence]. The window itself wraps round, which bounds of its start
/// cannot say.
Result<Tensor> circular_positions(const View& starts, Index sequence, Index extent) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(DType::kI64, {starts.extent(0), sequence}));
  const auto* start = static_cast<const Index*>(starts.data());
  for (Index b = 0; b < starts.extent(0); ++b)
    for (Index s = 0; s < sequence; ++s)
      out.as<Index>()[b * sequence + s] = (floor_mod(start[b * starts.stride(0)], extent) + s) % extent;
  return out;
}

Job linear(JobBuilder job, const View& cache, const View& starts, Index axis) {
  const Bounds whole_window{.hi = cache.extent(axis) - job.domain()[static_cast<std::size_t>(axis)] + 1};
  job.follow(axis, axis).look_up(axis, job.term(starts, {0}, whole_window, "write_indices", "OX6"));
  return std::move(job).build();
}

Result<Job> circular(JobBuilder job, const View& cache, const View& starts, Index axis) {
  const Index sequence = job.domain()[static_cast<std::size_t>(axis)];
  GARNER_ASSIGN(Tensor positions, circular_positions(starts, sequence, cache.extent(axis)));
  job.look_up(axis, job.term(positions, {0, axis}, {.hi = cache.extent(axis)}, "position", "OX6"));
  Job built = std::move(job).build();
  built.kept.push_back(std::move(positions));
  return built;
}

Result<CacheMode> mode_named(const std::string& op, const std::string& word) {
  if (word == "linear") return CacheMode::kLinear;
  if (word == "circular") return CacheMode::kCircular;
  return fail(Code::kInvalidArgument, "OX11", "{}: mode is {}, allowed linear circular", op, word);
}

}  // namespace

Result<Job> lower_tensor_scatter(const View& past_cache, const View& update, const std::optional<View>& write_indices,
                                 const TensorScatterAttributes& attributes) {
  const Node node{"onnx.TensorScatter", attributes.opset};
  GARNER_ASSIGN(const Index axis, check(node, past_cache, update, attributes.axis));
  auto job = JobBuilder::scatter(node.op, past_cache, update, Combine::kAssign);
  for (Index a = 0; a < past_cache.rank(); ++a)
    if (a != axis) job.follow(a, a);
  // From 0 on nothing can wrap: the update is not longer than the cache.
  if (!write_indices) return std::move(job.follow(axis, axis)).build();
  GARNER_TRY(check_write_indices(node, past_cache, *write_indices));
  if (attributes.mode == CacheMode::kCircular) return circular(std::move(job), past_cache, *write_indices, axis);
  return linear(std::move(job), past_cache, *write_indices, axis);
}

Tensor tensor_scatter(const View& past_cache, const View& update, const std::optional<View>& write_indices,
                      const TensorScatterAttributes& attributes, const RunOptions& options) {
  return value_or_throw(run_one(lower_tensor_scatter(past_cache, update, write_indices, attributes), options));
}

extern const Op op_tensor_scatter;
const Op op_tensor_scatter{"TensorScatter",
                           "(past_cache, update, write_indices=None, *, axis=-2, mode=linear, opset=None)",
                           [](Arguments& a) -> Result<Jobs> {
  const View cache = a.tensor("past_cache"), update = a.tensor("update");
  const std::optional<View> write_indices = a.maybe_tensor("write_indices");
  const std::string word = a.word("mode");
  TensorScatterAttributes attributes{.axis = a.integer("axis"), .opset = opset_of(a)};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(attributes.mode, mode_named(a.op(), word));
  return one(lower_tensor_scatter(cache, update, write_indices, attributes));
}};

}  // namespace garner::onnx
