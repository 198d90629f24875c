// A panel of columns in the shared memory of a cluster. Each of its eight blocks owns 8 bytes of every row, so that it
// finds any row of its columns at home; together they have 64, so that rows come and go in pieces that fill sectors.
// Every block reads a share of the lines for all of them: what is another's goes there as a message, a store that
// counts itself at a barrier over there. Nobody waits for anything but such counts.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "garner/axes.h"

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
struct alignas(kPiece) Values {
  U v[kPiece / sizeof(U)];
};

/// Lines in the order in which they are sent: batches of kLines for each block, which it reads for the others.
template <int kLines>
struct Batches {
  int lines;

  __device__ int count() const { return (lines + kBlocks * kLines - 1) / (kBlocks * kLines); }
  __device__ int line(int batch, unsigned reader, int l) const {
    return (batch * kBlocks + static_cast<int>(reader)) * kLines + l;
  }
  /// Of one reader, and of all.
  __device__ unsigned of(int batch, unsigned reader) const { return within(line(batch, reader, 0), kLines); }
  __device__ unsigned of_all(int batch) const { return within(line(batch, 0, 0), kBlocks * kLines); }

 private:
  __device__ unsigned within(int first, int most) const {
    return static_cast<unsigned>(max(0, min(lines - first, most)));
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

/// All threads of all blocks; what they have stored is seen.
__device__ inline void sync_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ inline void store_there(unsigned to, uint4 v) {
  asm volatile("st.shared::cluster.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w));
}
__device__ inline uint4 load_there(unsigned from) {
  uint4 v;
  asm volatile("ld.shared::cluster.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(from));
  return v;
}

/// A message of 4, 8 or 16 bytes to another block, whose barrier counts them.
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
    static_assert(sizeof(Message) == 16);
    asm volatile(GARNER_SEND ".v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to), "r"(w[0]), "r"(w[1]), "r"(w[2]),
                 "r"(w[3]), "r"(barrier));
  }
#undef GARNER_SEND
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
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Until phase number 0, 1, 2, … has ended. Messages come from other blocks, so the scope is the cluster's, although
/// the L1 cache is emptied every time: with a block's, gathers of a prototype took 3 % less and scatters 12 %, but the
/// memory model does not order what is read then.
__device__ inline void wait_for(unsigned barrier, int phase) {
  asm volatile(
      "{\n\t"
      ".reg .pred done;\n\t"
      "AGAIN_%=: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n\t"
      "@!done bra AGAIN_%=;\n\t"
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

/// move(where 16 bytes of two rows lie, is there a second row?, the two owners' places for their halves) for this
/// thread's share, several at a time: first(k, …) of all, then second(k, …) of all.
template <class First, class Second>
__device__ inline void each_pair(const PanelPlace& place, unsigned panel, const First& first, const Second& second) {
  constexpr int kPieces = kRowBytes / 16, kStep = kThreads / kPieces, kAtOnce = 2;
  const int piece = static_cast<int>(threadIdx.x) % kPieces, all = (place.rows + 1) / 2;
  const int share = (all + kBlocks - 1) / kBlocks, begin = static_cast<int>(block_rank()) * share;
  const int end = min(begin + share, all);
  if (piece * 16 >= place.bytes) return;
  const unsigned left = in_block(panel, 2 * piece), right = in_block(panel, 2 * piece + 1);
  for (int pair = begin + static_cast<int>(threadIdx.x) / kPieces; pair < end; pair += kStep * kAtOnce) {
    const auto at_once = [&](const auto& f) {
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int at = pair + k * kStep;
        if (at < end)
          f(k, place.first + 2 * at * place.pitch + piece * 16, 2 * at + 1 < place.rows, left + at * 16,
            right + at * 16);
      }
    };
    uint4 rows[kAtOnce][2];
    at_once([&](int k, std::byte* at, bool both, unsigned l, unsigned r) { first(rows[k], at, both, l, r); });
    at_once([&](int k, std::byte* at, bool both, unsigned l, unsigned r) { second(rows[k], at, both, l, r); });
  }
}

/// From where it lies to its owners' shared memory. Seen after sync_cluster().
__device__ inline void read_panel(const PanelPlace& place, unsigned panel) {
  each_pair(place, panel, [&](uint4(&rows)[2], const std::byte* at, bool both, unsigned, unsigned) {
    rows[0] = __ldcs(reinterpret_cast<const uint4*>(at));
    rows[1] = both ? __ldcs(reinterpret_cast<const uint4*>(at + place.pitch)) : uint4{};
  }, [&](uint4(&rows)[2], const std::byte*, bool, unsigned left, unsigned right) {
    store_there(left, {rows[0].x, rows[0].y, rows[1].x, rows[1].y});
    store_there(right, {rows[0].z, rows[0].w, rows[1].z, rows[1].w});
  });
}

/// And back. Before and after it, sync_cluster().
__device__ inline void write_panel(const PanelPlace& place, unsigned panel) {
  each_pair(place, panel, [&](uint4(&rows)[2], std::byte*, bool, unsigned left, unsigned right) {
    rows[0] = load_there(left);
    rows[1] = load_there(right);
  }, [&](uint4(&rows)[2], std::byte* at, bool both, unsigned, unsigned) {
    const uint4 l = rows[0], r = rows[1];
    __stcs(reinterpret_cast<uint4*>(at), uint4{l.x, l.y, r.x, r.y});
    if (both) __stcs(reinterpret_cast<uint4*>(at + place.pitch), uint4{l.z, l.w, r.z, r.w});
  });
}

#endif

}  // namespace garner::exchange
