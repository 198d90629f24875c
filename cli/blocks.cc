#include "cli/blocks.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/fail.h"
#include "plan/facts.h"

namespace garner::cli {
namespace {

constexpr Index kMiB = Index{1} << 20;
/// How much may be resident before a block, and become so in it.
constexpr Index kResident = 64 * kMiB, kGrowth = 64 * kMiB;
/// What reading one row makes resident at worst: a whole folio of the page cache (Linux 6.18). No advice changes that.
constexpr Index kFault = 2 * kMiB;
/// More than this of the result at a time saves nothing.
constexpr Index kBlockBytes = 16 * kMiB;

/// Pages of this process that are resident.
class Resident {
 public:
  Resident() : file_(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC)), page_(::sysconf(_SC_PAGESIZE)) {}
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;
  ~Resident() {
    if (file_ >= 0) ::close(file_);
  }
  /// 0 where the system does not say.
  Index bytes() const {
    char text[64] = {};
    if (file_ < 0 || ::pread(file_, text, sizeof text - 1, 0) <= 0) return 0;
    char* end = nullptr;
    std::strtoll(text, &end, 10);  // the first number is the address space
    return std::strtoll(end, nullptr, 10) * page_;
  }

 private:
  int file_;
  Index page_;
};

/// How many elements a block has. At first as if every row cost the worst, then what made the wanted growth; but never
/// more than three times the first, for rows that were neighbours so far may be scattered in the next block.
class Pace {
 public:
  Pace(const PlanFacts& facts, Index width) {
    const Index row = facts.run * width, reach = (facts.span.hi - facts.span.lo + 1) * width;
    const Index all = std::max<Index>(kBlockBytes / width, 1);
    const Index rows = std::max<Index>(kGrowth / (row + kFault), 1) * facts.run;
    least_ = now_ = reach <= kGrowth ? all : std::min(rows, all);
    most_ = std::min(3 * least_, all);
  }

  Index elements() const { return now_; }
  void learn(Index elements, Index growth) {
    const double wanted = static_cast<double>(kGrowth) / static_cast<double>(std::max<Index>(growth, 1));
    now_ = std::clamp(static_cast<Index>(std::min(wanted, 2.0) * static_cast<double>(elements)), least_, most_);
  }

 private:
  Index least_, most_, now_;
};

/// What a part reads of an index, mask or fill: no more than that, or it would seem to overlap its neighbours in
/// memory.
View moved(const View& view, const Axes& domain, const Axes& stride, std::size_t axis, Index begin) {
  const Index bytes = begin * stride[axis] * width(view.dtype());
  return {view.dtype(), static_cast<const char*>(view.data()) + bytes, domain, stride};
}

MutableView rows_of(const MutableView& out, std::size_t axis, Index begin, Index end) {
  Axes shape = out.shape();
  shape[axis] = end - begin;
  const Index bytes = begin * out.stride()[axis] * width(out.dtype());
  return {out.dtype(), static_cast<char*>(out.mutable_data()) + bytes, std::move(shape), out.stride()};
}

class BlockRunner {
 public:
  BlockRunner(Pace pace, const RunOptions& options, const BlockHooks& hooks)
      : pace_(pace), options_(options), hooks_(hooks), before_(resident_.bytes()) {}

  /// In order, each block as large as the pace has become.
  Status run(const Job& job, const MutableView& out) {
    if (out.elements() <= pace_.elements()) return run_block(job, out);
    std::size_t axis = 0;
    while (out.shape()[axis] == 1) ++axis;
    const Index extent = out.shape()[axis], inner = out.elements() / extent;
    for (Index begin = 0, end = 0; begin < extent; begin = end) {
      end = std::min(begin + std::max<Index>(pace_.elements() / inner, 1), extent);
      GARNER_TRY(run(part_of(job, axis, begin, end), rows_of(out, axis, begin, end)));
    }
    return {};
  }

 private:
  Status run_block(const Job& job, const MutableView& out) {
    GARNER_TRY(run_into(job, out, options_));
    hooks_.advance(static_cast<double>(out.elements()) * width(out.dtype()));
    const Index now = resident_.bytes();
    pace_.learn(out.elements(), now - before_);
    if (now > kResident) hooks_.forget();
    before_ = now > kResident ? resident_.bytes() : now;
    return {};
  }

  Pace pace_;
  const RunOptions& options_;
  const BlockHooks& hooks_;
  Resident resident_;
  Index before_;
};

}  // namespace

Job part_of(const Job& job, std::size_t axis, Index begin, Index end) {
  Job out = job;
  IndexPlan& plan = out.plan;
  plan.domain[axis] = end - begin;
  out.result_shape = plan.domain;
  for (AxisMap& map : plan.indexed) map.offset += map.step[axis] * begin;
  for (std::size_t t = 0; t < out.indices.size(); ++t)
    out.indices[t] = moved(job.indices[t], plan.domain, plan.terms[t].stride, axis, begin);
  if (out.mask) out.mask = moved(*job.mask, plan.domain, *plan.mask_stride, axis, begin);
  if (out.fill) out.fill = moved(*job.fill, plan.domain, *plan.fill_stride, axis, begin);
  return out;
}

Status run_in_blocks(const Job& job, const MutableView& out, const RunOptions& options, const BlockHooks& hooks) {
  if (job.plan.direction != Direction::kGather || out.elements() == 0) return run_into(job, out, options);
  GARNER_ASSIGN(const IndexPlan plan, simplified_plan(job));
  const Status done = BlockRunner(Pace(analyze(plan), width(out.dtype())), options, hooks).run(job, out);
  // A block counts positions from its own beginning.
  return done.ok() ? done : run_into(job, out, options);
}

}  // namespace garner::cli
