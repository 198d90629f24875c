#include "dialect/torch/reduce.h"

#include <limits>

#include "dtype/convert.h"
#include "index/engine.h"
#include "tensor/cast.h"

namespace garner::torch {
namespace {

/// A mean is a sum, divided afterwards.
Combine combine_of(Reduce reduce) {
  switch (reduce) {
    case Reduce::kSum:
    case Reduce::kMean: return Combine::kAdd;
    case Reduce::kProd: return Combine::kMul;
    case Reduce::kAmax: return Combine::kMax;
    case Reduce::kAmin: return Combine::kMin;
  }
  return Combine::kAdd;
}

/// What does not change anything it is combined with. `sign` 1: nothing is larger; -1: nothing is smaller.
template <class T>
T extreme(int sign) {
  if constexpr (is_complex_v<T>) return T();
  else if constexpr (std::is_same_v<T, Bool>) return Bool(sign > 0);
  else if constexpr (is_index_v<T>) return sign > 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  else if constexpr (std::is_same_v<T, Float8E4M3>)
    return convert<T>(448.0F * static_cast<float>(sign));  // no infinity
  else return convert<T>(std::numeric_limits<float>::infinity() * static_cast<float>(sign));
}

template <class T>
T neutral(Reduce reduce) {
  switch (reduce) {
    case Reduce::kSum:
    case Reduce::kMean: return convert<T>(0.0);
    case Reduce::kProd: return convert<T>(1.0);
    case Reduce::kAmax: return extreme<T>(-1);
    case Reduce::kAmin: return extreme<T>(1);
  }
  return T();
}

Result<Tensor> neutral_element(Reduce reduce, DType dtype) {
  GARNER_ASSIGN(Tensor element, Tensor::empty(dtype, {}));
  dispatch(dtype, [&]<class T>() { *element.as<T>() = neutral<T>(reduce); });
  return element;
}

Status check_dtype(const char* op, DType dtype, Reduce reduce) {
  const bool ordered = reduce == Reduce::kAmax || reduce == Reduce::kAmin;
  const bool wrong = ordered ? kind(dtype) == Kind::kComplex : reduce == Reduce::kMean && dtype == DType::kBool;
  if (!wrong) return {};
  return fail(Code::kUnsupported, "TO27", "{}: input is {}, allowed {}", op, name(dtype),
              ordered ? "a dtype with an order" : "a dtype of numbers");
}

/// Every update is `value`: sets or counts the places that are reached.
Result<Tensor> mark(const Scatter& scatter, const View& self, const View& src, const Tensor& value, Combine combine,
                    const RunOptions& run) {
  GARNER_ASSIGN(const View values, broadcast_to(value, src.shape()));
  return run_as(scatter(self, values, combine), self.shape(), run);
}

/// How many values each place's sum has; 1 at least, so that dividing keeps what nothing reached.
Result<Tensor> counts(const Scatter& scatter, const View& self, const View& src, const Reduction& reduction,
                      const RunOptions& run) {
  const Tensor start = scalar<Index>(reduction.include_self ? 1 : 0);
  GARNER_ASSIGN(const View starts, broadcast_to(start, self.shape()));
  return mark(scatter, starts, src, scalar<Index>(1), Combine::kAdd, run);
}

template <class T>
T quotient(T sum, Index count) {
  if constexpr (std::is_same_v<T, Bool>) return sum;
  else if constexpr (is_complex_v<T>) return sum / static_cast<typename T::value_type>(count);
  else if constexpr (std::is_unsigned_v<T>) return static_cast<T>(sum / static_cast<std::uint64_t>(count));
  else if constexpr (is_index_v<T>) return static_cast<T>(sum / count - (sum % count < 0 ? 1 : 0));  // towards -inf
  else return convert<T>(to_compute(sum) / static_cast<Compute<T>>(count));
}

void divide(DType dtype, void* sums, const Tensor& counts) {
  dispatch(dtype, [&]<class T>() {
    auto* of = static_cast<T*>(sums);
    for (Index i = 0; i < counts.elements(); ++i) of[i] = quotient(of[i], std::max<Index>(counts.as<Index>()[i], 1));
  });
}

}  // namespace

Result<Job> lower_reduction(const char* op, const Scatter& scatter, const View& self, const View& src,
                            const Reduction& reduction) {
  GARNER_TRY(check_dtype(op, self.dtype(), reduction.reduce));
  if (!reduction.include_self || reduction.reduce == Reduce::kMean)
    return fail(Code::kUnsupported, "A5", "{}: a {} does not become a plan", op,
                reduction.include_self ? "mean" : "reduction without self");
  return scatter(self, src, combine_of(reduction.reduce));
}

namespace {

/// What the last scatter starts from: `self`, or that with something neutral wherever an update goes.
Result<View> start_of(const Reduced& what, const RunOptions& run, Tensor& kept) {
  if (what.reduction.include_self) return what.self;
  GARNER_TRY(what.scatter(what.self, what.src, Combine::kAssign));  // refused before the first read
  GARNER_ASSIGN(const Tensor nothing, neutral_element(what.reduction.reduce, what.self.dtype()));
  GARNER_ASSIGN(kept, mark(what.scatter, what.self, what.src, nothing, Combine::kAssign, run));
  return View(kept);
}

Status mean(const Reduced& what, const Job& sums, const RunOptions& run, index::Output& out) {
  GARNER_ASSIGN(const Tensor count, counts(what.scatter, what.self, what.src, what.reduction, run));
  GARNER_TRY(index::deliver(sums, what.self.shape(), run, out));
  divide(what.self.dtype(), out.data(), count);
  return {};
}

}  // namespace

Status reduce(const Reduced& what, const RunOptions& run, Results& results) {
  const Reduce how = what.reduction.reduce;
  GARNER_TRY(check_dtype(what.op, what.self.dtype(), how));
  if (how == Reduce::kMean) GARNER_TRY(validate(what.self, what.op));  // its quotients are the CPU's
  Tensor kept;
  GARNER_ASSIGN(const View start, start_of(what, run, kept));
  GARNER_ASSIGN(const Job job, what.scatter(start, what.src, combine_of(how)));
  if (how != Reduce::kMean) return results.run(job, what.self.shape(), run);
  return results.one([&](index::Output& out) { return mean(what, job, run, out); });
}

Result<std::vector<grad::Var>> recorded_reduction(const Scatter& scatter, const grad::Var& self, const grad::Var& src,
                                                  const Reduction& reduction) {
  grad::Var start = self;
  if (!reduction.include_self) {
    GARNER_ASSIGN(const Tensor nothing, neutral_element(reduction.reduce, self.dtype()));
    GARNER_ASSIGN(const View everywhere, broadcast_to(nothing, src.shape()));
    start = grad::call({self}, [&](const std::vector<View>& v) { return scatter(v[0], everywhere, Combine::kAssign); });
  }
  const auto lower = [&](const std::vector<View>& v) { return scatter(v[0], v[1], combine_of(reduction.reduce)); };
  const grad::Var result = grad::reshape(grad::call({start, src}, lower, grad::Ties::kEven), self.shape());
  if (reduction.reduce != Reduce::kMean) return std::vector<grad::Var>{result};
  GARNER_TRY(validate(self.value(), "scatter_reduce"));  // its quotients are the CPU's
  GARNER_ASSIGN(Tensor count, counts(scatter, self.value(), src.value(), reduction, {}));
  for (Index i = 0; i < count.elements(); ++i) count.as<Index>()[i] = std::max<Index>(count.as<Index>()[i], 1);
  GARNER_ASSIGN(const Tensor divisor, cast(count, self.dtype()));
  return std::vector<grad::Var>{result / grad::Var(divisor)};
}

Result<Reduction> reduction_argument(Arguments& a, Sums sums) {
  struct Named {
    const char* name;
    Reduce reduce;
  };
  static constexpr Named kNamed[] = {{"prod", Reduce::kProd}, {"mean", Reduce::kMean}, {"amax", Reduce::kAmax},
                                     {"amin", Reduce::kAmin}, {"sum", Reduce::kSum},   {"max", Reduce::kAmax},
                                     {"min", Reduce::kAmin}};
  const std::string word = a.word("reduce");
  const bool include_self = a.flag("include_self");
  GARNER_TRY(a.status());
  for (const Named& n : std::span(kNamed, sums == Sums::kYes ? std::size(kNamed) : 4))
    if (word == n.name) return Reduction{n.reduce, include_self};
  return fail(Code::kInvalidArgument, "TO9", "{}: reduce is {}, allowed {}prod mean amax amin", a.op(), word,
              sums == Sums::kYes ? "sum " : "");
}

}  // namespace garner::torch
