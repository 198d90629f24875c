// Elements to bits: one for each that is not zero.
#pragma once
#include "index/cuda/keys.cuh"

namespace garner::index::on_cuda {

inline constexpr unsigned kAllLanes = 0xffffffffU;

/// 0x80 in every byte that is not zero, to four bits.
__device__ inline unsigned bits_of_bytes(unsigned v) {
  const unsigned high = (((v & 0x7f7f7f7fU) + 0x7f7f7f7fU) | v) & 0x80808080U;
  return (high >> 7) * 0x01020408U >> 24 & 0xfU;  // no two products meet
}

/// One bit for each of the elements in 16 bytes, masked already.
template <int kWidth>
__device__ inline unsigned bits_of(const uint4& v) {
  const unsigned w[4] = {v.x, v.y, v.z, v.w};
  unsigned bits = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (kWidth == 1) bits |= bits_of_bytes(w[i]) << (4 * i);
    else if constexpr (kWidth == 2)
      bits |= ((w[i] & 0xffffU) != 0 ? 1U : 0U) << (2 * i) | ((w[i] >> 16) != 0 ? 2U : 0U) << (2 * i);
    else bits |= (w[i] != 0 ? 1U : 0U) << (i / (kWidth / 4));
  }
  return bits;
}

/// 16 bytes of the source from element `at` on, at any address; zeros behind the end. Not part of the loops around it,
/// which would have fewer registers.
template <int kWidth>
__device__ __noinline__ uint4 load_bytes(const TruthSource& s, Index at) {
  const auto* bytes = static_cast<const unsigned char*>(s.data) + at * kWidth;
  const Index left = (s.elements - at) * kWidth;
  if (left >= 16 && reinterpret_cast<std::uintptr_t>(bytes) % 16 == 0)
    return __ldcs(reinterpret_cast<const uint4*>(bytes));
  unsigned w[4] = {};
  for (int i = 0; i < 16 && i < left; ++i) w[i / 4] |= static_cast<unsigned>(bytes[i]) << (8 * (i % 4));
  return {w[0], w[1], w[2], w[3]};
}

__device__ inline uint4 masked(const uint4& v, std::uint64_t mask) {
  const auto lo = static_cast<unsigned>(mask), hi = static_cast<unsigned>(mask >> 32);
  return {v.x & lo, v.y & hi, v.z & lo, v.w & hi};
}

/// What the lanes of a warp have loaded, as words: where their bits go, and how many of this lane's there are.
template <int kWidth>
__device__ inline int put_load(const uint4& v, std::uint64_t mask, std::uint32_t* words) {
  constexpr int kEach = 16 / kWidth, kShare = 32 / kEach;  // elements of a load; lanes that share a word
  const int lane = static_cast<int>(threadIdx.x % 32);
  const unsigned bits = bits_of<kWidth>(masked(v, mask));
  unsigned word = bits << (lane % kShare * kEach);
#pragma unroll
  for (int o = 1; o < kShare; o *= 2) word |= __shfl_xor_sync(kAllLanes, word, o);
  if (lane % kShare == 0) words[lane / kShare] = word;
  return __popc(bits);
}

/// The bits of kElements elements from `first` on, by one warp, in words; how many of this lane's elements are true. A
/// warp's loads lie side by side, and several are on their way together.
template <int kWidth, int kElements>
__device__ inline int find_words(const TruthSource& s, Index first, std::uint32_t* words) {
  constexpr int kEach = 16 / kWidth, kLoads = kElements / (32 * kEach), kAtOnce = kLoads < 8 ? kLoads : 8;
  const Index mine = first + static_cast<Index>(threadIdx.x % 32) * kEach;
  const auto* data = static_cast<const unsigned char*>(s.data) + mine * kWidth;
  int ones = 0;
  if (first + kElements > s.elements || reinterpret_cast<std::uintptr_t>(s.data) % 16 != 0) {
#pragma unroll 1
    for (int u = 0; u < kLoads; ++u)
      ones += put_load<kWidth>(load_bytes<kWidth>(s, mine + u * 32 * kEach), s.mask, words + u * kEach);
    return ones;
  }
#pragma unroll 1
  for (int u = 0; u < kLoads; u += kAtOnce) {
    uint4 v[kAtOnce];
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) v[j] = __ldcs(reinterpret_cast<const uint4*>(data + (u + j) * 512));
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) ones += put_load<kWidth>(v[j], s.mask, words + (u + j) * kEach);
  }
  return ones;
}

}  // namespace garner::index::on_cuda
