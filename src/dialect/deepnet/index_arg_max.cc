// deepnet.argMax, argMin, argMaxAxis, argMinAxis: the first extreme element; NaN is never chosen.
// DeepNet starts from the smallest finite number and so finds nothing among -inf; here the first element is found.
#include "dialect/deepnet/index_common.h"
#include "index/argmax.h"

namespace garner::deepnet {
namespace {

using index::Extreme;

constexpr const char* name_of(Extreme extreme) {
  return extreme == Extreme::kMax ? "deepnet.arg_max" : "deepnet.arg_min";
}
constexpr const char* axis_name_of(Extreme extreme) {
  return extreme == Extreme::kMax ? "deepnet.arg_max_axis" : "deepnet.arg_min_axis";
}

Result<Axes> arg_best(Extreme extreme, const View& a, const RunOptions& options) {
  GARNER_ASSIGN(const index::Packed packed, index::pack(a, name_of(extreme), options));
  const auto at = index::flat_best(packed, index::rule_for(extreme, NanRule::kIgnore), Tie::kFirst, options);
  if (!at)
    return fail(Code::kInvalidArgument, "DN3", "{}: shape is {}, allowed one with an element that is a number",
                name_of(extreme), list(a.shape()));
  return coordinates(*at, a.shape());
}

Status axis_best(Extreme extreme, Index axis, const View& a, const RunOptions& options, index::Output& out) {
  const char* op = axis_name_of(extreme);
  GARNER_TRY(check_axis(op, axis, a));
  GARNER_ASSIGN(const index::Packed packed, index::pack_anywhere(a, op, options));
  GARNER_TRY(out.open(op, DType::kI64, index::without_axis(a.shape(), axis), {&a}, options.stream));
  const index::LaneQuery query{index::rule_for(extreme, NanRule::kIgnore), Tie::kFirst, kNotFound};
  if (!a.device().is_cpu()) return index::best_there(op, packed, axis, query, options, out.as<Index>());
  index::axis_best(packed, axis, query, options, out.as<Index>());
  return {};
}

Result<Tensor> axis_fresh(Extreme extreme, Index axis, const View& a, const RunOptions& options) {
  return index::fresh([&](index::Output& out) { return axis_best(extreme, axis, a, options, out); });
}

Status axis_into(Extreme extreme, const MutableView& target, Index axis, const View& a, const RunOptions& options) {
  return index::into(target, options, [&](index::Output& out) { return axis_best(extreme, axis, a, options, out); });
}

template <Extreme kExtreme>
Status evaluate(Arguments& args, const RunOptions& options, Results& results) {
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  GARNER_ASSIGN(const Axes at, arg_best(kExtreme, a, options));
  return put(name_of(kExtreme), at, {a.rank()}, results);
}

template <Extreme kExtreme>
Status evaluate_axis(Arguments& args, const RunOptions& options, Results& results) {
  const Index axis = args.integer("ax");
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  return results.one([&](index::Output& out) { return axis_best(kExtreme, axis, a, options, out); });
}

}  // namespace

Axes arg_max(const View& a, const RunOptions& options) { return value_or_throw(arg_best(Extreme::kMax, a, options)); }
Axes arg_min(const View& a, const RunOptions& options) { return value_or_throw(arg_best(Extreme::kMin, a, options)); }

Tensor arg_max_axis(Index axis, const View& a, const RunOptions& options) {
  return value_or_throw(axis_fresh(Extreme::kMax, axis, a, options));
}
Tensor arg_min_axis(Index axis, const View& a, const RunOptions& options) {
  return value_or_throw(axis_fresh(Extreme::kMin, axis, a, options));
}
void fill_arg_max_axis(const MutableView& target, Index axis, const View& a, const RunOptions& options) {
  value_or_throw(axis_into(Extreme::kMax, target, axis, a, options));
}
void fill_arg_min_axis(const MutableView& target, Index axis, const View& a, const RunOptions& options) {
  value_or_throw(axis_into(Extreme::kMin, target, axis, a, options));
}

extern const Op op_arg_max, op_arg_min, op_arg_max_axis, op_arg_min_axis;
const Op op_arg_max{"arg_max", "(a)", nullptr, evaluate<Extreme::kMax>};
const Op op_arg_min{"arg_min", "(a)", nullptr, evaluate<Extreme::kMin>};
const Op op_arg_max_axis = on_any_device({"arg_max_axis", "(ax, a)", nullptr, evaluate_axis<Extreme::kMax>});
const Op op_arg_min_axis = on_any_device({"arg_min_axis", "(ax, a)", nullptr, evaluate_axis<Extreme::kMin>});

}  // namespace garner::deepnet
