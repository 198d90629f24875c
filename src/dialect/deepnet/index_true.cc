// deepnet.trueIdx, countTrue, countTrueAxis: nonzero and its count, for bool tensors and axes that count from 0.
#include "dialect/deepnet/index_common.h"
#include "garner/cuda.h"
#include "index/outputs.h"

namespace garner::deepnet {
namespace {

Status positions(const View& a, const RunOptions& options, index::Output& out) {
  GARNER_TRY(check_bool("deepnet.true_idx", "a", a));
  return to_status(index::nonzero(a, {}, options, out));
}

Status total(const View& a, const RunOptions& options, index::Output& out) {
  GARNER_TRY(check_bool("deepnet.count_true", "a", a));
  return index::count_nonzero(a, {}, options, out);
}

Status per_lane(Index axis, const View& a, const RunOptions& options, index::Output& out) {
  constexpr const char* kOp = "deepnet.count_true_axis";
  GARNER_TRY(check_bool(kOp, "a", a));
  GARNER_TRY(check_axis(kOp, axis, a));
  return index::count_nonzero(a, {.axis = axis}, options, out);
}

using Whole = Status (*)(const View&, const RunOptions&, index::Output&);

Tensor fresh(Whole compute, const View& a, const RunOptions& options) {
  return value_or_throw(index::fresh([&](index::Output& out) { return compute(a, options, out); }));
}

template <Whole kCompute>
Status evaluate(Arguments& args, const RunOptions& options, Results& results) {
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  return results.one([&](index::Output& out) { return kCompute(a, options, out); });
}

Status evaluate_axis(Arguments& args, const RunOptions& options, Results& results) {
  const Index axis = args.integer("ax");
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  return results.one([&](index::Output& out) { return per_lane(axis, a, options, out); });
}

}  // namespace

Tensor true_idx(const View& a, const RunOptions& options) { return fresh(positions, a, options); }
Index count_true(const View& a, const RunOptions& options) {
  return *value_or_throw(cuda::copy_to(fresh(total, a, options), {}, options.stream)).as<Index>();
}
Tensor count_true_axis(Index axis, const View& a, const RunOptions& options) {
  return value_or_throw(index::fresh([&](index::Output& out) { return per_lane(axis, a, options, out); }));
}
void fill_count_true_axis(const MutableView& target, Index axis, const View& a, const RunOptions& options) {
  value_or_throw(index::into(target, options, [&](index::Output& out) { return per_lane(axis, a, options, out); }));
}

extern const Op op_true_idx, op_count_true, op_count_true_axis;
const Op op_true_idx = on_any_device({"true_idx", "(a)", nullptr, evaluate<positions>});
const Op op_count_true = on_any_device({"count_true", "(a)", nullptr, evaluate<total>});
const Op op_count_true_axis = on_any_device({"count_true_axis", "(ax, a)", nullptr, evaluate_axis});

}  // namespace garner::deepnet
