// Floats whose sums depend on their order, and what is the same to the bit.
#pragma once
#include <cstring>
#include <random>

#include "garner/error.h"
#include "garner/tensor.h"

namespace garner {

inline Tensor random_floats(const Axes& shape, unsigned seed) {
  Tensor t = value_or_throw(Tensor::empty(DType::kF32, shape));
  std::mt19937 random(seed);
  for (Index i = 0; i < t.elements(); ++i) t.as<float>()[i] = static_cast<float>(random() % 20001) / 7.0F - 1400.0F;
  return t;
}

inline bool same(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

}  // namespace garner
