// cuTile's gather and scatter inside a kernel of your own: register tiles of one thread, of any shape known when
// compiling. The same functions on the CPU, where the compiler is not nvcc. Rules CT1–CT20, CTS1–CTS3:
// docs/dialects/cutile.md; those a compiler can judge are errors of the compiler.
//
//   const tile::Array<const float, 2> x{data, {rows, columns}, {columns, 1}};
//   tile::Tile<int, 4, 1> i = …;                                   // four rows
//   tile::Tile<int, 8> j = …;                                      // eight columns
//   tile::Tile<float, 4, 8> t = tile::gather(x, tile::indices(i, j), {}, -1.0F);
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include "garner/host_device.h"

namespace garner::tile {

/// Extents known when compiling.
template <int... kExtents>
struct Shape {
  static constexpr int kRank = sizeof...(kExtents);
  static constexpr int kElements = (1 * ... * kExtents);
  /// The extent of an axis counted from the last one; 1 beyond the first.
  GARNER_HD static constexpr int from_last(int axis) {
    constexpr int kAll[kRank + 1] = {kExtents..., 1};
    return axis < kRank ? kAll[kRank - 1 - axis] : 1;
  }
};

namespace detail {

/// Shapes stretched to a common one, aligned at the last axis (CT6).
template <class... Shapes>
struct Common {
  static constexpr int kRank = [] {
    int rank = 0;
    ((rank = Shapes::kRank > rank ? Shapes::kRank : rank), ...);
    return rank;
  }();
  static constexpr int extent(int from_last) {
    int extent = 1;
    ((extent = Shapes::from_last(from_last) != 1 ? Shapes::from_last(from_last) : extent), ...);
    return extent;
  }
  static constexpr bool kFits = [] {
    bool fits = true;
    for (int a = 0; a < kRank; ++a)
      ((fits = fits && (Shapes::from_last(a) == 1 || Shapes::from_last(a) == extent(a))), ...);
    return fits;
  }();
  template <int... kAxis>
  static Shape<extent(kRank - 1 - kAxis)...> make(std::integer_sequence<int, kAxis...>);
  using type = decltype(make(std::make_integer_sequence<int, kRank>()));
};

/// Where element `at` of a tile of shape To is found in one of shape From that stretches to it.
template <class From, class To>
GARNER_HD constexpr int stretched(int at) {
  int found = 0, step = 1;
  for (int a = 0; a < To::kRank; ++a) {
    const int coordinate = at % To::from_last(a);
    at /= To::from_last(a);
    if (From::from_last(a) != 1) found += coordinate * step;
    step *= From::from_last(a);
  }
  return found;
}

}  // namespace detail

/// Row-major values of one thread.
template <class T, int... kExtents>
struct Tile {
  using Value = T;
  using Extents = Shape<kExtents...>;
  T element[Extents::kElements];

  GARNER_HD T& operator[](int at) { return element[at]; }
  GARNER_HD const T& operator[](int at) const { return element[at]; }
};

namespace detail {
template <class T, class S> struct TileOf;
template <class T, int... kExtents> struct TileOf<T, Shape<kExtents...>> {
  using type = Tile<T, kExtents...>;
};
template <class T> inline constexpr bool is_tile = false;
template <class T, int... kExtents> inline constexpr bool is_tile<Tile<T, kExtents...>> = true;

/// A number is a tile of rank 0.
template <class T> struct ShapeOf {
  using type = Shape<>;
};
template <class T, int... kExtents> struct ShapeOf<Tile<T, kExtents...>> {
  using type = Shape<kExtents...>;
};
template <class T> struct ValueOf {
  using type = T;
};
template <class T, int... kExtents> struct ValueOf<Tile<T, kExtents...>> {
  using type = T;
};

template <class To, class T>
GARNER_HD auto at(const T& tile, int element) {
  if constexpr (is_tile<T>) return tile[stretched<typename T::Extents, To>(element)];
  else return tile;
}

template <class T> inline constexpr bool is_index = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/// CT21: bool to anything; integers to wider ones of their sign and to floats; floats to wider ones.
template <class From, class To>
inline constexpr bool casts = [] {
  if constexpr (std::is_same_v<From, To> || std::is_same_v<From, bool>) return true;
  else if constexpr (is_index<From> && is_index<To>)
    return std::is_signed_v<From> == std::is_signed_v<To> && sizeof(From) <= sizeof(To);
  else if constexpr (is_index<From>) return std::is_floating_point_v<To>;
  else return std::is_floating_point_v<From> && std::is_floating_point_v<To> && sizeof(From) <= sizeof(To);
}();

/// A number may also be an int where the array has another integer type: it is judged by its value (CT13).
template <class From, class To>
inline constexpr bool takes = is_tile<From> ? casts<typename ValueOf<From>::type, To>
                                            : casts<From, To> || (is_index<From> && is_index<To>) ||
                                                  (std::is_floating_point_v<From> && std::is_floating_point_v<To>);
}  // namespace detail

/// A strided array in global memory.
template <class T, int kRank>
struct Array {
  T* data;
  std::int64_t shape[kRank == 0 ? 1 : kRank], stride[kRank == 0 ? 1 : kRank];
};

/// One integer tile or number per axis of the array (CT3, CT5).
template <class... Tiles>
struct Indices {
  static_assert((detail::is_index<typename detail::ValueOf<Tiles>::type> && ...), "CT5: an index is no integer");
  static_assert(detail::Common<typename detail::ShapeOf<Tiles>::type...>::kFits, "CT6: indices do not broadcast");
  using Extents = typename detail::Common<typename detail::ShapeOf<Tiles>::type...>::type;
  static constexpr int kCount = sizeof...(Tiles);
};

template <class... Tiles>
struct IndexTuple : Indices<Tiles...> {};
template <class First, class... Rest>
struct IndexTuple<First, Rest...> : Indices<First, Rest...> {
  First first;
  IndexTuple<Rest...> rest;
};

GARNER_HD inline IndexTuple<> indices() { return {}; }
template <class First, class... Rest>
GARNER_HD IndexTuple<First, Rest...> indices(const First& first, const Rest&... rest) {
  IndexTuple<First, Rest...> tuple;
  tuple.first = first;
  tuple.rest = indices(rest...);
  return tuple;
}

/// No mask: every position.
struct Everywhere {};
enum class Guard { kChecked, kPromised };  // CT17, CT18

namespace detail {

/// Adds what the indices from axis kAxis on say of one position. Every index is compared as an unsigned number, so a
/// negative one is outside (CT15).
template <Guard kGuard, class To, int kAxis, class T, int kRank>
GARNER_HD bool add_offset(const Array<T, kRank>&, const IndexTuple<>&, int, std::int64_t&) {
  return true;
}
template <Guard kGuard, class To, int kAxis, class T, int kRank, class First, class... Rest>
GARNER_HD bool add_offset(const Array<T, kRank>& array, const IndexTuple<First, Rest...>& tuple, int position,
                          std::int64_t& offset) {
  const auto index = static_cast<std::uint64_t>(static_cast<std::int64_t>(at<To>(tuple.first, position)));
  offset += static_cast<std::int64_t>(index) * array.stride[kAxis];
  const bool inside = kGuard == Guard::kPromised || index < static_cast<std::uint64_t>(array.shape[kAxis]);
  return add_offset<kGuard, To, kAxis + 1>(array, tuple.rest, position, offset) && inside;
}

template <class To, class Mask>
GARNER_HD bool allows(const Mask& mask, int position) {
  if constexpr (std::is_same_v<Mask, Everywhere>) return true;
  else return at<To>(mask, position);
}

template <class Mask, class To>
GARNER_HD constexpr void check_mask() {
  if constexpr (!std::is_same_v<Mask, Everywhere>) {
    static_assert(std::is_same_v<typename ValueOf<Mask>::type, bool>, "CT10: the mask is not boolean");
    static_assert(std::is_same_v<typename Common<typename ShapeOf<Mask>::type, To>::type, To>,
                  "CT10: the mask is not broadcastable to the indices");
  }
}

template <class Value, class T, class To>
GARNER_HD constexpr void check_value() {
  static_assert(takes<Value, T>, "CT13: the value cannot implicitly be cast to the array's type");
  static_assert(std::is_same_v<typename Common<typename ShapeOf<Value>::type, To>::type, To>,
                "CT12: the value is not broadcastable to the indices");
}

template <int kLatency>
GARNER_HD constexpr void check_latency() {
  static_assert(kLatency >= 0 && kLatency <= 10, "CT19: latency is not in [1, 10]");
}

template <class T>
GARNER_HD T read(const T* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) <= 8 && std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) return __ldg(from);
  else return *from;
#else
  return *from;
#endif
}

}  // namespace detail

/// t[p] = array[i0[p], i1[p], …] over the indices' common shape; `padding` where the mask is false or a coordinate is
/// outside (CT8, CT11, CT14, CT16). With Guard::kPromised the caller vouches for every index that the mask lets
/// through (CT17). The array is not written to while the kernel runs. kLatency, 1 to 10, is a hint without effect.
template <Guard kGuard = Guard::kChecked, int kLatency = 0, class T, int kRank, class... Tiles, class Mask = Everywhere,
          class Padding = int>
GARNER_HD auto gather(const Array<T, kRank>& array, const IndexTuple<Tiles...>& tuple, const Mask& mask = {},
                      const Padding& padding = {}) {
  using To = typename Indices<Tiles...>::Extents;
  using Value = std::remove_const_t<T>;
  static_assert(sizeof...(Tiles) == kRank, "CT3: one index per axis of the array");
  detail::check_mask<Mask, To>();
  detail::check_value<Padding, Value, To>();
  detail::check_latency<kLatency>();
  typename detail::TileOf<Value, To>::type out;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int p = 0; p < To::kElements; ++p) {
    std::int64_t offset = 0;
    const bool inside = detail::add_offset<kGuard, To, 0>(array, tuple, p, offset);
    out[p] = inside && detail::allows<To>(mask, p) ? detail::read(array.data + offset)
                                                   : static_cast<Value>(detail::at<To>(padding, p));
  }
  return out;
}

/// One tile alone, for an array of rank 1 (CT4).
template <Guard kGuard = Guard::kChecked, int kLatency = 0, class T, class Index, class Mask = Everywhere,
          class Padding = int>
  requires(detail::is_index<typename detail::ValueOf<Index>::type>)
GARNER_HD auto gather(const Array<T, 1>& array, const Index& index, const Mask& mask = {},
                      const Padding& padding = {}) {
  return gather<kGuard, kLatency>(array, indices(index), mask, padding);
}

/// array[i0[p], …] = value[p]. Masked and outside positions are left alone (CTS1); which of several writes to one place
/// stays is not said.
template <Guard kGuard = Guard::kChecked, int kLatency = 0, class T, int kRank, class... Tiles, class Value,
          class Mask = Everywhere>
GARNER_HD void scatter(const Array<T, kRank>& array, const IndexTuple<Tiles...>& tuple, const Value& value,
                       const Mask& mask = {}) {
  using To = typename Indices<Tiles...>::Extents;
  static_assert(sizeof...(Tiles) == kRank, "CT3: one index per axis of the array");
  detail::check_mask<Mask, To>();
  detail::check_value<Value, T, To>();
  detail::check_latency<kLatency>();
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int p = 0; p < To::kElements; ++p) {
    std::int64_t offset = 0;
    const bool inside = detail::add_offset<kGuard, To, 0>(array, tuple, p, offset);
    if (inside && detail::allows<To>(mask, p)) array.data[offset] = static_cast<T>(detail::at<To>(value, p));
  }
}

template <Guard kGuard = Guard::kChecked, int kLatency = 0, class T, class Index, class Value, class Mask = Everywhere>
  requires(detail::is_index<typename detail::ValueOf<Index>::type>)
GARNER_HD void scatter(const Array<T, 1>& array, const Index& index, const Value& value, const Mask& mask = {}) {
  scatter<kGuard, kLatency>(array, indices(index), value, mask);
}

}  // namespace garner::tile
