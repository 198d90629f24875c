#include "device/cpu/stream.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/simd_targets.h"
#include "device/cpu/prefetch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/stream.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "device/cpu/sink-inl.h"

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {
constexpr Index kPiece = 1024;  // bytes of a long row that are asked for and copied in turn

HWY_INLINE void zero_lines(std::byte* to, Index bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const Index step = static_cast<Index>(hn::Lanes(d));
  auto* out = reinterpret_cast<std::uint8_t*>(to);
  for (Index i = 0; i < bytes; i += step) hn::Stream(hn::Zero(d), d, out + i);
}

/// Of what is long the bytes a page ahead are asked for: beside stores past the caches the hardware does not run ahead
/// far enough by itself (two cores of a Xeon: 39 GB/s read and written, asked for 46).
void StreamCopy(std::byte* to, const std::byte* from, Index bytes) {
  constexpr Index kLong = 64 << 10;
  if (bytes < kLong) return stream_bytes(to, from, bytes);
  const Index head = (kLine - over_line(to)) % kLine;
  std::memcpy(to, from, static_cast<std::size_t>(head));
  for (Index at = head; at < bytes; at += kPiece) {
    ask_for(from + at + kPageAhead, kPiece);
    stream_bytes(to + at, from + at, std::min(kPiece, bytes - at));
  }
}

HWY_INLINE const std::byte* row_at(const RowCopies& r, Index offset) { return r.from + offset * r.width; }

HWY_INLINE bool is_valid(const RowCopies& r, Index j) { return r.valid == nullptr || r.valid[j] != 0; }

/// f(row, where it comes from or null) for each.
template <class F>
HWY_INLINE void each_row(const RowCopies& r, const F& f) {
  for (Index j = 0; j < r.count; ++j) f(r.to + j * r.bytes, is_valid(r, j) ? row_at(r, r.offset[j]) : nullptr);
}

/// The same, and one of the rows ahead is asked for before each: of long ones the first piece, the hardware goes on by
/// itself.
template <class F>
HWY_INLINE void each_row(const RowCopies& r, const RowsAhead& ahead, const F& f) {
  const Index asked = std::min(r.bytes, kPiece);
  Index j = 0;
  each_row(r, [&](std::byte* to, const std::byte* from) {
    if (j < ahead.count) ask_for(row_at(r, ahead.offset[j]), asked);
    ++j;
    f(to, from);
  });
  for (; j < ahead.count; ++j) ask_for(row_at(r, ahead.offset[j]), asked);
}

/// Pieces of long rows, kAheadBytes from the one that is copied.
class PiecesAhead {
 public:
  PiecesAhead(const RowCopies& rows, const RowsAhead& ahead)
      : r_(rows), ahead_(ahead), row_(kAheadBytes / rows.bytes), at_(kAheadBytes % rows.bytes / kPiece * kPiece) {}

  HWY_INLINE void ask() {
    if (row_ >= r_.count + ahead_.count) return;
    const Index offset = row_ < r_.count ? r_.offset[row_] : ahead_.offset[row_ - r_.count];
    ask_for(row_at(r_, offset) + at_, std::min(kPiece, r_.bytes - at_));
    at_ += kPiece;
    if (at_ >= r_.bytes) at_ = 0, ++row_;
  }

 private:
  const RowCopies& r_;
  const RowsAhead& ahead_;
  Index row_, at_;
};

HWY_INLINE void copy_or_zero_row(std::byte* to, const std::byte* from, Index bytes) {
  if (from != nullptr) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  else std::memset(to, 0, static_cast<std::size_t>(bytes));
}

void CopyRows(const RowCopies& r, const RowsAhead& ahead) {
  with_size(r.bytes, [&](auto bytes) {
    each_row(r, ahead, [&](std::byte* to, const std::byte* from) { copy_or_zero_row(to, from, bytes); });
  });
}

void StreamWholeLines(const RowCopies& r, const RowsAhead& ahead) {
  with_size(r.bytes, [&](auto bytes) {
    each_row(r, ahead, [&](std::byte* to, const std::byte* from) {
      if (from != nullptr) stream_lines(to, from, bytes);
      else zero_lines(to, bytes);
    });
  });
}

void StreamStaged(const RowCopies& r, const RowsAhead& ahead) {
  LineSink sink(r.to);
  with_size(r.bytes, [&](auto bytes) {
    each_row(r, ahead, [&](std::byte*, const std::byte* from) { copy_or_zero_row(sink.room(bytes), from, bytes); });
  });
  sink.finish();
}

/// Rows of several pieces: each by itself, its ends aside.
void StreamLong(const RowCopies& r, const RowsAhead& ahead) {
  PiecesAhead pieces(r, ahead);
  each_row(r, [&](std::byte* to, const std::byte* from) {
    const Index head = (kLine - over_line(to)) % kLine, last = head + (r.bytes - head) / kLine * kLine;
    if (from == nullptr) return static_cast<void>(std::memset(to, 0, static_cast<std::size_t>(r.bytes)));
    std::memcpy(to, from, static_cast<std::size_t>(head));
    for (Index at = head; at < last; at += kPiece) {
      pieces.ask();
      stream_lines(to + at, from + at, std::min(kPiece, last - at));
    }
    std::memcpy(to + last, from + last, static_cast<std::size_t>(r.bytes - last));
  });
}

/// A long row on its way past the caches: whole lines from `at` on, what is in front of them and behind as usual.
class LongRow {
 public:
  /// `next`: the row that comes after this one, asked for at its end.
  LongRow(std::byte* to, const std::byte* from, Index bytes, const std::byte* next)
      : to_(to), from_(from), next_(next), bytes_(bytes), at_((kLine - over_line(to)) % kLine) {
    last_ = at_ + (bytes - at_) / kLine * kLine;
    std::memcpy(to, from, static_cast<std::size_t>(at_));
    std::memcpy(to + last_, from + last_, static_cast<std::size_t>(bytes - last_));
  }

  HWY_INLINE bool step() {
    constexpr Index kStep = 256, kAhead = 1024;
    const Index there = at_ + kAhead, n = std::min(kStep, last_ - at_);
    ask_once(there < bytes_ ? from_ + there : next_ + (there - bytes_), n);
    stream_lines(to_ + at_, from_ + at_, n);
    at_ += n;
    return at_ < last_;
  }

 private:
  std::byte* to_;
  const std::byte *from_, *next_;
  Index bytes_, at_, last_;
};

/// Several long rows in turns: each is a stream that the hardware follows, too.
void StreamAbreast(const RowCopies& r, const RowsAhead& ahead) {
  constexpr Index kAbreast = 4;
  const auto row = [&](Index j) {
    j = std::min(j, r.count + ahead.count - 1);
    return row_at(r, j < r.count ? r.offset[j] : ahead.offset[j - r.count]);
  };
  Index j = 0;
  const auto next_row = [&]() -> std::optional<LongRow> {
    for (; j < r.count && !is_valid(r, j); ++j) std::memset(r.to + j * r.bytes, 0, static_cast<std::size_t>(r.bytes));
    if (j == r.count) return std::nullopt;
    std::optional<LongRow> out(std::in_place, r.to + j * r.bytes, row(j), r.bytes, row(j + kAbreast));
    ++j;
    return out;
  };
  std::optional<LongRow> rows[kAbreast];
  for (auto& one : rows) one = next_row();
  while (std::ranges::any_of(rows, [](const auto& one) { return one.has_value(); }))
    for (auto& one : rows)
      if (one && !one->step()) one = next_row();
}

void StreamRows(const RowCopies& r, const RowsAhead& ahead) {
  const bool whole = r.bytes % kLine == 0 && over_line(r.to) == 0;
  if (r.bytes >= tuning().abreast_bytes) StreamAbreast(r, ahead);
  else if (r.bytes > kPiece) StreamLong(r, ahead);
  else if (whole) StreamWholeLines(r, ahead);
  else StreamStaged(r, ahead);
}

/// f(place, row) for each place that wants a row, with the rows that follow on their way.
template <class F>
HWY_INLINE void each_place(const RowSpread& r, const F& f) {
  const Index ahead = rows_ahead(r.bytes);
  const auto row = [&](Index j) { return r.from + (r.source == nullptr ? j : r.source[j]) * r.bytes; };
  for (Index j = 0; j < r.count; ++j) {
    if (r.source != nullptr && j + ahead < r.count) ask_for(row(j + ahead), std::min(r.bytes, kPiece));
    for (Index i = r.begins[j]; i < r.begins[j + 1]; ++i) f(r.to + r.places[i] * r.bytes, row(j));
  }
}

void SpreadRows(const RowSpread& r) {
  with_size(r.bytes, [&](auto bytes) {
    each_place(r, [&](std::byte* to, const std::byte* from) { copy_or_zero_row(to, from, bytes); });
  });
}

void StreamSpread(const RowSpread& r) {
  each_place(r, [&](std::byte* to, const std::byte* from) { stream_bytes(to, from, r.bytes); });
}

/// A line's worth of the element, over and over.
void FillElements(std::byte* to, const std::byte* element, int width, Index count, bool past_caches) {
  alignas(64) std::byte line[2 * kLine];
  for (Index i = 0; i < 2 * kLine; i += width) std::memcpy(line + i, element, static_cast<std::size_t>(width));
  const Index bytes = count * width, head = std::min((kLine - over_line(to)) % kLine, bytes),
              body = (bytes - head) / kLine * kLine;
  const std::byte* from = line + head % width;  // lines do not begin where elements do, if `to` does not
  std::memcpy(to, line, static_cast<std::size_t>(head));
  for (Index i = head; i < head + body; i += kLine) {
    if (past_caches) stream_lines(to + i, from, kLine);
    else std::memcpy(to + i, from, kLine);
  }
  std::memcpy(to + head + body, from, static_cast<std::size_t>(bytes - head - body));
}

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner {
HWY_EXPORT(CopyRows);
HWY_EXPORT(StreamRows);
HWY_EXPORT(SpreadRows);
HWY_EXPORT(StreamSpread);
HWY_EXPORT(StreamCopy);
HWY_EXPORT(FillElements);

void ask_for_rows(const RowCopies& rows) {
  Index left = kAheadBytes;
  for (Index j = 0; j < rows.count && left > 0; ++j, left -= rows.bytes)
    ask_for(rows.from + rows.offset[j] * rows.width, std::min(rows.bytes, left));
}
void copy_rows(const RowCopies& rows, const RowsAhead& ahead, bool past_caches) {
  if (rows.count <= 0 || rows.bytes <= 0) return;
  if (past_caches) HWY_DYNAMIC_DISPATCH(StreamRows)(rows, ahead);
  else HWY_DYNAMIC_DISPATCH(CopyRows)(rows, ahead);
}
void copy_rows(const RowCopies& rows, bool past_caches) {
  RowCopies first = rows;
  first.count = std::min(rows.count, rows_ahead(rows.bytes));
  ask_for_rows(first);
  copy_rows(rows, {rows.offset + first.count, rows.count - first.count}, past_caches);
}
void spread_rows(const RowSpread& rows, bool past_caches) {
  if (rows.count <= 0 || rows.bytes <= 0) return;
  // Rows that share a line with their neighbour would leave it half written.
  const bool whole = rows.bytes % 64 == 0 && reinterpret_cast<std::uintptr_t>(rows.to) % 64 == 0;
  if (past_caches && whole) HWY_DYNAMIC_DISPATCH(StreamSpread)(rows);
  else HWY_DYNAMIC_DISPATCH(SpreadRows)(rows);
}
void stream_copy(void* to, const void* from, Index bytes) {
  HWY_DYNAMIC_DISPATCH(StreamCopy)(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
}
void fill_elements(void* to, const void* element, int width, Index count, bool past_caches) {
  HWY_DYNAMIC_DISPATCH(FillElements)
  (static_cast<std::byte*>(to), static_cast<const std::byte*>(element), width, count, past_caches);
}
void finish_stream() { hwy::FlushStream(); }
}  // namespace garner
#endif
