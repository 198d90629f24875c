// Loads and stores of what is used once: the caches give it up first. Types of 4, 8 or multiples of 16 bytes, aligned
// to as much of it as one instruction moves; others go as usual.
#pragma once
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace garner {

template <class T>
using StreamedWord =
    std::conditional_t<sizeof(T) % 16 == 0, uint4, std::conditional_t<sizeof(T) == 8, uint2, unsigned>>;
template <class T>
inline constexpr bool kStreamed =
    (sizeof(T) % 16 == 0 || sizeof(T) == 8 || sizeof(T) == 4) && alignof(T) >= (sizeof(T) < 16 ? sizeof(T) : 16);

template <class T>
__device__ inline T load_streamed(const T* from) {
  if constexpr (kStreamed<T>) {
    using Word = StreamedWord<T>;
    Word words[sizeof(T) / sizeof(Word)];
#pragma unroll
    for (std::size_t i = 0; i < sizeof(T) / sizeof(Word); ++i)
      words[i] = __ldcs(reinterpret_cast<const Word*>(from) + i);
    T out;
    memcpy(&out, words, sizeof(T));
    return out;
  } else {
    return *from;
  }
}

template <class T>
__device__ inline void store_streamed(T* to, const T& value) {
  if constexpr (kStreamed<T>) {
    using Word = StreamedWord<T>;
    Word words[sizeof(T) / sizeof(Word)];
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (std::size_t i = 0; i < sizeof(T) / sizeof(Word); ++i) __stcs(reinterpret_cast<Word*>(to) + i, words[i]);
  } else {
    *to = value;
  }
}

}  // namespace garner
