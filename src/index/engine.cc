#include "index/engine.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"
#include "dtype/dispatch.h"
#include "run/check.h"

namespace garner::index {
namespace {

/// Those that lie on the job's device; what lies elsewhere is a number that goes along, or run() refuses it.
std::vector<const View*> inputs_of(const Job& job) {
  std::vector<const View*> inputs;
  for (const View& index : job.indices) inputs.push_back(&index);
  for (const auto* view : {&job.operand, &job.updates, &job.mask, &job.fill})
    if (*view) inputs.push_back(&**view);
  std::erase_if(inputs, [device = garner::device_of(job)](const View* v) { return v->device() != device; });
  return inputs;
}

template <class T>
Index as_index(T value) {
  if constexpr (std::is_same_v<T, std::uint64_t>)
    return value > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()) ? std::numeric_limits<Index>::max()
                                                                                 : static_cast<Index>(value);
  else return static_cast<Index>(value);
}

}  // namespace

Status deliver(const Result<Job>& job, const Axes& shape, const RunOptions& run, Output& out) {
  if (!job.ok()) return job.status();
  GARNER_TRY(out.open(job->op.c_str(), job->plan.dtype, shape, inputs_of(*job), run.stream));
  return run_into(*job, out.seen_as(job->result_shape), run);
}

Status check_integer(const View& view, const char* op, const char* what) {
  if (is_integer(view.dtype())) return {};
  return fail(Code::kType, "IX3", "{}: {} is {}, allowed an integer dtype", op, what, name(view.dtype()));
}

Result<IndexList> integers_of(const View& view, const char* op, const char* what, const RunOptions& run) {
  GARNER_TRY(check_integer(view, op, what));
  GARNER_ASSIGN(Packed packed, pack(view, op, run));
  if (view.dtype() == DType::kI64) return IndexList(std::move(packed));
  GARNER_ASSIGN(Tensor values, Tensor::empty(DType::kI64, {view.elements()}));
  dispatch_index(view.dtype(), [&]<class T>() {
    std::transform(packed.as<T>(), packed.as<T>() + view.elements(), values.as<Index>(), as_index<T>);
  }, [] {});
  return IndexList(std::move(values));
}

Index first_outside(std::span<const Index> values, Index extent) {
  const auto limit = static_cast<std::uint64_t>(extent);
  const auto is_outside = [limit](Index v) { return static_cast<std::uint64_t>(v) >= limit; };
  bool some = false;  // a loop without a way out takes half the time
  for (const Index v : values) some |= is_outside(v);
  return some ? std::ranges::find_if(values, is_outside) - values.begin() : -1;
}

View flat(const Packed& packed) { return packed.view().seen_as({packed.view().elements()}); }

}  // namespace garner::index
