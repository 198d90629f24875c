#include "translate/samples.h"

#include <algorithm>
#include <limits>
#include <random>

#include "dtype/convert.h"
#include "translate/subject.h"

namespace garner {
namespace {

/// How far random integers go: past both ends first, then less and less, to what the call itself has.
struct Reach {
  Index low, high;
};

Index greatest_extent(const std::vector<Tensor>& values) {
  Index most = 1;
  for (const Tensor& value : values)
    for (const Index n : value.shape()) most = std::max(most, n);
  return most;
}

Index greatest_value(const Tensor& value) {
  Index most = 0;
  dispatch_index(value.dtype(), [&]<class T>() {
    for (Index i = 0; i < value.elements(); ++i)
      if (value.as<T>()[i] > 0) most = std::max(most, static_cast<Index>(value.as<T>()[i] & 0x7FFFFFFF));
  }, [] {});
  return most;
}

template <class T>
T random_float(std::mt19937& random) {
  constexpr double kSpecial[] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(),
                                 -0.0};
  const unsigned draw = random() % 40;
  if (draw < 3) return convert<T>(kSpecial[draw]);
  return convert<T>((static_cast<double>(random() % 65) - 32) / 4);
}

Result<Tensor> random_like(const Tensor& value, const Reach& reach, std::mt19937& random) {
  GARNER_ASSIGN(Tensor out, value.clone());
  const auto span = static_cast<std::uint64_t>(reach.high - reach.low + 1);
  dispatch(value.dtype(), [&]<class T>() {
    for (Index i = 0; i < out.elements(); ++i) {
      if constexpr (std::is_same_v<T, Bool>) out.as<T>()[i] = Bool(random() % 2 == 0);
      else if constexpr (is_index_v<T>)
        out.as<T>()[i] = static_cast<T>(reach.low + static_cast<Index>(random() % span));
      else out.as<T>()[i] = random_float<T>(random);
    }
  });
  return out;
}

/// Signed past both ends, then from the end on, then not negative, then what was there in another order.
Reach reach_of(const Tensor& value, Index extent, int attempt) {
  const bool is_signed = kind(value.dtype()) == Kind::kInt;
  if (attempt == 0) return {is_signed ? -extent - 2 : 0, std::min<Index>(extent + 2, 100)};
  if (attempt == 1) return {is_signed ? -2 : 0, 1};
  if (attempt == 2) return {0, std::max<Index>(greatest_value(value), 1)};
  return {0, attempt == 3 ? greatest_value(value) : 0};
}

/// An index that is promised to be in range, and is not, has no result; this says so without running it unchecked.
Status check_promises(const Call& call) {
  GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
  if (op->lower == nullptr) return {};
  GARNER_ASSIGN(Jobs jobs, lower(call));
  for (Job& job : jobs) {
    bool promised = false;
    for (IndexTerm& term : job.plan.terms) {
      promised = promised || term.bounds.policy == OutOfRange::kPromise;
      if (term.bounds.policy == OutOfRange::kPromise) term.bounds.policy = OutOfRange::kTrap;
    }
    if (promised) GARNER_TRY(run(job));
  }
  return {};
}

Result<std::vector<Tensor>> checked_results(const Call& call) {
  GARNER_TRY(check_promises(call));
  return evaluate(call);
}

}  // namespace

Result<std::vector<Sample>> samples(const Call& call, int count, unsigned seed) {
  GARNER_ASSIGN(const std::vector<Tensor> own, translate_detail::copies_of(call));
  std::mt19937 random(seed);
  std::vector<Sample> out;
  const auto try_one = [&](std::vector<Tensor> inputs) -> Result<bool> {
    GARNER_ASSIGN(const Call other, translate_detail::with_tensors(call, inputs));
    auto results = checked_results(other);
    if (!results.ok()) return false;
    out.push_back({std::move(inputs), *std::move(results)});
    return true;
  };
  GARNER_TRY(try_one(own));
  for (int n = 0; n < count; ++n) {
    bool accepted = false;
    for (int attempt = n % 2; attempt < 5 && !accepted; ++attempt) {
      std::vector<Tensor> inputs;
      for (const Tensor& value : own) {
        GARNER_ASSIGN(Tensor other, random_like(value, reach_of(value, greatest_extent(own), attempt), random));
        inputs.push_back(std::move(other));
      }
      GARNER_ASSIGN(accepted, try_one(std::move(inputs)));
    }
  }
  return out;
}

}  // namespace garner
