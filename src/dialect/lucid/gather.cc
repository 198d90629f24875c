// lucid.gather(input_, dim, index)
//   result[d] = input_[d with d[dim] replaced by index[d]]
// Checks run in the source's order: rank, dim, dtype, extents, then the values while reading.
#include "base/fail.h"
#include "dialect/op.h"
#include "garner/error.h"
#include "garner/lucid.h"
#include "run/job_builder.h"

namespace garner::lucid {
namespace {

constexpr const char* kName = "lucid.gather";

Status check_rank(const View& input, const View& index) {
  if (index.rank() == input.rank()) return {};
  return fail(Code::kInvalidArgument, "LU4", "{}: index has rank {}, allowed {} (the rank of input_)", kName,
              index.rank(), input.rank());
}

/// LU2: a negative dim counts from the end.
Result<Index> effective_dim(Index dim, Index rank) {
  if (dim < -rank || dim >= rank)
    return fail(Code::kInvalidArgument, "LU3", "{}: dim is {}, allowed [{}, {})", kName, dim, -rank, rank);
  return dim < 0 ? dim + rank : dim;
}

Status check_dtype(const View& index) {
  if (is_integer(index.dtype())) return {};
  return fail(Code::kType, "LU7", "{}: index is {}, allowed an integer dtype", kName, name(index.dtype()));
}

Status check_extents(const View& input, const View& index, Index dim) {
  for (Index d = 0; d < input.rank(); ++d)
    if (d != dim && index.extent(d) > input.extent(d))
      return fail(Code::kInvalidArgument, "LU5", "{}: index extent is {}, allowed [0, {}] on axis {}", kName,
                  index.extent(d), input.extent(d), d);
  return {};
}

}  // namespace

Result<Job> lower_gather(const View& input, Index dim, const View& index) {
  GARNER_TRY(check_rank(input, index));
  GARNER_ASSIGN(dim, effective_dim(dim, input.rank()));
  GARNER_TRY(check_dtype(index));
  GARNER_TRY(check_extents(input, index, dim));

  auto job = JobBuilder::gather(kName, input, index.shape());
  const int term = job.term(index, axes_from(0, index.rank()), {.hi = input.extent(dim)}, "index", "LU6");
  for (Index d = 0; d < input.rank(); ++d) {
    if (d == dim) job.look_up(d, term);
    else job.follow(d, d);
  }
  return std::move(job).build();
}

Tensor gather(const View& input, Index dim, const View& index, const RunOptions& options) {
  return value_or_throw(run_one(lower_gather(input, dim, index), options));
}

extern const Op op_gather;
const Op op_gather{"gather", "(input_, dim, index)", [](Arguments& a) -> Result<Jobs> {
  const View input = a.tensor("input_"), index = a.tensor("index");
  const Index dim = a.integer("dim");
  GARNER_TRY(a.status());
  return one(lower_gather(input, dim, index));
}};

}  // namespace garner::lucid
