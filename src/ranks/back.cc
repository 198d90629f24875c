#include "ranks/back.h"

#include <numeric>

#include "base/fail.h"
#include "device/cpu/stream.h"
#include "device/cpu/threads.h"
#include "garner/index.h"
#include "table/guard.h"

namespace garner {
namespace {

constexpr const char* kOp = "ranks";

/// Arriving rows go straight to their place in `values`.
class Backwards : public RowFlow {
 public:
  Backwards(const Shard& shard, const RowExchange::State& plan, const View& updates, const RunOptions& run)
      : plan_(plan), updates_(updates), run_(run), self_(shard.group.rank()), row_bytes_(shard.buffers.row_bytes()) {}

  /// So many rows come from each rank.
  Status open(const Axes& counts, const Axes& row_shape) {
    begins_.assign(1, 0);
    for (const Index n : counts) begins_.push_back(begins_.back() + n);
    Axes shape = row_shape;
    shape.insert(shape.begin(), begins_.back());
    GARNER_ASSIGN(values_, Tensor::empty(updates_.dtype(), shape));
    return {};
  }
  const Tensor& values() const { return values_; }

  Index receives(int rank) const override {
    return begins_[static_cast<std::size_t>(rank) + 1] - begins_[static_cast<std::size_t>(rank)];
  }
  std::byte* room(int rank, Index begin) override {
    return values_.as<std::byte>() + (begins_[static_cast<std::size_t>(rank)] + begin) * row_bytes_;
  }
  void take(int, Index, Index, const std::byte*) override {}
  void stay(Index part, Index parts) override {
    const Index count = receives(self_), begin = count * part / parts, end = count * (part + 1) / parts;
    if (begin < end) pack(self_, begin, end, room(self_, begin));
  }
  std::shared_ptr<const void> keep() const override { return std::make_shared<Tensor>(values_); }

  /// What went wrong while packing. Messages go out all the same: others wait for them.
  virtual Status packed() const { return {}; }

 protected:
  const RowExchange::State& plan_;
  View updates_;
  const RunOptions& run_;
  int self_;
  Index row_bytes_;

 private:
  Axes begins_;
  Tensor values_;
};

/// The row of every position by itself.
class EachBack : public Backwards {
 public:
  using Backwards::Backwards;
  Index sends(int rank) const override { return plan_.wanted.positions_of(rank); }
  void pack(int rank, Index begin, Index end, std::byte* to) override {
    const Index* order = plan_.wanted.order.data() + plan_.wanted.position_of(rank);
    const auto* from = static_cast<const std::byte*>(updates_.data());
    const Index grain = std::max<Index>(1, kBytesPerThread / std::max<Index>(1, row_bytes_));
    parallel_ranges(thread_count(run_.threads, (end - begin) * row_bytes_), end - begin, grain, [&](Index b, Index e) {
      copy_rows({from, row_bytes_, order + begin + b, nullptr, e - b, row_bytes_, to + b * row_bytes_}, false);
    });
  }
};

/// The sum of every group.
class SumsBack : public Backwards {
 public:
  using Backwards::Backwards;
  Index sends(int rank) const override { return plan_.wanted.groups_of(rank); }
  Status packed() const override { return packed_; }

  void pack(int rank, Index begin, Index end, std::byte* to) override {
    Status status = guarded(kOp, [&] { return sum(plan_.wanted.group_of(rank) + begin, end - begin, to); });
    if (packed_.ok()) packed_ = std::move(status);
  }

 private:
  Status sum(Index group, Index count, std::byte* to) const {
    const Wanted& w = plan_.wanted;
    const Index first = w.first(group), columns = row_bytes_ / width(updates_.dtype());
    Axes begins(w.begins.begin() + group, w.begins.begin() + group + count);
    for (Index& begin : begins) begin -= first;
    const View positions(w.order.data() + first, {w.first(group + count) - first});
    const View rows(updates_.dtype(), updates_.data(), {updates_.elements() / std::max<Index>(1, columns), columns});
    return index::embedding_bag_into(rows, positions, MutableView(updates_.dtype(), to, {count, columns}),
                                     {.mode = BagMode::kSum, .offsets = View(begins)}, run_);
  }

  Status packed_;
};

/// How often each asked row is meant: numbers for each group, to the rank that has its row.
struct Times {
  Axes mine, asked;
};

Result<std::shared_ptr<Times>> room_for_times(const RowExchange::State& plan) {
  return guarded(kOp, [&]() -> Result<std::shared_ptr<Times>> {
    auto out = std::make_shared<Times>(Axes(plan.wanted.rows.size()), Axes(plan.asked.size()));
    for (std::size_t g = 0; g < out->mine.size(); ++g) out->mine[g] = plan.wanted.begins[g + 1] - plan.wanted.begins[g];
    return out;
  });
}

Result<std::shared_ptr<Times>> times_asked(Group& group, const RowExchange::State& plan) {
  Result<std::shared_ptr<Times>> made = room_for_times(plan);
  GARNER_TRY(group.agree(made.status()));
  const std::shared_ptr<Times>& times = *made;
  Messages messages = no_messages(group.size());
  messages.keep = times;
  for (int k = 0; k < group.size(); ++k) {
    const Index* mine = times->mine.data() + plan.wanted.group_of(k);
    Index* theirs = times->asked.data() + plan.asked_of(k);
    if (k == group.rank()) std::copy(mine, mine + plan.wanted.groups_of(k), theirs);
    else {
      messages.sends[static_cast<std::size_t>(k)] = bytes_of(mine, plan.wanted.groups_of(k));
      messages.receives[static_cast<std::size_t>(k)] = bytes_of(theirs, plan.asks_of(k));
    }
  }
  GARNER_TRY(group.exchange(std::move(messages)));
  return times;
}

Axes counts_of(const RowExchange::State& plan, int ranks) {
  Axes out;
  for (int k = 0; k < ranks; ++k) out.push_back(plan.asks_of(k));
  return out;
}

Axes counts_of(const RowExchange::State& plan, const Axes& times, int ranks) {
  Axes out;
  for (int k = 0; k < ranks; ++k)
    out.push_back(std::accumulate(times.begin() + plan.asked_of(k), times.begin() + plan.asked_of(k + 1), Index{0}));
  return out;
}

Axes repeated(const Axes& rows, const Axes& times) {
  Axes out;
  for (std::size_t i = 0; i < rows.size(); ++i) out.insert(out.end(), static_cast<std::size_t>(times[i]), rows[i]);
  return out;
}

/// Where `rows` come from is known by now; all the memory is made before the first message goes.
Result<Contributions> deliver(const Shard& shard, Backwards& flow, const Axes& counts, const Axes& row_shape,
                              const std::function<Axes()>& rows) {
  Contributions out;
  GARNER_TRY(shard.group.agree(guarded(kOp, [&] {
    out.rows = rows();
    return flow.open(counts, row_shape);
  })));
  GARNER_TRY(run_flow(shard.group, shard.buffers, flow));
  GARNER_TRY(shard.group.agree(flow.packed()));
  out.values = flow.values();
  return out;
}

}  // namespace

Result<Contributions> send_back(const Shard& shard, const RowExchange::State& plan, const View& updates,
                                const Axes& row_shape, const RunOptions& run) {
  const int ranks = shard.group.size();
  if (run.determinism != Determinism::kExact && kind(updates.dtype()) == Kind::kFloat) {
    SumsBack flow(shard, plan, updates, run);
    return deliver(shard, flow, counts_of(plan, ranks), row_shape, [&] { return plan.asked; });
  }
  GARNER_ASSIGN(const std::shared_ptr<Times> times, times_asked(shard.group, plan));
  EachBack flow(shard, plan, updates, run);
  return deliver(shard, flow, counts_of(plan, times->asked, ranks), row_shape,
                 [&] { return repeated(plan.asked, times->asked); });
}

}  // namespace garner
