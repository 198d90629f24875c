// A position of the domain to the places it reads and writes: the formula of the reference kernel, for one thread.
#pragma once
#include "device/cuda/ledger.h"
#include "kernel/common/device_plan.h"
#include "kernel/common/index_value.h"

namespace garner {

/// Element offsets of one position.
struct Spot {
  Index indexed = 0, dense = 0, fill = 0, fetch = 0;
  bool valid = true;  // false: the mask or an index says no
};

/// Takes the offender down if none before it has been. Rare, so it may be slow.
__device__ __noinline__ inline void record_fault(void* place, std::uint64_t sequence, std::uint64_t key,
                                                 std::uint64_t value) {
  auto* ledger = static_cast<DeviceLedger*>(place);
  atomicAdd(reinterpret_cast<unsigned long long*>(&ledger->count), 1ULL);
  volatile DeviceLedger* seen = ledger;
  const auto is_first = [&] {
    const std::uint64_t other = seen->sequence;
    return other == 0 || sequence < other || (sequence == other && key < seen->key);
  };
  for (bool done = !is_first(); !done;) {
    if (atomicCAS(&ledger->lock, 0U, 1U) != 0U) continue;
    __threadfence();
    if (is_first()) {
      seen->sequence = sequence;
      seen->key = key;
      seen->value = value;
    }
    __threadfence();
    atomicExch(&ledger->lock, 0U);
    done = true;
  }
}

/// The index as 64 bits, sign-extended where it is signed.
template <class Term>
__device__ inline std::uint64_t load_index(const Term& term, Index at) {
  const auto as = [&]<class S, class U>() -> std::uint64_t {
    if (term.is_signed)
      return static_cast<std::uint64_t>(static_cast<Index>(__ldg(static_cast<const S*>(term.index) + at)));
    return __ldg(static_cast<const U*>(term.index) + at);
  };
  switch (term.log_bytes) {
    case 0: return as.template operator()<signed char, unsigned char>();
    case 1: return as.template operator()<short, unsigned short>();
    case 2: return as.template operator()<int, unsigned>();
    case 3: break;
  }
  return __ldg(static_cast<const unsigned long long*>(term.index) + at);
}

/// As resolve(), for an index that is signed or not.
template <class Raw>
__device__ inline bool resolve_as(const Bounds& b, Raw raw, Index window, Index& value) {
  if (b.policy == OutOfRange::kModulo) {
    value = modulo_index(raw, b);
    return true;
  }
  value = wrapped_index(raw, b);
  if (b.policy == OutOfRange::kPromise) return true;
  if (b.policy == OutOfRange::kClamp) {
    value = value < b.lo ? b.lo : value >= b.hi ? b.hi - 1 : value;
    return true;
  }
  const auto lo = static_cast<std::uint64_t>(b.lo), size = b.hi > b.lo ? static_cast<std::uint64_t>(b.hi) - lo : 0;
  const std::uint64_t checked =
      static_cast<std::uint64_t>(value) + (b.scope == Scope::kPosition ? static_cast<std::uint64_t>(window) : 0);
  return is_inside(checked, lo, size);
}

/// `window` is what the axis adds to the index. False: out of range, and to be left out.
template <class Term>
__device__ inline bool resolve(const Term& term, std::uint64_t raw, Index window, Index& value) {
  return term.is_signed ? resolve_as(term.bounds, static_cast<Index>(raw), window, value)
                        : resolve_as(term.bounds, raw, window, value);
}

template <class Size>
__device__ inline void coordinates(const DevicePlan<Size>& plan, Index position, Index (&d)[Size::kAxes]) {
  if constexpr (Size::kAxes == 1) {
    d[0] = position;
    return;
  }
  if (plan.positions <= INT32_MAX) {
    auto rest = static_cast<std::uint32_t>(position);
#pragma unroll(Size::kAxes <= 4 ? Size::kAxes : 1)
    for (int k = Size::kAxes - 1; k >= 0; --k) {
      if (k >= plan.axes) continue;
      const auto extent = static_cast<std::uint32_t>(plan.extent[k]), next = k > 0 ? rest / extent : 0;
      d[k] = static_cast<Index>(rest - next * extent);
      rest = next;
    }
    return;
  }
  auto rest = static_cast<std::uint64_t>(position);
#pragma unroll(Size::kAxes <= 4 ? Size::kAxes : 1)
  for (int k = Size::kAxes - 1; k >= 0; --k) {
    if (k >= plan.axes) continue;
    const auto extent = static_cast<std::uint64_t>(plan.extent[k]), next = k > 0 ? rest / extent : 0;
    d[k] = static_cast<Index>(rest - next * extent);
    rest = next;
  }
}

template <class Size>
__device__ inline Index along(const DevicePlan<Size>& plan, const Index (&d)[Size::kAxes],
                              const Index (&stride)[Size::kAxes]) {
  Index sum = 0;
#pragma unroll(Size::kAxes <= 4 ? Size::kAxes : 1)
  for (int k = 0; k < Size::kAxes; ++k)
    if (k < plan.axes) sum += d[k] * stride[k];
  return sum;
}

/// What is wanted of locate().
enum class Locate {
  kAll,
  kQuietly,  // a bad index has been taken down before
  kInLine,   // the only index counts from the line that a block has read: no more than its value, less its least one
};

/// Where one position reads and writes. A bad index is taken down, by one of the threads that meet it: who `reports`.
template <Locate kWhat = Locate::kAll, class Size>
__device__ inline Spot locate(const DevicePlan<Size>& plan, Index position, bool reports = true) {
  Index d[Size::kAxes];
  coordinates(plan, position, d);
  Spot spot;
  spot.indexed = kWhat == Locate::kInLine ? -plan.term[0].bounds.lo : plan.base + along(plan, d, plan.step);
  spot.dense = along(plan, d, plan.dense_stride);
  if (plan.fill != nullptr) spot.fill = along(plan, d, plan.fill_stride);
  if (plan.fetched != nullptr) spot.fetch = along(plan, d, plan.fetch_stride);
  if (plan.mask != nullptr && plan.mask[along(plan, d, plan.mask_stride)] == 0) {
    spot.valid = false;
    return spot;
  }
#pragma unroll(Size::kTerms <= 2 ? Size::kTerms : 1)
  for (int t = 0; t < Size::kTerms; ++t) {
    if (t >= plan.terms) break;
    const auto& term = plan.term[t];
    const std::uint64_t raw = load_index(term, along(plan, d, term.stride));
    Index value;
    if (resolve(term, raw, term.window + along(plan, d, term.window_step), value)) {
      spot.indexed += kWhat == Locate::kInLine ? value : value * term.scale;
      continue;
    }
    spot.valid = false;
    if (kWhat != Locate::kQuietly && reports && term.bounds.policy == OutOfRange::kTrap)
      record_fault(
          plan.ledger, plan.sequence,
          static_cast<std::uint64_t>(along(plan, d, plan.number_stride)) * static_cast<std::uint64_t>(plan.terms) +
              static_cast<std::uint64_t>(t),
          raw);
  }
  return spot;
}

}  // namespace garner
