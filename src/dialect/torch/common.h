// What torch's operations share: dims, dtypes, numbers, and results of the shape that torch gives them.
#pragma once
#include "base/fail.h"
#include "dialect/op.h"
#include "garner/error.h"
#include "garner/torch.h"
#include "run/job_builder.h"

namespace garner::torch {

/// Rank 0 as rank 1 with one element, which is what torch takes it for. A plan has an axis to address only then.
View lifted(const View& view);
MutableView lifted(const MutableView& view);

/// The elements in row-major order as a vector; a copy goes into `kept` where the strides do not allow a view.
Result<View> flattened(const View& view, std::vector<Tensor>& kept);

/// TO1. Rank 0 has the dims -1 and 0.
Result<Index> wrapped_dim(const char* op, Index dim, Index rank);

/// TO2. Some operations take i64 alone.
enum class IndexKind { kI32OrI64, kI64 };
Status check_index_dtype(const char* op, const View& index, IndexKind allowed = IndexKind::kI32OrI64);

/// TO3.
Status check_same_dtype(const char* op, const View& self, const char* what, const View& other);

/// TO28: complex numbers are neither large nor small.
Status check_ordered(const char* op, const View& self);

/// TO4: a rank-0 tensor of the dtype. Fractions are cut off; what is out of range is refused.
Result<Tensor> scalar_as(const char* op, const Scalar& value, DType dtype);
/// The argument of that name: a number, or a rank-0 tensor (TO29).
Result<Scalar> scalar_argument(const Arguments& a, const char* name);
bool is_number(const Value& value);

/// Every axis of the indexed side is the domain's axis of the same number.
void follow_all(JobBuilder& job, Index rank);

/// The call's plan, to a result that has the shape of `input`, also where that has rank 0 or was flattened.
template <Result<Jobs> (*kLower)(Arguments&)>
Status run_like_input(Arguments& a, const RunOptions& options, Results& results) {
  GARNER_ASSIGN(const Jobs jobs, kLower(a));
  return results.run(jobs.front(), a.tensor("input").shape(), options);
}

/// Throws; `self` has the shape of the job's result, or rank 0 where that has one element.
void run_on(const MutableView& self, const Result<Job>& job, const RunOptions& options);

/// For what takes several steps: compute(results) has one result, a fresh tensor or `self`. Throws.
using Steps = std::function<Status(Results& results)>;
Tensor fresh_result(const RunOptions& options, const Steps& compute);
void result_in(const MutableView& self, const char* op, const RunOptions& options, const Steps& compute);

}  // namespace garner::torch
