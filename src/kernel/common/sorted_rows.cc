#include "kernel/common/sorted_rows.h"

#include <algorithm>
#include <numeric>
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
  std::uint32_t operator()(Index x) const {
    return static_cast<std::uint32_t>(static_cast<unsigned __int128>(static_cast<std::uint64_t>(x)) * inverse_ >> 64);
  }

 private:
  std::uint64_t inverse_;  // 2^64 / divisor, rounded up
};

std::size_t row_axes(const Launch& l) { return l.plan.domain.size() - 1; }

/// What divides the distance between any two rows on the indexed side.
Index row_pitch(const Launch& l) {
  Index pitch = 0;
  for (const AxisMap& map : l.plan.indexed) {
    const bool moves =
        map.term >= 0 || std::any_of(map.step.begin(), map.step.begin() + static_cast<std::ptrdiff_t>(row_axes(l)),
                                     [](Index step) { return step != 0; });
    if (moves) pitch = std::gcd(pitch, map.stride);
  }
  return pitch;
}

/// Rows that fit between the ends of the plan's span.
Index row_count(const Launch& l, Index pitch) { return (l.facts.span.hi - l.facts.span.lo) / pitch + 1; }

}  // namespace

bool SortedRows::is_worth(const Launch& l) {
  constexpr Index kLeastRow = 128;  // bytes: of shorter ones the order costs more than it saves
  const Index bytes = l.facts.run * l.buffers.widths[0], pitch = row_pitch(l);
  if (bytes < kLeastRow || pitch < l.facts.run || l.facts.span.hi - l.facts.span.lo > INT64_MAX / pitch) return false;
  const Index rows = row_count(l, pitch);
  return rows * bytes >= tuning().far_bytes && rows < kNoRow && l.facts.rows >= 2 * rows && l.facts.rows <= UINT32_MAX;
}

SortedRows::SortedRows(const Launch& launch)
    : launch_(launch),
      row_pitch_(row_pitch(launch)),
      rows_(row_count(launch, row_pitch_)),
      parts_(std::min<Index>(launch.threads, launch.facts.rows / rows_)) {  // no more counts than there are positions
  auto places = Tensor::empty(DType::kU32, {parts_, rows_}), row_of = Tensor::empty(DType::kU32, {launch.facts.rows});
  if (!places.ok() || !row_of.ok()) return;
  places_ = *std::move(places);
  row_of_ = *std::move(row_of);
  see_source();
  find_rows();
  set_places();
  in_order_ = in_order_ && total_ == launch.facts.rows;
  if (!in_order_ && !order()) places_.reset();
}

/// Are positions equally far apart on the dense side?
void SortedRows::see_source() {
  const Axes &domain = launch_.plan.domain, &stride = launch_.plan.dense_stride;
  first_ = look_up(0);
  pitch_ = row_axes(launch_) == 0 ? 0 : stride[row_axes(launch_) - 1];
  is_linear_ = true;
  Index expected = pitch_;
  for (std::size_t k = row_axes(launch_); k-- > 0; expected *= domain[k])
    is_linear_ = is_linear_ && (domain[k] == 1 || stride[k] == expected);
}

Index SortedRows::look_up(Index position) const {
  Odometer at(launch_.plan.domain, row_axes(launch_));
  at.seek(position);
  return at.at(launch_.plan.dense_stride);
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

/// The row of each position; counts them, and sees whether they rise.
void SortedRows::find_rows() {
  struct Part {
    std::uint32_t first = UINT32_MAX, last = 0;
    bool falls = false;
  };
  std::vector<Part> parts(static_cast<std::size_t>(parts_));
  const Index lowest = launch_.facts.span.lo;
  const Quotient row_at(row_pitch_);
  each_part([&](Index p, std::uint32_t* count, Index begin, Index end) {
    std::fill_n(count, rows_, 0);
    Part seen;
    const auto take = [&](Index offset) {
      const std::uint32_t row = row_at(offset - lowest);
      ++count[row];
      seen.first = std::min(seen.first, row);
      seen.falls |= row < seen.last;
      seen.last = row;
      return row;
    };
    SegmentWalker(launch_, row_axes(launch_)).walk(begin, end, [&](const Segment& s) {
      auto* const row_of = row_of_.as<std::uint32_t>() + s.first;
      for (Index j = 0; j < s.count; ++j)
        row_of[j] = s.valid == nullptr || s.valid[j] != 0 ? take(s.offset[j]) : kNoRow;
    });
    parts[static_cast<std::size_t>(p)] = seen;
  });
  const auto meet_wrongly = [](const Part& a, const Part& b) { return a.last > b.first; };
  in_order_ =
      std::ranges::none_of(parts, &Part::falls) && std::ranges::adjacent_find(parts, meet_wrongly) == parts.end();
}

/// From how many updates a part has of each row to where they begin: of one row those of an earlier part come first.
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

/// Each thread places a part of the positions. False: there is no memory for it.
bool SortedRows::order() {
  auto positions = Tensor::empty(DType::kU32, {total_ + kPast});
  if (!positions.ok()) return false;
  positions_ = *std::move(positions);
  auto* const sorted = positions_.as<std::uint32_t>();
  const auto* const row_of = row_of_.as<std::uint32_t>();
  each_part([&](Index, std::uint32_t* place, Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      if (row_of[i] != kNoRow) sorted[place[row_of[i]]++] = static_cast<std::uint32_t>(i);
  });
  std::fill_n(sorted + total_, kPast, 0);
  return true;
}

Index SortedRows::first_position(Index k, Index n) const {
  const auto* const place = places_->as<std::uint32_t>();
  const auto* const row = std::lower_bound(place, place + rows_, static_cast<std::uint32_t>(total_ * k / n));
  return row == place + rows_ ? total_ : Index{*row};
}

/// Once all are placed, the last part's places are where the updates of each row end.
Index SortedRows::first_row(Index k, Index n) const {
  if (k == n) return rows_;
  const auto* const end = last_places();
  return std::upper_bound(end, end + rows_, static_cast<std::uint32_t>(total_ * k / n)) - end;
}

std::span<const std::uint32_t> SortedRows::updates(Index row) const {
  const auto* const end = last_places();
  const std::uint32_t begin = row == 0 ? 0 : end[row - 1];
  return {positions_.as<std::uint32_t>() + begin, end[row] - begin};
}

}  // namespace garner
