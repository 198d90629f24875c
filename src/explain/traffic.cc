#include "explain/traffic.h"

#include <algorithm>
#include <chrono>

#include "device/cpu/threads.h"
#include "plan/range.h"

namespace garner {
namespace {

/// Elements of a tensor that a walk over the domain visits, each counted once.
Index visited(const Axes& domain, const Axes& stride) {
  Axes extents;
  for (std::size_t k = 0; k < domain.size(); ++k)
    if (stride[k] != 0 || domain[k] == 0) extents.push_back(domain[k]);
  return checked_product(extents).value_or(0);
}

Index positions_of(const IndexPlan& plan) { return checked_product(plan.domain).value_or(0); }

/// The operand is copied to the result, then its targets are written, and read first where values combine.
void add_scatter(const Job& job, Traffic& bytes) {
  const IndexPlan& plan = job.plan;
  const Index width_bytes = width(plan.dtype), all = checked_product(job.result_shape).value_or(0);
  const Index targets = std::min(positions_of(plan), all);
  bytes.operand = job.operand ? all * width_bytes : 0;
  bytes.updates = visited(plan.domain, plan.dense_stride) * width_bytes;
  bytes.result = (all + targets * (plan.combine == Combine::kAssign ? 1 : 2)) * width_bytes;
  if (plan.fetch_stride) bytes.result += positions_of(plan) * width_bytes;
}

void add_gather(const Job& job, Traffic& bytes) {
  const Index elements = positions_of(job.plan), width_bytes = width(job.plan.dtype);
  bytes.operand = std::min(elements, job.operand->elements()) * width_bytes;
  bytes.result = elements * width_bytes;
}

/// Reads and writes, per second, of copying one half of `memory` to the other: the best round of those that fit into
/// `seconds`, as others may use the machine, too.
double measure(Tensor& memory, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Index half = memory.elements() / 2;
  auto* bytes = memory.as<std::uint8_t>();
  const int threads = thread_count(0, memory.elements());
  const auto copy = [&]() -> double {
    const auto begin = Clock::now();
    parallel_ranges(threads, half, Index{1} << 20,
                    [&](Index from, Index to) { std::copy(bytes + from, bytes + to, bytes + half + from); });
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  double best = copy(), passed = best;
  while (passed < seconds) {
    const double round = copy();
    best = std::min(best, round);
    passed += round;
  }
  return best > 0 ? static_cast<double>(2 * half) / best : 0;
}

}  // namespace

Traffic traffic_of(const Job& job) {
  Traffic bytes;
  if (any_zero(job.plan.domain) && job.plan.direction == Direction::kGather) return bytes;
  if (job.plan.direction == Direction::kGather) add_gather(job, bytes);
  else add_scatter(job, bytes);
  const IndexPlan& plan = job.plan;
  for (const IndexTerm& term : plan.terms) bytes.indices += visited(plan.domain, term.stride) * width(term.dtype);
  if (plan.mask_stride) bytes.mask_and_fill += visited(plan.domain, *plan.mask_stride);
  if (plan.fill_stride) bytes.mask_and_fill += visited(plan.domain, *plan.fill_stride) * width(plan.dtype);
  return bytes;
}

double copy_rate() {
  static const double kRate = [] {
    constexpr Index kBytes = Index{64} << 20;  // well above the caches of one core
    auto memory = Tensor::zeros(DType::kU8, {kBytes});
    return memory.ok() ? measure(*memory, 0.05) : 0.0;
  }();
  return kRate;
}

}  // namespace garner
