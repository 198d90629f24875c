#include "dialect/tensorrt/layer.h"

#include <algorithm>

#include "base/fail.h"

namespace garner::tensorrt {
namespace {

constexpr DType kIndexDTypes[] = {DType::kI32, DType::kI64};

}  // namespace

TensorType type_of(const View& view) { return {view.dtype(), view.shape()}; }
Index rank_of(const TensorType& type) { return static_cast<Index>(type.shape.size()); }
Index extent_of(const TensorType& type, Index axis) { return type.shape[static_cast<std::size_t>(axis)]; }
Axes part(const Axes& shape, Index first, Index last) { return {shape.begin() + first, shape.begin() + last}; }

bool may_equal(Index a, Index b) { return a == b || a == kDynamic || b == kDynamic; }

bool may_equal(const Axes& a, const Axes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](Index x, Index y) { return may_equal(x, y); });
}

Status check_dtype(const Rules& rules, const Typed& tensor, std::span<const DType> allowed) {
  if (std::find(allowed.begin(), allowed.end(), tensor.dtype) != allowed.end()) return {};
  std::vector<std::string_view> names;
  for (const DType dtype : allowed) names.push_back(name(dtype));
  return fail(Code::kType, rules.dtype, "{}: {} is {}, allowed {}", rules.op, tensor.name, name(tensor.dtype),
              fmt::join(names, " "));
}

Status check_index_dtype(const Rules& rules, const TensorType& indices) {
  return check_dtype(rules, {"indices", indices.dtype}, kIndexDTypes);
}

Status check_shape(const Rules& rules, const char* name, const Axes& shape, Index least_rank) {
  if (static_cast<Index>(shape.size()) < least_rank)
    return fail(Code::kInvalidArgument, rules.rank, "{}: rank of {} is {}, allowed [{}, 2^31)", rules.op, name,
                shape.size(), least_rank);
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (shape[a] < kDynamic)
      return fail(Code::kInvalidArgument, "V1", "{}: extent of {} is {}, allowed [-1, 2^63) on axis {}", rules.op, name,
                  shape[a], a);
  return {};
}

Status check_axis(const Rules& rules, Index axis, Index rank) {
  if (axis >= 0 && axis < rank) return {};
  return fail(Code::kInvalidArgument, rules.axis, "{}: axis is {}, allowed [0, {})", rules.op, axis, rank);
}

Status check_element(const Rules& rules, const TensorType& data, const TensorType& indices, Index axis) {
  if (rank_of(indices) != rank_of(data))
    return fail(Code::kInvalidArgument, rules.element, "{}: rank of indices is {}, allowed {} (the rank of data)",
                rules.op, rank_of(indices), rank_of(data));
  for (Index a = 0; a < rank_of(data); ++a) {
    const Index extent = extent_of(data, a);
    if (a != axis && extent != kDynamic && extent_of(indices, a) > extent)
      return fail(Code::kInvalidArgument, rules.element, "{}: extent of indices is {}, allowed [0, {}] on axis {}",
                  rules.op, extent_of(indices, a), extent, a);
  }
  return {};
}

Result<Index> tuple_length(const Rules& rules, const TensorType& indices, Index most) {
  const Index k = indices.shape.back();
  if (k == kDynamic)
    return fail(Code::kInvalidArgument, rules.dynamic, "{}: tuple length is dynamic, allowed [0, {}] on axis {}",
                rules.op, most, rank_of(indices) - 1);
  if (k > most)
    return fail(Code::kInvalidArgument, rules.tuple, "{}: tuple length is {}, allowed [0, {}] on axis {}", rules.op, k,
                most, rank_of(indices) - 1);
  return k;
}

Bounds bounds(Index extent, OutOfRange outside) { return {.hi = extent, .wrap = extent, .policy = outside}; }

void address_elements(JobBuilder& job, const View& data, const View& indices, Index axis, OutOfRange outside) {
  const Axes along = axes_from(0, indices.rank());
  for (Index a = 0; a < data.rank(); ++a) {
    if (a != axis) job.follow(a, a);
    else job.look_up(a, job.term(indices, along, bounds(data.extent(a), outside), "indices", "TR13"));
  }
}

void address_tuples(JobBuilder& job, const View& data, const View& indices, Index elementwise, OutOfRange outside) {
  const Index last = indices.rank() - 1, k = indices.extent(last);
  for (Index a = 0; a < elementwise; ++a) job.follow(a, a);
  for (Index j = 0; j < k; ++j) {
    const Index a = elementwise + j;
    const Bounds within = bounds(data.extent(a), outside);
    job.look_up(a, job.component(indices, last, j, axes_from(0, last), within, "indices", "TR13"));
  }
  // What the tuples leave of data lies behind their own dimensions.
  for (Index a = elementwise + k; a < data.rank(); ++a) job.follow(a, last + a - elementwise - k);
}

}  // namespace garner::tensorrt
