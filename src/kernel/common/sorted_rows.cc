#include "kernel/common/sorted_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

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
SortedRows::SortedRows(const Launch& launch)
    : launch_(launch),
      rows_(row_count(launch)),
      parts_(std::min<Index>(launch.threads, 4 * launch.facts.rows / rows_)) {  // no more counts than the order takes
  auto places = Tensor::empty(DType::kU32, {parts_, rows_});
  if (!places.ok()) return;
  places_ = *std::move(places);
  count();
  set_places();
  in_order_ = in_order_ && total_ == launch.facts.rows;
  if (!in_order_ && !order()) places_.reset();
}

/// f(number of the part, its places, its positions [begin, end))
template <class F>
void SortedRows::each_part(const F& f) {
  const Index positions = launch_.facts.rows;
  parallel_ranges(launch_.threads, parts_, 1, [&](Index first, Index last) {
    for (Index p = first; p < last; ++p)
      f(p, places_->as<std::uint32_t>() + p * rows_, positions * p / parts_, positions * (p + 1) / parts_);
  });
}

void SortedRows::count() {
  struct Part {
    std::size_t first = 0, last = 0;
    bool falls = false;
  };
  std::vector<Part> parts(static_cast<std::size_t>(parts_));
  each_part([&](Index p, std::uint32_t* count, Index begin, Index end) {
    std::fill_n(count, rows_, 0);
    Part seen{static_cast<std::size_t>(rows_)};
    walk(begin, end, [&](std::size_t row, const RowUpdate&) {
      ++count[row];
      seen.first = std::min(seen.first, row);
      seen.falls |= row < seen.last;
      seen.last = row;
    });
    parts[static_cast<std::size_t>(p)] = seen;
  });
  const auto meet_wrongly = [](const Part& a, const Part& b) { return a.last > b.first; };
  in_order_ =
      std::ranges::none_of(parts, &Part::falls) && std::ranges::adjacent_find(parts, meet_wrongly) == parts.end();
}

/// From how many updates a part has of each row to where they begin.
void SortedRows::set_places() {
  auto* const next = places_->as<std::uint32_t>();
  std::uint32_t total = 0;
  for (Index row = 0; row < rows_; ++row) {
    const std::uint32_t before = total;
    for (Index p = 0; p < parts_; ++p) total += std::exchange(next[p * rows_ + row], total);
    most_ = std::max<Index>(most_, total - before);
  }
  total_ = total;
}

/// False: there is no memory for it.
bool SortedRows::order() {
  auto updates = Tensor::empty(DType::kI64, {2 * launch_.facts.rows});
  if (!updates.ok()) return false;
  updates_ = *std::move(updates);
  begin_ = static_cast<RowUpdate*>(updates_.mutable_data());
  end_ = begin_ + total_;
  each_part([&](Index, std::uint32_t* place, Index begin, Index end) {
    walk(begin, end, [&](std::size_t row, const RowUpdate& update) { begin_[place[row]++] = update; });
  });
  return true;
}

Index SortedRows::first_position(Index k, Index n) const {
  const auto* const place = places_->as<std::uint32_t>();
  const auto* const row = std::lower_bound(place, place + rows_, static_cast<std::uint32_t>(total_ * k / n));
  return row == place + rows_ ? total_ : Index{*row};
}

const RowUpdate* SortedRows::bound(Index k, Index n) const {
  const RowUpdate* at = begin_ + (end_ - begin_) * k / n;
  if (at == begin_ || at == end_) return at;
  return std::lower_bound(begin_, end_, at->target, [](const RowUpdate& u, Index target) { return u.target < target; });
}

}  // namespace garner
