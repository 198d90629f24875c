// deepnet.scatter(indices, target_shape, src)
//   result = zeros(target_shape);  result[…, indices[k][d] or d[k], …] += src[d]
// The source's bool tensors have no sum; here true + true is true.
#include "base/fail.h"
#include "dialect/deepnet/index_list.h"
#include "dialect/op.h"
#include "garner/error.h"

namespace garner::deepnet {
namespace {

constexpr Rules kRules{"deepnet.scatter", "DN18", "DN18", "DN18", "DN21"};
constexpr Rules kFillRules{"deepnet.fill_scatter", "DN18", "DN18", "DN18", "DN21"};

Status check_target(const Rules& rules, const Axes& shape) {
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (shape[a] < 0)
      return fail(Code::kInvalidArgument, "V1", "{}: target extent is {}, allowed [0, 2^63) on axis {}", rules.op,
                  shape[a], a);
  return {};
}

Result<Job> lower(const Rules& rules, const Axes& target_shape, const IndexList& indices, const View& src) {
  GARNER_TRY(check_target(rules, target_shape));
  GARNER_TRY(check_list(rules, indices, target_shape, src.shape()));
  auto job = JobBuilder::scatter_zeros(rules.op, target_shape, src, Combine::kAdd);
  attach(job, rules, indices, target_shape);
  return std::move(job).build();
}

}  // namespace

Result<Job> lower_scatter(const IndexList& indices, const Axes& target_shape, const View& src) {
  return lower(kRules, target_shape, indices, src);
}

Tensor scatter(const IndexList& indices, const Axes& target_shape, const View& src, const RunOptions& options) {
  return value_or_throw(run_one(lower_scatter(indices, target_shape, src), options));
}

Result<Job> lower_fill_scatter(const Axes& target_shape, const IndexList& indices, const View& src) {
  return lower(kFillRules, target_shape, indices, src);
}

void fill_scatter(const MutableView& target, const IndexList& indices, const View& src, const RunOptions& options) {
  value_or_throw(run_into(value_or_throw(lower_fill_scatter(target.shape(), indices, src)), target, options));
}

extern const Op op_scatter;
const Op op_scatter{"scatter", "(indices, target_shape, src)", [](Arguments& a) -> Result<Jobs> {
  const IndexList indices = a.maybe_tensors("indices");
  const Axes target_shape = a.integers("target_shape");
  const View src = a.tensor("src");
  GARNER_TRY(a.status());
  return one(lower_scatter(indices, target_shape, src));
}};

}  // namespace garner::deepnet
