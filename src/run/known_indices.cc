#include "run/known_indices.h"

#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "plan/facts.h"

namespace garner {
namespace {

using Address = std::uintptr_t;

/// By where each begins. Most programs have none, and pay one load.
struct Register {
  std::atomic<Index> size{0};
  std::shared_mutex mutex;
  std::map<Address, KnownIndices> known;
};

/// Never destroyed: tensors in static variables may outlive every other static.
Register& all() {
  static Register* const instance = new Register;
  return *instance;
}

struct Stretch {
  Address first, last;  // of the first and the last element
};

Stretch stretch_of(const IndexTerm& term, const Axes& domain, const void* data) {
  Index low = 0, high = 0;
  for (std::size_t k = 0; k < domain.size(); ++k) (term.stride[k] < 0 ? low : high) += term.stride[k] * (domain[k] - 1);
  const auto at = reinterpret_cast<Address>(data);
  const auto bytes = [&](Index n) { return static_cast<Address>(n * width(term.dtype)); };
  return {at + bytes(low), at + bytes(high)};
}

bool holds(const KnownIndices& known, DType dtype, const Stretch& stretch) {
  const auto first = reinterpret_cast<Address>(known.data), bytes = static_cast<Address>(width(dtype));
  return known.dtype == dtype && (stretch.first - first) % bytes == 0 &&
         stretch.last < first + static_cast<Address>(known.count) * bytes;
}

std::optional<KnownIndices> find(DType dtype, const Stretch& stretch) {
  const std::shared_lock lock(all().mutex);
  const auto next = all().known.upper_bound(stretch.first);
  if (next == all().known.begin()) return std::nullopt;
  const KnownIndices& known = std::prev(next)->second;
  return holds(known, dtype, stretch) ? std::optional(known) : std::nullopt;
}

/// Every value in [min, max] is in range, those from the end after wrapping.
bool is_in_range(const KnownIndices& known, const Bounds& b) {
  if (known.max >= b.hi) return false;
  if (known.min >= 0) return known.min >= b.lo;
  if (b.wrap == 0) return known.min >= b.lo;
  return b.lo <= 0 && known.min + b.wrap >= b.lo && b.wrap - 1 < b.hi;
}

}  // namespace

void remember(const KnownIndices& known) {
  const std::unique_lock lock(all().mutex);
  all().known.insert_or_assign(reinterpret_cast<Address>(known.data), known);
  all().size = static_cast<Index>(all().known.size());
}

void forget(const void* data) {
  const std::unique_lock lock(all().mutex);
  all().known.erase(reinterpret_cast<Address>(data));
  all().size = static_cast<Index>(all().known.size());
}

void promise_known(IndexPlan& plan, const std::vector<const void*>& indices) {
  if (all().size.load(std::memory_order_relaxed) == 0) return;
  for (std::size_t t = 0; t < plan.terms.size(); ++t) {
    IndexTerm& term = plan.terms[t];
    if (!is_checked(term.bounds.policy) || term.bounds.scope != Scope::kTerm) continue;
    const auto known = find(term.dtype, stretch_of(term, plan.domain, indices[t]));
    if (known && is_in_range(*known, term.bounds)) term.bounds.policy = OutOfRange::kPromise;
  }
}

}  // namespace garner
