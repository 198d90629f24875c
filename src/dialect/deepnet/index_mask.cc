// deepnet a.M(m0, m1, …), read and written, and ifThenElse: all of them are plans once the true positions are known.
//   result[i0, i1, …] = a[positions of m0 number i0, positions of m1 number i1, …]
#include "dialect/deepnet/index_common.h"
#include "garner/index.h"
#include "run/job_builder.h"

namespace garner::deepnet {
namespace {

/// The positions a mask lets through, [count, dimensions of the mask]; none for a dimension that stays whole.
struct Selection {
  std::vector<std::optional<Tensor>> positions;
  Axes shape;  // of the result
};

Status wrong_rank(const char* op, Index taken, const View& a) {
  return fail(Code::kInvalidArgument, "DNM1", "{}: dimensions of all masks are {}, allowed {}", op, taken, a.rank());
}

Index rank_of(const std::optional<View>& mask) { return mask ? mask->rank() : 1; }

Status check_masks(const char* op, const View& a, const MaskList& masks) {
  Index taken = 0;
  for (const auto& mask : masks) {
    const Index first = taken;
    taken += rank_of(mask);
    if (taken > a.rank()) return wrong_rank(op, taken, a);
    if (!mask) continue;
    GARNER_TRY(check_bool(op, "mask", *mask));
    const Axes wanted(a.shape().begin() + first, a.shape().begin() + taken);
    if (mask->shape() != wanted)
      return fail(Code::kInvalidArgument, "DNM1", "{}: mask has shape {}, allowed {} on axis {}", op,
                  list(mask->shape()), list(wanted), first);
  }
  return taken == a.rank() ? Status{} : wrong_rank(op, taken, a);
}

Result<Selection> select(const char* op, const View& a, const MaskList& masks) {
  GARNER_TRY(check_masks(op, a, masks));
  Selection selection;
  Index axis = 0;
  for (const auto& mask : masks) {
    selection.positions.emplace_back();
    if (mask) { GARNER_ASSIGN(selection.positions.back(), index::nonzero(*mask)); }
    selection.shape.push_back(mask ? selection.positions.back()->shape()[0] : a.extent(axis));
    axis += rank_of(mask);
  }
  return selection;
}

/// One coordinate of `a` for each dimension a mask takes; no_mask follows the result.
void attach(JobBuilder& job, const Selection& selection, const View& a) {
  Index axis = 0;
  for (std::size_t m = 0; m < selection.positions.size(); ++m) {
    const auto along = static_cast<Index>(m);
    const auto& positions = selection.positions[m];
    if (!positions) job.follow(axis++, along);
    for (Index k = 0; positions && k < positions->shape()[1]; ++k, ++axis)
      job.look_up(axis, job.component(*positions, 1, k, {along}, {.hi = a.extent(axis)}, "mask", "DNM1"));
  }
}

Job with_memory(JobBuilder&& builder, const Selection& selection) {
  Job job = std::move(builder).build();
  for (const auto& positions : selection.positions)
    if (positions) job.kept.push_back(*positions);
  return job;
}

}  // namespace

Result<Job> lower_masked_get(const View& a, const MaskList& masks) {
  constexpr const char* kOp = "deepnet.masked_get";
  GARNER_TRY(validate_anywhere(a, kOp));
  GARNER_ASSIGN(const Selection selection, select(kOp, a, masks));
  auto job = JobBuilder::gather(kOp, a, selection.shape);
  attach(job, selection, a);
  return with_memory(std::move(job), selection);
}

Result<Job> lower_masked_set(const View& a, const MaskList& masks, const View& value) {
  constexpr const char* kOp = "deepnet.masked_set";
  GARNER_TRY(validate_anywhere(a, kOp));
  GARNER_ASSIGN(const Selection selection, select(kOp, a, masks));
  if (value.dtype() != a.dtype())
    return fail(Code::kType, "DN0", "{}: value is {}, allowed {}", kOp, name(value.dtype()), name(a.dtype()));
  const auto spread = broadcast_to(value, selection.shape);
  if (!spread.ok())
    return fail(Code::kInvalidArgument, "DNM2", "{}: value has shape {}, allowed one broadcastable to {}", kOp,
                list(value.shape()), list(selection.shape));
  auto job = JobBuilder::scatter(kOp, a, *spread, Combine::kAssign);
  attach(job, selection, a);
  return with_memory(std::move(job), selection);
}

Tensor masked_get(const View& a, const MaskList& masks, const RunOptions& options) {
  return value_or_throw(run_one(lower_masked_get(a, masks), options));
}

void masked_set(const MutableView& a, const MaskList& masks, const View& value, const RunOptions& options) {
  value_or_throw(run_in_place(value_or_throw(lower_masked_set(a, masks, value)), a, nullptr, options));
}

/// A masked read of if_true, with if_false where the mask is false.
Result<Job> lower_if_then_else(const View& cond, const View& if_true, const View& if_false) {
  constexpr const char* kOp = "deepnet.if_then_else";
  GARNER_TRY(check_bool(kOp, "cond", cond));
  if (if_true.dtype() != if_false.dtype())
    return fail(Code::kType, "DN0", "{}: if_false is {}, allowed {}", kOp, name(if_false.dtype()),
                name(if_true.dtype()));
  const Axes shapes[] = {cond.shape(), if_true.shape(), if_false.shape()};
  const auto common = broadcast_shapes(shapes);
  if (!common)
    return fail(Code::kInvalidArgument, "DN13", "{}: shapes are {} {} {}, allowed shapes that broadcast together", kOp,
                list(shapes[0]), list(shapes[1]), list(shapes[2]));
  GARNER_ASSIGN(const View operand, broadcast_to(if_true, *common));
  auto job = JobBuilder::gather(kOp, operand, *common);
  for (Index axis = 0; axis < operand.rank(); ++axis) job.follow(axis, axis);
  return std::move(job.mask(cond).fill(if_false)).build();
}

Tensor if_then_else(const View& cond, const View& if_true, const View& if_false, const RunOptions& options) {
  return value_or_throw(run_one(lower_if_then_else(cond, if_true, if_false), options));
}

extern const Op op_if_then_else, op_masked_get, op_masked_set;

const Op op_if_then_else{"if_then_else", "(cond, if_true, if_false)", [](Arguments& args) -> Result<Jobs> {
  const View cond = args.tensor("cond"), if_true = args.tensor("if_true"), if_false = args.tensor("if_false");
  GARNER_TRY(args.status());
  return one(lower_if_then_else(cond, if_true, if_false));
}};

const Op op_masked_get{"masked_get", "(a, masks)", [](Arguments& args) -> Result<Jobs> {
  const View a = args.tensor("a");
  const MaskList masks = args.maybe_tensors("masks");
  GARNER_TRY(args.status());
  return one(lower_masked_get(a, masks));
}};

const Op op_masked_set{"masked_set", "(a, masks, value)", [](Arguments& args) -> Result<Jobs> {
  const View a = args.tensor("a");
  const MaskList masks = args.maybe_tensors("masks");
  const View value = args.tensor("value");
  GARNER_TRY(args.status());
  return one(lower_masked_set(a, masks, value));
}};

}  // namespace garner::deepnet
