#include "mlir/check.h"

#include <bit>
#include <cmath>

#include "dtype/convert.h"
#include "index/order.h"
#include "mlir/attributes.h"
#include "mlir/elementwise.h"
#include "tensor/print.h"
#include "tensor/walk.h"

namespace garner::mlir {
namespace {

enum class Measure { kEqual, kAlmost, kClose };

struct Tolerance {
  Measure measure = Measure::kEqual;
  double apart = 0;
  std::uint64_t ulps = 0;
};

/// How many numbers of the dtype lie between two, both of them finite.
template <class T>
std::uint64_t ulps_between(T a, T b) {
  const auto x = index::number_key(a), y = index::number_key(b);
  return static_cast<std::uint64_t>(x < y ? y - x : x - y);
}

template <class T>
bool agree(T a, T b, const Tolerance& t) {
  if constexpr (is_complex_v<T>) {
    return agree(a.real(), b.real(), t) && agree(a.imag(), b.imag(), t);
  } else if constexpr (std::is_floating_point_v<Compute<T>>) {
    const auto x = to_compute(a), y = to_compute(b);
    if (x == y || (std::isnan(x) && std::isnan(y))) return true;
    if (!std::isfinite(x) || !std::isfinite(y) || t.measure == Measure::kEqual) return false;
    return t.measure == Measure::kAlmost ? std::abs(static_cast<double>(x) - static_cast<double>(y)) <= t.apart
                                         : ulps_between(a, b) <= t.ulps;
  } else if constexpr (std::is_same_v<T, Bool>) {
    return static_cast<bool>(a) == static_cast<bool>(b);
  } else {
    return a == b;
  }
}

Result<Tolerance> tolerance_of(const Operation& op, std::string_view kind) {
  if (kind == "expect_eq") return Tolerance{};
  if (kind == "expect_almost_eq") {
    GARNER_ASSIGN(const double apart, real_or(op, {"tolerance"}, 1e-4));
    return Tolerance{Measure::kAlmost, apart, 0};
  }
  GARNER_ASSIGN(const Index ulps, integer_or(op, {"max_ulp_difference"}, 3));
  return Tolerance{Measure::kClose, 0, static_cast<std::uint64_t>(std::max<Index>(ulps, 0))};
}

struct Differences {
  Index first = 0, count = 0;
};

Differences differences(const Tensor& a, const Tensor& b, const Tolerance& t) {
  Differences out;
  dispatch(a.dtype(), [&]<class T>() {
    for (Index i = a.elements(); i-- > 0;) {
      if (agree(a.as<T>()[i], b.as<T>()[i], t)) continue;
      out.first = i;
      ++out.count;
    }
  });
  return out;
}

Axes position_of(Index element, const Axes& shape) {
  Axes out(shape.size());
  for (std::size_t a = shape.size(); a-- > 0; element /= shape[a]) out[a] = element % shape[a];
  return out;
}

Status report(std::string_view kind, const Tensor& actual, const Tensor& expected, const Differences& found) {
  const auto text = scalar_text(actual.dtype());
  const Index at = found.first * width(actual.dtype());
  return fail(Code::kInvalidArgument, "M9", "check.{}: element {} is {}, expected {}; {} of {} differ", kind,
              list(position_of(found.first, actual.shape())), text(actual.as<std::byte>() + at),
              text(expected.as<std::byte>() + at), found.count, actual.elements());
}

Result<Values> expect_two(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 2, 2));
  GARNER_TRY(expect(op, op.info->name, operands[0].view, operands[1].view));
  return Values{};
}

/// The second operand is dense<…> in the text.
Result<Values> expect_constant(const Operation& op, const Values& operands, Context&) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  GARNER_ASSIGN(const Tensor value, tensor(op, {"value"}));
  const std::string_view kind = op.info->name;
  const View& actual = operands[0].view;
  const View wanted = value.rank() == 0 ? stretched(value, actual.shape()) : View(value);
  GARNER_TRY(expect(op, kind.substr(0, kind.size() - std::string_view("_const").size()), actual, wanted));
  return Values{};
}

/// Once printed what it is given.
Result<Values> trace(const Operation&, const Values&, Context&) { return Values{}; }

}  // namespace

bool is_check(std::string_view kind) {
  return kind == "expect_eq" || kind == "expect_almost_eq" || kind == "expect_close";
}

Status expect(const Operation& op, std::string_view kind, const View& actual, const View& expected) {
  if (actual.dtype() != expected.dtype() || actual.shape() != expected.shape())
    return fail(Code::kInvalidArgument, "M9", "check.{}: it is {}, expected {}", kind,
                to_string(TensorType{actual.dtype(), actual.shape()}),
                to_string(TensorType{expected.dtype(), expected.shape()}));
  GARNER_ASSIGN(const Tolerance tolerance, tolerance_of(op, kind));
  GARNER_ASSIGN(const Tensor a, contiguous(actual));
  GARNER_ASSIGN(const Tensor b, contiguous(expected));
  const Differences found = differences(a, b, tolerance);
  return found.count == 0 ? Status{} : report(kind, a, b, found);
}

GARNER_MLIR_DEFINE(trace, nullptr, &trace);
GARNER_MLIR_DEFINE(expect_eq, nullptr, &expect_two);
GARNER_MLIR_DEFINE(expect_almost_eq, nullptr, &expect_two);
GARNER_MLIR_DEFINE(expect_close, nullptr, &expect_two);
GARNER_MLIR_DEFINE(expect_eq_const, nullptr, &expect_constant);
GARNER_MLIR_DEFINE(expect_almost_eq_const, nullptr, &expect_constant);

}  // namespace garner::mlir
