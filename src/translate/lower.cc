// One job after another: the index equation written out.
//   position of an axis = offset + sum step * d + index value, as its bounds say       places.cc
//   gather.cc and scatter.cc use the positions
#include "translate/lower.h"

#include <algorithm>

#include "base/fail.h"
#include "translate/prune.h"
#include "translate/work.h"

namespace garner::translate_detail {
namespace {

Status no_dtype(Work& w, DType dtype) {
  return w.context.refuse("T4", fmt::format("any {} values", name(dtype)), "{}: has no dtype {}", w.target.name,
                          name(dtype));
}

Status check_dtypes(Work& w) {
  for (const TranslatedInput& input : w.subject.inputs)
    if (!w.target.has(input.dtype)) return no_dtype(w, input.dtype);
  return w.target.has(w.plan().dtype) ? Status{} : no_dtype(w, w.plan().dtype);
}

Status lower_job(Work& w, const PlacedJob& placed) {
  w.placed = &placed;
  w.dtype = w.target.moved_as(w.plan().dtype);
  GARNER_TRY(check_dtypes(w));
  GARNER_TRY(check_combine(w));
  const int result = w.plan().direction == Direction::kGather ? lower_gather(w) : lower_scatter(w);
  w.b.program().results.push_back(w.b.reshape(w.b.bitcast(result, w.plan().dtype), placed.result_shape));
  return w.failed;
}

}  // namespace

Result<Program> lower(const Subject& subject, const Target& target, Context& context) {
  Work w{.subject = subject, .target = target, .context = context};
  for (const TranslatedInput& input : subject.inputs)
    w.inputs.push_back(w.b.input(input.name, input.dtype, input.shape));
  for (const PlacedJob& placed : subject.jobs) GARNER_TRY(lower_job(w, placed));
  auto& notes = w.b.program().notes;
  std::ranges::sort(notes);
  const auto repeated = std::ranges::unique(notes);
  notes.erase(repeated.begin(), repeated.end());
  return prune(w.b.program());
}

}  // namespace garner::translate_detail
