#include "ranks/exchange.h"

#include <numeric>

#include "base/fail.h"
#include "device/cpu/stream.h"
#include "device/cpu/threads.h"
#include "table/guard.h"

namespace garner {
namespace {

constexpr const char* kOp = "ranks";
constexpr Index kNone = -1;  // instead of a count: this rank has no plan

/// How many rows each rank wants of each other. Where one has found no memory so far, all end here.
Result<Axes> counts_of_askers(Group& group, const Result<Wanted>& mine) {
  Axes wants(static_cast<std::size_t>(group.size()), kNone);
  for (int k = 0; mine.ok() && k < group.size(); ++k) wants[static_cast<std::size_t>(k)] = mine->groups_of(k);
  GARNER_ASSIGN(Axes asks, group.all_to_all(wants));
  for (const Index count : asks)
    if (count == kNone) GARNER_TRY(group.agree(mine.status()));
  return asks;
}

Status make_room(const Axes& asks, RowExchange::State& plan) {
  return guarded(kOp, [&] {
    plan.askers.assign(1, 0);
    for (const Index count : asks) plan.askers.push_back(plan.askers.back() + count);
    plan.asked.resize(static_cast<std::size_t>(plan.askers.back()));
    return Status{};
  });
}

/// The rows of each group to the rank that has them. The memory is the plan's own; whoever fails waits no more for it.
Status send_rows(Group& group, const std::shared_ptr<RowExchange::State>& plan) {
  Messages messages = no_messages(group.size());
  messages.keep = plan;
  for (int k = 0; k < group.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Index* wants = plan->wanted.rows.data() + plan->wanted.group_of(k);
    Index* asks = plan->asked.data() + plan->asked_of(k);
    if (k == group.rank()) {
      std::copy(wants, wants + plan->wanted.groups_of(k), asks);
      continue;
    }
    messages.sends[at] = bytes_of(wants, plan->wanted.groups_of(k));
    messages.receives[at] = bytes_of(asks, plan->asks_of(k));
  }
  return group.exchange(std::move(messages));
}

// ---- forwards ----

class Forwards : public RowFlow {
 public:
  Forwards(const Shard& shard, const RowExchange::State& plan, std::byte* out, int threads)
      : plan_(plan),
        self_(shard.group.rank()),
        row_bytes_(shard.buffers.row_bytes()),
        from_(shard.rows),
        out_(out),
        past_caches_(static_cast<Index>(plan.wanted.order.size()) * row_bytes_ >= tuning().stream_bytes),
        threads_(threads) {}

  Index sends(int rank) const override { return plan_.asks_of(rank); }
  Index receives(int rank) const override { return plan_.wanted.groups_of(rank); }

  void pack(int rank, Index begin, Index end, std::byte* to) override {
    const Index* rows = plan_.asked.data() + plan_.asked_of(rank);
    in_parts(begin, end, [&](Index b, Index e) {
      copy_rows({from_, row_bytes_, rows + b, nullptr, e - b, row_bytes_, to + (b - begin) * row_bytes_}, false);
    });
  }
  std::byte* room(int, Index) override { return nullptr; }

  void take(int rank, Index begin, Index end, const std::byte* rows) override {
    const Index first = plan_.wanted.group_of(rank);
    in_parts(begin, end, [&](Index b, Index e) { spread(rows + (b - begin) * row_bytes_, nullptr, first + b, e - b); });
  }

  void stay(Index part, Index parts) override {
    const Index first = plan_.wanted.group_of(self_), count = plan_.wanted.groups_of(self_);
    in_parts(first + count * part / parts, first + count * (part + 1) / parts,
             [&](Index b, Index e) { spread(from_, plan_.wanted.rows.data() + b, b, e - b); });
  }

 private:
  /// Rows of `count` groups to their positions.
  void spread(const std::byte* from, const Index* source, Index group, Index count) const {
    const Wanted& w = plan_.wanted;
    spread_rows({from, source, w.begins.data() + group, w.order.data(), count, row_bytes_, out_}, past_caches_);
    if (past_caches_) finish_stream();
  }
  template <class Work>
  void in_parts(Index begin, Index end, const Work& work) const {
    const Index count = end - begin, grain = std::max<Index>(1, kBytesPerThread / std::max<Index>(1, row_bytes_));
    parallel_ranges(thread_count(threads_, count * row_bytes_), count, grain,
                    [&](Index b, Index e) { work(begin + b, begin + e); });
  }

  const RowExchange::State& plan_;
  int self_;
  Index row_bytes_;
  const std::byte* from_;
  std::byte* out_;
  bool past_caches_;
  int threads_;
};

}  // namespace

Result<RowExchange::State> plan_exchange(const Shard& shard, std::span<const Index> ids, bool unique,
                                         const RunOptions& run) {
  Result<Wanted> mine = guarded(kOp, [&] { return wanted(shard.sharding, ids, unique, run); });
  GARNER_ASSIGN(const Axes asks, counts_of_askers(shard.group, mine));
  auto plan = std::make_shared<RowExchange::State>();
  plan->wanted = *std::move(mine);
  GARNER_TRY(shard.group.agree(make_room(asks, *plan)));
  GARNER_TRY(send_rows(shard.group, plan));
  return std::move(*plan);
}

Status gather_rows(const Shard& shard, const RowExchange::State& plan, std::byte* out, const RunOptions& run) {
  Forwards flow(shard, plan, out, run.threads);
  return run_flow(shard.group, shard.buffers, flow);
}

}  // namespace garner
