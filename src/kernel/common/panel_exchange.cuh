// A panel of columns in the shared memory of a cluster. Each of its eight blocks owns 8 bytes of every row, so that it
// finds any row of its columns at home; together they have 64, so that rows come and go in pieces that fill sectors.
// Every block reads a share of the lines for all of them: what is another's goes there as a message, a store that
// counts itself at a barrier over there. Nobody waits for anything but such counts.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "garner/axes.h"
#include "kernel/common/group.cuh"

namespace garner::exchange {

inline constexpr int kBlocks = 8;  // the most that every device with clusters takes
inline constexpr int kPiece = 8;   // bytes of a row that a block owns
inline constexpr int kRowBytes = kBlocks * kPiece;
inline constexpr Index kMostRows = 16384;
inline constexpr Index kPanelBytes = kMostRows * kPiece;
/// Half of a block's threads read lines and send messages, the others answer or apply those that come in.
inline constexpr int kReaders = 512, kOwners = 512, kThreads = kReaders + kOwners;

/// A row of each column of a block, as 16-bit numbers.
template <int kColumns>
struct alignas(kColumns < 4 ? 4 : 2 * kColumns) RowNumbers {
  static constexpr unsigned kNone = 0xffff;
  std::uint32_t word[(kColumns + 1) / 2] = {};

  __device__ void set(int column, unsigned row) { word[column / 2] |= row << (column % 2 * 16); }
  __device__ unsigned row(int column) const { return word[column / 2] >> (column % 2 * 16) & 0xffffU; }
};

/// Values of a block's columns in one row.
template <class U>
using Values = Group<U, kPiece / static_cast<int>(sizeof(U))>;

/// Lines in the order in which they are sent: batches of kLines for each block, which it reads for the others, and of
/// those kGroup at a time.
template <int kLines, int kGroup>
struct Batches {
  int lines;

  __device__ int count() const { return (lines + kBlocks * kLines - 1) / (kBlocks * kLines); }
  __device__ int line(int batch, unsigned reader, int l) const {
    return (batch * kBlocks + static_cast<int>(reader)) * kLines + l;
  }
  /// In whole groups, of one reader and of all.
  __device__ unsigned of(int batch, unsigned reader) const { return within(line(batch, reader, 0), kLines); }
  __device__ unsigned of_all(int batch) const { return within(line(batch, 0, 0), kBlocks * kLines); }

 private:
  __device__ unsigned within(int first, int most) const {
    return static_cast<unsigned>(max(0, min((lines - first + kGroup - 1) / kGroup * kGroup, most)));
  }
};

#if __CUDA_ARCH__ >= 900

__device__ inline unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ inline unsigned block_rank() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// The same address in another block's memory.
__device__ inline unsigned in_block(unsigned address, unsigned rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  return there;
}

/// All threads of all blocks, before anything is stored in another's memory: it may not have begun. Its barriers are
/// seen, too.
__device__ inline void enter_cluster() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
__device__ inline void wait_for_cluster() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
/// All threads of all blocks; what they have stored is seen.
__device__ inline void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ inline uint4 load_there(unsigned from) {
  uint4 v;
  asm volatile("ld.shared::cluster.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(from));
  return v;
}

/// A message of 4 or 8 bytes or some 16 to another block, whose barrier counts them.
template <class Message>
__device__ inline void send(unsigned to, const Message& message, unsigned barrier) {
  unsigned w[sizeof(Message) / 4];
  memcpy(w, &message, sizeof(Message));
#define GARNER_SEND "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"
  if constexpr (sizeof(Message) == 4) {
    asm volatile(GARNER_SEND ".b32 [%0], %1, [%2];" ::"r"(to), "r"(w[0]), "r"(barrier));
  } else if constexpr (sizeof(Message) == 8) {
    asm volatile(GARNER_SEND ".v2.b32 [%0], {%1, %2}, [%3];" ::"r"(to), "r"(w[0]), "r"(w[1]), "r"(barrier));
  } else {
    static_assert(sizeof(Message) % 16 == 0);
#pragma unroll
    for (unsigned i = 0; i < sizeof(Message) / 4; i += 4)
      asm volatile(GARNER_SEND ".v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to + i * 4), "r"(w[i]), "r"(w[i + 1]),
                   "r"(w[i + 2]), "r"(w[i + 3]), "r"(barrier));
  }
#undef GARNER_SEND
}

/// What is read or written once: the caches give it up first.
template <class T>
using OneWord = std::conditional_t<alignof(T) == 16, uint4, std::conditional_t<alignof(T) == 8, uint2, unsigned>>;
template <class T>
__device__ inline T read_once(const T* from) {
  using Word = OneWord<T>;
  Word words[sizeof(T) / sizeof(Word)];
#pragma unroll
  for (std::size_t i = 0; i < sizeof(T) / sizeof(Word); ++i) words[i] = __ldcs(reinterpret_cast<const Word*>(from) + i);
  T out;
  memcpy(&out, words, sizeof(T));
  return out;
}
template <class U>
__device__ inline void write_once(U* to, const Values<U>& values) {
  uint2 word;
  memcpy(&word, &values, sizeof(word));
  __stcs(reinterpret_cast<uint2*>(to), word);
}

// ---- barriers in shared memory ----

__device__ inline void make_barrier(unsigned barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/// Before other blocks use them.
__device__ inline void show_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

/// The next phase ends when so many bytes have come; to be said once a phase, before or after they come.
__device__ inline void expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ inline void arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void arrive_there(unsigned barrier) {
  asm volatile(
      "fence.release.sync_restrict::shared::cta.cluster;\n\t"
      "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier)
      : "memory");
}
/// Until phase number 0, 1, 2, … has ended. Messages come from other blocks, so what is read then must be ordered for
/// the cluster; but for shared memory alone, or else the L1 cache would be emptied every time.
__device__ inline void wait_for(unsigned barrier, int phase) {
  asm volatile(
      "{\n\t"
      ".reg .pred done;\n\t"
      "AGAIN_%=: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 done, [%0], %1;\n\t"
      "@!done bra AGAIN_%=;\n\t"
      "fence.acquire.sync_restrict::shared::cluster.cluster;\n\t"
      "}" ::"r"(barrier),
      "r"(phase & 1)
      : "memory");
}

// ---- panels ----

/// Where the cluster's columns lie: `bytes` of every row, a multiple of 16.
struct PanelPlace {
  std::byte* first;
  Index pitch;  // bytes
  int rows, bytes;
};

/// This thread's share of a panel: pieces of 16 bytes of two rows each, all on their way at once.
class PanelPart {
 public:
  __device__ PanelPart(const PanelPlace& place, unsigned panel)
      : place_(place), left_(in_block(panel, 2 * piece())), right_(in_block(panel, 2 * piece() + 1)) {}

  /// How much comes to an owner.
  __device__ static unsigned bytes(const PanelPlace& place) { return (place.rows + 1) / 2 * 16; }

  /// From where it lies to its owners' shared memory, whose barriers count it.
  __device__ void read() {
    each([&](int k, const std::byte* at, int, bool both) {
      rows_[k][0] = __ldcs(reinterpret_cast<const uint4*>(at));
      rows_[k][1] = both ? __ldcs(reinterpret_cast<const uint4*>(at + place_.pitch)) : uint4{};
    });
  }
  __device__ void hand_out(unsigned barrier) const {
    const unsigned left = in_block(barrier, 2 * piece()), right = in_block(barrier, 2 * piece() + 1);
    each([&](int k, const std::byte*, int pair, bool) {
      const uint4 first = rows_[k][0], second = rows_[k][1];
      send(left_ + pair * 16, uint4{first.x, first.y, second.x, second.y}, left);
      send(right_ + pair * 16, uint4{first.z, first.w, second.z, second.w}, right);
    });
  }

  /// And back. Before and after it, sync_cluster().
  __device__ void collect() {
    each([&](int k, const std::byte*, int pair, bool) {
      rows_[k][0] = load_there(left_ + pair * 16);
      rows_[k][1] = load_there(right_ + pair * 16);
    });
  }
  __device__ void write() const {
    each([&](int k, std::byte* at, int, bool both) {
      const uint4 l = rows_[k][0], r = rows_[k][1];
      __stcs(reinterpret_cast<uint4*>(at), uint4{l.x, l.y, r.x, r.y});
      if (both) __stcs(reinterpret_cast<uint4*>(at + place_.pitch), uint4{l.z, l.w, r.z, r.w});
    });
  }

 private:
  static constexpr int kPieces = kRowBytes / 16, kStep = kThreads / kPieces;
  static constexpr int kEach = static_cast<int>(kMostRows) / 2 / kBlocks / kStep;
  static_assert(kEach * kStep * kBlocks * 2 == kMostRows);

  __device__ static unsigned piece() { return threadIdx.x % kPieces; }

  /// f(k, where it lies, the number of the two rows, is there a second one?)
  template <class F>
  __device__ void each(const F& f) const {
    if (static_cast<int>(piece()) * 16 >= place_.bytes) return;
    const int first = static_cast<int>(block_rank()) * kEach * kStep + static_cast<int>(threadIdx.x) / kPieces;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const int pair = first + k * kStep;
      if (2 * pair < place_.rows)
        f(k, place_.first + 2 * pair * place_.pitch + piece() * 16, pair, 2 * pair + 1 < place_.rows);
    }
  }

  PanelPlace place_;
  unsigned left_, right_;  // of its owners' columns, over there
  uint4 rows_[kEach][2];
};

#endif

}  // namespace garner::exchange
