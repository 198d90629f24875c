// anvil.nv_subset(operand, specs): operand[specs…]
//   Every dimension is selected by itself, so several lists give their Cartesian product.
#include "base/fail.h"
#include "dialect/anvil/subset.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::anvil {
namespace {

constexpr const char* kName = "anvil.nv_subset";

/// A tensor's positions are clamped, which needs one that is inside.
Status check_clampable(const Subset& subset, const Axes& result) {
  if (any_zero(result)) return {};
  for (std::size_t d = 0; d < subset.specs.size(); ++d)
    if (std::holds_alternative<View>(subset.specs[d]) && subset.extents[d] == 0)
      return fail(Code::kIndex, "AS7", "{}: operand extent is 0, allowed [1, inf) under a dynamic index on axis {}",
                  subset.op, d + 1);
  return {};
}

}  // namespace

Result<Job> lower_nv_subset(const View& operand, const std::vector<SubsetSpec>& specs) {
  GARNER_ASSIGN(const Subset subset, resolve(kName, operand, specs));
  const Axes shape = shape_of(subset);
  GARNER_TRY(check_clampable(subset, shape));
  auto builder = JobBuilder::gather(kName, operand, shape);
  address(builder, subset, OutOfRange::kClamp);
  Job job = std::move(builder).build();
  job.kept = subset.kept;
  return job;
}

Tensor nv_subset(const View& operand, const std::vector<SubsetSpec>& specs, const RunOptions& options) {
  return value_or_throw(run_one(lower_nv_subset(operand, specs), options));
}

extern const Op op_nv_subset;
const Op op_nv_subset{"nv_subset", "(operand, specs)", [](Arguments& a) -> Result<Jobs> {
  const View operand = a.tensor("operand");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const auto specs, read_specs(a.op(), a.value("specs")));
  return one(lower_nv_subset(operand, specs));
}};

}  // namespace garner::anvil
