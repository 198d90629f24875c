// numpy.setitem(array, key, value): array[key] = value
#include "base/fail.h"
#include "dialect/numpy/convert.h"
#include "dialect/numpy/key.h"
#include "garner/error.h"

namespace garner::numpy {

Result<Job> lower_setitem(const View& array, const Key& key, const View& value) {
  return lower_write({"numpy.setitem", array, key, value, LeadingOnes::kDropped}, Combine::kAssign);
}

void setitem(const MutableView& array, const Key& key, const View& value, const RunOptions& run) {
  std::vector<Tensor> kept;
  const Key index = value_or_throw(apart_from(array, key, kept));
  const View apart = value_or_throw(apart_from(array, value, kept));
  update(array, lower_setitem(array, index, apart), run);
}

extern const Op op_setitem;
const Op op_setitem{"setitem", "(array, key, value)", [](Arguments& a) -> Result<Jobs> {
  const View array = a.tensor("array");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(KeyArgument key, key_argument(a, "key"));
  GARNER_ASSIGN(const View value, value_argument(a, "value", array.dtype(), key.kept));
  GARNER_ASSIGN(Job job, lower_setitem(array, key.key, value));
  job.kept.insert(job.kept.end(), key.kept.begin(), key.kept.end());
  return one(std::move(job));
}};

}  // namespace garner::numpy
