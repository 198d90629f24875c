// Elements as bits, and their keys, in kernels: one type per width.
#pragma once
#include <cstdint>

#include "device/cuda/on_device.h"
#include "index/cuda/kernels.h"
#include "index/memory.h"

namespace garner::index::on_cuda {

inline constexpr int kThreads = 256;

inline cudaStream_t stream_of(const Where& where) { return static_cast<cudaStream_t>(where.stream); }

/// Blocks for so many threads; a loop in the kernel does what is left.
inline unsigned blocks_for(Index threads) {
  const Index blocks = (threads + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks > INT32_MAX ? INT32_MAX : blocks);
}

/// Where a thread of such a loop begins, and its step.
inline __device__ Index grid_thread() { return static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x; }
inline __device__ Index grid_threads() { return static_cast<Index>(gridDim.x) * kThreads; }

inline int multiprocessors(int device) {
  int count = 0;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count > 0 ? count : 1;
}

/// As many blocks as keep the device busy, for loops through all threads.
inline unsigned loop_blocks(const Where& where, Index threads) {
  const unsigned most = 16 * static_cast<unsigned>(multiprocessors(where.device)), wanted = blocks_for(threads);
  return wanted < most ? wanted : most;
}

/// A shape as a parameter of a launch.
struct Shape {
  Index extent[kMostAxes];
  int rank;
  explicit Shape(const Axes& extents) : extent{}, rank(static_cast<int>(extents.size())) {
    for (std::size_t a = 0; a < extents.size(); ++a) extent[a] = extents[a];
  }
};

__extension__ using WideKey = unsigned __int128;

/// Two words, which need not lie at a multiple of both.
struct Bits128 {
  std::uint64_t lo, hi;
};

/// Numbers of up to 8 bytes.
template <class B, class K>
struct PlainKeys {
  using Bits = B;
  using Key = K;
  NumberKey<K> key;
  explicit PlainKeys(const KeyCode& code) : key(NumberKey<K>::of(code)) {}
  __device__ K operator()(B bits) const {
    return key(static_cast<K>(static_cast<K>(bits) << (8 * (sizeof(K) - sizeof(B)))));
  }
};

/// Complex numbers: by the real part, then by the imaginary one.
struct ComplexKeys8 {
  using Bits = std::uint64_t;
  using Key = std::uint64_t;
  NumberKey<std::uint32_t> part;
  Key flip, nan;
  explicit ComplexKeys8(const KeyCode& code)
      : part(NumberKey<std::uint32_t>::of(code)), flip(code.flip), nan(code.nan) {}
  __device__ Key operator()(Bits bits) const {
    const auto re = static_cast<std::uint32_t>(bits), im = static_cast<std::uint32_t>(bits >> 32);
    const Key key = static_cast<Key>(part.number(re)) << 32 | part.number(im);
    return part.is_nan(re) || part.is_nan(im) ? nan : key ^ flip;
  }
};

struct ComplexKeys16 {
  using Bits = Bits128;
  using Key = WideKey;
  NumberKey<std::uint64_t> part;
  Key flip, nan;
  explicit ComplexKeys16(const KeyCode& code)
      : part(NumberKey<std::uint64_t>::of(code)),
        flip(static_cast<Key>(code.flip) << 64 | code.flip),
        nan(static_cast<Key>(code.nan) << 64 | code.nan) {}
  __device__ Key operator()(Bits bits) const {
    const Key key = static_cast<Key>(part.number(bits.lo)) << 64 | part.number(bits.hi);
    return part.is_nan(bits.lo) || part.is_nan(bits.hi) ? nan : key ^ flip;
  }
};

using Keys1 = PlainKeys<std::uint8_t, std::uint32_t>;
using Keys2 = PlainKeys<std::uint16_t, std::uint32_t>;
using Keys4 = PlainKeys<std::uint32_t, std::uint32_t>;
using Keys8 = PlainKeys<std::uint64_t, std::uint64_t>;

/// f(keys) with the keys of a code.
template <class F>
Status with_keys(const KeyCode& code, F&& f) {
  if (code.width == 16) return f(ComplexKeys16(code));
  if (code.complex) return f(ComplexKeys8(code));
  if (code.width == 8) return f(Keys8(code));
  if (code.width == 4) return f(Keys4(code));
  return code.width == 2 ? f(Keys2(code)) : f(Keys1(code));
}

/// f(bits) with an unsigned number, or two, of so many bytes.
template <class F>
Status with_bits(int width, F&& f) {
  if (width == 16) return f(Bits128{});
  if (width == 8) return f(std::uint64_t{});
  if (width == 4) return f(std::uint32_t{});
  return width == 2 ? f(std::uint16_t{}) : f(std::uint8_t{});
}

}  // namespace garner::index::on_cuda
