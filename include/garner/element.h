// The C++ type behind every dtype. Pulls in Eigen for the two 16-bit floats, so only code that computes includes it.
#pragma once
#include <Eigen/Core>
#include <complex>
#include <cstdint>

#include "garner/bool.h"
#include "garner/dtype.h"
#include "garner/float8.h"

namespace garner {

template <> struct DTypeOf<Eigen::half> {
  static constexpr DType value = DType::kF16;
};
template <> struct DTypeOf<Eigen::bfloat16> {
  static constexpr DType value = DType::kBF16;
};
template <> struct DTypeOf<Float8E4M3> {
  static constexpr DType value = DType::kF8E4M3;
};
template <> struct DTypeOf<Float8E5M2> {
  static constexpr DType value = DType::kF8E5M2;
};

}  // namespace garner
