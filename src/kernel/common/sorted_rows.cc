#include "kernel/common/sorted_rows.h"

#include <algorithm>
#include <utility>

#include "device/cpu/threads.h"
#include "device/cpu/tuning.h"
#include "kernel/common/segments.h"

namespace garner {
namespace {

/// x / divisor without a division, which would be half of the sorting: exact for divisors from 2 on as long as
/// x * divisor is below 2^64.
class Quotient {
 public:
  explicit Quotient(Index divisor) : inverse_(UINT64_MAX / static_cast<std::uint64_t>(divisor) + 1) {}
  std::size_t operator()(Index x) const {
    return static_cast<std::size_t>(static_cast<unsigned __int128>(static_cast<std::uint64_t>(x)) * inverse_ >> 64);
  }

 private:
  std::uint64_t inverse_;  // 2^64 / divisor, rounded up
};

/// Rows that fit between the ends of the plan's span.
Index row_count(const Launch& l) { return (l.facts.span.hi - l.facts.span.lo) / l.facts.run + 1; }

}  // namespace

bool SortedRows::is_worth(const Launch& l) {
  constexpr Index kLeastRow = 128;  // bytes: of shorter ones the order costs more than it saves
  const Index bytes = l.facts.run * l.buffers.widths[0];
  return bytes >= kLeastRow && row_count(l) * bytes >= tuning().far_bytes && l.facts.rows >= 2 * row_count(l) &&
         l.facts.rows <= UINT32_MAX && row_count(l) <= UINT32_MAX && l.facts.run <= UINT16_MAX;
}

template <class F>
void SortedRows::walk(Index begin, Index end, const F& f) const {
  const Index lowest = launch_.facts.span.lo;
  const Quotient row(launch_.facts.run);
  SegmentWalker(launch_, launch_.plan.domain.size() - 1).walk(begin, end, [&](const Segment& s) {
    for (Index j = 0; j < s.count; ++j)
      if (s.valid == nullptr || s.valid[j] != 0)
        f(row(s.offset[j] - lowest), RowUpdate{s.offset[j], s.dense + j * s.dense_step});
  });
}

/// Each thread counts and then places a part of the positions; of one row those of an earlier part come first.
SortedRows::SortedRows(const Launch& launch) : launch_(launch) {
  const Index positions = launch.facts.rows, rows = row_count(launch);
  const Index parts =
      std::min<Index>(launch.threads, 4 * positions / rows);  // their counts take no more than the order
  auto updates = Tensor::empty(DType::kI64, {2 * positions}), counts = Tensor::empty(DType::kU32, {parts * rows});
  if (!updates.ok() || !counts.ok()) return;
  memory_ = *std::move(updates);
  begin_ = static_cast<RowUpdate*>(memory_.mutable_data());
  auto* const next = counts->as<std::uint32_t>();
  const auto each_part = [&](const auto& f) {
    parallel_ranges(launch.threads, parts, 1, [&](Index begin, Index end) {
      for (Index p = begin; p < end; ++p) f(next + p * rows, positions * p / parts, positions * (p + 1) / parts);
    });
  };
  each_part([&](std::uint32_t* count, Index begin, Index end) {
    std::fill_n(count, rows, 0);
    walk(begin, end, [&](std::size_t row, const RowUpdate&) { ++count[row]; });
  });
  end_ = begin_ + set_places(next, rows, parts);
  each_part([&](std::uint32_t* place, Index begin, Index end) {
    walk(begin, end, [&](std::size_t row, const RowUpdate& update) { begin_[place[row]++] = update; });
  });
}

/// From how many updates a part has of each row to where they begin; returns how many there are.
Index SortedRows::set_places(std::uint32_t* next, Index rows, Index parts) {
  std::uint32_t total = 0;
  for (Index row = 0; row < rows; ++row) {
    const std::uint32_t before = total;
    for (Index p = 0; p < parts; ++p) total += std::exchange(next[p * rows + row], total);
    most_ = std::max<Index>(most_, total - before);
  }
  return total;
}

const RowUpdate* SortedRows::bound(Index k, Index n) const {
  const RowUpdate* at = begin_ + (end_ - begin_) * k / n;
  if (at == begin_ || at == end_) return at;
  return std::lower_bound(begin_, end_, at->target, [](const RowUpdate& u, Index target) { return u.target < target; });
}

}  // namespace garner
