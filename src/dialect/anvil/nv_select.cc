// anvil.nv_select(operand, dim, index): nv_subset along one dimension
#include "base/fail.h"
#include "dialect/anvil/subset.h"
#include "garner/error.h"

namespace garner::anvil {

Result<Job> lower_nv_select(const View& operand, Index dim, const SubsetSpec& index) {
  constexpr const char* kName = "anvil.nv_select";
  if (dim < 1 || dim > operand.rank())
    return fail(Code::kInvalidArgument, "AS10", "{}: dim is {}, allowed [1, {}]", kName, dim, operand.rank());
  std::vector<SubsetSpec> specs(static_cast<std::size_t>(dim), Full{});
  specs.back() = index;
  GARNER_ASSIGN(Job job, lower_nv_subset(operand, specs));
  job.op = kName;
  return job;
}

Tensor nv_select(const View& operand, Index dim, const SubsetSpec& index, const RunOptions& options) {
  return value_or_throw(run_one(lower_nv_select(operand, dim, index), options));
}

extern const Op op_nv_select;
const Op op_nv_select{"nv_select", "(operand, dim, index)", [](Arguments& a) -> Result<Jobs> {
  const View operand = a.tensor("operand");
  const Index dim = a.integer("dim");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const SubsetSpec index, read_spec(a.op(), a.value("index")));
  return one(lower_nv_select(operand, dim, index));
}};

}  // namespace garner::anvil
