// Element types as values. Which C++ type stands behind each: garner/element.h.
#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace garner {

enum class DType : std::uint8_t {
#define GARNER_DTYPE(name, ...) k##name,
#include "garner/dtypes.def"
#undef GARNER_DTYPE
};

enum class Kind : std::uint8_t { kBool, kInt, kUInt, kFloat, kComplex };

struct DTypeInfo {
  DType dtype;
  std::string_view name;  // "f32"
  Kind kind;
  std::uint8_t dlpack_code;
  std::uint8_t bits;
};

inline constexpr DTypeInfo kDTypes[] = {
#define GARNER_DTYPE(name, text, type, kind, code, bits) {DType::k##name, text, Kind::k##kind, code, bits},
#include "garner/dtypes.def"
#undef GARNER_DTYPE
};

constexpr const DTypeInfo& info(DType t) { return kDTypes[static_cast<std::size_t>(t)]; }
constexpr std::string_view name(DType t) { return info(t).name; }
constexpr Kind kind(DType t) { return info(t).kind; }
constexpr int width(DType t) { return info(t).bits / 8; }
constexpr bool is_integer(DType t) { return kind(t) == Kind::kInt || kind(t) == Kind::kUInt; }

/// The dtype with this name ("f32", "bool"), or nothing.
constexpr std::optional<DType> dtype_named(std::string_view text) {
  for (const DTypeInfo& d : kDTypes)
    if (d.name == text) return d.dtype;
  return std::nullopt;
}

/// dtype_of<T>: the dtype of a C++ element type. Half, bfloat16 and the 8-bit floats: garner/element.h.
template <class T> struct DTypeOf;
template <> struct DTypeOf<bool> {
  static constexpr DType value = DType::kBool;
};
template <> struct DTypeOf<std::int8_t> {
  static constexpr DType value = DType::kI8;
};
template <> struct DTypeOf<std::int16_t> {
  static constexpr DType value = DType::kI16;
};
template <> struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::kI32;
};
template <> struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::kI64;
};
template <> struct DTypeOf<long long> {
  static constexpr DType value = DType::kI64;
};
template <> struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::kU8;
};
template <> struct DTypeOf<std::uint16_t> {
  static constexpr DType value = DType::kU16;
};
template <> struct DTypeOf<std::uint32_t> {
  static constexpr DType value = DType::kU32;
};
template <> struct DTypeOf<std::uint64_t> {
  static constexpr DType value = DType::kU64;
};
template <> struct DTypeOf<unsigned long long> {
  static constexpr DType value = DType::kU64;
};
template <> struct DTypeOf<float> {
  static constexpr DType value = DType::kF32;
};
template <> struct DTypeOf<double> {
  static constexpr DType value = DType::kF64;
};
template <> struct DTypeOf<std::complex<float>> {
  static constexpr DType value = DType::kC64;
};
template <> struct DTypeOf<std::complex<double>> {
  static constexpr DType value = DType::kC128;
};
template <class T> inline constexpr DType dtype_of = DTypeOf<std::remove_cv_t<T>>::value;

}  // namespace garner
