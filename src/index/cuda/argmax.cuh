// The largest key of many elements at the price of reading them. Loads of 16 bytes are folded into the largest of each
// of their columns; a key is made, and compared, once for several loads. Which element it was is looked for afterwards,
// in the few loads that won.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "device/cuda/runtime.h"
#include "index/cuda/keys.cuh"

namespace garner::index::on_cuda {

template <class B>
struct Bits16 {
  B at[16 / sizeof(B)];
};

/// Elements of 16 bytes may lie at multiples of 8.
template <class B>
__device__ inline uint4 load16(const B* from) {
  if constexpr (sizeof(B) == 16) {
    const auto* words = reinterpret_cast<const uint2*>(from);
    const uint2 lo = __ldg(words), hi = __ldg(words + 1);
    return {lo.x, lo.y, hi.x, hi.y};
  } else {
    return __ldg(reinterpret_cast<const uint4*>(from));
  }
}

template <class To, class From>
__device__ inline To seen_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

/// By keys, 16 bytes at a time: the keys are folded. Every dtype has this one.
template <class Keys>
struct KeyFold {
  using Bits = typename Keys::Bits;
  using Key = typename Keys::Key;
  using Load = uint4;
  static constexpr int kColumns = 16 / sizeof(Bits);
  struct Folded {
    Key key[kColumns];
  };
  Keys keys;
  explicit KeyFold(const KeyCode& code) : keys(code) {}

  __device__ static Load load(const Bits* from) { return load16(from); }
  __device__ Folded first(const Load& v) const {
    const auto bits = seen_as<Bits16<Bits>>(v);
    Folded f;
#pragma unroll
    for (int e = 0; e < kColumns; ++e) f.key[e] = keys(bits.at[e]);
    return f;
  }
  __device__ void add(Folded& f, const Load& v) const {
    const Folded other = first(v);
#pragma unroll
    for (int e = 0; e < kColumns; ++e) f.key[e] = f.key[e] < other.key[e] ? other.key[e] : f.key[e];
  }
  __device__ Key key(const Folded& f, int column) const { return f.key[column]; }
};

/// One element at a time, for columns that do not lie at multiples of 16 bytes.
template <class Keys>
struct SingleFold {
  using Bits = typename Keys::Bits;
  using Key = typename Keys::Key;
  using Load = Bits;
  static constexpr int kColumns = 1;
  using Folded = Key;
  Keys keys;
  explicit SingleFold(const KeyCode& code) : keys(code) {}

  __device__ static Load load(const Bits* from) { return *from; }
  __device__ Folded first(const Load& v) const { return keys(v); }
  __device__ void add(Folded& f, const Load& v) const {
    const Key k = keys(v);
    f = f < k ? k : f;
  }
  __device__ Key key(const Folded& f, int) const { return f; }
};

// ---- floats that the hardware compares: its largest, in which a NaN wins; the smallest is the largest of the negated
// ----

struct MaxF32 {
  using Bits = std::uint32_t;
  __device__ static std::uint32_t max(std::uint32_t a, std::uint32_t b) {
    float m;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(m) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return __float_as_uint(m);
  }
  static constexpr std::uint32_t kSign = 0x80000000U;
};
/// Two floats of 16 bits in a word.
template <bool kBrain>
struct MaxHalves {
  using Bits = std::uint16_t;
  __device__ static std::uint32_t max(std::uint32_t a, std::uint32_t b) {
    std::uint32_t m;
    if constexpr (kBrain) asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(m) : "r"(a), "r"(b));
    else asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(m) : "r"(a), "r"(b));
    return m;
  }
  static constexpr std::uint32_t kSign = 0x80008000U;
};

/// Words of one or two floats each are folded as they are; only what is left becomes keys. For NaN that wins.
template <class Max>
struct FloatFold {
  using Bits = typename Max::Bits;
  using Key = std::uint32_t;
  using Load = uint4;
  static constexpr int kColumns = 16 / sizeof(Bits);
  struct Folded {
    std::uint32_t word[4];
  };
  PlainKeys<Bits, Key> keys;
  std::uint32_t negate;
  explicit FloatFold(const KeyCode& code) : keys(code), negate(code.flip != 0 ? Max::kSign : 0) {}

  __device__ static Load load(const Bits* from) { return load16(from); }
  __device__ Folded first(const Load& v) const { return {{v.x ^ negate, v.y ^ negate, v.z ^ negate, v.w ^ negate}}; }
  __device__ void add(Folded& f, const Load& v) const {
    const Folded other = first(v);
#pragma unroll
    for (int w = 0; w < 4; ++w) f.word[w] = Max::max(f.word[w], other.word[w]);
  }
  __device__ Key key(const Folded& f, int column) const {
    constexpr int kEach = 4 / sizeof(Bits);
    const std::uint32_t word = f.word[column / kEach] ^ negate;
    return keys(static_cast<Bits>(word >> (8 * sizeof(Bits) * (column % kEach))));
  }
};

template <class F>
Status with_fold(const KeyCode& code, F&& f) {
  const bool nan_wins = code.nan != 0;
  if (nan_wins && code.fast == KeyCode::Fast::kF32) return f(FloatFold<MaxF32>(code));
  if (nan_wins && code.fast == KeyCode::Fast::kF16) return f(FloatFold<MaxHalves<false>>(code));
  if (nan_wins && code.fast == KeyCode::Fast::kBF16) return f(FloatFold<MaxHalves<true>>(code));
  return with_keys(code, [&]<class Keys>(const Keys&) { return f(KeyFold<Keys>(code)); });
}

// ---- candidates ----

/// A key, and the part of its lane in which it was seen; -1: nothing was seen.
template <class Key>
struct Candidate {
  Key key = 0;
  Index part = -1;
};

/// Shared memory for values whose constructors must not run there.
template <class T, int kCount>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T) * kCount];
  __device__ T* begin() { return reinterpret_cast<T*>(bytes); }
};

/// Of equal keys the first part, or the last.
template <class Key>
__device__ inline Candidate<Key> better(const Candidate<Key>& a, const Candidate<Key>& b, bool last) {
  if (a.part < 0 || b.part < 0) return a.part < 0 ? b : a;
  if (a.key != b.key) return a.key < b.key ? b : a;
  return (a.part < b.part) != last ? a : b;
}

/// Keeps what is read in its order.
template <class Key>
__device__ inline void keep_better(Candidate<Key>& best, Key key, Index part, bool last) {
  if (best.part < 0 || best.key < key || (last && best.key == key)) best = {key, part};
}

/// The words of a query that kernels need.
struct Choice {
  bool last, has_nan;
  Index nothing;
  /// A key of 0 is a NaN that was to be ignored.
  template <class Key>
  __device__ Index answer(Key key, Index position) const {
    return has_nan && key == 0 ? nothing : position;
  }
};

inline Choice choice_of(const BestQuery& query) { return {query.last, query.code.has_nan, query.nothing}; }

/// Lanes side by side; lanes.inner > 1.
Status best_in_columns(const Where& where, const Lanes& lanes, const BestQuery& query, Index* out);

}  // namespace garner::index::on_cuda
