// A gather along an outer axis with every lookup at home: a cluster has 64 bytes of each of up to 16384 rows, each
// block 8 (kernel/common/panel_exchange.cuh). Readers send the row numbers of a line to the blocks that own its
// columns, which send back what they find there. 16384² f32 on an H200: 1.9 ms; 3.1 where lookups go to whichever block
// has the row, because each is a request of its own.
#pragma once
#include "kernel/common/panel_exchange.cuh"
#include "kernel/element_gather/panels.cuh"

namespace garner::exchange {

inline constexpr int kGatherLines = 128;  // that a block reads at a time
inline constexpr int kGatherStages = 4;  // that are under way
inline constexpr int kGatherStep = kBlocks * kGatherLines;
inline constexpr int kGatherGroup = kGatherStep / kReaders;  // lines of a thread at a time, side by side
static_assert(kReaders == kOwners);

/// A block's shared memory.
template <class U>
struct GatherMemory {
  static constexpr int kColumns = kPiece / static_cast<int>(sizeof(U));
  uint4 panel[kPanelBytes / 16];
  alignas(16) RowNumbers<kColumns> numbers[kGatherStages][kGatherStep];  // that others ask for, line by line
  /// That owners send back. Set apart so that a warp, which has some lines of all of them, meets no bank twice.
  alignas(16) Values<U> values[kGatherStages][kBlocks][kGatherLines + 2];
  std::uint64_t asked[kGatherStages], answered[kGatherStages], ready;  // the panel is there
};

#if __CUDA_ARCH__ >= 900

template <class U, class I>
struct GatherBlock {
  using Memory = GatherMemory<U>;
  static constexpr int kColumns = Memory::kColumns;

  const Panels<U, I>& p;
  Memory& memory;
  Index outer, column;  // of the cluster's first column
  unsigned rank = block_rank();
  Batches<kGatherLines, kGatherGroup> batches{static_cast<int>(p.lines)};

  __device__ unsigned owners() const {
    return static_cast<unsigned>(min(Index{kBlocks}, (p.inner - column + kColumns - 1) / kColumns));
  }
  __device__ PanelPlace panel_place() const {
    const U* first = p.from + outer * p.from_outer + column;
    return {reinterpret_cast<std::byte*>(const_cast<U*>(first)), p.from_row * static_cast<Index>(sizeof(U)),
            static_cast<int>(p.rows),
            static_cast<int>(min(Index{kRowBytes}, (p.inner - column) * static_cast<Index>(sizeof(U))))};
  }
  __device__ unsigned asked(int stage) const { return shared_address(&memory.asked[stage]); }
  __device__ unsigned ready() const { return shared_address(&memory.ready); }
  __device__ unsigned answered(int stage) const { return shared_address(&memory.answered[stage]); }

  /// One thread.
  __device__ void begin() const {
    for (int s = 0; s < kGatherStages; ++s) make_barrier(asked(s), 1), make_barrier(answered(s), kReaders / 32);
    make_barrier(ready(), 1);
    show_barriers();
    for (int s = 0; s < kGatherStages; ++s) expect_questions(s);
    expect(ready(), PanelPart::bytes(panel_place()));
  }
  /// Nothing is expected of a batch that is none: its phase would end at once, and who still waits for the one before
  /// would miss it.
  __device__ void expect_questions(int batch) const {
    if (batch < batches.count())
      expect(asked(batch % kGatherStages), batches.of_all(batch) * sizeof(RowNumbers<kColumns>));
  }
  /// A warp of readers. All say that they are there, also those without lines: a phase ends when all have left the one
  /// before.
  __device__ void expect_answers(int batch) const {
    __syncwarp();
    const unsigned barrier = answered(batch % kGatherStages);
    if (threadIdx.x == 0) expect(barrier, batches.of(batch, rank) * kPiece * owners());
    else if (threadIdx.x % 32 == 0) arrive(barrier);
  }
};

/// What a message has: lines that lie side by side, over there, too.
template <class T>
using Lines = Group<T, kGatherGroup>;

/// A thread that reads the indices of one owner's columns, some lines of every batch, and writes what comes back. All
/// addresses move from batch to batch: worked out anew they took a tenth of the time.
template <class U, class I>
class GatherReader {
 public:
  using Block = GatherBlock<U, I>;
  static constexpr int kColumns = Block::kColumns;
  static constexpr int kAhead = kColumns <= 2 ? 2 : 1;  // batches whose indices are on their way
  using Indices = Group<I, kColumns>;

  __device__ explicit GatherReader(const Block& block)
      : block_(block),
        lines_(owner() < block.owners() ? static_cast<int>(block.p.lines) : 0),
        line_(static_cast<int>(block.rank) * kGatherLines + in_batch()) {
    const Panels<U, I>& p = block.p;
    index_ = p.index + block.outer * p.index_outer + column() + line_ * p.index_row;
    to_ = p.to + block.outer * p.to_outer + column() + line_ * p.to_row;
    numbers_ = in_block(shared_address(&block.memory.numbers[0][line_]), owner());
    asked_ = in_block(block.asked(0), owner());
#pragma unroll
    for (int d = 0; d < kAhead; ++d) read(line_ + d * kGatherStep, ahead_[d]);
  }

  /// A stage's memory over there is free again when its answers have come.
  __device__ void run() {
    constexpr int kLate = kGatherStages - 1;
    const int count = block_.batches.count();
    for (int first = 0; first < count; first += kAhead)
#pragma unroll
      for (int d = 0; d < kAhead; ++d) {
        const int batch = first + d;
        if (batch >= count) break;
        ask(batch, ahead_[d]);
        read(line_ + kAhead * kGatherStep, ahead_[d]);
        if (batch >= kLate) write(batch - kLate, line_ - kLate * kGatherStep);
        line_ += kGatherStep;
      }
    for (int late = min(kLate, count); late > 0; --late) write(count - late, line_ - late * kGatherStep);
  }

 private:
  __device__ static unsigned owner() { return threadIdx.x % kBlocks; }
  __device__ static int in_batch() { return static_cast<int>(threadIdx.x) / kBlocks * kGatherGroup; }
  __device__ Index column() const { return block_.column + owner() * Index{kColumns}; }

  __device__ void read(int line, Lines<Indices>& to) {
#pragma unroll
    for (int k = 0; k < kGatherGroup; ++k)
      if (line + k < lines_) to.v[k] = read_once(reinterpret_cast<const Indices*>(index_ + k * block_.p.index_row));
    index_ += kGatherStep * block_.p.index_row;
  }

  __device__ void ask(int batch, const Lines<Indices>& raw) const {
    block_.expect_answers(batch);
    if (line_ >= lines_) return;
    Lines<RowNumbers<kColumns>> numbers;
#pragma unroll
    for (int k = 0; k < kGatherGroup; ++k)
      if (line_ + k < lines_) numbers.v[k] = numbers_of(raw.v[k], line_ + k);
    const auto stage = static_cast<unsigned>(batch % kGatherStages);
    send(numbers_ + stage * static_cast<unsigned>(sizeof(block_.memory.numbers[0])), numbers, asked_ + stage * 8);
  }

  /// Bad indices are looked at once more: a branch for each would take as long as all the rest.
  __device__ RowNumbers<kColumns> numbers_of(const Indices& raw, int line) const {
    RowNumbers<kColumns> out;
    bool all = true;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      Index row;
      const bool there = block_.p.plain.resolve(raw.v[c], row);
      out.set(c, there ? static_cast<unsigned>(row) : RowNumbers<kColumns>::kNone);
      all = all && there;
    }
    if (!all) report(raw, line);
    return out;
  }

  __device__ void report(const Indices& raw, int line) const {
    const Panels<U, I>& p = block_.p;
    const Index first = block_.outer * p.number_outer + line * p.number_row + column() * p.number_column;
#pragma unroll
    for (int c = 0; c < kColumns; ++c)
      if (Index row; !p.plain.resolve(raw.v[c], row)) p.plain.report(first + c * p.number_column, raw.v[c]);
  }

  __device__ void write(int batch, int line) {
    const int stage = batch % kGatherStages;
    wait_for(block_.answered(stage), batch / kGatherStages);
    const auto values = reinterpret_cast<const Lines<Values<U>>&>(block_.memory.values[stage][owner()][in_batch()]);
#pragma unroll
    for (int k = 0; k < kGatherGroup; ++k)
      if (line + k < lines_) write_once(to_ + k * block_.p.to_row, values.v[k]);
    to_ += kGatherStep * block_.p.to_row;
  }

  const Block& block_;
  int lines_;  // none where there is no owner
  int line_;  // its first of the batch that is asked for next
  const I* index_;  // of the batch that is read next
  U* to_;  // of the batch that is written next
  unsigned numbers_, asked_;  // of the first stage, over there
  Lines<Indices> ahead_[kAhead];
};

/// A thread that looks up the rows that others ask its block for.
template <class U, class I>
class GatherOwner {
 public:
  using Block = GatherBlock<U, I>;
  static constexpr int kColumns = Block::kColumns;

  __device__ explicit GatherOwner(const Block& block) : block_(block) {
    const auto reader = static_cast<unsigned>(slot() / kGatherLines);
    values_ = in_block(shared_address(&block.memory.values[0][block.rank][slot() % kGatherLines]), reader);
    answered_ = in_block(block.answered(0), reader);
  }

  __device__ void run() const {
    wait_for(block_.ready(), 0);
    for (int batch = 0; batch < block_.batches.count(); ++batch) answer(batch);
  }

 private:
  __device__ static int slot() { return (static_cast<int>(threadIdx.x) - kReaders) * kGatherGroup; }

  __device__ void answer(int batch) const {
    const auto stage = static_cast<unsigned>(batch % kGatherStages);
    wait_for(block_.asked(static_cast<int>(stage)), batch / kGatherStages);
    if (threadIdx.x == kReaders) block_.expect_questions(batch + kGatherStages);
    if (batch * kGatherStep + slot() >= block_.batches.lines) return;
    const auto numbers = reinterpret_cast<const Lines<RowNumbers<kColumns>>&>(block_.memory.numbers[stage][slot()]);
    Lines<Values<U>> values;
#pragma unroll
    for (int k = 0; k < kGatherGroup; ++k) values.v[k] = look_up(numbers.v[k]);
    send(values_ + stage * static_cast<unsigned>(sizeof(block_.memory.values[0])), values, answered_ + stage * 8);
  }

  __device__ Values<U> look_up(const RowNumbers<kColumns>& numbers) const {
    const auto* panel = reinterpret_cast<const Values<U>*>(block_.memory.panel);
    Values<U> out;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      const unsigned row = numbers.row(c);
      out.v[c] = row == RowNumbers<kColumns>::kNone ? U{} : panel[row].v[c];
    }
    return out;
  }

  const Block& block_;
  unsigned values_, answered_;  // of the first stage, over there
};

#endif

template <class U, class I>
__global__ void __launch_bounds__(kThreads, 1) gather_exchanging(const __grid_constant__ Panels<U, I> p) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ uint4 memory[];
  using Block = GatherBlock<U, I>;
  const Index width = kBlocks * Block::kColumns, panels = (p.inner + width - 1) / width;
  const Index panel = static_cast<Index>(blockIdx.x) / kBlocks, outer = panel / panels;
  const Block block{p, *reinterpret_cast<GatherMemory<U>*>(memory), outer, (panel - outer * panels) * width};
  if (threadIdx.x == 0) block.begin();
  enter_cluster();
  PanelPart part(block.panel_place(), shared_address(memory));
  part.read();
  wait_for_cluster();
  part.hand_out(block.ready());
  if (threadIdx.x < kReaders) GatherReader<U, I>(block).run();
  else if (block.rank < block.owners()) GatherOwner<U, I>(block).run();
  sync_cluster();  // nobody leaves while others send to its memory
#endif
}

}  // namespace garner::exchange
