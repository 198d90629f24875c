// deepnet.trueIdx, countTrue, countTrueAxis: nonzero and its count, for bool tensors and axes that count from 0.
#include "dialect/deepnet/index_common.h"
#include "garner/cuda.h"
#include "garner/index.h"

namespace garner::deepnet {
namespace {

Result<Tensor> positions(const View& a, const RunOptions& options) {
  GARNER_TRY(check_bool("deepnet.true_idx", "a", a));
  return index::nonzero(a, {}, options);
}

Result<Tensor> total(const View& a, const RunOptions& options) {
  GARNER_TRY(check_bool("deepnet.count_true", "a", a));
  return index::count_nonzero(a, {}, options);
}

Status check_axis_count(Index axis, const View& a) {
  constexpr const char* kOp = "deepnet.count_true_axis";
  GARNER_TRY(check_bool(kOp, "a", a));
  return check_axis(kOp, axis, a);
}

Result<Tensor> per_lane(Index axis, const View& a, const RunOptions& options) {
  GARNER_TRY(check_axis_count(axis, a));
  return index::count_nonzero(a, {.axis = axis}, options);
}

Status per_lane_into(const MutableView& target, Index axis, const View& a, const RunOptions& options) {
  GARNER_TRY(check_axis_count(axis, a));
  return index::count_nonzero_into(a, target, {.axis = axis}, options);
}

using Whole = Result<Tensor> (*)(const View&, const RunOptions&);

template <Whole kCompute>
Result<std::vector<Tensor>> evaluate(Arguments& args, const RunOptions& options) {
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  return as_tensors(kCompute(a, options));
}

Result<std::vector<Tensor>> evaluate_axis(Arguments& args, const RunOptions& options) {
  const Index axis = args.integer("ax");
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  return as_tensors(per_lane(axis, a, options));
}

}  // namespace

Tensor true_idx(const View& a, const RunOptions& options) { return value_or_throw(positions(a, options)); }
Index count_true(const View& a, const RunOptions& options) {
  return *value_or_throw(cuda::copy_to(value_or_throw(total(a, options)), {}, options.stream)).as<Index>();
}
Tensor count_true_axis(Index axis, const View& a, const RunOptions& options) {
  return value_or_throw(per_lane(axis, a, options));
}
void fill_count_true_axis(const MutableView& target, Index axis, const View& a, const RunOptions& options) {
  value_or_throw(per_lane_into(target, axis, a, options));
}

extern const Op op_true_idx, op_count_true, op_count_true_axis;
const Op op_true_idx = on_any_device({"true_idx", "(a)", nullptr, evaluate<positions>});
const Op op_count_true = on_any_device({"count_true", "(a)", nullptr, evaluate<total>});
const Op op_count_true_axis = on_any_device({"count_true_axis", "(ax, a)", nullptr, evaluate_axis});

}  // namespace garner::deepnet
