// stablehlo.dynamic_slice(operand, start_indices, slice_sizes)
//   result[R] = operand[start + R], start clamped so that the slice fits
#include "base/fail.h"
#include "dialect/op.h"
#include "dialect/stablehlo/starts.h"
#include "garner/error.h"
#include "garner/stablehlo.h"

namespace garner::stablehlo {
namespace {

constexpr SliceWords kWords{"stablehlo.dynamic_slice", "dynamic_slice_2", "dynamic_slice_3",
                            "dynamic_slice_I2",        "dynamic_slice_4", "dynamic_slice_4"};

}  // namespace

Result<Job> lower_dynamic_slice(const View& operand, const std::vector<View>& start_indices, const Axes& slice_sizes) {
  GARNER_TRY(check_window_at(kWords, operand.shape(), start_indices, slice_sizes, "slice_sizes"));
  auto job = JobBuilder::gather(kWords.op, operand, slice_sizes);
  address_at(job, kWords, operand.shape(), start_indices);
  return std::move(job).build();
}

Tensor dynamic_slice(const View& operand, const std::vector<View>& start_indices, const Axes& slice_sizes,
                     const RunOptions& options) {
  return value_or_throw(run_one(lower_dynamic_slice(operand, start_indices, slice_sizes), options));
}

extern const Op op_dynamic_slice;
const Op op_dynamic_slice{"dynamic_slice", "(operand, start_indices, slice_sizes)", [](Arguments& a) -> Result<Jobs> {
  const View operand = a.tensor("operand");
  const std::vector<View> starts = a.tensors("start_indices");
  const Axes slice_sizes = a.integers("slice_sizes");
  GARNER_TRY(a.status());
  return one(lower_dynamic_slice(operand, starts, slice_sizes));
}};

}  // namespace garner::stablehlo
