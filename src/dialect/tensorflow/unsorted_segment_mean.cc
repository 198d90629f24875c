// tensorflow.unsorted_segment_mean(data, segment_ids, num_segments, name=None): the sums by the counts.
#include "base/fail.h"
#include "dialect/tensorflow/unsorted_segment.h"
#include "dtype/convert.h"
#include "garner/error.h"
#include "tensor/cast.h"

namespace garner::tensorflow {
namespace {

constexpr const char* kOp = "tensorflow.unsorted_segment_mean";

/// The source's true division: integers become floats that hold them, 8 and 16 bits f32, more f64.
DType quotient_dtype(DType dtype) {
  if (!is_integer(dtype)) return dtype;
  return width(dtype) <= 2 ? DType::kF32 : DType::kF64;
}

/// How many ids name each segment.
Result<Tensor> counts(const View& ids, Index count, const RunOptions& options) {
  const Index one = 1;
  GARNER_ASSIGN(const View ones, broadcast_to(View(&one, {}), ids.shape()));
  return run_one(lower_segments({kOp, ones, ids, count}, Combine::kAdd), options);
}

/// Each segment's sums by its count; an empty one stays 0.
template <class Sum, class Quotient>
void divide(const Tensor& sums, const Tensor& counts, Quotient* out) {
  const Index segments = counts.elements(), length = segments == 0 ? 0 : sums.elements() / segments;
  using Wide = Compute<Quotient>;
  for (Index i = 0; i < sums.elements(); ++i) {
    const auto n = static_cast<Wide>(std::max<Index>(counts.as<Index>()[i / length], 1));
    out[i] = convert<Quotient>(convert<Wide>(sums.as<Sum>()[i]) / n);
  }
}

void divide(const Tensor& sums, const Tensor& counts, index::Output& out) {
  dispatch(sums.dtype(), [&]<class T>() {
    using Float = std::conditional_t<sizeof(T) <= 2, float, double>;
    if constexpr (is_index_v<T>) divide<T, Float>(sums, counts, out.as<Float>());
    else if constexpr (!is_complex_v<T> && !std::is_same_v<T, Bool>) divide<T, T>(sums, counts, out.as<T>());
  });
}

/// The counts as a column beside the sums, 1 for an empty segment.
Result<grad::Var> divisor(const View& ids, Index count, const grad::Var& sums) {
  GARNER_TRY(validate(ids, kOp));
  GARNER_ASSIGN(Tensor members, counts(ids, count, {}));
  for (Index i = 0; i < count; ++i) members.as<Index>()[i] = std::max<Index>(members.as<Index>()[i], 1);
  GARNER_ASSIGN(const Tensor typed, cast(members, sums.dtype()));
  Axes column(sums.shape().size(), 1);
  column[0] = count;
  return grad::reshape(grad::Var(typed), column);
}

Result<std::vector<grad::Var>> record(Arguments& a, const Leaves& leaves) {
  const grad::Var data = leaves.of(a.tensor("data"));
  const View ids = a.tensor("segment_ids");
  const Index count = a.integer("num_segments");
  GARNER_TRY(a.status());
  GARNER_TRY(check_number(kOp, data.dtype(), Numbers::kReal));
  const grad::Var sums = grad::call(
      {data}, [&](const std::vector<View>& v) { return lower_segments({kOp, v[0], ids, count}, Combine::kAdd); });
  GARNER_ASSIGN(const grad::Var by, divisor(ids, count, sums));
  return std::vector<grad::Var>{sums / by};
}

Status mean(const View& data, const View& ids, Index count, const RunOptions& options, index::Output& out) {
  GARNER_TRY(check_number(kOp, data.dtype(), Numbers::kReal));
  GARNER_ASSIGN(const Tensor sums, run_one(lower_segments({kOp, data, ids, count}, Combine::kAdd), options));
  GARNER_ASSIGN(const Tensor members, counts(ids, count, options));
  GARNER_TRY(validate(sums, kOp));
  GARNER_TRY(out.open(kOp, quotient_dtype(sums.dtype()), sums.shape(), {}));
  divide(sums, members, out);
  return {};
}

}  // namespace

Tensor unsorted_segment_mean(const View& data, const View& segment_ids, Index num_segments, const RunOptions& options) {
  return value_or_throw(
      index::fresh([&](index::Output& out) { return mean(data, segment_ids, num_segments, options, out); }));
}

extern const Op op_unsorted_segment_mean;
const Op op_unsorted_segment_mean{"unsorted_segment_mean", kSegmentSignature, nullptr,
                                  [](Arguments& a, const RunOptions& options, Results& results) -> Status {
  const View data = a.tensor("data"), ids = a.tensor("segment_ids");
  const Index count = a.integer("num_segments");
  GARNER_TRY(a.status());
  return results.one([&](index::Output& out) { return mean(data, ids, count, options, out); });
}, record};

}  // namespace garner::tensorflow
