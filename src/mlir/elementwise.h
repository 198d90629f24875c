// How an operation on elements becomes loops: a struct with `of(a, b)` on element types, and the kinds it takes.
#pragma once
#include <utility>

#include "dtype/convert.h"
#include "mlir/op.h"

namespace garner::mlir {

/// Sets of kinds of elements.
constexpr unsigned bit(Kind k) { return 1U << static_cast<unsigned>(k); }
inline constexpr unsigned kTruth = bit(Kind::kBool), kIntegers = bit(Kind::kInt) | bit(Kind::kUInt),
                          kFloats = bit(Kind::kFloat), kComplexes = bit(Kind::kComplex);
inline constexpr unsigned kNumbers = kIntegers | kFloats | kComplexes, kAnything = kTruth | kNumbers;

template <class Op, class T> inline constexpr bool takes = (Op::kKinds & bit(kind(dtype_of<T>))) != 0;

/// The type of real parts, and T itself where there are none.
template <class T> struct RealOf {
  using type = T;
};
template <class T> struct RealOf<std::complex<T>> {
  using type = T;
};

/// a < 0, also where the compiler knows that it never is.
template <class T>
constexpr bool is_negative(T a) {
  if constexpr (std::is_unsigned_v<T>) return false;
  else return a < 0;
}

// ---- loops ----

template <class Out, class... In, class F, std::size_t... K>
void map_elements(const Strip& s, F f, std::index_sequence<K...>) {
  auto* out = static_cast<Out*>(s.out);
  // Said twice, because only the first form becomes vector instructions.
  if (s.out_step == 1 && ((s.step[K] == 1) && ...)) {
    for (Index i = 0; i < s.count; ++i) out[i] = f(static_cast<const In*>(s.in[K])[i]...);
    return;
  }
  for (Index i = 0; i < s.count; ++i) out[i * s.out_step] = f(static_cast<const In*>(s.in[K])[i * s.step[K]]...);
}

template <class Op, class Out, class... In>
void loop(const Strip& s) {
  map_elements<Out, In...>(s, [](In... values) { return Op::of(values...); }, std::index_sequence_for<In...>{});
}

// ---- from operand dtypes to the loop ----

inline Status not_taken(const Operation& op, DType dtype) {
  return fail(Code::kType, "M6", "{}: an operand is of {}, which it does not take", op.name, name(dtype));
}

inline Status check_same(const Operation& op, std::span<const DType> types) {
  for (const DType t : types)
    if (t != types[0])
      return fail(Code::kType, "M6", "{}: operands are of {} and {}, allowed one dtype", op.name, name(types[0]),
                  name(t));
  return {};
}

template <class Op>
Result<Elementwise> unary(const Operation& op, std::span<const DType> types) {
  GARNER_TRY(check_count(op, types.size(), 1, 1));
  return dispatch(types[0], [&]<class T>() -> Result<Elementwise> {
    if constexpr (takes<Op, T>) {
      using Out = decltype(Op::of(T{}));
      return Elementwise{&loop<Op, Out, T>, dtype_of<Out>};
    } else {
      return not_taken(op, types[0]);
    }
  });
}

template <class Op>
Result<Elementwise> binary(const Operation& op, std::span<const DType> types) {
  GARNER_TRY(check_count(op, types.size(), 2, 2));
  GARNER_TRY(check_same(op, types));
  return dispatch(types[0], [&]<class T>() -> Result<Elementwise> {
    if constexpr (takes<Op, T>) {
      using Out = decltype(Op::of(T{}, T{}));
      return Elementwise{&loop<Op, Out, T, T>, dtype_of<Out>};
    } else {
      return not_taken(op, types[0]);
    }
  });
}

// ---- over whole views ----

/// The loop on every element of views that all have the shape of `out`, which none of them overlaps.
void run_loop(Loop loop, const std::vector<View>& in, const MutableView& out, const RunOptions& options);

/// Every element of `out` from the same place of `from`, which may be of rank 0: one for all.
void copy_elements(const View& from, const MutableView& out, const RunOptions& options);

/// The same element at every place of a shape.
inline View stretched(const View& one, const Axes& shape) {
  return {one.dtype(), one.data(), shape, Axes(shape.size(), 0)};
}

/// The operation's loop on its operands. Rule M6: the operands have other shapes than the result.
Result<Values> run_elementwise(const Operation& op, const Values& operands, Context& context);

}  // namespace garner::mlir
