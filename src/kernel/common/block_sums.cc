#include "kernel/common/block_sums.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>

#include "device/cpu/threads.h"
#include "device/cpu/tuning.h"
#include "kernel/common/boxes.h"
#include "kernel/common/segments.h"
#include "kernel/common/width.h"

namespace garner {

Index sum_block(const IndexPlan& plan, Determinism level) {
  // With fetch every step of the sum is a result.
  const bool is_sum = plan.direction == Direction::kScatter && plan.combine == Combine::kAdd && !plan.fetch_stride;
  return is_sum && rounds(plan.dtype) && level == Determinism::kExact ? tuning().sum_block : 0;
}

HotPlaces::HotPlaces(const Launch& launch, Index run) : run_(run) {
  const Index positions = launch.facts.elements / run, block = launch.sum_block;
  const Index pieces = std::max<Index>(launch.threads, positions >> 31);
  // So few that they stay in a core's cache: as long as nothing is hot, each is a quarter of a block.
  const auto slots = static_cast<std::uint64_t>(positions / std::max<Index>(1, block / 4));
  const int bits = std::clamp(static_cast<int>(std::bit_width(slots)), 8, 24);
  hot_.resize((std::size_t{1} << bits) / 32);
  slots_ = {hot_.data(), 32 - bits};
  std::vector<Index> counts(std::size_t{1} << bits, 0);
  std::mutex adding;
  const bool lines = run == 1 && has_lines(launch.plan) && launch.facts.fits_32bit;
  parallel_ranges(launch.threads, pieces, 1, [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      Counts mine(counts.size(), 0);
      lines ? count_lines(launch, p, pieces, mine) : count_segments(launch, p, pieces, mine);
      const std::scoped_lock lock(adding);
      for (std::size_t k = 0; k < mine.size(); ++k) counts[k] += mine[k];
    }
  });
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] > block) hot_[k / 32] |= 1U << k % 32;
  any_ = std::ranges::any_of(hot_, [](std::uint32_t hot) { return hot != 0; });
}

void HotPlaces::count_segments(const Launch& launch, Index piece, Index pieces, Counts& counts) const {
  SegmentWalker walker(launch, launch.plan.domain.size() - (run_ > 1 ? 1 : 0));
  const Index all = walker.positions();
  walker.walk(all * piece / pieces, all * (piece + 1) / pieces, [&](const Segment& s) {
    for (Index j = 0; j < s.count; ++j)
      counts[slots_.slot(static_cast<std::uint32_t>(s.offset[j]))] += s.valid == nullptr ? 1 : s.valid[j];
  });
}

void HotPlaces::count_lines(const Launch& launch, Index piece, Index pieces, Counts& counts) const {
  const Lines lines(launch);
  const auto share = [&](Index n, Index k) { return n * k / pieces; };
  const Index n = lines.lines() >= pieces ? lines.lines() : lines.inner();
  const Index begin = share(n, piece), size = share(n, piece + 1) - begin;
  const Box box = lines.lines() >= pieces ? Box{begin, size, 0, lines.inner()} : Box{0, lines.lines(), begin, size};
  std::int32_t offset[kLineBlock];
  std::uint8_t valid[kLineBlock];
  std::uint32_t slot[kLineBlock];
  lines.walk(box, [&](const LineBatch& batch, Index to, Index) {
    for (Index k = 0; k < batch.lines; ++k) {
      const LineAsks asks({}, batch.at(k), nullptr, nullptr, 0);
      for (Index first = 0; first < batch.line.count; first += kLineBlock) {
        const Index m = std::min(kLineBlock, batch.line.count - first);
        asks(first, m);
        const Index lost = line_offsets(batch.at(k), first, m, offset, valid);
        const auto there = static_cast<std::uint32_t>(to + k * batch.indexed_pitch);
        hot_slots(slots_, {.offset = offset, .valid = nullptr, .count = m, .to = there, .source = 0}, slot);
        if (lost == 0)
          for (Index j = 0; j < m; ++j) ++counts[slot[j]];
        else
          for (Index j = 0; j < m; ++j) counts[slot[j]] += valid[j];
      }
    }
  });
}

BlockSums::~BlockSums() {
  for (const Sum& sum : sums_) settle(sum);
}

BlockSums::Entry& BlockSums::entry(Index offset) {
  std::size_t at = static_cast<std::size_t>(spread(offset) >> 32) & (table_.size() - 1);
  while (table_[at].offset != kNone && table_[at].offset != offset) at = (at + 1) & (table_.size() - 1);
  return table_[at];
}

std::int32_t BlockSums::find(Index offset) {
  const Entry& found = entry(offset);
  return found.offset == offset ? found.sum : insert(offset);
}

std::int32_t BlockSums::insert(Index offset) {
  if (4 * (sums_.size() + 1) >= table_.size()) grow();
  const auto number = static_cast<std::int32_t>(sums_.size());
  entry(offset) = {offset, number};
  sums_.push_back({offset, launch_.sum_block, count_ == 1 ? new_block() : kNone, true});
  if (count_ == 1) std::memcpy(block(sums_.back()), place(offset), static_cast<std::size_t>(block_bytes()));
  return number;
}

Index BlockSums::new_block() {
  const Index number = static_cast<Index>(blocks_.size()) / block_bytes();
  blocks_.resize(blocks_.size() + static_cast<std::size_t>(block_bytes()));
  return number;
}

void BlockSums::grow() {
  const std::vector<Entry> before = std::exchange(table_, std::vector<Entry>(2 * table_.size()));
  for (const Entry& one : before)
    if (one.offset != kNone) entry(one.offset) = one;
}

void* BlockSums::place(Index offset) const {
  return element_at(launch_.buffers.indexed[0], offset + from_, launch_.buffers.widths[0]);
}

void BlockSums::settle(const Sum& sum) {
  if (sum.block == kNone) return;
  if (sum.is_first) std::memcpy(place(sum.offset), block(sum), static_cast<std::size_t>(block_bytes()));
  else combiner_.run(place(sum.offset), block(sum), count_);
}

void BlockSums::start(Sum& sum) {
  settle(sum);
  if (sum.block == kNone) sum.block = new_block();
  else std::memset(block(sum), 0, static_cast<std::size_t>(block_bytes()));
  sum.left = launch_.sum_block;
  sum.is_first = false;
}

void BlockSums::add(Index offset, const void* update) {
  Sum& sum = sums_[static_cast<std::size_t>(find(offset))];
  if (sum.left == 0) start(sum);
  --sum.left;
  combiner_.run(sum.block == kNone ? place(offset) : block(sum), update, count_);
}

/// The block of a single element has the number of its sum.
void BlockSums::add_all(const PositionList& list, Index count, Index to, const void* updates) {
  numbers_.resize(static_cast<std::size_t>(count + kListAhead));
  for (Index m = 0; m < count; ++m) numbers_[static_cast<std::size_t>(m)] = find(to + list.offset[m]);
  Index done = 0;
  const auto apply = [&](Index upto) {
    combiner_.list(blocks_.data(), updates, numbers_.data() + done, list.source + done, upto - done);
    done = upto;
  };
  for (Index m = 0; m < count; ++m) {
    const std::int32_t number = numbers_[static_cast<std::size_t>(m)];
    Sum& sum = sums_[static_cast<std::size_t>(number)];
    if (sum.left == 0) {
      apply(m);
      start(sum);
    }
    --sum.left;
  }
  apply(count);
}

}  // namespace garner
