#include "dialect/cutile/access.h"

#include <algorithm>

#include "base/fail.h"

namespace garner::cutile {
namespace {

constexpr Index kMaxLatency = 10;

Status check_all_strides(const Access& access) {
  GARNER_TRY(check_strides(access.op, access.array, "array"));
  for (const View& tile : access.tiles) GARNER_TRY(check_strides(access.op, tile, "indices"));
  return {};
}

Status check_dtypes(const Access& access) {
  for (std::size_t k = 0; k < access.tiles.size(); ++k)
    if (!is_integer(access.tiles[k].dtype()))
      return fail(Code::kType, "CT5", "{}: indices[{}] is {}, allowed an integer dtype", access.op, k,
                  name(access.tiles[k].dtype()));
  return {};
}

Status check_length(const Access& access) {
  const Index rank = access.array.rank();
  if (static_cast<Index>(access.tiles.size()) == rank) return {};
  return fail(Code::kType, "CT3", "{}: length of indices is {}, allowed {} (the rank of array){}", access.op,
              access.tiles.size(), rank, rank == 1 ? ", or a single tile" : "");
}

Result<Axes> common_shape(const Access& access) {
  std::vector<Axes> shapes(access.tiles.size());
  std::ranges::transform(access.tiles, shapes.begin(), [](const View& tile) { return tile.shape(); });
  if (auto common = broadcast_shapes(shapes)) return *std::move(common);
  std::string texts;
  for (const Axes& shape : shapes) texts += ' ' + list(shape);
  return fail(Code::kType, "CT6", "{}: index shapes are{}, not broadcastable to a common shape", access.op, texts);
}

}  // namespace

Status check_strides(const std::string& op, const View& view, const char* what) {
  return view.stride().size() == view.shape().size() ? Status{} : validate(view, fmt::format("{}: {}", op, what));
}

Result<Access> make_access(std::string op, const View& array, const Indices& indices) {
  Access access{.op = std::move(op), .array = array, .tiles = indices.tiles(), .shape = {}, .kept = {}};
  GARNER_TRY(check_all_strides(access));
  GARNER_TRY(check_dtypes(access));
  GARNER_TRY(check_length(access));
  GARNER_ASSIGN(access.shape, common_shape(access));
  return access;
}

Status check_mask(const Access& access, const std::optional<View>& mask) {
  if (!mask) return {};
  GARNER_TRY(check_strides(access.op, *mask, "mask"));
  if (mask->dtype() != DType::kBool)
    return fail(Code::kType, "CT10", "{}: mask is {}, allowed a boolean tile", access.op, name(mask->dtype()));
  if (broadcast_to(*mask, access.shape).ok()) return {};
  return fail(Code::kType, "CT10", "{}: mask shape is {}, not broadcastable to the index shape {}", access.op,
              list(mask->shape()), list(access.shape));
}

Status check_latency(const Access& access, const std::optional<Index>& latency) {
  if (!latency || (*latency >= 1 && *latency <= kMaxLatency)) return {};
  return fail(Code::kInvalidArgument, "CT19", "{}: latency is {}, allowed None or [1, {}]", access.op, *latency,
              kMaxLatency);
}

void look_up_all(JobBuilder& job, const Access& access, OutOfRange policy) {
  for (Index axis = 0; axis < access.array.rank(); ++axis) {
    const View& tile = access.tiles[static_cast<std::size_t>(axis)];
    const Index lead = static_cast<Index>(access.shape.size()) - tile.rank();
    const Bounds bounds{.hi = access.array.extent(axis), .policy = policy};
    job.look_up(axis, job.term(tile, axes_from(lead, tile.rank()), bounds, fmt::format("indices[{}]", axis), "CT14"));
  }
}

JobBuilder scatter_job(const Access& access, const View& updates, Combine combine, bool check_bounds) {
  auto job = JobBuilder::scatter(access.op, access.array, updates, combine);
  look_up_all(job, access, check_bounds ? OutOfRange::kDrop : OutOfRange::kPromise);
  return job;
}

Job finish(JobBuilder job, Access access) {
  Job out = std::move(job).build();
  out.kept = std::move(access.kept);
  return out;
}

}  // namespace garner::cutile
