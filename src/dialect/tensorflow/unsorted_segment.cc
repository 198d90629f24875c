// tensorflow.unsorted_segment_{sum,prod,max,min}(data, segment_ids, num_segments, name=None)
//   result[segment_ids[i…], rest] = f(that, data[i…, rest]), beginning with what f leaves as it is
#include "dialect/tensorflow/unsorted_segment.h"

#include <limits>

#include "base/fail.h"
#include "dtype/convert.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::tensorflow {
namespace {

Status check_ids(const Segments& s) {
  const Axes &data = s.data.shape(), &ids = s.ids.shape();
  if (ids.size() <= data.size() && std::equal(ids.begin(), ids.end(), data.begin())) return {};
  return fail(Code::kInvalidArgument, "TF11", "{}: shape of segment_ids is {}, allowed leading extents of {}", s.op,
              list(ids), list(data));
}

Status check(const Segments& s, Combine combine) {
  const bool ordered = combine == Combine::kMax || combine == Combine::kMin, sum = combine == Combine::kAdd;
  GARNER_TRY(check_number(s.op, s.data.dtype(), ordered ? Numbers::kReal : Numbers::kComplexToo));
  // Sums alone take short ids in the source.
  GARNER_TRY(sum ? check_dtype(s.op, {"segment_ids", s.ids.dtype()}, {DType::kI16, DType::kI32, DType::kI64})
                 : check_dtype(s.op, {"segment_ids", s.ids.dtype()}, {DType::kI32, DType::kI64}));
  GARNER_TRY(validate(s.ids, s.op));
  GARNER_TRY(check_ids(s));
  if (s.count >= 0) return {};
  return fail(Code::kInvalidArgument, "TF12", "{}: num_segments is {}, allowed [0, 2^63)", s.op, s.count);
}

/// What an empty segment holds.
template <class T>
T neutral(Combine combine) {
  if (combine == Combine::kAdd) return T{};
  if (combine == Combine::kMul) return convert<T>(1.0F);
  if constexpr (is_complex_v<T> || is_float8_v<T> || std::is_same_v<T, Bool>) return T{};  // no such data: TF4
  else return combine == Combine::kMax ? std::numeric_limits<T>::lowest() : (std::numeric_limits<T>::max)();
}

Result<Tensor> neutral_element(DType dtype, Combine combine) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype, {}));
  dispatch(dtype, [&]<class T>() { *out.as<T>() = neutral<T>(combine); });
  return out;
}

struct Membership {
  Tensor mask;          // false: in no segment
  bool has_outsiders;
};

/// A negative id is left out, one that is too large an error: two rules for one tensor, so the first becomes a mask.
Result<Membership> members(const View& ids) {
  GARNER_TRY(validate(ids, "segment_ids"));
  GARNER_ASSIGN(Tensor mask, Tensor::empty(DType::kBool, ids.shape()));
  auto* to = mask.as<std::uint8_t>();
  bool outsiders = false;
  dispatch(ids.dtype(), [&]<class T>() {
    if constexpr (is_index_v<T>)
      walk_bytes(ids, [&](const std::byte* at) {
        const bool member = *reinterpret_cast<const T*>(at) >= 0;
        outsiders |= !member;
        *to++ = member ? 1 : 0;
      });
  });
  return Membership{std::move(mask), outsiders};
}

/// Unit axes behind those of ids, so that it broadcasts along the rest of data.
View along_data(const Tensor& mask, Index rank) {
  Axes shape = mask.shape();
  shape.resize(static_cast<std::size_t>(rank), 1);
  return {DType::kBool, mask.data(), shape};
}

Axes result_shape(const Segments& s) {
  Axes shape{s.count};
  shape.insert(shape.end(), s.data.shape().begin() + s.ids.rank(), s.data.shape().end());
  return shape;
}

}  // namespace

Result<Job> lower_segments(const Segments& s, Combine combine) {
  GARNER_TRY(check(s, combine));
  GARNER_ASSIGN(Tensor empty_segment, neutral_element(s.data.dtype(), combine));
  GARNER_ASSIGN(const View base, broadcast_to(empty_segment, result_shape(s)));
  GARNER_ASSIGN(Membership membership, members(s.ids));
  const Index rank = s.ids.rank();
  auto job = JobBuilder::scatter(s.op, base, s.data, combine);
  job.look_up(0, job.term(s.ids, axes_from(0, rank), {.hi = s.count}, "segment_ids", "TF5"));
  for (Index a = 1; a < base.rank(); ++a) job.follow(a, rank + a - 1);
  if (membership.has_outsiders) job.mask(along_data(membership.mask, s.data.rank()));
  Job built = std::move(job).build();
  built.kept = {std::move(empty_segment), std::move(membership.mask)};
  return built;
}

namespace {

using Lower = Result<Job> (*)(const View&, const View&, Index);

template <Lower lower>
Result<Jobs> lower_call(Arguments& a) {
  const View data = a.tensor("data"), ids = a.tensor("segment_ids");
  const Index count = a.integer("num_segments");
  GARNER_TRY(a.status());
  return one(lower(data, ids, count));
}

}  // namespace

#define GARNER_SEGMENT(name, combine)                                                                     \
  Result<Job> lower_##name(const View& data, const View& segment_ids, Index num_segments) {               \
    return lower_segments({"tensorflow." #name, data, segment_ids, num_segments}, combine);               \
  }                                                                                                       \
  Tensor name(const View& data, const View& segment_ids, Index num_segments, const RunOptions& options) { \
    return value_or_throw(run_one(lower_##name(data, segment_ids, num_segments), options));               \
  }                                                                                                       \
  extern const Op op_##name;                                                                              \
  const Op op_##name{#name, kSegmentSignature, lower_call<lower_##name>};
GARNER_SEGMENT(unsorted_segment_sum, Combine::kAdd)
GARNER_SEGMENT(unsorted_segment_prod, Combine::kMul)
GARNER_SEGMENT(unsorted_segment_max, Combine::kMax)
GARNER_SEGMENT(unsorted_segment_min, Combine::kMin)
#undef GARNER_SEGMENT

}  // namespace garner::tensorflow
