// From a dtype to its C++ type. The only switch over DType in the tree.
#pragma once
#include <cstdlib>

#include "garner/element.h"

namespace garner {

/// Calls f.template operator()<T>() with the element type of t.
template <class F>
decltype(auto) dispatch(DType t, F&& f) {
  switch (t) {
#define GARNER_DTYPE(name, text, type, ...) \
  case DType::k##name: return f.template operator()<type>();
#include "garner/dtypes.def"
#undef GARNER_DTYPE
  }
  std::abort();  // unreachable: a DType comes only from the list
}

template <class T> inline constexpr bool is_complex_v = false;
template <class T> inline constexpr bool is_complex_v<std::complex<T>> = true;
template <class T> inline constexpr bool is_index_v = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T> inline constexpr bool is_float8_v = std::is_same_v<T, Float8E4M3> || std::is_same_v<T, Float8E5M2>;
template <class T>
inline constexpr bool is_half_v = std::is_same_v<T, Eigen::half> || std::is_same_v<T, Eigen::bfloat16>;

/// Like dispatch, for integer dtypes only; calls `otherwise()` for the rest.
template <class F, class G>
decltype(auto) dispatch_index(DType t, F&& f, G&& otherwise) {
  return dispatch(t, [&]<class T>() {
    if constexpr (is_index_v<T>) return f.template operator()<T>();
    else return otherwise();
  });
}

}  // namespace garner
