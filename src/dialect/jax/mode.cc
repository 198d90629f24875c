#include "dialect/jax/mode.h"

#include <cmath>
#include <limits>

#include "base/fail.h"
#include "dtype/convert.h"
#include "garner/error.h"
#include "tensor/cast.h"

namespace garner::jax {
namespace {

template <class T>
T default_fill() {
  if constexpr (std::is_same_v<T, Bool>) return Bool(true);
  else if constexpr (!is_index_v<T>) return convert<T>(std::numeric_limits<double>::quiet_NaN());
  else if constexpr (std::is_signed_v<T>) return std::numeric_limits<T>::min();
  else return std::numeric_limits<T>::max();
}

Result<Tensor> default_fill(DType dtype) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype, {}));
  dispatch(dtype, [&]<class T>() { *out.as<T>() = default_fill<T>(); });
  return out;
}

/// Whether a real number, cut to an integer, is one of `dtype`: elsewhere C++ leaves the conversion open.
bool holds(DType dtype, double value) {
  if (!is_integer(dtype)) return true;
  const bool is_signed = kind(dtype) == Kind::kInt;
  const double end = std::ldexp(1.0, info(dtype).bits - (is_signed ? 1 : 0));
  return value < end && (is_signed ? value >= -end : value > -1);
}

bool is_real_number(DType dtype) { return kind(dtype) == Kind::kFloat || kind(dtype) == Kind::kComplex; }

Result<Tensor> converted_fill(const std::string& op, const Tensor& given, DType dtype) {
  if (given.rank() != 0)
    return fail(Code::kInvalidArgument, "JX2", "{}: fill_value has rank {}, allowed 0", op, given.rank());
  if (is_real_number(given.dtype())) {
    GARNER_ASSIGN(const Tensor real, cast(given, DType::kF64));
    if (!holds(dtype, *real.as<double>()))
      return fail(Code::kInvalidArgument, "JX3", "{}: fill_value is {}, allowed what {} can hold", op,
                  *real.as<double>(), name(dtype));
  }
  return cast(given, dtype);
}

/// Real part first, then imaginary.
template <class C>
bool less(const C& a, const C& b) {
  return a.real() == b.real() ? a.imag() < b.imag() : a.real() < b.real();
}

/// As XLA has it: the update stays unless the value there beats it, so of two that do not compare the update.
template <class C>
void keep_smaller(void* const* current, const void* const* update) {
  C& now = *static_cast<C*>(current[0]);
  if (const C& next = *static_cast<const C*>(update[0]); !less(now, next)) now = next;
}

template <class C>
void keep_larger(void* const* current, const void* const* update) {
  C& now = *static_cast<C*>(current[0]);
  if (const C& next = *static_cast<const C*>(update[0]); !less(next, now)) now = next;
}

UserCombine by_parts(Combine combine, DType dtype) {
  const bool smaller = combine == Combine::kMin;
  if (dtype == DType::kC64) return smaller ? keep_smaller<std::complex<float>> : keep_larger<std::complex<float>>;
  return smaller ? keep_smaller<std::complex<double>> : keep_larger<std::complex<double>>;
}

}  // namespace

OutOfRange reading(Mode mode) {
  switch (mode) {
    case Mode::kFill:
    case Mode::kDrop: return OutOfRange::kFill;
    case Mode::kDefault:
    case Mode::kClip: return OutOfRange::kClamp;
    case Mode::kPromiseInBounds: return OutOfRange::kPromise;
  }
  return OutOfRange::kClamp;
}

OutOfRange writing(Mode mode) {
  switch (mode) {
    case Mode::kDefault:
    case Mode::kFill:
    case Mode::kDrop: return OutOfRange::kDrop;
    case Mode::kClip: return OutOfRange::kClamp;
    case Mode::kPromiseInBounds: return OutOfRange::kPromise;
  }
  return OutOfRange::kDrop;
}

Result<Mode> read_mode(Arguments& a) {
  if (!a.has("mode")) return Mode::kDefault;
  const std::string word = a.word("mode");
  GARNER_TRY(a.status());
  if (word == "fill") return Mode::kFill;
  if (word == "drop") return Mode::kDrop;
  if (word == "clip") return Mode::kClip;
  if (word == "promise_in_bounds") return Mode::kPromiseInBounds;
  return fail(Code::kInvalidArgument, "JX1", "{}: mode is {}, allowed fill drop clip promise_in_bounds", a.op(), word);
}

std::optional<Tensor> read_fill(Arguments& a) {
  const auto given = a.maybe_tensor("fill_value");
  if (!given) return std::nullopt;
  return value_or_throw(contiguous(*given));
}

Result<Job> with_fill(Job job, OutOfRange outside, const std::optional<Tensor>& given) {
  if (outside != OutOfRange::kFill) return job;
  GARNER_ASSIGN(const Tensor fill,
                given ? converted_fill(job.op, *given, job.plan.dtype) : default_fill(job.plan.dtype));
  GARNER_ASSIGN(job.fill, broadcast_to(fill, job.plan.domain));
  job.plan.fill_stride = job.fill->stride();
  job.kept.push_back(fill);
  return job;
}

Result<Join> join_of(const char* op, Combine combine, DType dtype) {
  const bool sums = combine == Combine::kAdd || combine == Combine::kMul;
  if (sums && dtype == DType::kBool)
    return fail(Code::kType, "JX4", "{}: operand is bool, allowed a number dtype under {}", op, name(combine));
  const bool orders = combine == Combine::kMin || combine == Combine::kMax;
  if (orders && kind(dtype) == Kind::kComplex) return Join{Combine::kUser, by_parts(combine, dtype)};
  return Join{combine, {}};
}

Bounds within(Index extent, bool wraps, OutOfRange outside) {
  return {.lo = 0, .hi = extent, .wrap = wraps ? extent : 0, .policy = outside};
}

Result<Index> effective_axis(const char* op, Index axis, Index rank) {
  if (axis < -rank || axis >= rank)
    return fail(Code::kInvalidArgument, "JX33", "{}: axis is {}, allowed [{}, {})", op, axis, -rank, rank);
  return axis < 0 ? axis + rank : axis;
}

Result<Flat> flattened(const View& view) {
  GARNER_TRY(validate_anywhere(view, "array"));
  Flat out;
  if (view.stride() == row_major(view.shape())) {
    out.view = view.seen_as({view.elements()});
    return out;
  }
  GARNER_ASSIGN(Tensor copy, contiguous(view));
  out.view = View(copy).seen_as({copy.elements()});
  out.kept.push_back(std::move(copy));
  return out;
}

Job untouched(const char* op, const View& operand) {
  return JobBuilder::scatter(op, operand, View(operand.dtype(), nullptr, {0}), Combine::kAssign).build();
}

Result<Job> keeping(Result<Job> job, const std::vector<Tensor>& kept) {
  if (job.ok()) job->kept.insert(job->kept.end(), kept.begin(), kept.end());
  return job;
}

Status as_type_error(Status status) {
  if (status.code == Code::kInvalidArgument) status.code = Code::kType;
  return status;
}

}  // namespace garner::jax
