#include "draw/trace.h"

#include <array>

#include "base/fail.h"
#include "run/check.h"
#include "tensor/walk.h"

namespace garner {
namespace {

/// A term the walk adds to a position of its axis, `window` being what the rest of the axis map says.
IndexRead read_index(const Job& job, std::size_t t, const Axes& d, Index window) {
  const IndexTerm& term = job.plan.terms[t];
  const Bounds& b = term.bounds;
  IndexRead read{.term = t, .element = dot(d, term.stride)};
  read.value = load_index(term.dtype, job.indices[t].data(), read.element);
  const Wide meant = read.value < 0 ? read.value + b.wrap : read.value;
  read.wrapped = meant != read.value;
  const auto used = resolve_index(read.value, b, window);
  read.outside = !used;
  read.used = used.value_or(0);
  const bool moved = used && Wide{*used} != meant;
  read.clamped = moved && b.policy == OutOfRange::kClamp;
  read.folded = moved && b.policy == OutOfRange::kModulo;
  return read;
}

/// An error is an error whatever else happens at the same position.
void fail_step(Step& step, OutOfRange policy) {
  if (step.fate == Fate::kTrapped) return;
  if (policy == OutOfRange::kTrap) step.fate = Fate::kTrapped;
  else step.fate = policy == OutOfRange::kFill ? Fate::kFilled : Fate::kDropped;
}

Status broken_promise(const Job& job, const IndexRead& read) {
  const std::string label = read.term < job.labels.size() ? job.labels[read.term].name : "index";
  const Bounds& b = job.plan.terms[read.term].bounds;
  // A u64 above the largest i64 is not told from that one: both are far outside.
  return fail(Code::kIndex, "DR4", "{}: a value of {} is {}, promised in [{}, {})", job.op, label,
              static_cast<std::int64_t>(read.value), b.lo, b.hi);
}

bool is_masked(const Job& job, const Axes& d) {
  return job.plan.mask_stride && static_cast<const std::uint8_t*>(job.mask->data())[dot(d, *job.plan.mask_stride)] == 0;
}

/// position = offset + sum step * d + value of the term, on every axis of the indexed side.
Status address(const Job& job, Step& step) {
  step.indexed = job.plan.indexed_base;
  for (const AxisMap& map : job.plan.indexed) {
    Wide position = map.offset + dot(step.at, map.step);
    if (map.term >= 0) {
      const auto t = static_cast<std::size_t>(map.term);
      const OutOfRange policy = job.plan.terms[t].bounds.policy;
      const IndexRead read = read_index(job, t, step.at, static_cast<Index>(position));
      position += read.used;
      if (policy == OutOfRange::kPromise && (position < 0 || position >= map.extent)) return broken_promise(job, read);
      if (read.outside) fail_step(step, policy);
      step.reads.push_back(read);
    }
    step.position.push_back(static_cast<Index>(position));
    if (step.fate == Fate::kDone) step.indexed += static_cast<Index>(position) * map.stride;
  }
  if (step.fate != Fate::kDone) step.position.clear();
  return {};
}

}  // namespace

std::string_view name(Fate fate) {
  static constexpr std::array<std::string_view, 5> kNames = {"done", "filled", "dropped", "masked", "error"};
  return kNames[static_cast<std::size_t>(fate)];
}

Result<std::vector<Step>> trace(const Job& job) {
  GARNER_TRY(check_inputs(job));
  std::vector<Step> steps;
  Status status;
  walk_positions(job.plan.domain, [&](const Axes& d) {
    if (!status.ok()) return;
    Step step{.at = d, .fate = is_masked(job, d) ? Fate::kMasked : Fate::kDone};
    step.dense = dot(d, job.plan.dense_stride);
    if (step.fate == Fate::kDone) status = address(job, step);
    steps.push_back(std::move(step));
  });
  if (!status.ok()) return status;
  return steps;
}

}  // namespace garner
