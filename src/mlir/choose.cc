// compare, select, clamp and convert.
#include <cmath>

#include "index/order.h"
#include "mlir/attributes.h"
#include "mlir/elementwise.h"

namespace garner::mlir {
namespace {

// ---- compare ----

/// The bits of a float as a number that grows with it: -NaN first, then -inf … -0, 0 … inf, NaN.
template <class T>
auto total_order(T value) {
  using Bits = std::make_signed_t<typename index::UIntOf<sizeof(T)>::type>;
  const auto bits = std::bit_cast<Bits>(value);
  return static_cast<Bits>(bits < 0 ? bits ^ std::numeric_limits<Bits>::max() : bits);
}

struct EQ {
  template <class T> static bool of(T a, T b) { return a == b; }
};
struct NE {
  template <class T> static bool of(T a, T b) { return !(a == b); }
};
struct LT {
  template <class T> static bool of(T a, T b) { return a < b; }
};
struct LE {
  template <class T> static bool of(T a, T b) { return a <= b; }
};
struct GT {
  template <class T> static bool of(T a, T b) { return a > b; }
};
struct GE {
  template <class T> static bool of(T a, T b) { return a >= b; }
};

/// Complex numbers: by the real parts, and where these are equal by the imaginary ones.
template <class Direction>
struct ByValue {
  template <class T> static Bool of(T a, T b) {
    if constexpr (is_complex_v<T>) {
      if constexpr (std::is_same_v<Direction, EQ> || std::is_same_v<Direction, NE>) return Direction::of(a, b);
      else return a.real() == b.real() ? Direction::of(a.imag(), b.imag()) : Direction::of(a.real(), b.real());
    } else if constexpr (std::is_same_v<T, Bool>) {
      return Direction::of(static_cast<int>(a), static_cast<int>(b));
    } else {
      return Direction::of(to_compute(a), to_compute(b));
    }
  }
};

template <class Direction>
struct ByTotalOrder {
  template <class T> static Bool of(T a, T b) { return Direction::of(total_order(a), total_order(b)); }
};

template <class Direction>
Result<Elementwise> compare_by(const Operation& op, DType dtype, bool total) {
  return dispatch(dtype, [&]<class T>() -> Result<Elementwise> {
    if (!total) return Elementwise{&loop<ByValue<Direction>, Bool, T, T>, DType::kBool};
    if constexpr (kind(dtype_of<T>) == Kind::kFloat)
      return Elementwise{&loop<ByTotalOrder<Direction>, Bool, T, T>, DType::kBool};
    else return not_taken(op, dtype);
  });
}

/// `compare LT, %a, %b, SIGNED`, or attributes with the same words.
Result<std::string> direction_of(const Operation& op) {
  if (!op.words.empty()) return op.words[0];
  return text(op, {"comparison_direction"});
}

Result<std::string> order_of(const Operation& op, DType dtype) {
  if (op.words.size() > 1) return op.words[1];
  if (find(op.attributes, {"compare_type"}) != nullptr) return text(op, {"compare_type"});
  const bool whole = is_integer(dtype) || dtype == DType::kBool;
  return std::string(!whole ? "FLOAT" : kind(dtype) == Kind::kInt ? "SIGNED" : "UNSIGNED");
}

Result<bool> is_total(const Operation& op, DType dtype) {
  GARNER_ASSIGN(const std::string order, order_of(op, dtype));
  if (order == "TOTALORDER") return true;
  if (order == "FLOAT" || order == "SIGNED" || order == "UNSIGNED" || order == "NOTYPE") return false;
  return fail(Code::kInvalidArgument, "M5", "{}: compare_type is {}, allowed FLOAT, TOTALORDER, SIGNED, UNSIGNED",
              op.name, order);
}

Result<Elementwise> compare(const Operation& op, std::span<const DType> types) {
  GARNER_TRY(check_count(op, types.size(), 2, 2));
  GARNER_TRY(check_same(op, types));
  GARNER_ASSIGN(const std::string direction, direction_of(op));
  GARNER_ASSIGN(const bool total, is_total(op, types[0]));
  if (direction == "EQ") return compare_by<EQ>(op, types[0], total);
  if (direction == "NE") return compare_by<NE>(op, types[0], total);
  if (direction == "LT") return compare_by<LT>(op, types[0], total);
  if (direction == "LE") return compare_by<LE>(op, types[0], total);
  if (direction == "GT") return compare_by<GT>(op, types[0], total);
  if (direction == "GE") return compare_by<GE>(op, types[0], total);
  return fail(Code::kInvalidArgument, "M5", "{}: comparison_direction is {}, allowed EQ, NE, LT, LE, GT, GE", op.name,
              direction);
}

// ---- select and clamp ----

struct Select {
  template <class T> static T of(Bool which, T yes, T no) { return which ? yes : no; }
};

/// Moves bytes: one loop for each width of elements.
Result<Elementwise> select(const Operation& op, std::span<const DType> types) {
  GARNER_TRY(check_count(op, types.size(), 3, 3));
  GARNER_TRY(check_same(op, types.subspan(1)));
  if (types[0] != DType::kBool) return not_taken(op, types[0]);
  return dispatch(
      types[1], [&]<class T>() -> Result<Elementwise> { return Elementwise{&loop<Select, T, Bool, T, T>, types[1]}; });
}

/// min(max(low, x), high), NaN staying NaN.
struct Clamp {
  template <class T> static T of(T low, T x, T high) {
    if constexpr (!is_complex_v<T> && std::is_floating_point_v<Compute<T>>) {
      for (const T v : {x, low, high})
        if (std::isnan(to_compute(v))) return v;
    }
    const T raised = ByValue<LT>::of(x, low) ? low : x;
    return ByValue<LT>::of(high, raised) ? high : raised;
  }
};

Result<Elementwise> clamp(const Operation& op, std::span<const DType> types) {
  GARNER_TRY(check_count(op, types.size(), 3, 3));
  GARNER_TRY(check_same(op, types));
  return dispatch(types[0],
                  [&]<class T>() -> Result<Elementwise> { return Elementwise{&loop<Clamp, T, T, T, T>, types[0]}; });
}

// ---- convert ----

/// XLA's: a float that an integer type does not hold becomes its nearest number, and NaN becomes 0.
template <class To>
struct Convert {
  template <class T> static To saturated(T value) {
    constexpr auto kLow = std::numeric_limits<To>::min(), kHigh = std::numeric_limits<To>::max();
    const double x = value;
    if (std::isnan(x)) return To{0};
    if (x <= static_cast<double>(kLow)) return kLow;
    return x >= static_cast<double>(kHigh) ? kHigh : static_cast<To>(x);
  }

  template <class T> static To of(T value) {
    if constexpr (is_complex_v<T> && std::is_same_v<To, Bool>) return value != T{};
    else if constexpr (is_complex_v<T> && !is_complex_v<To>) return Convert::of(value.real());
    else if constexpr (is_index_v<To> && std::is_floating_point_v<Compute<T>>) return saturated(to_compute(value));
    else return garner::convert<To>(value);
  }
};

template <class From>
Result<Elementwise> convert_from(DType to) {
  return dispatch(to, [&]<class To>() -> Result<Elementwise> { return Elementwise{&loop<Convert<To>, To, From>, to}; });
}

Result<Elementwise> convert(const Operation& op, std::span<const DType> types) {
  GARNER_TRY(check_count(op, types.size(), 1, 1));
  if (op.result_types.size() != 1) return misfit(op, "it has {} results, allowed 1", op.result_types.size());
  const DType to = op.result_types[0].dtype;
  return dispatch(types[0], [&]<class From>() { return convert_from<From>(to); });
}

}  // namespace

GARNER_MLIR_DEFINE(compare, &compare);
GARNER_MLIR_DEFINE(select, &select, nullptr, true);
GARNER_MLIR_DEFINE(clamp, &clamp, nullptr, true);
GARNER_MLIR_DEFINE(convert, &convert);

}  // namespace garner::mlir
