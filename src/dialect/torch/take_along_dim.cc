// torch.take_along_dim(input, indices, dim=None)
//   with dim: gather of what broadcasts, an index counting modulo the extent; without: from the flattened input
#include "dialect/torch/elements.h"
#include "tensor/walk.h"

namespace garner::torch {
namespace {

constexpr const char* kName = "torch.take_along_dim";

Result<Job> lower_flat(const View& given, const View& given_indices) {
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View self, flattened(given, kept));
  GARNER_ASSIGN(const View indices, flattened(given_indices, kept));
  auto job = JobBuilder::gather(kName, self, indices.shape());
  address_elements(job, self, indices, 0);
  Job built = std::move(job).build();
  built.kept = std::move(kept);
  return built;
}

Status check_rank(const View& self, const View& indices) {
  if (indices.rank() == self.rank()) return {};
  return fail(Code::kInvalidArgument, "TO5", "{}: rank of indices is {}, allowed {}", kName, indices.rank(),
              self.rank());
}

/// The broadcast shape, with the extent of indices on dim.
Result<Axes> result_shape(const View& self, const View& indices, Index dim) {
  Axes allowed = self.shape();
  allowed[static_cast<std::size_t>(dim)] = indices.extent(dim);
  if (auto shape = broadcast_shapes(std::vector{allowed, indices.shape()})) return *std::move(shape);
  return fail(Code::kInvalidArgument, "TO19", "{}: shape of indices is {}, allowed one that broadcasts with {}", kName,
              list(indices.shape()), list(allowed));
}

Status check_axis(const View& self, const Axes& domain, Index dim) {
  if (self.extent(dim) > 0 || any_zero(domain)) return {};
  return fail(Code::kInvalidArgument, "TO20", "{}: input extent is 0, allowed [1, 2^63) on axis {}", kName, dim);
}

Result<Job> lower_along(const View& self, const View& indices, Index dim) {
  GARNER_TRY(check_rank(self, indices));
  if (self.rank() == 0) return fail(Code::kIndex, "TO1", "{}: dim is {}, allowed None for rank 0", kName, dim);
  GARNER_ASSIGN(dim, wrapped_dim(kName, dim, self.rank()));
  GARNER_ASSIGN(const Axes domain, result_shape(self, indices, dim));
  GARNER_TRY(check_axis(self, domain, dim));
  auto job = JobBuilder::gather(kName, self, domain);
  for (Index d = 0; d < self.rank(); ++d)
    if (d != dim && self.extent(d) != 1) job.follow(d, d);
  const Bounds bounds{.hi = self.extent(dim), .policy = OutOfRange::kModulo};
  job.look_up(dim, job.term(indices, axes_from(0, self.rank()), bounds, "indices", "TO8"));
  return std::move(job).build();
}

}  // namespace

Result<Job> lower_take_along_dim(const View& self, const View& indices, std::optional<Index> dim) {
  GARNER_TRY(check_index_dtype(kName, indices, IndexKind::kI64));
  return dim ? lower_along(self, indices, *dim) : lower_flat(self, indices);
}

Tensor take_along_dim(const View& self, const View& indices, std::optional<Index> dim, const RunOptions& run) {
  return value_or_throw(run_one(lower_take_along_dim(self, indices, dim), run));
}

extern const Op op_take_along_dim;
const Op op_take_along_dim{"take_along_dim", "(input, indices, dim=None)", [](Arguments& a) -> Result<Jobs> {
  const View input = a.tensor("input"), indices = a.tensor("indices");
  const auto dim = a.maybe_integer("dim");
  GARNER_TRY(a.status());
  return one(lower_take_along_dim(input, indices, dim));
}};

}  // namespace garner::torch
