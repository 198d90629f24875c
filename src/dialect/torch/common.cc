#include "dialect/torch/common.h"

#include <cmath>
#include <limits>

#include "dtype/convert.h"

namespace garner::torch {

View lifted(const View& view) { return view.rank() > 0 ? view : view.seen_as({1}); }

MutableView lifted(const MutableView& view) { return view.rank() > 0 ? view : view.seen_as({1}); }

Result<View> flattened(const View& view, std::vector<Tensor>& kept) {
  GARNER_TRY(validate_anywhere(view, "torch"));
  const Axes shape{view.elements()};
  if (view.stride() == row_major(view.shape())) return view.seen_as(shape);
  GARNER_ASSIGN(Tensor copy, contiguous(view));
  kept.push_back(copy);
  return View(copy).seen_as(shape);
}

Result<Index> wrapped_dim(const char* op, Index dim, Index rank) {
  const Index n = std::max<Index>(rank, 1);
  if (dim < -n || dim >= n) return fail(Code::kIndex, "TO1", "{}: dim is {}, allowed [{}, {})", op, dim, -n, n);
  return dim < 0 ? dim + n : dim;
}

Status check_index_dtype(const char* op, const View& index, IndexKind allowed) {
  const bool narrow = allowed == IndexKind::kI32OrI64 && index.dtype() == DType::kI32;
  if (narrow || index.dtype() == DType::kI64) return {};
  return fail(Code::kInvalidArgument, "TO2", "{}: index is {}, allowed {}", op, name(index.dtype()),
              allowed == IndexKind::kI64 ? "i64" : "i32 i64");
}

Status check_same_dtype(const char* op, const View& self, const char* what, const View& other) {
  if (self.dtype() == other.dtype()) return {};
  return fail(Code::kInvalidArgument, "TO3", "{}: {} is {}, allowed {} (the dtype of input)", op, what,
              name(other.dtype()), name(self.dtype()));
}

Status check_ordered(const char* op, const View& self) {
  if (kind(self.dtype()) != Kind::kComplex) return {};
  return fail(Code::kType, "TO28", "{}: input is {}, allowed a dtype with an order", op, name(self.dtype()));
}

namespace {

/// A negative integer becomes an unsigned one modulo 2^n where its size fits, as in torch.
template <class T>
bool fits(Index value) {
  if constexpr (std::is_unsigned_v<T>) {
    const auto size = value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return size <= std::numeric_limits<T>::max();
  } else {
    return value >= std::numeric_limits<T>::lowest() && value <= std::numeric_limits<T>::max();
  }
}

/// Compared with the limits before the fraction goes; 2^63 is no i64 though the limit rounds to it.
template <class T>
bool fits_integer(double value) {
  const double top = std::ldexp(1.0, std::numeric_limits<T>::digits);
  return value >= static_cast<double>(std::numeric_limits<T>::lowest()) && value < top;
}

template <class T>
double largest() {
  if constexpr (std::is_same_v<T, Float8E4M3>) return 448;
  else if constexpr (std::is_same_v<T, Float8E5M2>) return 57344;
  else return static_cast<double>(std::numeric_limits<T>::max());
}

/// Infinities and NaN stay what they are; a finite number may not exceed the largest.
template <class T>
bool fits_float(double value) {
  return !std::isfinite(value) || std::abs(value) <= largest<T>();
}

template <class T>
struct ToElement {
  std::optional<T> operator()(bool value) const { return convert<T>(Bool(value)); }

  std::optional<T> operator()(Index value) const {
    if constexpr (is_index_v<T>) return fits<T>(value) ? std::optional(static_cast<T>(value)) : std::nullopt;
    else if constexpr (std::is_same_v<T, Bool>) return Bool(value != 0);
    else return (*this)(static_cast<double>(value));
  }

  std::optional<T> operator()(double value) const {
    if constexpr (is_index_v<T>) return fits_integer<T>(value) ? std::optional(static_cast<T>(value)) : std::nullopt;
    else if constexpr (is_complex_v<T>) return fits_float<typename T::value_type>(value) ? make(value) : std::nullopt;
    else if constexpr (std::is_same_v<T, Bool>) return Bool(value != 0);
    else return fits_float<T>(value) ? make(value) : std::nullopt;
  }

  std::optional<T> operator()(const std::complex<double>& value) const {
    if constexpr (is_complex_v<T>) return fits_parts(value) ? std::optional(T(value)) : std::nullopt;
    else if constexpr (std::is_same_v<T, Bool>) return Bool(value != 0.0);
    else return value.imag() == 0 ? (*this)(value.real()) : std::nullopt;
  }

  static std::optional<T> make(double value) { return convert<T>(value); }

  static bool fits_parts(const std::complex<double>& value) {
    return fits_float<typename T::value_type>(value.real()) && fits_float<typename T::value_type>(value.imag());
  }
};

std::string shown(const Scalar& value) {
  if (const auto* z = std::get_if<std::complex<double>>(&value)) return fmt::format("{}{:+}j", z->real(), z->imag());
  return std::visit([](const auto& v) -> std::string {
    if constexpr (requires { v.real(); }) return "";
    else return fmt::format("{}", v);
  }, value);
}

/// Any number of a rank-0 tensor as a Python number; u64 past 2^63 as a float.
template <class T>
Scalar scalar_of(T value) {
  if constexpr (std::is_same_v<T, Bool>) return static_cast<bool>(value);
  else if constexpr (is_complex_v<T>) return std::complex<double>(value);
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return value > INT64_MAX ? Scalar(static_cast<double>(value)) : Scalar(static_cast<Index>(value));
  else if constexpr (is_index_v<T>) return static_cast<Index>(value);
  else return static_cast<double>(to_compute(value));
}

}  // namespace

Result<Tensor> scalar_as(const char* op, const Scalar& value, DType dtype) {
  return dispatch(dtype, [&]<class T>() -> Result<Tensor> {
    const std::optional<T> element = std::visit(ToElement<T>{}, value);
    if (!element)
      return fail(Code::kInvalidArgument, "TO4", "{}: value is {}, allowed what fits {}", op, shown(value),
                  name(dtype));
    GARNER_ASSIGN(Tensor made, Tensor::empty(dtype, {}));
    *made.as<T>() = *element;
    return made;
  });
}

bool is_number(const Value& value) {
  return std::holds_alternative<bool>(value.held) || std::holds_alternative<Index>(value.held) ||
         std::holds_alternative<double>(value.held);
}

Result<Scalar> scalar_argument(const Arguments& a, const char* name) {
  const auto& held = a.value(name).held;
  if (const auto* b = std::get_if<bool>(&held)) return Scalar(*b);
  if (const auto* i = std::get_if<Index>(&held)) return Scalar(*i);
  if (const auto* d = std::get_if<double>(&held)) return Scalar(*d);
  const auto t = a.value(name).memory();
  if (!t) return fail(Code::kType, "A3", "{}: {} must be a number", a.op(), name);
  if (t->rank() != 0)
    return fail(Code::kInvalidArgument, "TO29", "{}: rank of {} is {}, allowed 0", a.op(), name, t->rank());
  GARNER_TRY(validate(*t, fmt::format("{}: {}", a.op(), name)));
  return dispatch(t->dtype(),
                  [&]<class T>() -> Result<Scalar> { return scalar_of(*static_cast<const T*>(t->data())); });
}

void follow_all(JobBuilder& job, Index rank) {
  for (Index a = 0; a < rank; ++a) job.follow(a, a);
}

void run_on(const MutableView& self, const Result<Job>& job, const RunOptions& options) {
  value_or_throw(job.status());
  const bool same_rank = static_cast<Index>(job->result_shape.size()) == self.rank();
  value_or_throw(run_in_place(*job, same_rank ? self : lifted(self), nullptr, options));
}

Tensor fresh_result(const RunOptions& options, const Steps& compute) {
  Results results;
  value_or_throw(compute(results));
  return value_or_throw(results.close(options)).front();
}

void result_in(const MutableView& self, const char* op, const RunOptions& options, const Steps& compute) {
  Results results(op, {&self, 1});
  value_or_throw(compute(results));
  value_or_throw(results.close(options));
}

}  // namespace garner::torch
