// stablehlo.dynamic_update_slice(operand, update, start_indices)
//   result = operand; result[start + U] = update[U], start clamped so that the update fits
#include "base/fail.h"
#include "dialect/op.h"
#include "dialect/stablehlo/starts.h"
#include "garner/error.h"
#include "garner/stablehlo.h"

namespace garner::stablehlo {
namespace {

constexpr SliceWords kWords{"stablehlo.dynamic_update_slice", "dynamic_update_slice_4", "dynamic_update_slice_5",
                            "dynamic_update_slice_I2",        "dynamic_update_slice_3", "dynamic_update_slice_6"};

Status check_dtype(const View& operand, const View& update) {
  if (operand.dtype() == update.dtype()) return {};
  return fail(Code::kType, "dynamic_update_slice_2", "{}: update is {}, allowed {} (the dtype of operand)", kWords.op,
              name(update.dtype()), name(operand.dtype()));
}

}  // namespace

Result<Job> lower_dynamic_update_slice(const View& operand, const View& update,
                                       const std::vector<View>& start_indices) {
  GARNER_TRY(check_dtype(operand, update));
  GARNER_TRY(check_window_at(kWords, operand.shape(), start_indices, update.shape(), "update shape"));
  auto job = JobBuilder::scatter(kWords.op, operand, update, Combine::kAssign);
  address_at(job, kWords, operand.shape(), start_indices);
  return std::move(job).build();
}

Tensor dynamic_update_slice(const View& operand, const View& update, const std::vector<View>& start_indices,
                            const RunOptions& options) {
  return value_or_throw(run_one(lower_dynamic_update_slice(operand, update, start_indices), options));
}

extern const Op op_dynamic_update_slice;
const Op op_dynamic_update_slice{"dynamic_update_slice", "(operand, update, start_indices)",
                                 [](Arguments& a) -> Result<Jobs> {
  const View operand = a.tensor("operand"), update = a.tensor("update");
  const std::vector<View> starts = a.tensors("start_indices");
  GARNER_TRY(a.status());
  return one(lower_dynamic_update_slice(operand, update, starts));
}};

}  // namespace garner::stablehlo
