// numpy.add_at(a, indices, b, /) and its like: add.at(a, indices, b)
//   a[indices][d] = f(a[indices][d], b[d]) for d in row-major order
#include <cmath>

#include "base/fail.h"
#include "dialect/numpy/convert.h"
#include "dialect/numpy/key.h"
#include "dtype/dispatch.h"
#include "garner/error.h"

namespace garner::numpy {
namespace {

struct Spec {
  const char* op;
  Combine combine;
};
/// In the order of Ufunc.
constexpr Spec kSpecs[] = {
    {"numpy.add_at", Combine::kAdd},         {"numpy.multiply_at", Combine::kMul},
    {"numpy.minimum_at", Combine::kMin},     {"numpy.maximum_at", Combine::kMax},
    {"numpy.bitwise_and_at", Combine::kAnd}, {"numpy.bitwise_or_at", Combine::kOr},
    {"numpy.bitwise_xor_at", Combine::kXor},
};

bool is_bitwise(Combine c) { return c == Combine::kAnd || c == Combine::kOr || c == Combine::kXor; }
bool is_order(Combine c) { return c == Combine::kMin || c == Combine::kMax; }
bool has_bits(DType t) { return is_integer(t) || t == DType::kBool; }

/// Is converting b before combining the same as NumPy's combining in the common dtype and converting then? Integers of
/// any width wrap alike, but do not order alike; floats are rounded once more (docs/dialects/numpy.md).
bool converts_first(Combine combine, DType a, DType common) {
  if (a == common) return true;
  if (is_integer(a) && is_integer(common)) return !is_order(combine);
  return kind(a) == kind(common) && !has_bits(a);
}

Status check_dtypes(const Spec& spec, DType a, DType b) {
  const auto common = promote(a, b);
  if (is_bitwise(spec.combine) && !(has_bits(a) && common && has_bits(*common)))
    return fail(Code::kType, "NP15", "{}: a is {} and b is {}, allowed integers and bool", spec.op, name(a), name(b));
  if (common && converts_first(spec.combine, a, *common)) return {};
  return fail(Code::kType, "NP16", "{}: b is {}, allowed a dtype that combines with {} without loss of kind", spec.op,
              name(b), name(a));
}

/// NumPy orders complex numbers by their real parts, then the imaginary ones; a NaN already there stays.
template <class T>
bool stays(const std::complex<T>& now, const std::complex<T>& next, int sign) {
  const auto less = [sign](T x, T y) { return sign > 0 ? x < y : y < x; };
  if (std::isnan(now.real()) || std::isnan(now.imag())) return true;
  if (now.real() == next.real()) return now.imag() == next.imag() || less(now.imag(), next.imag());
  return less(now.real(), next.real()) && !std::isnan(next.imag());
}

template <class T>
UserCombine complex_order(int sign) {
  return [sign](void* const* current, const void* const* update) {
    auto& now = *static_cast<T*>(current[0]);
    const auto& next = *static_cast<const T*>(update[0]);
    if (!stays(now, next, sign)) now = next;
  };
}

UserCombine complex_order(Combine combine, DType dtype) {
  const int sign = combine == Combine::kMin ? 1 : -1;
  return dispatch(dtype, [&]<class T>() -> UserCombine {
    if constexpr (is_complex_v<T>) return complex_order<T>(sign);
    else return {};
  });
}

}  // namespace

Result<Job> lower_ufunc_at(Ufunc ufunc, const View& a, const Key& indices, const View& b) {
  const Spec& spec = kSpecs[static_cast<std::size_t>(ufunc)];
  GARNER_TRY(check_dtypes(spec, a.dtype(), b.dtype()));
  const bool user = is_order(spec.combine) && kind(a.dtype()) == Kind::kComplex;
  const Write write{spec.op, a, indices, b, LeadingOnes::kKept};
  GARNER_ASSIGN(Job job, lower_write(write, user ? Combine::kUser : spec.combine));
  if (user) job.user = complex_order(spec.combine, a.dtype());
  return job;
}

void ufunc_at(Ufunc ufunc, const MutableView& a, const Key& indices, const View& b, const RunOptions& run) {
  std::vector<Tensor> kept;
  const Key index = value_or_throw(apart_from(a, indices, kept));
  const View value = value_or_throw(apart_from(a, b, kept));
  update(a, lower_ufunc_at(ufunc, a, index, value), run);
}

namespace {

template <Ufunc kUfunc>
Result<Jobs> lower_call(Arguments& args) {
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  GARNER_ASSIGN(KeyArgument indices, key_argument(args, "indices"));
  GARNER_ASSIGN(const View b, value_argument(args, "b", a.dtype(), indices.kept));
  GARNER_ASSIGN(Job job, lower_ufunc_at(kUfunc, a, indices.key, b));
  job.kept.insert(job.kept.end(), indices.kept.begin(), indices.kept.end());
  return one(std::move(job));
}

}  // namespace

#define GARNER_UFUNC(name, ufunc) \
  extern const Op op_##name##_at; \
  const Op op_##name##_at{#name "_at", "(a, indices, b, /)", lower_call<Ufunc::ufunc>};
GARNER_UFUNC(add, kAdd)
GARNER_UFUNC(multiply, kMultiply)
GARNER_UFUNC(minimum, kMinimum)
GARNER_UFUNC(maximum, kMaximum)
GARNER_UFUNC(bitwise_and, kBitwiseAnd)
GARNER_UFUNC(bitwise_or, kBitwiseOr)
GARNER_UFUNC(bitwise_xor, kBitwiseXor)
#undef GARNER_UFUNC

}  // namespace garner::numpy
