// Positions of what is not zero. The number of results is known after the first pass, so the second writes in place.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "device/cpu/prefetch.h"
#include "device/cpu/stream.h"
#include "device/cpu/threads.h"
#include "index/outputs.h"
#include "index/positions.h"
#include "index/there.h"

namespace garner::index {
namespace {

/// Where a result of `capacity` positions lies: coordinate a of position k is data[k * step + a * axis_step].
struct Table {
  Index* data;
  Index capacity, step, axis_step;
  bool stream;  // past the caches
};

Table table_for(Index* data, Index capacity, Index rank, Layout layout) {
  const bool rows = layout == Layout::kRows;
  return {data, capacity, rows ? rank : 1, rows ? 1 : capacity, capacity * rank * 8 >= tuning().stream_bytes};
}

/// A stretch of the result that is written front to back. What is put there leaves in whole lines: one that is written
/// in two parts would be read first (50 % of 128 M bool on two threads: 56 -> 37 ms).
class Stretch {
 public:
  Stretch(Index* to, bool stream, Index most)
      : to_(to),
        stream_(stream),
        held_(std::make_unique_for_overwrite<Index[]>(static_cast<std::size_t>(kLine + most))) {}

  Index* room() { return held_.get() + count_; }

  /// The next n values are in room().
  void put(Index n) {
    count_ += n;
    const Index behind = stream_ ? over_line() : 0;
    if (behind < count_) leave(count_ - behind);
  }

  /// Rows of `values` up to the next line; -1 where no line begins with a row, or lines do not matter.
  Index rows_to_line(Index values) const {
    const Index left = (kLine - over_line()) % kLine;
    return stream_ && left % values == 0 ? left / values : -1;
  }

  /// Where whole lines of n values go, straight to the result, when rows_to_line() is 0.
  Index* lines(Index n) { return std::exchange(to_, to_ + n); }

  void finish() { leave(count_); }

  static constexpr Index kLine = 8;  // values

 private:
  Index over_line() const { return static_cast<Index>(reinterpret_cast<std::uintptr_t>(to_ + count_) / 8 % kLine); }

  void leave(Index n) {
    if (stream_) stream_copy(to_, held_.get(), n * 8);
    else std::copy_n(held_.get(), n, to_);
    std::copy(held_.get() + n, held_.get() + count_, held_.get());
    to_ += n;
    count_ -= n;
  }

  Index* to_;
  bool stream_;
  std::unique_ptr<Index[]> held_;
  Index count_ = 0;
};

/// Writes positions block by block, from number `first` on; one per thread. Everything between the bits and the result
/// stays in L1.
class Writer {
 public:
  Writer(const Axes& shape, const Table& table, Index first)
      : shape_(shape), table_(table), rank_(static_cast<Index>(shape.size())), corner_(shape.size()) {
    const Index parts = in_rows() ? 1 : rank_, values = in_rows() ? rank_ : 1;
    for (Index a = 0; a < parts; ++a)
      parts_.emplace_back(table.data + first * table.step + a * table.axis_step, table.stream, values * kStride);
    if (in_rows() && !long_last())
      columns_ = std::make_unique_for_overwrite<Index[]>(static_cast<std::size_t>(rank_ * kStride));
  }
  ~Writer() {
    for (Stretch& part : parts_) part.finish();
    finish_stream();
  }

  /// `number` positions stand before this block.
  void block(const TruthMap& map, Index b, Index number) {
    const Index ones = map.ones(b);
    if (ones == 0) return;
    set_corner(b * TruthMap::kBlock);
    ask_for(map.block(b) + kPageAhead, std::min(2 * ones, TruthMap::kBlockBytes));
    write(positions(map.block(b), ones), std::min(ones, table_.capacity - number));
  }

 private:
  static constexpr Index kBatch = 128, kStride = kBatch + kPad, kWorthLines = 32;

  bool in_rows() const { return table_.step != 1; }

  /// A block then goes over the end of the last axis once at most.
  bool long_last() const { return shape_.back() > TruthMap::kBlock || rank_ == 1; }

  /// Those of a block's ones.
  std::uint16_t* positions(const std::byte* block, Index ones) {
    if (ones <= TruthMap::kFew) std::memcpy(inside_.data(), block, static_cast<std::size_t>(ones) * 2);
    else positions_in_words(reinterpret_cast<const std::uint64_t*>(block), inside_.data());
    return inside_.data();
  }

  /// The coordinates of a block's first element.
  void set_corner(Index flat) {
    for (std::size_t a = corner_.size(); a-- > 0; flat /= shape_[a]) corner_[a] = flat % shape_[a];
  }

  void write(std::uint16_t* inside, Index n) {
    if (!long_last()) return batches(inside, n, [&](std::uint16_t* from, Index count) { split(from, count); });
    const Index left = shape_.back() - corner_.back();
    const Index here = left >= TruthMap::kBlock ? n : std::lower_bound(inside, inside + n, left) - inside;
    in_line(inside, here);
    if (here == n) return;
    next_line();
    in_line(inside + here, n - here);
  }

  template <class F>
  static void batches(std::uint16_t* inside, Index n, const F& f) {
    for (Index k = 0; k < n; k += kBatch) f(inside + k, std::min(kBatch, n - k));
  }

  /// The same numbers mean coordinates behind the end of the last axis: those of the line that follows.
  void next_line() {
    corner_.back() -= shape_.back();
    for (std::size_t a = corner_.size() - 1; a-- > 0;) {
      if (++corner_[a] < shape_[a]) return;
      corner_[a] = 0;
    }
  }

  /// Positions that differ in their last coordinate only: whole lines of the result without a stop in L1 (10 % of 128 M
  /// bool on two threads: 11.8 -> 10.7 ms, 50 %: 36 -> 31).
  void in_line(std::uint16_t* inside, Index n) {
    const bool worth = n >= kWorthLines && rank_ == (in_rows() ? 2 : 1);
    if (const Index before = worth ? parts_[0].rows_to_line(rank_) : -1; before >= 0) {
      along_last(inside, before);
      const Index whole = (n - before) * rank_ / Stretch::kLine * Stretch::kLine / rank_;
      stream_along_last(corner_, inside + before, whole, parts_[0].lines(whole * rank_));
      inside += before + whole;
      n -= before + whole;
    }
    batches(inside, n, [&](std::uint16_t* from, Index count) { along_last(from, count); });
  }

  void along_last(const std::uint16_t* inside, Index n) {
    if (in_rows()) return rows([&](Index* out) { rows_along_last(corner_, inside, n, out); }, n);
    for (Index a = 0; a + 1 < rank_; ++a)
      column(a, [&](Index* out) { std::fill_n(out, n, corner_[static_cast<std::size_t>(a)]); }, n);
    column(rank_ - 1, [&](Index* out) { add_base(corner_.back(), inside, n, out); }, n);
  }

  void split(std::uint16_t* inside, Index n) {
    if (!in_rows()) {
      for (Index a = rank_; a-- > 0;) column(a, [&](Index* out) { coordinates(a, inside, n, out); }, n);
      return;
    }
    for (Index a = rank_; a-- > 0;) coordinates(a, inside, n, columns_.get() + a * kStride);
    rows([&](Index* out) { interleave(columns_.get(), kStride, n, rank_, out); }, n);
  }

  /// Along axis a; of `inside` the axes before it remain.
  void coordinates(Index a, std::uint16_t* inside, Index n, Index* out) {
    const auto at = static_cast<std::size_t>(a);
    if (a == 0) add_base(corner_[0], inside, n, out);
    else split_axis({shape_[at], corner_[at]}, inside, n, out);
  }

  template <class Fill>
  void column(Index a, const Fill& fill, Index n) {
    Stretch& part = parts_[static_cast<std::size_t>(a)];
    fill(part.room());
    part.put(n);
  }
  template <class Fill>
  void rows(const Fill& fill, Index n) {
    fill(parts_[0].room());
    parts_[0].put(n * rank_);
  }

  const Axes& shape_;
  const Table& table_;
  Index rank_;
  Axes corner_;
  std::vector<Stretch> parts_;  // one of rows, or one an axis
  std::unique_ptr<Index[]> columns_;  // before they become rows
  std::array<std::uint16_t, TruthMap::kBlock + kPad> inside_;
};

void write_positions(const TruthMap& map, const Axes& shape, const Table& table, const RunOptions& run) {
  if (shape.empty()) return;  // a position without coordinates
  const Index bytes = map.elements / 8 + map.count() * width(DType::kI64);
  parallel_ranges(thread_count(run.threads, bytes), map.blocks(), 16, [&](Index begin, Index end) {
    const auto before = [&](Index b) { return map.before[static_cast<std::size_t>(b)]; };
    if (before(begin) >= table.capacity) return;
    Writer writer(shape, table, before(begin));
    for (Index b = begin; b < end && before(b) < table.capacity; ++b) writer.block(map, b, before(b));
  });
}

void write_fill(const Table& table, Index from, Index rank, Index fill) {
  for (Index k = from; k < table.capacity; ++k)
    for (Index a = 0; a < rank; ++a) table.data[k * table.step + a * table.axis_step] = fill;
}

/// What flatnonzero and nonzero differ in: the shape positions are written in, and the shape of the result.
struct Form {
  const char* op;
  Axes shape;
  bool flat;
};

Form flat_form(const View& input) { return {"flatnonzero", {input.elements()}, true}; }
Form full_form(const View& input) { return {"nonzero", input.shape(), false}; }

Axes result_shape(const Form& form, Index capacity, Layout layout) {
  const Index rank = static_cast<Index>(form.shape.size());
  if (form.flat) return {capacity};
  return layout == Layout::kRows ? Axes{capacity, rank} : Axes{rank, capacity};
}

/// An extent that `capacity` may have. Rule IX6.
Status check_capacity(const char* op, Index capacity) {
  if (capacity >= 0) return {};
  return fail(Code::kInvalidArgument, "IX6", "{}: capacity is {}, allowed [0, 2^63)", op, capacity);
}

/// On a device. Where the caller says how many are wanted nothing waits for the number that there are, and -1 stands
/// for it, unless the caller waits anyway.
Result<Index> find_there(const Form& form, const View& input, const NonzeroOptions& options, const RunOptions& run,
                         Output& out) {
  GARNER_ASSIGN(const Packed packed, pack_anywhere(input, form.op, run));
  const Index rank = static_cast<Index>(form.shape.size());
  if (rank > on_cuda::kMostAxes)
    return fail(Code::kUnsupported, "P24", "{}: rank is {}, allowed [0, {}] on a device", form.op, rank,
                on_cuda::kMostAxes);
  GARNER_TRY(check_capacity(form.op, options.capacity.value_or(0)));
  const on_cuda::Where at = where(input, run);
  const on_cuda::TruthSource source = truth_there(packed);
  const auto open = [&](Index capacity) -> Result<on_cuda::PositionTable> {
    GARNER_TRY(out.open(form.op, DType::kI64, result_shape(form, capacity, options.layout), {&input}, run.stream));
    const Table table = table_for(out.as<Index>(), capacity, rank, form.flat ? Layout::kRows : options.layout);
    return on_cuda::PositionTable{table.data, capacity, table.step, table.axis_step, options.fill};
  };
  if (options.capacity) {
    GARNER_ASSIGN(const on_cuda::PositionTable table, open(*options.capacity));
    GARNER_ASSIGN(const auto total, on_cuda::write_all_positions(at, source, form.shape, table));
    return run.wait ? on_cuda::read_index(at, total.get()) : Result<Index>(Index{-1});
  }
  GARNER_ASSIGN(const on_cuda::Truth truth, on_cuda::truth_of(at, source));
  GARNER_ASSIGN(const on_cuda::PositionTable table, open(truth.count));
  GARNER_TRY(on_cuda::write_positions(at, truth, form.shape, table));
  return truth.count;
}

Result<Index> find_all(const Form& form, const View& input, const NonzeroOptions& options, const RunOptions& run,
                       Output& out) {
  GARNER_ASSIGN(const TruthMap map, truth_of(input, form.op, run));
  const Index capacity = options.capacity.value_or(map.count());
  GARNER_TRY(check_capacity(form.op, capacity));
  GARNER_TRY(out.open(form.op, DType::kI64, result_shape(form, capacity, options.layout), {&input}));
  const Index rank = static_cast<Index>(form.shape.size());
  const Table table = table_for(out.as<Index>(), capacity, rank, form.flat ? Layout::kRows : options.layout);
  write_positions(map, form.shape, table, run);
  write_fill(table, std::min(map.count(), capacity), rank, options.fill);
  return map.count();
}

Result<Index> find(const Form& form, const View& input, const NonzeroOptions& options, const RunOptions& run,
                   Output& out) {
  return (input.device().is_cpu() ? find_all : find_there)(form, input, options, run, out);
}

Result<Tensor> find_fresh(const Form& form, const View& input, const NonzeroOptions& options, const RunOptions& run) {
  Output out;
  GARNER_TRY(find(form, input, options, run, out));
  return out.take();
}

Result<Index> find_into(const Form& form, const View& input, const MutableView& given, NonzeroOptions options,
                        const RunOptions& run) {
  const Index along = form.flat || options.layout == Layout::kRows ? 0 : 1;
  options.capacity = along < given.rank() ? given.extent(along) : 0;
  Output out(given);
  GARNER_ASSIGN(const Index count, find(form, input, options, run, out));
  GARNER_TRY(out.close(run));
  return count;
}

}  // namespace

Result<Index> nonzero(const View& input, const NonzeroOptions& options, const RunOptions& run, Output& out) {
  return find(full_form(input), input, options, run, out);
}

Result<Tensor> nonzero(const View& input, const NonzeroOptions& options, const RunOptions& run) {
  return find_fresh(full_form(input), input, options, run);
}
Result<Index> nonzero_into(const View& input, const MutableView& out, const NonzeroOptions& options,
                           const RunOptions& run) {
  return find_into(full_form(input), input, out, options, run);
}
Result<Tensor> flatnonzero(const View& input, const NonzeroOptions& options, const RunOptions& run) {
  return find_fresh(flat_form(input), input, options, run);
}
Result<Index> flatnonzero_into(const View& input, const MutableView& out, const NonzeroOptions& options,
                               const RunOptions& run) {
  return find_into(flat_form(input), input, out, options, run);
}

}  // namespace garner::index
