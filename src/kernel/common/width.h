// Bytes move by width, not by dtype: a bool, an i8 and an 8-bit float are all one byte.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "garner/axes.h"

namespace garner {

struct Bytes16 {
  std::uint64_t half[2];
};

/// Calls f.template operator()<U>() with a plain type of that many bytes.
template <class F>
decltype(auto) dispatch_width(int width, F&& f) {
  switch (width) {
    case 1: return f.template operator()<std::uint8_t>();
    case 2: return f.template operator()<std::uint16_t>();
    case 4: return f.template operator()<std::uint32_t>();
    case 8: return f.template operator()<std::uint64_t>();
    case 16: return f.template operator()<Bytes16>();
  }
  std::abort();  // unreachable: no dtype has another width
}

/// Address of an element. Directions decide which side is written, so buffers are kept without const.
inline std::byte* element_at(const void* base, Index element, int width) {
  return static_cast<std::byte*>(const_cast<void*>(base)) + element * width;
}

inline void copy_or_zero(void* to, const void* from, int width) {
  if (from != nullptr) std::memcpy(to, from, static_cast<std::size_t>(width));
  else std::memset(to, 0, static_cast<std::size_t>(width));
}

}  // namespace garner
