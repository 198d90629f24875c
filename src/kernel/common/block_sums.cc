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
  const Index positions = launch.facts.elements / run, pieces = launch.threads, block = launch.sum_block;
  // So few that they stay in a core's cache: as long as nothing is hot, each is a quarter of a block.
  const auto slots = static_cast<std::uint64_t>(positions / std::max<Index>(1, block / 4));
  const int bits = std::clamp(static_cast<int>(std::bit_width(slots)), 8, 24);
  hot_.resize((std::size_t{1} << bits) / 32);
  slots_ = {hot_.data(), 32 - bits};
  std::vector<Index> counts(std::size_t{1} << bits, 0);
  std::mutex adding;
  const bool lines = run == 1 && has_lines(launch.plan) && launch.facts.fits_32bit;
  parallel_ranges(launch.threads, pieces, 1, [&](Index begin, Index end) {
    std::vector<Index> mine(counts.size(), 0);
    for (Index p = begin; p < end; ++p)
      lines ? count_lines(launch, p, pieces, mine) : count_segments(launch, p, pieces, mine);
    const std::scoped_lock lock(adding);
    for (std::size_t k = 0; k < mine.size(); ++k) counts[k] += mine[k];
  });
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] > block) hot_[k / 32] |= 1U << k % 32;
  any_ = std::ranges::any_of(hot_, [](std::uint32_t hot) { return hot != 0; });
}

void HotPlaces::count_segments(const Launch& launch, Index piece, Index pieces, std::vector<Index>& counts) const {
  SegmentWalker walker(launch, launch.plan.domain.size() - (run_ > 1 ? 1 : 0));
  const Index all = walker.positions();
  walker.walk(all * piece / pieces, all * (piece + 1) / pieces, [&](const Segment& s) {
    for (Index j = 0; j < s.count; ++j)
      counts[slots_.slot(static_cast<std::uint32_t>(s.offset[j]))] += s.valid == nullptr ? 1 : s.valid[j];
  });
}

void HotPlaces::count_lines(const Launch& launch, Index piece, Index pieces, std::vector<Index>& counts) const {
  const Lines lines(launch);
  const auto share = [&](Index n, Index k) { return n * k / pieces; };
  const Index n = lines.lines() >= pieces ? lines.lines() : lines.inner();
  const Index begin = share(n, piece), size = share(n, piece + 1) - begin;
  const Box box = lines.lines() >= pieces ? Box{begin, size, 0, lines.inner()} : Box{0, lines.lines(), begin, size};
  std::int32_t offset[kLineBlock];
  std::uint8_t valid[kLineBlock];
  std::uint32_t slot[kLineBlock];
  lines.walk(box, [&](const LineBatch& batch, Index to, Index) {
    for (Index k = 0; k < batch.lines; ++k)
      for (Index first = 0; first < batch.line.count; first += kLineBlock) {
        const Index m = std::min(kLineBlock, batch.line.count - first);
        const Index lost = line_offsets(batch.at(k), first, m, offset, valid);
        const auto there = static_cast<std::uint32_t>(to + k * batch.indexed_pitch);
        hot_slots(slots_, {.offset = offset, .valid = nullptr, .count = m, .to = there, .source = 0}, slot);
        for (Index j = 0; j < m; ++j) counts[slot[j]] += lost == 0 ? 1 : valid[j];
      }
  });
}

BlockSums::~BlockSums() {
  for (Sum& sum : sums_)
    if (sum.block != kNone) add_to(place(sum.offset), block(sum));
}

std::size_t BlockSums::home(Index offset) const {
  // Not the uppermost bits, by which HotPlaces has chosen: all that share a slot there would crowd together here.
  return static_cast<std::size_t>(spread(offset) >> 32) & (sums_.size() - 1);
}

BlockSums::Sum& BlockSums::find(Index offset) {
  std::size_t at = home(offset);
  while (sums_[at].offset != kNone && sums_[at].offset != offset) at = (at + 1) & (sums_.size() - 1);
  if (sums_[at].offset == offset) return sums_[at];
  if (2 * used_ >= sums_.size()) return grow(), find(offset);
  ++used_;
  return sums_[at] = {offset, launch_.sum_block, kNone};
}

void BlockSums::grow() {
  const std::vector<Sum> before = std::exchange(sums_, std::vector<Sum>(2 * sums_.size()));
  used_ = 0;
  for (const Sum& sum : before)
    if (sum.offset != kNone) find(sum.offset) = sum;
}

void* BlockSums::place(Index offset) const {
  return element_at(launch_.buffers.indexed[0], offset + from_, launch_.buffers.widths[0]);
}

void BlockSums::add_to(void* to, const void* update) const {
  constexpr std::int32_t kHere = 0;
  if (count_ == 1) combiner_.near(to, update, &kHere, 1);  // half the call of run(), which is for rows
  else combiner_.run(to, update, count_);
}

void BlockSums::start(Sum& sum) {
  sum.left = launch_.sum_block - 1;
  if (sum.block == kNone) {
    sum.block = static_cast<Index>(blocks_.size()) / block_bytes();
    blocks_.resize(blocks_.size() + static_cast<std::size_t>(block_bytes()));
    return;
  }
  add_to(place(sum.offset), block(sum));
  std::memset(block(sum), 0, static_cast<std::size_t>(block_bytes()));
}

void BlockSums::add(Index offset, const void* update) {
  Sum& sum = find(offset);
  if (sum.left-- == 0) start(sum);
  add_to(sum.block == kNone ? place(offset) : block(sum), update);
}

}  // namespace garner
