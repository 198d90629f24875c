// An operation on the element type of a tensor, and the one refusal of those it does not take.
#pragma once
#include "base/fail.h"
#include "dtype/convert.h"
#include "garner/status.h"
#include "grad/element_ops.h"

namespace garner::grad::plain {

template <class T> inline constexpr bool is_real_float_v = std::is_floating_point_v<Compute<T>>;

/// f.operator()<T>(), which returns a Result or a Status, where `Offer` takes T; rule G6 elsewhere.
template <class Offer, class F>
auto dispatch_offered(const char* op, DType dtype, F&& f) {
  return dispatch(dtype, [&]<class T>() {
    using Answer = decltype(f.template operator()<float>());
    if constexpr (Offer::template kTakes<Compute<T>>) return f.template operator()<T>();
    else return Answer(fail(Code::kType, "G6", "{}: dtype is {}, allowed {}", op, name(dtype), Offer::kAllowed));
  });
}

}  // namespace garner::grad::plain
