// cutile.gather(array, indices, /, *, mask=None, padding_value=0, check_bounds=True, latency=None)
//   result[p] = array[indices[0][p], indices[1][p], …], or the padding where masked or out of range
// Checks run in the source's order: indices, mask, padding shape, padding dtype, latency.
#include "base/fail.h"
#include "dialect/cutile/access.h"
#include "dialect/cutile/arguments.h"
#include "garner/error.h"

namespace garner::cutile {
namespace {

constexpr const char* kName = "cutile.gather";

/// None for the constant 0, which fits every dtype and is what a plan without a fill gives.
Result<std::optional<View>> padding_tile(Access& access, const TileOrConstant& padding) {
  if (const auto* constant = std::get_if<Index>(&padding); constant != nullptr && *constant == 0)
    return std::optional<View>();
  GARNER_ASSIGN(View tile, value_tile(access, {"padding_value", "CT12", "CT13", padding}));
  return std::optional(std::move(tile));
}

}  // namespace

Result<Job> lower_gather(const View& array, const Indices& indices, const GatherOptions& options) {
  GARNER_ASSIGN(Access access, make_access(kName, array, indices));
  GARNER_TRY(check_mask(access, options.mask));
  GARNER_ASSIGN(const auto padding, padding_tile(access, options.padding_value));
  GARNER_TRY(check_latency(access, options.latency));

  auto job = JobBuilder::gather(kName, array, access.shape);
  look_up_all(job, access, options.check_bounds ? OutOfRange::kFill : OutOfRange::kPromise);
  if (options.mask) job.mask(*options.mask);
  if (padding) job.fill(*padding);
  return finish(std::move(job), std::move(access));
}

Tensor gather(const View& array, const Indices& indices, const GatherOptions& options, const RunOptions& run) {
  return value_or_throw(run_one(lower_gather(array, indices, options), run));
}

extern const Op op_gather;
const Op op_gather{"gather", "(array, indices, /, *, mask=None, padding_value=0, check_bounds=True, latency=None)",
                   [](Arguments& a) -> Result<Jobs> {
  const View array = a.tensor("array");
  const Indices indices = indices_argument(a);
  GatherOptions options{.mask = a.maybe_tensor("mask"), .padding_value = value_argument(a, "padding_value")};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(options.check_bounds, check_bounds_argument(a));
  GARNER_ASSIGN(options.latency, latency_argument(a));
  return one(lower_gather(array, indices, options));
}};

}  // namespace garner::cutile
