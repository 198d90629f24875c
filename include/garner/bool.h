// A bool as arrays hold it.
#pragma once
#include <cstdint>

#include "garner/dtype.h"
#include "garner/host_device.h"

namespace garner {

/// One byte; any non-zero pattern is true, so foreign memory cannot hold a trap representation.
struct Bool {
  std::uint8_t byte = 0;
  Bool() = default;
  GARNER_HD constexpr Bool(bool value) : byte(value ? 1 : 0) {}    // NOLINT(google-explicit-constructor)
  GARNER_HD constexpr operator bool() const { return byte != 0; }  // NOLINT(google-explicit-constructor)
};

template <> struct DTypeOf<Bool> {
  static constexpr DType value = DType::kBool;
};

}  // namespace garner
