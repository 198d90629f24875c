// jax.segment_sum, segment_prod, segment_min, segment_max(data, segment_ids, num_segments=None, …)
//   result = full(num_segments, neutral); result[segment_ids[i…]] = join(result[…], data[i…])
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/checked_math.h"
#include "base/fail.h"
#include "dialect/jax/mode.h"
#include "dtype/convert.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::jax {
namespace {

struct Segmenting {
  const char* op;
  Combine combine;
};

Status check_ids(const char* op, const View& ids) {
  if (is_integer(ids.dtype())) return validate_anywhere(ids, "segment_ids");
  return fail(Code::kType, "JX40", "{}: segment_ids is {}, allowed an integer dtype", op, name(ids.dtype()));
}

/// The largest value; what no Index can hold becomes the largest Index. `ids` is not empty.
Index largest(const View& ids) {
  Index most = std::numeric_limits<Index>::min();
  const auto look = [&]<class T>() {
    walk_bytes(ids, [&](const std::byte* element) {
      T value;
      std::memcpy(&value, element, sizeof value);
      most =
          std::max(most, std::in_range<Index>(value) ? static_cast<Index>(value) : std::numeric_limits<Index>::max());
    });
  };
  dispatch_index(ids.dtype(), look, [] {});
  return most;
}

Result<Index> segments(const char* op, const View& ids, const std::optional<Index>& given) {
  if (!given && any_zero(ids.shape()))
    return fail(Code::kInvalidArgument, "JX38", "{}: num_segments is None, allowed a number as segment_ids is empty",
                op);
  if (!given) GARNER_TRY(validate(ids, "segment_ids"));  // its values are looked at here
  const Index n = given ? *given : checked_add(largest(ids), 1).value_or(-1);
  if (n >= 0) return n;
  return fail(Code::kInvalidArgument, "JX37", "{}: num_segments is {}, allowed [0, inf)", op, n);
}

/// What joining leaves every number as it is: the largest number there is for min. One dtype has no infinity.
template <class T>
T neutral(Combine combine) {
  if (combine == Combine::kAdd) return convert<T>(0);
  if (combine == Combine::kMul) return convert<T>(1);
  const bool top = combine == Combine::kMin;
  if constexpr (std::is_same_v<T, Bool>) return Bool(top);
  else if constexpr (is_index_v<T>) return top ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
  else if constexpr (std::is_same_v<T, Float8E4M3>) return convert<T>(top ? 448.0F : -448.0F);
  else return convert<T>(top ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
}

Result<Tensor> neutral_scalar(Combine combine, DType dtype) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype, {}));
  dispatch(dtype, [&]<class T>() { *out.as<T>() = neutral<T>(combine); });
  return out;
}

/// The extents of data without the axis that the segments replace.
Axes inner_shape(const View& data) {
  return data.rank() == 0 ? Axes{} : Axes(data.shape().begin() + 1, data.shape().end());
}

Axes joined(Axes first, const Axes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Result<View> updates_of(const char* op, const View& data, const View& ids) {
  const Axes wanted = joined(ids.shape(), inner_shape(data));
  if (const auto updates = broadcast_to(data, wanted); updates.ok() && data.rank() <= static_cast<Index>(wanted.size()))
    return *updates;
  return fail(Code::kInvalidArgument, "JX39", "{}: shape of data is {}, allowed what broadcasts to {}", op,
              list(data.shape()), list(wanted));
}

/// One row per segment; the rows' own axes follow those of the ids.
void address(JobBuilder& job, const View& ids, Index count, OutOfRange outside) {
  job.look_up(0, job.term(ids, axes_from(0, ids.rank()), within(count, false, outside), "segment_ids", "JX40"));
  const auto rank = static_cast<Index>(job.domain().size());
  for (Index d = ids.rank(); d < rank; ++d) job.follow(d - ids.rank() + 1, d);
}

Result<Job> lower(const Segmenting& s, const View& data, const View& ids, const SegmentOptions& options) {
  GARNER_TRY(check_ids(s.op, ids));
  GARNER_ASSIGN(const Index count, segments(s.op, ids, options.num_segments));
  GARNER_ASSIGN(const Join join, join_of(s.op, s.combine, data.dtype()));
  GARNER_ASSIGN(const View updates, updates_of(s.op, data, ids));
  GARNER_ASSIGN(const Tensor start, neutral_scalar(s.combine, data.dtype()));
  GARNER_ASSIGN(const View operand, broadcast_to(start, joined({count}, inner_shape(data))));
  if (count == 0) return keeping(untouched(s.op, operand), {start});
  auto builder = JobBuilder::scatter(s.op, operand, updates, join.combine);
  address(builder, ids, count, writing(options.mode));
  Job job = std::move(builder).build();
  job.user = join.user;
  job.kept.push_back(start);
  return job;
}

Result<Jobs> lower_call(const Segmenting& s, Arguments& a) {
  const View data = a.tensor("data"), ids = a.tensor("segment_ids");
  SegmentOptions options{.num_segments = a.maybe_integer("num_segments")};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(options.mode, read_mode(a));
  return one(lower(s, data, ids, options));
}

constexpr const char* kSignature =
    "(data, segment_ids, num_segments=None, indices_are_sorted=false, unique_indices=false, *, mode=None)";

}  // namespace

#define GARNER_JAX_SEGMENT(op, how)                                                                  \
  Result<Job> lower_##op(const View& data, const View& segment_ids, const SegmentOptions& options) { \
    return lower({"jax." #op, Combine::how}, data, segment_ids, options);                            \
  }                                                                                                  \
  Tensor op(const View& data, const View& segment_ids, const SegmentOptions& options) {              \
    return value_or_throw(run_one(lower_##op(data, segment_ids, options), options.run));             \
  }                                                                                                  \
  extern const Op op_##op;                                                                           \
  const Op op_##op{#op, kSignature, [](Arguments& a) { return lower_call({"jax." #op, Combine::how}, a); }};

GARNER_JAX_SEGMENT(segment_sum, kAdd)
GARNER_JAX_SEGMENT(segment_prod, kMul)
GARNER_JAX_SEGMENT(segment_min, kMin)
GARNER_JAX_SEGMENT(segment_max, kMax)
#undef GARNER_JAX_SEGMENT

}  // namespace garner::jax
