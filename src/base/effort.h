// How far a test goes. A build with sanitizers or without optimisation takes fifteen times as long, and looks at memory
// or at what was just added, not at values, which the plain build has compared: a part of a sweep shows it as much as
// the whole.
#pragma once

namespace garner {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

#ifdef __OPTIMIZE__
inline constexpr bool kSlow = kSanitized;
#else
inline constexpr bool kSlow = true;
#endif

template <class N> constexpr N effort(N plain, N slow) { return kSlow ? slow : plain; }

}  // namespace garner
