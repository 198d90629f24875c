#include "index/key_code.h"

#include "index/order.h"

namespace garner::index {
namespace {

template <class T>
KeyCode::Fast fast_of() {
  if constexpr (std::is_same_v<T, float>) return KeyCode::Fast::kF32;
  else if constexpr (std::is_same_v<T, Eigen::half>) return KeyCode::Fast::kF16;
  else if constexpr (std::is_same_v<T, Eigen::bfloat16>) return KeyCode::Fast::kBF16;
  else return KeyCode::Fast::kNo;
}

/// Of a number that is not complex, without a rule. Narrow ones stand at the top of 32 bits.
template <class T>
KeyCode code_of() {
  constexpr int kShift = sizeof(T) < 4 ? 32 - 8 * static_cast<int>(sizeof(T)) : 0;
  constexpr std::uint64_t kAll = ~std::uint64_t{0}, kTop = std::uint64_t{1} << (sizeof(T) < 8 ? 31 : 63);
  constexpr bool kSigned = has_nan_v<T> || (is_index_v<T> && std::is_signed_v<T>);
  return {.width = static_cast<int>(sizeof(T)),
          .has_nan = has_nan_v<T>,
          .cap = std::is_same_v<T, Bool> ? std::uint64_t{1} << kShift : kAll,
          .sign = has_nan_v<T> ? kTop : 0,
          .largest = has_nan_v<T> ? kLargestMagnitude<T> << kShift : kAll,
          .middle = kSigned ? kTop : 0,
          .fast = fast_of<T>()};
}

template <class T>
KeyCode complex_code() {
  KeyCode code = code_of<typename T::value_type>();
  code.width = sizeof(T);
  code.complex = true;
  code.fast = KeyCode::Fast::kNo;
  return code;
}

}  // namespace

KeyCode key_code(DType dtype, const KeyRule& rule) {
  KeyCode code = dispatch(dtype, []<class T>() -> KeyCode {
    if constexpr (!std::is_same_v<Ordered<T>, T>) return {};
    else if constexpr (is_complex_v<T>) return complex_code<T>();
    else return code_of<T>();
  });
  code.flip = static_cast<std::uint64_t>(rule.flip);
  code.nan = static_cast<std::uint64_t>(rule.nan);
  return code;
}

}  // namespace garner::index
