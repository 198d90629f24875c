// deepnet.gather(indices, src)
//   result[d] = src[…, indices[k][d] or d[k], …]
// Checks run in the source's order: something given, broadcasting, length, None, then the values while reading.
#include <algorithm>

#include "base/fail.h"
#include "dialect/deepnet/index_list.h"
#include "dialect/op.h"
#include "garner/error.h"

namespace garner::deepnet {
namespace {

constexpr Rules kRules{"deepnet.gather", "DN11", "DN13", "DN15", "DN16"};
constexpr Rules kFillRules{"deepnet.fill_gather", "DN11", "DN13", "DN15", "DN16"};

std::vector<Axes> given_shapes(const IndexList& indices) {
  std::vector<Axes> shapes;
  for (const auto& index : indices)
    if (index) shapes.push_back(index->shape());
  return shapes;
}

Result<Axes> common_shape(const IndexList& indices) {
  const std::vector<Axes> shapes = given_shapes(indices);
  if (shapes.empty())
    return fail(Code::kInvalidArgument, "DN12", "{}: number of index tensors is 0, allowed [1, {}]", kRules.op,
                std::max<std::size_t>(indices.size(), 1));
  if (auto common = broadcast_shapes(shapes)) return *std::move(common);
  std::string given;
  for (const Axes& shape : shapes) given += ' ' + list(shape);
  return fail(Code::kInvalidArgument, "DN13", "{}: index shapes are{}, allowed shapes that broadcast together",
              kRules.op, given);
}

Result<Job> lower(const Rules& rules, const Axes& domain, const IndexList& indices, const View& src) {
  GARNER_TRY(check_list(rules, indices, src.shape(), domain));
  auto job = JobBuilder::gather(rules.op, src, domain);
  attach(job, rules, indices, src.shape());
  return std::move(job).build();
}

}  // namespace

Result<Job> lower_gather(const IndexList& indices, const View& src) {
  GARNER_ASSIGN(const Axes domain, common_shape(indices));
  return lower(kRules, domain, indices, src);
}

Tensor gather(const IndexList& indices, const View& src, const RunOptions& options) {
  return value_or_throw(run_one(lower_gather(indices, src), options));
}

Result<Job> lower_fill_gather(const Axes& target_shape, const IndexList& indices, const View& src) {
  return lower(kFillRules, target_shape, indices, src);
}

void fill_gather(const MutableView& target, const IndexList& indices, const View& src, const RunOptions& options) {
  value_or_throw(run_into(value_or_throw(lower_fill_gather(target.shape(), indices, src)), target, options));
}

extern const Op op_gather;
const Op op_gather{"gather", "(indices, src)", [](Arguments& a) -> Result<Jobs> {
  const IndexList indices = a.maybe_tensors("indices");
  const View src = a.tensor("src");
  GARNER_TRY(a.status());
  return one(lower_gather(indices, src));
}};

}  // namespace garner::deepnet
