#include "kernel/common/row_scatter.h"

#include <bit>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "device/cpu/prefetch.h"
#include "device/cpu/stream.h"
#include "kernel/common/block_sums.h"
#include "kernel/common/boxes.h"
#include "kernel/common/keep.h"
#include "kernel/common/owners.h"
#include "kernel/common/segments.h"
#include "kernel/common/sorted_rows.h"
#include "kernel/common/spread.h"
#include "kernel/common/start.h"
#include "kernel/common/width.h"

namespace garner {
namespace {

constexpr Index kLine = 64;

// ---- any plan: owners of ranges of the destination, each walking all positions ----

/// A row that starts at offset `start`, cut to [lo, hi): elements [from, from + count) of it.
struct Cut {
  Index from, count;
};
Cut cut_row(Index start, Index run, const Owner& owner) {
  const Index from = std::max(owner.lo - start, Index{0});
  return {from, std::min(owner.hi - start, run) - from};
}

void scatter_rows(const Launch& l, const Segment& s, const Owner& owner, CombineRun combine) {
  const int bytes = l.buffers.widths[0];
  for (Index j = 0; j < s.count; ++j) {
    if (s.valid != nullptr && s.valid[j] == 0) continue;
    const Cut cut = cut_row(s.offset[j], l.facts.run, owner);
    if (cut.count <= 0) continue;
    combine(element_at(l.buffers.indexed[0], s.offset[j] + cut.from, bytes),
            element_at(l.buffers.dense[0], s.dense + j * s.dense_step + cut.from, bytes), cut.count);
  }
}

void scatter_elements(const Launch& l, const Segment& s, const Owner& owner, CombineAt combine) {
  const Targets targets{.count = s.count, .offset = s.offset, .valid = s.valid, .lo = owner.lo, .hi = owner.hi};
  combine(l.buffers.indexed[0], element_at(l.buffers.dense[0], s.dense, l.buffers.widths[0]), s.dense_step, targets);
}

void scatter_positions(const Launch& l, Index begin, Index end, const Owner& owner, const Combiner& combiner) {
  const bool rows = l.facts.run > 1;
  SegmentWalker walker(l, l.plan.domain.size() - (rows ? 1 : 0));
  walker.walk(begin, end, [&](const Segment& s) {
    if (rows) scatter_rows(l, s, owner, combiner.run);
    else scatter_elements(l, s, owner, combiner.at);
  });
}

void by_ranges(const Launch& l, const Combiner& combiner) {
  for_each_owner(l, [&](const Owner& owner) { scatter_positions(l, 0, l.facts.rows, owner, combiner); });
}

/// Where positions of one axis never meet those of another, threads share the positions instead of the destination.
void by_positions(const Launch& l, Index pieces, const Combiner& combiner) {
  const Index per = l.facts.rows / pieces,
              grain = std::max<Index>(1, 8 * SegmentWalker::kCapacity / (l.facts.run * per));
  parallel_ranges(l.threads, pieces, grain, [&](Index begin, Index end) {
    scatter_positions(l, begin * per, end * per, {l.facts.span.lo, l.facts.span.hi + 1, true}, combiner);
  });
}

// ---- rows that are either the same place or apart: slices of their columns, then owners of rows ----

constexpr Index kLeastSlice = 256;  // bytes: below, a slice costs its index walk more than its sums

/// Columns [from, from + count) of the rows whose hash is `owner` of `owners`; `together` offsets have one owner.
struct Slice {
  Index from, count;
  std::uint64_t owner, owners;
  Index together = 1;
  bool has(Index offset) const {
    return owners == 1 || spread_over(offset / together, owners) == owner;  // rows of a hot range go to all owners
  }
};

/// Rows that are stored past the caches. Of such stores to one place the last one need not stay, unless all before it
/// have been finished: which places have been stored to since is kept by their hash, where one stands for all alike.
class RowsPastCaches {
 public:
  /// False where the same places come again and again: each time all stores are waited for, and a cache is the better
  /// place for them (64 K rows of 256 B to one place: 7.9 ms so, 0.8 in the cache).
  bool pays() const { return stores_ < kTrial || round_ * kLeastApart < stores_; }

  void store(std::byte* to, const std::byte* from, Index bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(to);
    std::uint32_t& seen = seen_[static_cast<std::size_t>(spread_over(static_cast<Index>(at / kLine), seen_.size()))];
    if (seen == round_) {
      finish_stream();
      ++round_;
    }
    seen = round_;
    ++stores_;
    stream_copy(to, from, bytes);
  }
  ~RowsPastCaches() { finish_stream(); }

 private:
  static constexpr std::uint32_t kTrial = 64, kLeastApart = 16;  // of places all over memory every 80th looks alike
  std::array<std::uint32_t, 4096> seen_{};
  std::uint32_t round_ = 1, stores_ = 0;
};

/// Updates that belong to a slice, put together so that the next ones can be asked for.
class SliceRows {
 public:
  SliceRows(const Launch& launch, const Slice& slice, const Combiner& combiner, const HotPlaces* hot)
      : l_(launch), slice_(slice), combine_(combiner.run), hot_(hot), bytes_(launch.buffers.widths[0]) {
    if (hot != nullptr) sums_.emplace(launch, combiner, slice.from, slice.count);
    if (launch.plan.combine == Combine::kAssign && slice.count * bytes_ >= kLeastSlice &&
        launch.facts.elements * bytes_ >= tuning().stream_bytes)
      past_caches_.emplace();
  }

  /// Updates of one place do: the caches are where it is found again.
  void follow_each_other() { past_caches_.reset(); }

  void update(const Segment& s) {
    kept_ = 0;
    for (Index j = 0; j < s.count; ++j)
      keep(s.offset[j], s.dense + j * s.dense_step, s.valid == nullptr || s.valid[j] != 0);
    apply();
  }

  /// Each row with all its updates: it is what they are added to that stays in L1.
  void update(const SortedRows& sorted, const SortedRows::Rows& rows) {
    for (Index row = rows.begin; row < rows.end; ++row) {
      if (!slice_.has(sorted.target(row))) continue;
      ask(target_at(sorted.target(row + kRowsAhead)));
      update_row(sorted, target_at(sorted.target(row)), sorted.updates(row));
    }
  }

 private:
  void keep(Index target, Index source, bool valid) {
    target_[static_cast<std::size_t>(kept_)] = target;
    source_[static_cast<std::size_t>(kept_)] = source;
    kept_ += valid && slice_.has(target) ? 1 : 0;
  }

  /// Sums that are longer than a block go in blocks (block_sums.h).
  void update_row(const SortedRows& sorted, std::byte* target, std::span<const std::uint32_t> updates) {
    const std::size_t block = l_.sum_block > 0 ? static_cast<std::size_t>(l_.sum_block) : SIZE_MAX;
    add_rows(sorted, target, updates.first(std::min(block, updates.size())));
    for (std::size_t first = block; first < updates.size(); first += block) {
      block_.assign(static_cast<std::size_t>(slice_.count * bytes_), std::byte{0});
      add_rows(sorted, block_.data(), updates.subspan(first, std::min(block, updates.size() - first)));
      combine_(target, block_.data(), slice_.count);
    }
  }

  void add_rows(const SortedRows& sorted, std::byte* to, std::span<const std::uint32_t> updates) {
    const Index ahead = std::min(ahead_of_rows(), SortedRows::kPast);
    for (const std::uint32_t& position : updates) {
      ask(source_at(sorted.source((&position)[ahead])));
      combine_(to, source_at(sorted.source(position)), slice_.count);
    }
  }

  void apply() {
    const Index ahead = ahead_of_rows();
    for (Index m = 0; m < std::min(ahead, kept_); ++m) ask(m);
    for (Index m = 0; m < kept_; ++m) {
      if (m + ahead < kept_) ask(m + ahead);
      if (past_caches_ && !past_caches_->pays()) past_caches_.reset();
      const Index offset = target_[static_cast<std::size_t>(m)];
      if (hot_ != nullptr && hot_->may_be(offset)) sums_->add(offset, source(m));
      else if (past_caches_) past_caches_->store(target(m), source(m), slice_.count * bytes_);
      else combine_(target(m), source(m), slice_.count);
    }
  }

  std::byte* target(Index m) const { return target_at(target_[static_cast<std::size_t>(m)]); }
  const std::byte* source(Index m) const { return source_at(source_[static_cast<std::size_t>(m)]); }
  std::byte* target_at(Index offset) const { return element_at(l_.buffers.indexed[0], offset + slice_.from, bytes_); }
  const std::byte* source_at(Index offset) const {
    return element_at(l_.buffers.dense[0], offset + slice_.from, bytes_);
  }

  static constexpr Index kRowsAhead = 4;
  Index ahead_of_rows() const { return std::clamp<Index>(kAheadBytes / (slice_.count * bytes_), 4, 128); }
  void ask(const std::byte* row) const {
    constexpr Index kMost = 1024;  // bytes of a row; the hardware goes on by itself
    ask_for(row, std::min(slice_.count * bytes_, kMost));
  }
  void ask(Index m) const {
    if (!past_caches_) ask(target(m));
    ask(source(m));
  }

  const Launch& l_;
  const Slice slice_;
  CombineRun combine_;
  const HotPlaces* hot_;  // null: no sum is longer than a block
  std::optional<BlockSums> sums_;
  std::optional<RowsPastCaches> past_caches_;
  std::vector<std::byte> block_;
  int bytes_;
  Index kept_ = 0;
  std::array<Index, SegmentWalker::kCapacity> target_, source_;
};

/// Where slice k of a row begins: on a cache line, where all rows have theirs at the same columns. Two threads that
/// update halves of one line would take it from each other at every row; NumPy's arrays begin 16 bytes into a line.
Index slice_bound(const Launch& l, Index run, Index k, Index slices) {
  const Index width = l.buffers.widths[0], unit = std::max<Index>(1, kLine / width);
  if (k == 0 || k == slices) return k == 0 ? 0 : run;
  const auto first = element_at(l.buffers.indexed[0], l.facts.span.lo, l.buffers.widths[0]);
  const Index over = static_cast<Index>(reinterpret_cast<std::uintptr_t>(first) % kLine);
  const Index lead = over % width == 0 ? (kLine - over) % kLine / width : 0;
  return std::min(run, (run / unit * k / slices) * unit + lead);
}

/// f(slice) for slices of the columns of `run` elements, on the launch's threads.
template <class F>
void for_each_slice(const Launch& l, Index run, const F& f) {
  const Index width = l.buffers.widths[0];
  const Index slices = std::clamp<Index>(run * width / kLeastSlice, 1, l.threads);
  const Index owners = std::max<Index>(1, l.threads / slices);
  parallel_ranges(l.threads, slices * owners, 1, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Index k = t % slices, from = slice_bound(l, run, k, slices);
      f(Slice{from, slice_bound(l, run, k + 1, slices) - from, static_cast<std::uint64_t>(t / slices),
              static_cast<std::uint64_t>(owners), run > 1 ? 1 : kLine / width});
    }
  });
}

/// Shares of the rows, or, where one row has clearly more than a thread's share of all updates, slices of all rows
/// (half of 1.2 M updates to one row, two threads: 49 ms by shares, 55 by slices). False where that is not worth it.
bool by_sorted_rows(const Launch& l, const Combiner& combiner) {
  if (!SortedRows::is_worth(l)) return false;
  const SortedRows sorted(l);
  const bool in_blocks = l.sum_block > 0 && sorted.most() > l.sum_block;
  if (!sorted.ok() || (sorted.in_order() && in_blocks)) return false;
  const auto update = [&](const Slice& slice, Index k, Index n) {
    SliceRows rows(l, slice, combiner, nullptr);
    rows.follow_each_other();
    if (!sorted.in_order()) return rows.update(sorted, sorted.share(k, n));
    SegmentWalker(l, l.plan.domain.size() - 1)
        .walk(sorted.first_position(k, n), sorted.first_position(k + 1, n), [&](const Segment& s) { rows.update(s); });
  };
  if (4 * sorted.most() > 5 * l.facts.rows / l.threads) {
    for_each_slice(l, l.facts.run, [&](const Slice& slice) { update(slice, 0, 1); });
    return true;
  }
  const Index shares = 8 * Index{l.threads};
  parallel_ranges(l.threads, shares, 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) update({0, l.facts.run, 0, 1}, k, shares);
  });
  return true;
}

/// Slices first: whatever the indices are, each has the same work. `run` is 1 or the plan's.
void by_slices(const Launch& l, const Combiner& combiner, Index run, const HotPlaces* hot) {
  for_each_slice(l, run, [&](const Slice& slice) {
    SliceRows rows(l, slice, combiner, hot);
    SegmentWalker(l, l.plan.domain.size() - (run > 1 ? 1 : 0)).walk(0, l.facts.elements / run, [&](const Segment& s) {
      rows.update(s);
    });
  });
}

// ---- single elements under one index tensor ----

/// Bytes that go elsewhere while the positions of a line are worked on, a part of them with each.
struct Carry {
  std::byte* to = nullptr;  // null: nothing does
  const std::byte* from = nullptr;
  Index bytes = 0;
  bool past_caches = false;

  /// With positions [first, first + count) of `of`.
  void operator()(Index first, Index count, Index of) const {
    if (to == nullptr) return;
    const auto bound = [&](Index p) { return p == of ? bytes : bytes * p / of / kLine * kLine; };
    const Index begin = bound(first), n = bound(first + count) - begin;
    if (past_caches) return stream_copy(to + begin, from + begin, n);
    ask_for(from + begin + kPageAhead, n);
    std::memcpy(to + begin, from + begin, static_cast<std::size_t>(n));
  }
  void all() const { (*this)(0, 1, 1); }
};

/// The positions of a line that a thread updates, put together.
class LineUpdates {
 public:
  /// All of them, which lie near at hand.
  LineUpdates(const Launch& launch, const Combiner& combiner) : LineUpdates(launch, combiner, 0, 1, nullptr) {
    near_ = true;
  }
  LineUpdates(const Launch& launch, const Combiner& combiner, Index owner, Index owners, const HotPlaces* hot)
      : l_(launch),
        combiner_(combiner),
        owner_{static_cast<std::uint32_t>(owner), static_cast<std::uint32_t>(owners),
               std::countr_zero(static_cast<unsigned>(kLine / launch.buffers.widths[0]))},
        hot_(hot) {
    if (hot != nullptr) sums_.emplace(launch, combiner, 0, 1);
  }

  /// On `indexed`, which may be a packed panel.
  void update(const LineBatch& batch, void* indexed, Index to, Index from) {
    const int bytes = l_.buffers.widths[0];
    if (near_ && update_near(batch, element_at(indexed, to, bytes), from)) return;
    for (Index n = 0; n < batch.lines; ++n) {
      const Index there = to + n * batch.indexed_pitch;
      std::byte* target = element_at(indexed, there, bytes);
      update(batch, n, {target, target, there, from + n * batch.dense_pitch});
    }
  }

  struct Place {
    std::byte* target;
    const std::byte* read;  // where the target is read from memory: what the next line needs lies behind it
    Index to, from;  // element offsets on both sides
    Carry leaves = {}, comes = {};  // of other lines, meanwhile
    void carry(Index first, Index count, const IndexLine& line) const {
      leaves(first, count, line.count);
      comes(first, count, line.count);
    }
  };

  /// Line n of a batch.
  void update(const LineBatch& batch, Index n, const Place& at) {
    const int bytes = l_.buffers.widths[0];
    const IndexLine line = batch.at(n);
    const LineAsks asks(batch, line, at.read + line.bounds->lo * line.scale * bytes,
                        element_at(l_.buffers.dense[0], at.from, bytes), bytes);
    for (Index first = 0; first < line.count; first += kLineBlock)
      update_block(line, at, first, std::min(kLineBlock, line.count - first), asks);
    apply(at);
  }

 private:
  /// Short lines to one place at once, as those of a packed panel are; false where not all values are in range, or
  /// there are too many.
  bool update_near(const LineBatch& batch, void* indexed, Index from) {
    const bool fits = batch.line.count <= kLineBlock && batch.lines * batch.line.count <= kMost;
    if (batch.indexed_pitch != 0 || !fits || batch_offsets(batch, kept_offset_, valid_) > 0) return false;
    combiner_.near(indexed, element_at(l_.buffers.dense[0], from, l_.buffers.widths[0]),
                   {kept_offset_, batch.lines, batch.line.count, batch.dense_pitch, batch.ahead});
    return true;
  }

  void update_block(const IndexLine& line, const Place& at, Index first, Index n, const LineAsks& asks) {
    const Index lost = line_offsets(line, first, n, offset_, valid_);
    if (lost > 0 && line.bounds->policy == OutOfRange::kTrap) l_.ledger.record();
    if (lost == 0 && near_) return update_near(line, at, first, asks);
    asks(first, n);
    at.carry(first, n, line);
    if (kept_ == 0) base_ = first;
    keep({offset_, lost > 0 ? valid_ : nullptr, n, static_cast<std::uint32_t>(at.to),
          static_cast<std::int32_t>(first - base_)},
         at);
    if (kept_ > kMost - kLineBlock || first - base_ > INT32_MAX / 2) apply(at);
  }

  /// A block whose offsets are there.
  void update_near(const IndexLine& line, const Place& at, Index first, const LineAsks& asks) {
    constexpr Index kStep = 64;  // positions that are asked for at a time
    const Index n = std::min(kLineBlock, line.count - first);
    const int bytes = l_.buffers.widths[0];
    apply(at);
    at.carry(first, n, line);
    for (Index j = 0; j < n; j += kStep) {
      const Index count = std::min(kStep, n - j);
      asks(first + j, count);
      combiner_.near(at.target, element_at(l_.buffers.dense[0], at.from + first + j, bytes),
                     {offset_ + j, 1, count, count});
    }
  }

  void keep(const OffsetBlock& block, const Place& at) {
    const PositionList cold{kept_offset_ + kept_, source_ + kept_};
    if (hot_ == nullptr) {
      kept_ += keep_owned(owner_, block, cold);
      return;
    }
    const KeptApart kept = keep_apart(owner_, hot_->slots(), block, cold, {hot_offset_, hot_source_});
    kept_ += kept.cold;
    sums_->add_all({hot_offset_, hot_source_}, kept.hot, at.to, updates_at(at));
  }

  /// Those of several blocks at once: at the beginning of a list nothing has been asked for.
  void apply(const Place& at) {
    if (kept_ == 0) return;
    std::fill_n(kept_offset_ + kept_, kListAhead, 0);
    combiner_.list(at.target, updates_at(at), kept_offset_, source_, kept_);
    kept_ = 0;
  }
  const void* updates_at(const Place& at) const {
    return element_at(l_.buffers.dense[0], at.from + base_, l_.buffers.widths[0]);
  }

  const Launch& l_;
  const Combiner& combiner_;
  LineOwner owner_;
  bool near_ = false;
  const HotPlaces* hot_;  // null: no sum is longer than a block
  std::optional<BlockSums> sums_;
  static constexpr Index kMost = 8 * kLineBlock;
  static_assert(kListAhead <= kKeepPast);
  Index kept_ = 0, base_ = 0;  // how many wait, and the position from which their sources count
  std::int32_t offset_[kLineBlock], kept_offset_[kMost + kKeepPast], source_[kMost + kKeepPast];
  std::int32_t hot_offset_[kLineBlock + kKeepPast], hot_source_[kLineBlock + kKeepPast];
  std::uint8_t valid_[kLineBlock];
};

void update_box(const Lines& lines, const Box& box, void* indexed, LineUpdates& updates) {
  lines.walk(box, [&](const LineBatch& batch, Index to, Index from) { updates.update(batch, indexed, to, from); });
}

/// Positions of the innermost axis never meet: panels of it, each with all its lines, on a packed copy where that pays.
/// `brings`: Buffers::start is what the panels are loaded from.
void by_panels(const Launch& l, const Combiner& combiner, bool brings) {
  const Lines lines(l);
  const int bytes = l.buffers.widths[0];
  const bool packed = lines.panel() < lines.inner();
  const Index even = (lines.inner() + l.threads - 1) / l.threads, unit = kLine / bytes;
  const Index panel = packed ? lines.panel() : (even + unit - 1) / unit * unit;
  for_each_box(l.threads, {lines.lines(), lines.inner(), panel, 0, lines.lines()}, [&](const Box& box) {
    LineUpdates updates(l, combiner);
    if (!packed) return update_box(lines, box, l.buffers.indexed[0], updates);
    PackedPanel copy;
    const auto rows = lines.rows_of(box, l.buffers.indexed[0], bytes);
    const auto start = brings ? lines.rows_of(box, const_cast<void*>(l.buffers.start.from), bytes) : rows;
    void* indexed = copy.load(start);
    if (indexed == nullptr) {
      if (brings) PackedPanel::copy(start, rows);
      return update_box(lines, box, l.buffers.indexed[0], updates);
    }
    lines.walk(box, [&](const LineBatch& batch, Index, Index from) {
      updates.update(Lines::on_packed(batch), indexed, lines.packed_origin(box.count), from);
    });
    copy.store(rows, l.facts.elements * bytes >= tuning().stream_bytes);
  });
}

/// Lines whose places make up the target: what each reaches is brought from Buffers::start, updated in a cache, and
/// leaves past the caches; of three lines one is brought, one updated and one on its way out, a part of each in turns.
/// (Scatter-add along the last axis of 4096 x 4096 into a new result, Zen 5: copied before 8.5 ms, line by line
/// 8.3, so 7.1.)
class BroughtLines {
 public:
  BroughtLines(const Launch& l, const Lines& lines)
      : bytes_(lines.reach()),
        lowest_(lines.lowest()),
        width_(l.buffers.widths[0]),
        pitch_((bytes_ + kLine - 1) / kLine * kLine),
        start_(static_cast<const std::byte*>(l.buffers.start.from)),
        target_(static_cast<std::byte*>(l.buffers.indexed[0])),
        memory_(std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(kLines * pitch_ + kLine))) {
    cached_ = memory_.get() + (kLine - reinterpret_cast<std::uintptr_t>(memory_.get()) % kLine) % kLine;
  }

  void update(const LineBatch& batch, Index to, Index from, LineUpdates& updates) {
    const auto first = [&](Index n) { return (to + n * batch.indexed_pitch) * width_ + lowest_; };
    const auto leave = [&](Index n) { return Carry{target_ + first(n), cached(n), bytes_, true}; };
    const auto bring = [&](Index n) { return Carry{cached(n), start_ + first(n), bytes_, false}; };
    bring(0).all();
    for (Index n = 0; n < batch.lines; ++n) {
      const Index there = to + n * batch.indexed_pitch;
      updates.update(batch, n,
                     {.target = cached(n) - lowest_,
                      .read = start_ + first(n) - lowest_,
                      .to = there,
                      .from = from + n * batch.dense_pitch,
                      .leaves = n > 0 ? leave(n - 1) : Carry(),
                      .comes = n + 1 < batch.lines ? bring(n + 1) : Carry()});
    }
    leave(batch.lines - 1).all();
  }

 private:
  static constexpr Index kLines = 3;
  std::byte* cached(Index n) const { return cached_ + n % kLines * pitch_; }

  Index bytes_, lowest_, width_, pitch_;
  const std::byte* start_;
  std::byte* target_;
  std::unique_ptr<std::byte[]> memory_;
  std::byte* cached_;
};

void bring_lines(const Launch& l, const Lines& lines, const Box& box, LineUpdates& updates) {
  BroughtLines brought(l, lines);
  lines.walk(box, [&](const LineBatch& batch, Index to, Index from) { brought.update(batch, to, from, updates); });
  finish_stream();
}

/// Positions of the outermost axis never meet: its lines are shared out.
void by_lines(const Launch& l, const Combiner& combiner, bool brings) {
  const Lines lines(l);
  const Index per = lines.lines() / l.plan.domain[0];
  const Index block = std::max<Index>(1, (64 << 10) / (per * lines.inner())) * per;
  for_each_box(l.threads, {lines.lines(), lines.inner(), lines.inner(), 0, block}, [&](const Box& box) {
    LineUpdates updates(l, combiner);
    if (brings) bring_lines(l, lines, box, updates);
    else update_box(lines, box, l.buffers.indexed[0], updates);
  });
}

void by_line_owners(const Launch& l, const Combiner& combiner, const HotPlaces* hot) {
  const Lines lines(l);
  const Index owners = l.threads;
  parallel_ranges(l.threads, owners, 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      LineUpdates updates(l, combiner, k, owners, hot);
      update_box(lines, {0, lines.lines(), 0, lines.inner()}, l.buffers.indexed[0], updates);
    }
  });
}

bool is_by_line(const Launch& l) { return l.facts.run == 1 && has_lines(l.plan) && l.facts.fits_32bit; }

/// May some sums be longer than a block?
bool may_need_blocks(const Launch& l) {
  const int apart = l.facts.apart;
  const Index most = l.facts.elements / (apart >= 0 ? l.plan.domain[static_cast<std::size_t>(apart)] : 1);
  return l.sum_block > 0 && !l.facts.unique_targets && most > l.sum_block;
}

/// Sums of which some are longer than a block; false when there are none.
bool by_blocks(const Launch& l, const Combiner& combiner) {
  if (!may_need_blocks(l)) return false;
  const int last = static_cast<int>(l.plan.domain.size()) - 1;
  const Index run = l.facts.apart == last ? l.facts.run : 1;
  const HotPlaces hot(l, run);
  if (!hot.any()) return false;
  is_by_line(l) ? by_line_owners(l, combiner, &hot) : by_slices(l, combiner, run, &hot);
  return true;
}

/// Panels and lines of which each place of the target is part come by all of it: they bring what it starts from.
bool brings_start(const Launch& l) {
  if (l.buffers.start.from == nullptr || !is_by_line(l) || l.facts.unique_targets || may_need_blocks(l)) return false;
  const Lines lines(l);
  const bool last = l.facts.apart == static_cast<int>(l.plan.domain.size()) - 1;
  return last ? lines.panels_cover(l.buffers.start.bytes)
              : l.facts.apart == 0 && lines.lines_cover(l.buffers.start.bytes);
}

}  // namespace

void run_row_scatter(const Launch& l, const Combiner& combiner) {
  const int last = static_cast<int>(l.plan.domain.size()) - 1;
  const bool brings = brings_start(l);
  if (!brings) bring_start(l);
  const bool rows_meet = l.facts.run > 1 && l.facts.apart == last && !l.facts.unique_targets;
  if (rows_meet && by_sorted_rows(l, combiner)) return;
  if (by_blocks(l, combiner)) return;
  if (l.facts.unique_targets) return by_positions(l, l.facts.rows, combiner);
  if (l.facts.run > 1 && l.facts.apart == 0 && last > 0) return by_positions(l, l.plan.domain[0], combiner);
  if (l.facts.run > 1)
    return l.facts.apart == last ? by_slices(l, combiner, l.facts.run, nullptr) : by_ranges(l, combiner);
  if (!is_by_line(l)) return by_ranges(l, combiner);
  if (l.facts.apart == last) return by_panels(l, combiner, brings);
  return l.facts.apart == 0 ? by_lines(l, combiner, brings) : by_line_owners(l, combiner, nullptr);
}

}  // namespace garner
