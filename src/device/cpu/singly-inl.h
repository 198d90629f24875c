// Vectors of elements that lie in places of their own, loaded one by one (tuning().single_loads). Compiled once per
// SIMD target: include it behind <hwy/highway.h> in a file that goes through foreach_target.
#if defined(GARNER_SINGLY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GARNER_SINGLY_INL_H
#undef GARNER_SINGLY_INL_H
#else
#define GARNER_SINGLY_INL_H
#endif

#include <hwy/highway.h>

#include <cstring>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// from[place(k)] in lane k, put together in registers: stored one by one and loaded as a vector they would be waited
/// for (take_along_last on a Zen 5: 8.3 ms so, 5.3 in registers, 6.7 by the vector unit's gather).
#if HWY_HAVE_SCALABLE
template <class D, class U, class Place>
HWY_INLINE hn::Vec<D> load_singly(D d, const U* from, const Place& place) {
  U lanes[HWY_MAX_BYTES / sizeof(U)];
  for (std::size_t k = 0; k < hn::Lanes(d); ++k) lanes[k] = from[place(k)];
  return hn::LoadU(d, lanes);
}
#else
template <std::size_t kBytes, std::size_t kFirst, class U, class Place>
HWY_INLINE auto load_lanes(const U* from, const Place& place) {
  constexpr std::size_t kLanes = kBytes / sizeof(U);
  typedef U Lanes __attribute__((vector_size(kBytes)));
  if constexpr (kBytes > 16) {  // by halves: all at once take more registers than there are
    const auto low = load_lanes<kBytes / 2, kFirst>(from, place),
               high = load_lanes<kBytes / 2, kFirst + kLanes / 2>(from, place);
    return [&]<std::size_t... k>(std::index_sequence<k...>)
               HWY_ATTR { return Lanes{__builtin_shufflevector(low, high, k...)}; }(std::make_index_sequence<kLanes>());
  } else {
    return [&]<std::size_t... k>(std::index_sequence<k...>)
               HWY_ATTR { return Lanes{from[place(kFirst + k)]...}; }(std::make_index_sequence<kLanes>());
  }
}
template <class D, class U, class Place>
HWY_INLINE hn::Vec<D> load_singly(D, const U* from, const Place& place) {
  const auto lanes = load_lanes<hn::MaxLanes(D()) * sizeof(U), 0>(from, place);
  hn::Vec<D> out;
  static_assert(sizeof(out) == sizeof(lanes));
  std::memcpy(&out, &lanes, sizeof(out));
  return out;
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();
#endif
