// anvil.nv_array(values, dim) and anvil.nv_matrix(values, nrow): R fills the first dimension first
//   result[d] = values[d[0] + dim[0] * (d[1] + dim[1] * (…))]
#include "base/checked_math.h"
#include "base/fail.h"
#include "dialect/op.h"
#include "garner/anvil.h"
#include "garner/error.h"
#include "run/job_builder.h"

namespace garner::anvil {
namespace {

Status check_values(const char* op, const View& values) {
  if (values.rank() == 1) return {};
  return fail(Code::kInvalidArgument, "AN16", "{}: values has rank {}, allowed 1", op, values.rank());
}

Status check_dim(const char* op, const View& values, const Axes& dim) {
  for (const Index n : dim)
    if (n < 0)
      return fail(Code::kInvalidArgument, "AN16", "{}: dim is {}, allowed extents of at least 0", op, list(dim));
  if (checked_product(dim) == values.extent(0)) return {};
  return fail(Code::kInvalidArgument, "AN16", "{}: dim is {}, allowed a product of {} (the values)", op, list(dim),
              values.extent(0));
}

Result<Job> column_major(const char* op, const View& values, const Axes& dim) {
  GARNER_TRY(check_values(op, values));
  GARNER_TRY(check_dim(op, values, dim));
  auto job = JobBuilder::gather(op, values, dim);
  Index step = 1;
  for (std::size_t a = 0; a < dim.size(); step *= dim[a++]) job.follow(0, static_cast<Index>(a), step);
  return std::move(job).build();
}

}  // namespace

Result<Job> lower_nv_array(const View& values, const Axes& dim) { return column_major("anvil.nv_array", values, dim); }

Result<Job> lower_nv_matrix(const View& values, Index nrow) {
  constexpr const char* kName = "anvil.nv_matrix";
  GARNER_TRY(check_values(kName, values));
  if (nrow < 1 || values.extent(0) % nrow != 0)
    return fail(Code::kInvalidArgument, "AN16", "{}: nrow is {}, allowed a divisor of {} (the values)", kName, nrow,
                values.extent(0));
  return column_major(kName, values, {nrow, values.extent(0) / nrow});
}

Tensor nv_array(const View& values, const Axes& dim, const RunOptions& options) {
  return value_or_throw(run_one(lower_nv_array(values, dim), options));
}

Tensor nv_matrix(const View& values, Index nrow, const RunOptions& options) {
  return value_or_throw(run_one(lower_nv_matrix(values, nrow), options));
}

extern const Op op_nv_array;
const Op op_nv_array{"nv_array", "(values, dim)", [](Arguments& a) -> Result<Jobs> {
  const View values = a.tensor("values");
  const Axes dim = a.integers("dim");
  GARNER_TRY(a.status());
  return one(lower_nv_array(values, dim));
}};

extern const Op op_nv_matrix;
const Op op_nv_matrix{"nv_matrix", "(values, nrow)", [](Arguments& a) -> Result<Jobs> {
  const View values = a.tensor("values");
  const Index nrow = a.integer("nrow");
  GARNER_TRY(a.status());
  return one(lower_nv_matrix(values, nrow));
}};

}  // namespace garner::anvil
