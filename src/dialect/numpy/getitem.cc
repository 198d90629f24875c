// numpy.getitem(array, key): array[key]
#include "base/fail.h"
#include "dialect/numpy/key.h"
#include "garner/error.h"

namespace garner::numpy {

Result<Job> lower_getitem(const View& array, const Key& key) {
  constexpr const char* kName = "numpy.getitem";
  GARNER_ASSIGN(Selection selection, resolve(kName, array, key));
  auto job = JobBuilder::gather(kName, array, shape_of(selection));
  address(job, selection);
  return finish(std::move(job), std::move(selection.kept));
}

Tensor getitem(const View& array, const Key& key, const RunOptions& run) {
  return value_or_throw(run_one(lower_getitem(array, key), run));
}

extern const Op op_getitem;
const Op op_getitem{"getitem", "(array, key)", [](Arguments& a) -> Result<Jobs> {
  const View array = a.tensor("array");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const KeyArgument key, key_argument(a, "key"));
  GARNER_ASSIGN(Job job, lower_getitem(array, key.key));
  job.kept.insert(job.kept.end(), key.kept.begin(), key.kept.end());
  return one(std::move(job));
}};

}  // namespace garner::numpy
