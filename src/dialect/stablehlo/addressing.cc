#include "dialect/stablehlo/addressing.h"

#include <algorithm>

#include "base/checked_math.h"
#include "base/fail.h"

namespace garner::stablehlo {
namespace {

Index size(const Axes& list) { return static_cast<Index>(list.size()); }
bool contains(const Axes& list, Index value) { return std::find(list.begin(), list.end(), value) != list.end(); }
bool has_vector_axis(const Addressing& a, Index indices_rank) { return a.vector_dim < indices_rank; }

Axes joined(Axes a, const Axes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// ---- rules about one list ----

Status require_sorted(const Words& w, const ListWords& list, const Axes& dims) {
  if (std::is_sorted(dims.begin(), dims.end())) return {};
  return fail(Code::kInvalidArgument, list.sorted, "{}: {} is {}, allowed ascending order", w.op, list.name,
              numbered(w, dims));
}

Status require_increasing(const Words& w, const ListWords& list, const Axes& dims) {
  if (std::is_sorted(dims.begin(), dims.end(), std::less_equal<>())) return {};
  return fail(Code::kInvalidArgument, list.sorted, "{}: {} is {}, allowed strictly ascending order", w.op, list.name,
              numbered(w, dims));
}

Status require_in_range(const Words& w, const ListWords& list, const Axes& dims, Index count) {
  for (Index i = 0; i < size(dims); ++i)
    if (at(dims, i) < 0 || at(dims, i) >= count)
      return fail(Code::kInvalidArgument, list.range, "{}: {}[{}] is {}, allowed [{}, {})", w.op, list.name, i + w.base,
                  at(dims, i) + w.base, w.base, count + w.base);
  return {};
}

/// `others` (may be empty) takes part under its own name.
Status require_unique(const Words& w, const ListWords& list, const Axes& dims, const Axes& others) {
  Axes all = joined(dims, others);
  std::sort(all.begin(), all.end());
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice == all.end()) return {};
  const std::string also = others.empty() ? "" : fmt::format(" with {}", w.operand_batching.name);
  return fail(Code::kInvalidArgument, list.unique, "{}: {}{} is {}, allowed each dimension once, not {} again", w.op,
              list.name, also, numbered(w, joined(dims, others)), *twice + w.base);
}

// ---- rules about how the lists fit together ----

Status check_window(const Words& w, const Addressing& a, Index domain_rank) {
  GARNER_TRY(require_increasing(w, w.window, a.window));
  return require_in_range(w, w.window, a.window, domain_rank);
}

Status check_removed(const Words& w, const Addressing& a, Index operand_rank) {
  GARNER_TRY(require_sorted(w, w.removed, a.removed));
  GARNER_TRY(require_in_range(w, w.removed, a.removed, operand_rank));
  return require_unique(w, w.removed, a.removed, a.operand_batching);
}

Status check_map(const Words& w, const Addressing& a, const Axes& operand, const Axes& indices) {
  const Index components = has_vector_axis(a, size(indices)) ? at(indices, a.vector_dim) : 1;
  if (size(a.map) != components)
    return fail(Code::kInvalidArgument, w.map_length,
                "{}: {} has {} entries, allowed {} (the length of an index vector)", w.op, w.map.name, a.map.size(),
                components);
  GARNER_TRY(require_in_range(w, w.map, a.map, size(operand)));
  return require_unique(w, w.map, a.map, a.operand_batching);
}

Status check_batching_lists(const Words& w, const Addressing& a, Index operand_rank, Index indices_rank) {
  GARNER_TRY(require_sorted(w, w.operand_batching, a.operand_batching));
  GARNER_TRY(require_in_range(w, w.operand_batching, a.operand_batching, operand_rank));
  GARNER_TRY(require_unique(w, w.indices_batching, a.indices_batching, {}));
  return require_in_range(w, w.indices_batching, a.indices_batching, indices_rank);
}

Status check_batching_pairs(const Words& w, const Addressing& a, const Axes& operand, const Axes& indices) {
  if (contains(a.indices_batching, a.vector_dim))
    return fail(Code::kInvalidArgument, w.vector_not_batching, "{}: index_vector_dim is {}, allowed none of {} {}",
                w.op, a.vector_dim + w.base, w.indices_batching.name, numbered(w, a.indices_batching));
  if (a.operand_batching.size() != a.indices_batching.size())
    return fail(Code::kInvalidArgument, w.batching_lengths, "{}: {} has {} entries, allowed {} (as many as {})", w.op,
                w.indices_batching.name, a.indices_batching.size(), a.operand_batching.size(), w.operand_batching.name);
  for (Index i = 0; i < size(a.operand_batching); ++i) {
    const Index axis = at(a.indices_batching, i), wanted = at(operand, at(a.operand_batching, i));
    if (at(indices, axis) != wanted)
      return fail(Code::kInvalidArgument, w.paired_extents, "{}: {} extent is {}, allowed {} (that of {}) on axis {}",
                  w.op, w.indices, at(indices, axis), wanted, w.operand, axis + w.base);
  }
  return {};
}

Status check_rank(const Words& w, const Addressing& a, Index operand_rank) {
  const Index named = size(a.window) + size(a.removed) + size(a.operand_batching);
  if (named == operand_rank) return {};
  return fail(Code::kInvalidArgument, w.rank, "{}: {}, {} and {} have {} entries, allowed {} (the rank of {})", w.op,
              w.window.name, w.removed.name, w.operand_batching.name, named, operand_rank, w.operand);
}

// ---- where the places are ----

/// The indices' vector axis is no domain axis, so axes after it move down by one.
Index batch_position(const Addressing& a, Index indices_axis) {
  return indices_axis < a.vector_dim ? indices_axis : indices_axis - 1;
}

void follow_batching(JobBuilder& job, const Addressing& a, const Axes& batch) {
  for (Index i = 0; i < size(a.operand_batching); ++i)
    job.follow(at(a.operand_batching, i), at(batch, batch_position(a, at(a.indices_batching, i))));
}

void follow_window(JobBuilder& job, const Addressing& a, Index operand_rank) {
  const Axes dims = window_dims(a, operand_rank);
  for (Index i = 0; i < size(dims); ++i) job.follow(at(dims, i), at(a.window, i));
}

int start_term(JobBuilder& job, const Words& w, const Addressing& a, const View& indices, Index k,
               const Bounds& bounds) {
  const Axes batch = axes_without(size(job.domain()), a.window);
  if (!has_vector_axis(a, indices.rank())) return job.term(indices, batch, bounds, w.indices, w.integer);
  return job.component(indices, a.vector_dim, k, batch, bounds, w.indices, w.integer);
}

}  // namespace

Axes axes_without(Index count, const Axes& a, const Axes& b) {
  Axes out;
  for (Index i = 0; i < count; ++i)
    if (!contains(a, i) && !contains(b, i)) out.push_back(i);
  return out;
}

std::string numbered(const Words& w, const Axes& dims) {
  Axes shown = dims;
  for (Index& d : shown) d += w.base;
  return list(shown);
}

Status check_integer(const Words& w, const View& indices) {
  if (is_integer(indices.dtype())) return {};
  return fail(Code::kType, w.integer, "{}: {} is {}, allowed an integer dtype", w.op, w.indices, name(indices.dtype()));
}

Status check_vector_dim(const Words& w, const Addressing& a, Index indices_rank) {
  if (a.vector_dim >= 0 && a.vector_dim <= indices_rank) return {};
  return fail(Code::kInvalidArgument, w.vector_range, "{}: index_vector_dim is {}, allowed [{}, {}]", w.op,
              a.vector_dim + w.base, w.base, indices_rank + w.base);
}

Status check_addressing(const Words& w, const Addressing& a, const Axes& operand, const Axes& indices,
                        Index domain_rank) {
  GARNER_TRY(check_vector_dim(w, a, size(indices)));
  GARNER_TRY(check_window(w, a, domain_rank));
  GARNER_TRY(check_batching_lists(w, a, size(operand), size(indices)));
  GARNER_TRY(check_removed(w, a, size(operand)));
  GARNER_TRY(check_batching_pairs(w, a, operand, indices));
  GARNER_TRY(check_map(w, a, operand, indices));
  return check_rank(w, a, size(operand));
}

Axes batch_extents(const Addressing& a, const Axes& indices) {
  Axes out = indices;
  if (has_vector_axis(a, size(indices))) out.erase(out.begin() + a.vector_dim);
  return out;
}

Axes window_dims(const Addressing& a, Index operand_rank) {
  return axes_without(operand_rank, a.removed, a.operand_batching);
}

Bounds fitting(const Words& w, Index extent, Index window, OutOfRange policy) {
  const Index starts = extent - std::max<Index>(window, 1) + 1;
  // An extent of 2^63-1 is legal where strides are 0; its last start is then out of reach in 1-based numbers.
  return {.lo = w.base, .hi = checked_add(starts, w.base).value_or(starts), .policy = policy};
}

void address(JobBuilder& job, const Words& w, const Addressing& a, const View& indices,
             const std::vector<Bounds>& bounds) {
  const Index operand_rank = size(a.window) + size(a.removed) + size(a.operand_batching);
  follow_window(job, a, operand_rank);
  follow_batching(job, a, axes_without(size(job.domain()), a.window));
  for (Index k = 0; k < size(a.map); ++k) {
    const int term = start_term(job, w, a, indices, k, bounds[static_cast<std::size_t>(k)]);
    // 1-based values stay as they are in the index tensor: subtracting there would wrap an unsigned 0.
    job.look_up(at(a.map, k), term).shift(at(a.map, k), -w.base);
  }
}

}  // namespace garner::stablehlo
