// What the functions that return indices check, in DeepNet's words.
#pragma once
#include <algorithm>

#include "base/fail.h"
#include "dialect/op.h"
#include "garner/deepnet.h"

namespace garner::deepnet {

/// No negative axes: DN4.
inline Status check_axis(const char* op, Index axis, const View& a) {
  if (axis >= 0 && axis < a.rank()) return {};
  return fail(Code::kInvalidArgument, "DN4", "{}: axis is {}, allowed [0, {})", op, axis, a.rank());
}

inline Status check_bool(const char* op, const char* what, const View& view) {
  if (view.dtype() == DType::kBool) return {};
  return fail(Code::kType, "DN0", "{}: {} is {}, allowed bool", op, what, name(view.dtype()));
}

/// A flat row-major position as coordinates.
inline Axes coordinates(Index flat, const Axes& shape) {
  Axes at(shape.size());
  for (std::size_t a = shape.size(); a-- > 0; flat /= shape[a]) at[a] = flat % shape[a];
  return at;
}

/// Coordinates as the text form of a call gives them: an array of that shape.
inline Status put(const char* op, const Axes& at, const Axes& shape, Results& results) {
  return results.one([&](index::Output& out) -> Status {
    GARNER_TRY(out.open(op, DType::kI64, shape, {}));
    std::ranges::copy(at, out.as<Index>());
    return {};
  });
}

}  // namespace garner::deepnet
