// deepnet.tryFind, find, findAxis: the first element equal to a value.
#include "dialect/deepnet/index_common.h"
#include "index/find.h"

namespace garner::deepnet {
namespace {

Status check_value(const char* op, const View& value, const View& a) {
  if (value.dtype() != a.dtype())
    return fail(Code::kType, "DN0", "{}: value is {}, allowed {} (the tensor's)", op, name(value.dtype()),
                name(a.dtype()));
  if (value.rank() != 0)
    return fail(Code::kInvalidArgument, "DN0", "{}: value has rank {}, allowed 0", op, value.rank());
  return validate(value, op);
}

Result<std::optional<Axes>> search(const char* op, const View& value, const View& a, const RunOptions& options) {
  GARNER_TRY(check_value(op, value, a));
  GARNER_ASSIGN(const index::Packed packed, index::pack(a, op, options));
  const auto at = index::flat_find(value, packed, options);
  return at ? std::optional(coordinates(*at, a.shape())) : std::nullopt;
}

Result<Axes> must_find(const View& value, const View& a, const RunOptions& options) {
  GARNER_ASSIGN(const std::optional<Axes> at, search("deepnet.find", value, a, options));
  if (at) return *at;
  return fail(Code::kInvalidArgument, "DN7",
              "deepnet.find: number of elements that equal value is 0, allowed [1, 2^63)");
}

Status search_axis(const View& value, Index axis, const View& a, const RunOptions& options, index::Output& out) {
  constexpr const char* kOp = "deepnet.find_axis";
  GARNER_TRY(check_value(kOp, value, a));
  GARNER_TRY(check_axis(kOp, axis, a));
  GARNER_ASSIGN(const index::Packed packed, index::pack(a, kOp, options));
  GARNER_TRY(out.open(kOp, DType::kI64, index::without_axis(a.shape(), axis), {&a}));
  index::axis_find({value, kNotFound}, packed, axis, options, out.as<Index>());
  return {};
}

Result<Tensor> axis_fresh(const View& value, Index axis, const View& a, const RunOptions& options) {
  return index::fresh([&](index::Output& out) { return search_axis(value, axis, a, options, out); });
}

}  // namespace

std::optional<Axes> try_find(const View& value, const View& a, const RunOptions& options) {
  return value_or_throw(search("deepnet.try_find", value, a, options));
}
Axes find(const View& value, const View& a, const RunOptions& options) {
  return value_or_throw(must_find(value, a, options));
}
Tensor find_axis(const View& value, Index axis, const View& a, const RunOptions& options) {
  return value_or_throw(axis_fresh(value, axis, a, options));
}
void fill_find_axis(const MutableView& target, const View& value, Index axis, const View& a,
                    const RunOptions& options) {
  value_or_throw(
      index::into(target, options, [&](index::Output& out) { return search_axis(value, axis, a, options, out); }));
}

extern const Op op_try_find, op_find, op_find_axis;

/// As text, None is a list without positions: shape [0, rank]; Some is [1, rank].
const Op op_try_find{"try_find", "(value, a)", nullptr,
                     [](Arguments& args, const RunOptions& options, Results& results) -> Status {
  const View value = args.tensor("value"), a = args.tensor("a");
  GARNER_TRY(args.status());
  GARNER_ASSIGN(const std::optional<Axes> at, search("deepnet.try_find", value, a, options));
  return put("deepnet.try_find", at.value_or(Axes{}), {at ? 1 : 0, a.rank()}, results);
}};

const Op op_find{"find", "(value, a)", nullptr,
                 [](Arguments& args, const RunOptions& options, Results& results) -> Status {
  const View value = args.tensor("value"), a = args.tensor("a");
  GARNER_TRY(args.status());
  GARNER_ASSIGN(const Axes at, must_find(value, a, options));
  return put("deepnet.find", at, {a.rank()}, results);
}};

const Op op_find_axis{"find_axis", "(value, ax, a)", nullptr,
                      [](Arguments& args, const RunOptions& options, Results& results) -> Status {
  const View value = args.tensor("value");
  const Index axis = args.integer("ax");
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  return results.one([&](index::Output& out) { return search_axis(value, axis, a, options, out); });
}};

}  // namespace garner::deepnet
