#include "dialect/numpy/convert.h"

#include <utility>

#include "base/fail.h"
#include "dtype/dispatch.h"
#include "tensor/cast.h"

namespace garner::numpy {
namespace {

bool is_inexact(DType t) { return kind(t) == Kind::kFloat || kind(t) == Kind::kComplex; }

bool is_numpy_dtype(DType t) { return t != DType::kBF16 && t != DType::kF8E4M3 && t != DType::kF8E5M2; }

DType signed_of(int bits) {
  return bits <= 8 ? DType::kI8 : bits <= 16 ? DType::kI16 : bits <= 32 ? DType::kI32 : DType::kI64;
}
DType float_of(int bits) { return bits <= 16 ? DType::kF16 : bits <= 32 ? DType::kF32 : DType::kF64; }
DType wider(DType a, DType b) { return info(a).bits >= info(b).bits ? a : b; }

/// The float that holds every value, as far as there is one: twice the bits of an integer.
DType as_float(DType t) { return is_integer(t) ? float_of(2 * info(t).bits) : t; }

DType promote_integers(DType a, DType b) {
  if (kind(a) == kind(b)) return wider(a, b);
  const DType whole = kind(a) == Kind::kInt ? a : b, natural = kind(a) == Kind::kInt ? b : a;
  if (info(whole).bits > info(natural).bits) return whole;
  return natural == DType::kU64 ? DType::kF64 : signed_of(2 * info(natural).bits);
}

int real_bits(DType t) { return kind(t) == Kind::kComplex ? info(t).bits / 2 : info(as_float(t)).bits; }

DType promote_inexact(DType a, DType b) {
  const int bits = std::max(real_bits(a), real_bits(b));
  if (kind(a) != Kind::kComplex && kind(b) != Kind::kComplex) return float_of(bits);
  return bits <= 32 ? DType::kC64 : DType::kC128;
}

bool holds(DType t, Index value) {
  return dispatch_index(t, [&]<class T>() { return std::in_range<T>(value); }, [] { return true; });
}

/// Does a bare number of this kind go by the array's dtype?
bool is_weak(const Value& v, DType dtype) {
  if (std::holds_alternative<Index>(v.held)) return dtype != DType::kBool;
  return std::holds_alternative<double>(v.held) && is_inexact(dtype);
}

}  // namespace

Result<View> as_dtype(const View& view, DType to, std::vector<Tensor>& kept) {
  if (view.dtype() == to) return view;
  GARNER_ASSIGN(Tensor copy, cast(view, to));
  kept.push_back(std::move(copy));
  return View(kept.back());
}

std::optional<DType> promote(DType a, DType b) {
  if (a == b || b == DType::kBool) return a;
  if (a == DType::kBool) return b;
  if (!is_numpy_dtype(a) || !is_numpy_dtype(b)) return std::nullopt;
  return is_integer(a) && is_integer(b) ? promote_integers(a, b) : promote_inexact(a, b);
}

Result<View> value_argument(Arguments& a, const std::string& name, DType dtype, std::vector<Tensor>& kept) {
  const Value& given = a.value(name);
  if (const Index* number = std::get_if<Index>(&given.held); number != nullptr && !holds(dtype, *number))
    return fail(Code::kInvalidArgument, "NP21", "{}: {} is {}, allowed what {} holds", a.op(), name, *number,
                garner::name(dtype));
  const View view = a.tensor(name);
  GARNER_TRY(a.status());
  return is_weak(given, dtype) ? as_dtype(view, dtype, kept) : view;
}

}  // namespace garner::numpy
