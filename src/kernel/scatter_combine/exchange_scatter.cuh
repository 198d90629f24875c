// A scatter onto columns with every update at home: a cluster has 64 bytes of each of up to 16384 rows, each block 8
// (kernel/common/panel_exchange.cuh). Readers send the row numbers and updates of a line to the blocks that own its
// columns, which apply them in the order of the lines (ordered_updates.cuh), each column by a team of threads.
#pragma once
#include "kernel/common/panel_exchange.cuh"
#include "kernel/scatter_combine/ordered_updates.cuh"
#include "kernel/scatter_combine/updated_lines.cuh"

namespace garner::exchange {

inline constexpr int kScatterLines = 64;  // that a block reads at a time
inline constexpr int kScatterStages = 4;  // that are under way
inline constexpr unsigned kScatterTags = 16384;

/// A block's shared memory.
template <class S>
struct ScatterMemory {
  static constexpr int kColumns = kPiece / static_cast<int>(sizeof(S)), kSlots = kBlocks * kScatterLines;
  uint4 panel[kPanelBytes / 16];
  unsigned tag[kScatterTags];  // a part for each column
  RowNumbers<kColumns> numbers[kScatterStages][kSlots];
  Values<S> updates[kScatterStages][kSlots];
  std::uint64_t full[kScatterStages], empty[kScatterStages], ready;  // the panel is there
};

#if __CUDA_ARCH__ >= 900

template <class T, class I>
struct ScatterBlock {
  using S = typename T::Storage;
  static constexpr int kColumns = ScatterMemory<S>::kColumns, kSlots = ScatterMemory<S>::kSlots;
  static constexpr int kTeam = kOwners / kColumns, kEach = kColumns == 1 ? 1 : 2;  // of a column; its threads' updates
  static_assert(kSlots == kReaders && kSlots % (kTeam * kEach) == 0);

  const UpdatedLines<S>& lines;
  ScatterMemory<S>& memory;
  Index column, columns;  // the cluster's first, and all there are
  unsigned rank = block_rank();
  Batches<kScatterLines, 1> batches{lines.steps};

  __device__ unsigned owners() const {
    return static_cast<unsigned>(min(Index{kBlocks}, (columns - column) / kColumns));
  }
  __device__ PanelPlace panel_place() const {
    constexpr auto kWidth = static_cast<Index>(sizeof(S));
    return {reinterpret_cast<std::byte*>(lines.place + column * lines.line_stride), lines.place_stride * kWidth,
            lines.places, static_cast<int>(min(Index{kRowBytes}, (columns - column) * kWidth))};
  }
  __device__ unsigned full(int batch) const { return shared_address(&memory.full[batch % kScatterStages]); }
  __device__ unsigned ready() const { return shared_address(&memory.ready); }
  __device__ unsigned empty(int batch) const { return shared_address(&memory.empty[batch % kScatterStages]); }

  /// One thread.
  __device__ void begin() const {
    for (int s = 0; s < kScatterStages; ++s) make_barrier(full(s), 1), make_barrier(empty(s), owners() * kColumns);
    make_barrier(ready(), 1);
    show_barriers();
    for (int s = 0; s < kScatterStages; ++s) expect_updates(s);
    expect(ready(), PanelPart::bytes(panel_place()));
  }
  /// Nothing is expected of a batch that is none: its phase would end at once, and who still waits for the one before
  /// would miss it.
  __device__ void expect_updates(int batch) const {
    constexpr unsigned kBytes = sizeof(RowNumbers<kColumns>) + sizeof(Values<S>);
    if (batch < batches.count()) expect(full(batch), batches.of_all(batch) * kBytes);
  }

  // ---- a reader: of the columns of one owner, and one line at a time ----

  __device__ static unsigned owner() { return threadIdx.x % kBlocks; }
  __device__ int line(int batch) const { return batches.line(batch, rank, static_cast<int>(threadIdx.x) / kBlocks); }
  __device__ Index first_column() const { return column + owner() * Index{kColumns}; }

  __device__ LineStep<S, kColumns> read(int batch) const {
    if (owner() >= owners()) return {};
    return read_step<I, kColumns>(lines, first_column(), line(batch));
  }

  __device__ void hand_over(int batch, const LineStep<S, kColumns>& step) const {
    if (owner() >= owners()) return;  // who sends nothing must not wait: a phase more could end meanwhile
    if (batch >= kScatterStages) wait_for(empty(batch), batch / kScatterStages - 1);
    if (line(batch) >= lines.steps) return;
    RowNumbers<kColumns> numbers;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      int place;
      const bool there = find_place(lines, first_column() + c, line(batch), step.index[c], place);
      numbers.set(c, there ? static_cast<unsigned>(place) : RowNumbers<kColumns>::kNone);
    }
    Values<S> updates;
    memcpy(&updates, &step.update, sizeof(updates));
    const int stage = batch % kScatterStages;
    const unsigned slot = rank * kScatterLines + threadIdx.x / kBlocks, barrier = in_block(full(batch), owner());
    send(in_block(shared_address(&memory.numbers[stage][slot]), owner()), numbers, barrier);
    send(in_block(shared_address(&memory.updates[stage][slot]), owner()), updates, barrier);
  }

  /// One batch is on its way while the one before is handed over. With two the registers do not suffice: what has just
  /// been asked for would be stored away, and so waited for (16384² f32: 4.8 ms instead of 3.9).
  __device__ void read_all(LineStep<S, kColumns> next) const {
    for (int batch = 0; batch < batches.count(); ++batch) {
      const LineStep<S, kColumns> step = next;
      next = read(batch + 1);
      hand_over(batch, step);
    }
  }

  // ---- an owner's team ----

  template <class Next>
  __device__ void apply_all(const Next& next) const {
    const int at = static_cast<int>(threadIdx.x) - kReaders, c = at / kTeam;
    const Team<kTeam> team{1 + c, at % kTeam};
    constexpr unsigned kTags = kScatterTags / kColumns;
    const SharedPlaces<S> places{reinterpret_cast<S*>(memory.panel) + c, kColumns, memory.tag + c * kTags, kTags};
    OrderedUpdates<Again::kWithTheNext, kTeam, kEach, S> updates(team, places);
    wait_for(ready(), 0);
    for (int batch = 0; batch < batches.count(); ++batch) {
      wait_for(full(batch), batch / kScatterStages);
      if (at == 0) expect_updates(batch + kScatterStages);
      for (int first = 0; first < kSlots; first += kTeam * kEach) updates.apply(received(batch, first, c, team), next);
      if (batch + kScatterStages < batches.count() && team.number < kBlocks)
        arrive_there(in_block(empty(batch), static_cast<unsigned>(team.number)));
    }
    updates.finish(next);
  }

  /// The updates of column c from slot `first` on, in the order of the slots, which is that of the lines.
  __device__ Pending<S, kEach> received(int batch, int first, int c, const Team<kTeam>& team) const {
    const int stage = batch % kScatterStages, count = static_cast<int>(batches.of_all(batch));
    Pending<S, kEach> out;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const int slot = first + team.template order<kEach>(k);
      if (slot >= count) continue;
      const unsigned row = memory.numbers[stage][slot].row(c);
      if (row != RowNumbers<kColumns>::kNone) out.add(k, static_cast<int>(row), memory.updates[stage][slot].v[c]);
    }
    return out;
  }
};

#endif

template <class T, class I>
__global__ void __launch_bounds__(kThreads, 1)
    scatter_exchanging(const __grid_constant__ UpdatedLines<typename T::Storage> lines, Index columns,
                       Combine combine) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ uint4 memory[];
  using Block = ScatterBlock<T, I>;
  const Index column = static_cast<Index>(blockIdx.x) / kBlocks * kBlocks * Block::kColumns;
  const Block block{lines, *reinterpret_cast<ScatterMemory<typename T::Storage>*>(memory), column, columns};
  if (threadIdx.x == 0) block.begin();
  enter_cluster();
  {
    PanelPart part(block.panel_place(), shared_address(memory));
    part.read();
    for (unsigned i = threadIdx.x; i < kScatterTags; i += kThreads) block.memory.tag[i] = UINT32_MAX;
    wait_for_cluster();
    part.hand_out(block.ready());
  }
  __syncthreads();  // the tags
  if (threadIdx.x < kReaders) block.read_all(block.read(0));
  else if (block.rank < block.owners()) with_step<T>(combine, [&](const auto& next) { block.apply_all(next); });
  sync_cluster();
  PanelPart part(block.panel_place(), shared_address(memory));
  part.collect();
  part.write();
  sync_cluster();  // nobody leaves while others read its memory
#endif
}

}  // namespace garner::exchange
