// anvil.nv_subset_assign(operand, specs, value): operand[specs…] <- value, on a fresh copy
#include "base/fail.h"
#include "dialect/anvil/subset.h"
#include "dialect/stablehlo/promote.h"
#include "garner/error.h"
#include "tensor/cast.h"

namespace garner::anvil {
namespace {

constexpr const char* kName = "anvil.nv_subset_assign";

/// The table of docs/dialects/anvil.md: no kind is narrowed, and only towards a float may digits be lost.
bool is_promotable(DType from, DType to) {
  const int bits = info(from).bits, room = info(to).bits;
  if (from == to || from == DType::kBool) return true;
  if (kind(from) == kind(to)) return stablehlo::is_promotable(from, to);
  const bool inexact = kind(to) == Kind::kFloat || kind(to) == Kind::kComplex;
  if (is_integer(from)) return inexact || (kind(to) == Kind::kInt && bits < room);
  return kind(from) == Kind::kFloat && kind(to) == Kind::kComplex && 2 * bits <= room;
}

Status check_value(const View& operand, const View& value, const Axes& shape) {
  if (!is_promotable(value.dtype(), operand.dtype()))
    return fail(Code::kType, "AS9", "{}: value is {}, allowed a dtype that promotes to {}", kName, name(value.dtype()),
                name(operand.dtype()));
  if (value.rank() == 0 || value.shape() == shape) return {};
  return fail(Code::kInvalidArgument, "AS8", "{}: value has shape {}, allowed {} (the subset) or a scalar", kName,
              list(value.shape()), list(shape));
}

/// The value as the operand's dtype in the subset's shape; `kept` owns it when it had to be converted.
Result<View> updates_from(const View& value, DType dtype, const Axes& shape, std::vector<Tensor>& kept) {
  if (value.dtype() == dtype) return broadcast_to(value, shape);
  GARNER_ASSIGN(const Tensor converted, cast(value, dtype));
  kept.push_back(converted);
  return broadcast_to(converted, shape);
}

}  // namespace

Result<Job> lower_nv_subset_assign(const View& operand, const std::vector<SubsetSpec>& specs, const View& value) {
  GARNER_ASSIGN(Subset subset, resolve(kName, operand, specs));
  const Axes shape = shape_of(subset);
  GARNER_TRY(check_value(operand, value, shape));
  GARNER_ASSIGN(const View updates, updates_from(value, operand.dtype(), shape, subset.kept));
  auto builder = JobBuilder::scatter(kName, operand, updates, Combine::kAssign);
  address(builder, subset, OutOfRange::kDrop);
  Job job = std::move(builder).build();
  job.kept = subset.kept;
  return job;
}

Tensor nv_subset_assign(const View& operand, const std::vector<SubsetSpec>& specs, const View& value,
                        const RunOptions& options) {
  return value_or_throw(run_one(lower_nv_subset_assign(operand, specs, value), options));
}

extern const Op op_nv_subset_assign;
const Op op_nv_subset_assign{"nv_subset_assign", "(operand, specs, value)", [](Arguments& a) -> Result<Jobs> {
  const View operand = a.tensor("operand"), value = a.tensor("value");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const auto specs, read_specs(a.op(), a.value("specs")));
  return one(lower_nv_subset_assign(operand, specs, value));
}};

}  // namespace garner::anvil
