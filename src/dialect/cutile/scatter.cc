// cutile.scatter(array, indices, value, /, *, mask=None, check_bounds=True, latency=None)
//   array[indices[0][p], indices[1][p], …] = value[p] unless masked or out of range
#include "base/fail.h"
#include "dialect/cutile/access.h"
#include "dialect/cutile/arguments.h"
#include "garner/error.h"

namespace garner::cutile {

Result<Job> lower_scatter(const View& array, const Indices& indices, const TileOrConstant& value,
                          const ScatterOptions& options) {
  GARNER_ASSIGN(Access access, make_access("cutile.scatter", array, indices));
  GARNER_TRY(check_mask(access, options.mask));
  GARNER_ASSIGN(const View updates, value_tile(access, {"value", "CTS1", "CTS2", value}));
  GARNER_TRY(check_latency(access, options.latency));

  JobBuilder job = scatter_job(access, updates, Combine::kAssign, options.check_bounds);
  if (options.mask) job.mask(*options.mask);
  return finish(std::move(job), std::move(access));
}

void scatter(const MutableView& array, const Indices& indices, const TileOrConstant& value,
             const ScatterOptions& options, const RunOptions& run) {
  const Job job = value_or_throw(lower_scatter(array, indices, value, options));
  value_or_throw(run_in_place(job, array, nullptr, run));
}

extern const Op op_scatter;
const Op op_scatter{"scatter", "(array, indices, value, /, *, mask=None, check_bounds=True, latency=None)",
                    [](Arguments& a) -> Result<Jobs> {
  const View array = a.tensor("array");
  const Indices indices = indices_argument(a);
  const TileOrConstant value = value_argument(a, "value");
  ScatterOptions options{.mask = a.maybe_tensor("mask")};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(options.check_bounds, check_bounds_argument(a));
  GARNER_ASSIGN(options.latency, latency_argument(a));
  return one(lower_scatter(array, indices, value, options));
}};

}  // namespace garner::cutile
