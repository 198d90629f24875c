// What most plans look up: one index tensor of i32 or i64, compared with a range that no position moves, no mask.
// Kernels for such plans take a tenth of the instructions that locate() takes.
#pragma once
#include <algorithm>

#include "kernel/common/locate.cuh"

namespace garner {

struct PlainIndex {
  Index lo, wrap;
  std::uint64_t size;  // of the range; all there is where nothing is checked
  void* ledger;        // null: a bad index is no error
  std::uint64_t sequence;

  /// How far above the lowest one `raw` is; false: out of range.
  __device__ bool resolve(Index raw, Index& above) const {
    const auto counted = static_cast<std::uint64_t>(raw < 0 ? raw + wrap : raw) - static_cast<std::uint64_t>(lo);
    above = static_cast<Index>(counted);
    return counted < size;
  }
  /// `number` is that of the position.
  __device__ void report(Index number, Index raw) const {
    if (ledger != nullptr)
      record_fault(ledger, sequence, static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(raw));
  }
};

/// The axis of the indexed side that the plan's only lookup is for.
inline const AxisMap& looked_up(const IndexPlan& plan) {
  return *std::ranges::find_if(plan.indexed, [](const AxisMap& map) { return map.term >= 0; });
}

inline bool is_plain(const IndexTerm& term) {
  const bool plain = is_checked(term.bounds.policy) || term.bounds.policy == OutOfRange::kPromise;
  return plain && term.bounds.scope == Scope::kTerm && (term.dtype == DType::kI32 || term.dtype == DType::kI64);
}

inline bool has_plain_index(const IndexPlan& plan) {
  return lookups(plan) == 1 && !plan.mask_stride && !plan.fetch_stride && is_plain(plan.terms[0]);
}

/// The same, where every index is compared: whatever it is, only the range is read.
inline bool has_checked_index(const IndexPlan& plan) {
  return has_plain_index(plan) && is_checked(plan.terms[0].bounds.policy);
}

inline PlainIndex plain_index(const Launch& l, std::size_t term = 0) {
  const Bounds& b = l.plan.terms[term].bounds;
  const bool checked = is_checked(b.policy);
  return {.lo = checked ? b.lo : 0,
          .wrap = b.wrap,
          .size = checked ? static_cast<std::uint64_t>(b.hi) - static_cast<std::uint64_t>(b.lo) : UINT64_MAX,
          .ledger = b.policy == OutOfRange::kTrap ? l.cuda->ledger : nullptr,
          .sequence = l.cuda->sequence};
}

/// f.template operator()<I>() with the type of a plain index.
template <class F>
void with_index_type(const IndexPlan& plan, F&& f) {
  if (plan.terms[0].dtype == DType::kI32) f.template operator()<std::int32_t>();
  else f.template operator()<Index>();
}

}  // namespace garner
