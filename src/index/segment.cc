// Combining the rows of each segment: a scatter onto the value that changes nothing.
#include <array>
#include <limits>

#include "base/checked_math.h"
#include "base/fail.h"
#include "dtype/convert.h"
#include "garner/index.h"
#include "index/engine.h"
#include "index/order.h"
#include "index/segment.h"
#include "index/there.h"
#include "run/job_builder.h"

namespace garner::index {
namespace {

struct Words {
  const char* op;
  Combine combine;
  bool mean;
};
constexpr Words kSum{"segment_sum", Combine::kAdd, false}, kMean{"segment_mean", Combine::kAdd, true},
    kMin{"segment_min", Combine::kMin, false}, kMax{"segment_max", Combine::kMax, false},
    kProd{"segment_prod", Combine::kMul, false};

const Words& words_of(SegmentOp op) {
  switch (op) {
    case SegmentOp::kSum: return kSum;
    case SegmentOp::kMean: return kMean;
    case SegmentOp::kMin: return kMin;
    case SegmentOp::kMax: return kMax;
    case SegmentOp::kProd: return kProd;
  }
  return kSum;
}

/// The largest number of a float (sign 1), infinity where there is one, or the smallest (sign -1).
template <class T>
T extreme_float(int sign) {
  const float infinity = std::numeric_limits<float>::infinity() * static_cast<float>(sign);
  T best = T(infinity);
  if (!is_nan(best)) return best;
  for (int byte = 0; byte < 256; ++byte) {  // only 8 bits do without infinity
    const auto v = std::bit_cast<T>(std::array<std::uint8_t, sizeof(T)>{static_cast<std::uint8_t>(byte)});
    if (!is_nan(v) && (is_nan(best) || static_cast<float>(v) * static_cast<float>(sign) >
                                           static_cast<float>(best) * static_cast<float>(sign)))
      best = v;
  }
  return best;
}

template <class T>
T extreme_of(int sign) {
  if constexpr (std::is_same_v<T, Bool>) return Bool(sign > 0);
  else if constexpr (has_nan_v<T>) return extreme_float<T>(sign);
  else return sign > 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
}

/// What a segment without rows holds.
Result<Tensor> neutral(Combine combine, DType dtype) {
  GARNER_ASSIGN(Tensor out, Tensor::zeros(dtype, {}));
  dispatch(dtype, [&]<class T>() {
    if (combine == Combine::kMul) *out.as<T>() = T(1);
    if constexpr (!is_complex_v<T>) {
      if (combine == Combine::kMin) *out.as<T>() = extreme_of<T>(1);
      if (combine == Combine::kMax) *out.as<T>() = extreme_of<T>(-1);
    }
  });
  return out;
}

Status check_dtype(const Words& words, DType dtype) {
  const Kind k = kind(dtype);
  const bool order = words.combine == Combine::kMin || words.combine == Combine::kMax;
  if (order && k == Kind::kComplex)
    return fail(Code::kType, "IX3", "{}: data is {}, allowed a dtype that is not complex", words.op, name(dtype));
  if (words.mean && k != Kind::kFloat && k != Kind::kComplex)
    return fail(Code::kType, "IX3", "{}: data is {}, allowed a float or complex dtype", words.op, name(dtype));
  return {};
}

Status check_ids(const Words& words, const View& data, const View& ids) {
  GARNER_TRY(check_integer(ids, words.op, "ids"));
  const bool prefix = ids.rank() >= 1 && ids.rank() <= data.rank() &&
                      std::equal(ids.shape().begin(), ids.shape().end(), data.shape().begin());
  if (prefix) return {};
  return fail(Code::kInvalidArgument, "IX5", "{}: ids have shape {}, allowed the first axes of {}", words.op,
              list(ids.shape()), list(data.shape()));
}

Status out_of_order(const Words& words, Index at, Index id, Index before) {
  return fail(Code::kInvalidArgument, "IX8", "{}: ids[{}] is {}, allowed [{}, 2^63) as ids are sorted", words.op, at,
              id, before);
}

/// The largest id on a device, and whether ids are in order: one look, for which it waits.
Result<Index> largest_there(const Words& words, const View& ids, const SegmentOptions& options, const RunOptions& run) {
  GARNER_ASSIGN(const Packed packed, pack_anywhere(ids, words.op, run));
  const on_cuda::Integers integers = integers_there(packed.view());
  GARNER_ASSIGN(const auto seen, on_cuda::look_at(where(ids, run), integers, 0, 0));
  if (!options.sorted || seen.falls < 0) return seen.largest;
  GARNER_ASSIGN(const Index id, on_cuda::integer_at(where(ids, run), integers, seen.falls));
  GARNER_ASSIGN(const Index before, on_cuda::integer_at(where(ids, run), integers, seen.falls - 1));
  return out_of_order(words, seen.falls, id, before);
}

/// Given, or one more than the largest id; sorted ids must be in order (IX8).
Result<Index> segments_of(const Words& words, const View& ids, const SegmentOptions& options, const RunOptions& run) {
  if (options.num_segments && !options.sorted) return *options.num_segments;
  if (!ids.device().is_cpu()) {
    GARNER_ASSIGN(const Index largest, largest_there(words, ids, options, run));
    return options.num_segments.value_or(checked_add(largest, 1).value_or(largest));
  }
  GARNER_ASSIGN(const IndexList values, integers_of(ids, words.op, "ids", run));
  Index most = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (options.sorted && i > 0 && values[i] < values[i - 1])
      return out_of_order(words, static_cast<Index>(i), values[i], values[i - 1]);
    most = std::max(most, values[i]);
  }
  return options.num_segments.value_or(checked_add(most, 1).value_or(most));
}

Axes result_shape(const View& data, const View& ids, Index segments) {
  Axes shape(data.shape().begin() + ids.rank(), data.shape().end());
  shape.insert(shape.begin(), segments);
  return shape;
}

struct Call {
  const Words& words;
  const View& data;
  const View& ids;
  OutOfRange policy;
  Axes shape;
};

Result<Job> lower(const Call& call, const View& updates, Combine combine, const Axes& shape) {
  GARNER_ASSIGN(Tensor start, neutral(combine, updates.dtype()));
  GARNER_ASSIGN(const View operand, broadcast_to(start, shape));
  auto job = JobBuilder::scatter(call.words.op, operand, updates, combine);
  const Index rank = call.ids.rank();
  const Bounds bounds{.hi = shape[0], .policy = call.policy};
  job.look_up(0, job.term(call.ids, axes_from(0, rank), bounds, "ids", "IX7"));
  for (Index a = 1; a < static_cast<Index>(shape.size()); ++a) job.follow(a, rank + a - 1);
  Job built = std::move(job).build();
  built.kept.push_back(std::move(start));
  return built;
}

/// How many rows each segment has.
Result<Tensor> counts(const Call& call, const RunOptions& run) {
  const Tensor one = scalar(Index{1});
  GARNER_ASSIGN(const View ones, broadcast_to(one, call.ids.shape()));
  return run_one(lower(call, ones, Combine::kAdd, {call.shape[0]}), run);
}

/// sums /= counts, row by row; a segment without rows stays 0.
void divide(void* sums, DType dtype, const Tensor& counts, Index row) {
  dispatch(dtype, [&]<class T>() {
    if constexpr (has_nan_v<T>) {
      for (Index i = 0; i < counts.elements() * row; ++i) {
        T& sum = static_cast<T*>(sums)[i];
        const Index n = std::max<Index>(counts.as<Index>()[i / row], 1);
        if constexpr (is_complex_v<T>) sum /= static_cast<typename T::value_type>(n);
        else sum = static_cast<T>(to_compute(sum) / static_cast<Compute<T>>(n));
      }
    }
  });
}

Status check_count(const Words& words, Index segments) {
  if (segments >= 0) return {};
  return fail(Code::kInvalidArgument, "IX6", "{}: number of segments is {}, allowed [0, 2^63)", words.op, segments);
}

Status combine_rows(SegmentOp op, const View& data, const View& ids, const SegmentOptions& options,
                    const RunOptions& run, Output& out) {
  const Words& words = words_of(op);
  GARNER_TRY(check_dtype(words, data.dtype()));
  GARNER_TRY(check_ids(words, data, ids));
  GARNER_ASSIGN(const Index segments, segments_of(words, ids, options, run));
  GARNER_TRY(check_count(words, segments));
  const Call call{words, data, ids, options.out_of_range, result_shape(data, ids, segments)};
  GARNER_TRY(deliver(lower(call, data, words.combine, call.shape), call.shape, run, out));
  if (!words.mean) return {};
  GARNER_ASSIGN(const Tensor rows, counts(call, run));
  const Axes row(call.shape.begin() + 1, call.shape.end());
  const Index columns = std::max<Index>(*checked_product(row), 1);
  if (!data.device().is_cpu())
    return finished(
        on_cuda::divide_rows(where(data, run), data.dtype(), out.data(), rows.as<Index>(), segments, columns), data,
        run);
  divide(out.data(), data.dtype(), rows, columns);
  return {};
}

}  // namespace

Result<Job> lower_segment(SegmentOp op, const View& data, const View& ids, Index segments, OutOfRange policy) {
  const Words& words = words_of(op);
  GARNER_TRY(check_dtype(words, data.dtype()));
  GARNER_TRY(check_ids(words, data, ids));
  GARNER_TRY(check_count(words, segments));
  const Call call{words, data, ids, policy, result_shape(data, ids, segments)};
  return lower(call, data, words.combine, call.shape);
}

Result<Tensor> segment(SegmentOp op, const View& data, const View& ids, const SegmentOptions& options,
                       const RunOptions& run) {
  return fresh([&](Output& out) { return combine_rows(op, data, ids, options, run, out); });
}
Status segment_into(SegmentOp op, const View& data, const View& ids, const MutableView& out,
                    const SegmentOptions& options, const RunOptions& run) {
  return into(out, run, [&](Output& o) { return combine_rows(op, data, ids, options, run, o); });
}

}  // namespace garner::index
