// Which dtypes an operation is offered for, and the one refusal of the others.
#pragma once
#include "base/fail.h"
#include "dtype/convert.h"
#include "garner/status.h"

namespace garner::grad::plain {

template <class T> inline constexpr bool is_number_v = !std::is_same_v<T, Bool>;
template <class T> inline constexpr bool is_real_float_v = std::is_floating_point_v<Compute<T>>;

struct Anything {
  template <class T> static constexpr bool kOffered = true;
  static constexpr const char* kAllowed = "any";
};
struct Numbers {
  template <class T> static constexpr bool kOffered = is_number_v<T>;
  static constexpr const char* kAllowed = "any but bool";
};
struct OrderedNumbers {
  template <class T> static constexpr bool kOffered = is_number_v<T> && !is_complex_v<T>;
  static constexpr const char* kAllowed = "an integer or float dtype";
};
struct Floats {
  template <class T> static constexpr bool kOffered = is_real_float_v<T>;
  static constexpr const char* kAllowed = "a float dtype";
};
struct FloatsAndComplex {
  template <class T> static constexpr bool kOffered = is_real_float_v<T> || is_complex_v<T>;
  static constexpr const char* kAllowed = "a float or complex dtype";
};

/// f.operator()<T>(), which returns a Result or a Status, where `Offer` has T; rule G6 elsewhere.
template <class Offer, class F>
auto dispatch_offered(const char* op, DType dtype, F&& f) {
  return dispatch(dtype, [&]<class T>() {
    using Answer = decltype(f.template operator()<float>());
    if constexpr (Offer::template kOffered<T>) return f.template operator()<T>();
    else return Answer(fail(Code::kType, "G6", "{}: dtype is {}, allowed {}", op, name(dtype), Offer::kAllowed));
  });
}

}  // namespace garner::grad::plain
