// onnx.OneHot(indices, depth, values, *, axis=-1)
//   values[1] at result[i… with indices[i…] put in at axis], values[0] elsewhere
#include <limits>
#include <utility>

#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "dtype/convert.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::onnx {
namespace {

constexpr Index kNowhere = std::numeric_limits<Index>::min();  // outside of every depth

/// Cast to int64 as ONNX asks; what int64 cannot hold is nowhere.
template <class T>
Index to_index(T value) {
  if constexpr (is_index_v<T>) {
    return std::in_range<Index>(value) ? static_cast<Index>(value) : kNowhere;
  } else if constexpr (is_complex_v<T>) {
    return kNowhere;  // no such input: OX4
  } else {
    const auto number = static_cast<double>(to_compute(value));
    return number > -0x1p63 && number < 0x1p63 ? static_cast<Index>(number) : kNowhere;
  }
}

Result<Tensor> cast_indices(const View& indices) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(DType::kI64, indices.shape()));
  dispatch(indices.dtype(), [&]<class T>() {
    auto* to = out.as<Index>();
    walk_bytes(indices, [&](const std::byte* at) { *to++ = to_index(*reinterpret_cast<const T*>(at)); });
  });
  return out;
}

Result<Index> depth_of(const Node& node, const View& depth) {
  if (depth.rank() > 1 || depth.elements() != 1)
    return fail(Code::kInvalidArgument, "OX14", "{}: shape of depth is {}, allowed [] or [1]", node.op,
                list(depth.shape()));
  const Index value =
      dispatch(depth.dtype(), [&]<class T>() { return to_index(*static_cast<const T*>(depth.data())); });
  if (value >= 0) return value;
  return fail(Code::kInvalidArgument, "OX14", "{}: depth is {}, allowed [0, 2^63)", node.op,
              value == kNowhere ? "no int64" : std::to_string(value));
}

Status check(const Node& node, const View& indices, const View& depth, const View& values) {
  GARNER_TRY(check_opset(node, 9));
  GARNER_TRY(check_dtype(node, {"indices", indices.dtype()}, kReals));
  GARNER_TRY(check_dtype(node, {"depth", depth.dtype()}, kReals));
  GARNER_TRY(check_dtype(node, {"values", values.dtype()}, with_bf16(kAny, node, 28)));
  GARNER_TRY(check_rank(node, "indices", indices, 1));
  for (const View* input : {&indices, &depth, &values}) GARNER_TRY(validate(*input, node.op));
  if (values.shape() == Axes{2}) return {};
  return fail(Code::kInvalidArgument, "OX14", "{}: shape of values is {}, allowed [2]", node.op, list(values.shape()));
}

/// A scatter of "on" over a result that starts "off" everywhere; both are one element, seen with strides of 0.
Result<JobBuilder> on_over_off(const Node& node, const View& values, const Axes& places, const Axes& shape) {
  GARNER_ASSIGN(const View off, broadcast_to(slice_at(values, 0, 0), shape));
  GARNER_ASSIGN(const View on, broadcast_to(slice_at(values, 0, 1), places));
  return JobBuilder::scatter(node.op, off, on, Combine::kAssign);
}

}  // namespace

Result<Job> lower_one_hot(const View& indices, const View& depth, const View& values,
                          const OneHotAttributes& attributes) {
  const Node node{"onnx.OneHot", attributes.opset};
  GARNER_TRY(check(node, indices, depth, values));
  GARNER_ASSIGN(const Index extent, depth_of(node, depth));
  const bool negatives = node.opset >= 11;
  const Index rank = indices.rank() + 1;
  GARNER_ASSIGN(const Index axis, effective_axis(node, attributes.axis, negatives ? -rank : -1, rank));
  Axes shape = indices.shape();
  shape.insert(shape.begin() + axis, extent);

  GARNER_ASSIGN(JobBuilder job, on_over_off(node, values, indices.shape(), shape));
  std::vector<Tensor> kept;
  if (!is_integer(indices.dtype())) {
    GARNER_ASSIGN(Tensor cast, cast_indices(indices));
    kept.push_back(std::move(cast));
  }
  const View places = kept.empty() ? indices : View(kept.front());
  const Bounds bounds = bounds_of({.wraps = negatives, .outside = OutOfRange::kDrop}, extent);
  job.look_up(axis, job.term(places, axes_from(0, rank - 1), bounds, "indices", "OX6"));
  for (Index a = 0; a < rank; ++a)
    if (a != axis) job.follow(a, a < axis ? a : a - 1);
  Job built = std::move(job).build();
  built.kept = std::move(kept);
  return built;
}

Tensor one_hot(const View& indices, const View& depth, const View& values, const OneHotAttributes& attributes,
               const RunOptions& options) {
  return value_or_throw(run_one(lower_one_hot(indices, depth, values, attributes), options));
}

extern const Op op_one_hot;
const Op op_one_hot{"OneHot", "(indices, depth, values, *, axis=-1, opset=None)", [](Arguments& a) -> Result<Jobs> {
  const View indices = a.tensor("indices"), depth = a.tensor("depth"), values = a.tensor("values");
  const OneHotAttributes attributes{.axis = a.integer("axis"), .opset = opset_of(a)};
  GARNER_TRY(a.status());
  return one(lower_one_hot(indices, depth, values, attributes));
}};

}  // namespace garner::onnx
