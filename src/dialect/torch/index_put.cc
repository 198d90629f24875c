// torch.index_put(input, indices, values, accumulate=False)
//   result = input; result[i0, i1, …] = values, or +=
// The index tensors broadcast to one block of axes. It stands where the first index tensor stands, or in front when
// a ":" separates them. A mask counts as its positions, one index tensor per axis.
#include <algorithm>

#include "dialect/torch/positions.h"

namespace garner::torch {
namespace {

constexpr const char* kName = "torch.index_put";

bool is_mask(const View& index) { return index.dtype() == DType::kBool || index.dtype() == DType::kU8; }

Status check_mask(const View& self, Index axis, const View& mask) {
  bool fits = mask.rank() > 0 && axis + mask.rank() <= self.rank();
  for (Index a = 0; fits && a < mask.rank(); ++a) fits = mask.extent(a) == self.extent(axis + a);
  if (fits) return {};
  return fail(Code::kIndex, "TO17", "{}: shape of the mask is {}, allowed the extents of input {} from axis {} on",
              kName, list(mask.shape()), list(self.shape()), axis);
}

Status check_number(const View& self, Index axes) {
  if (axes <= self.rank()) return {};
  return fail(Code::kIndex, "TO14", "{}: number of indices is {}, allowed [1, {}]", kName, axes, self.rank());
}

Status add_index(IndexList& axes, const View& self, const View& index, std::vector<Tensor>& kept) {
  if (!is_mask(index)) {
    axes.emplace_back(index);
    return check_index_dtype(kName, index);
  }
  GARNER_TRY(check_mask(self, static_cast<Index>(axes.size()), index));
  GARNER_ASSIGN(const Positions positions, true_positions(index, kept));
  axes.insert(axes.end(), positions.axes.begin(), positions.axes.end());
  return {};
}

/// One entry per axis of self: its index tensor, or nothing for ":".
Result<IndexList> per_axis(const View& self, const IndexList& indices, std::vector<Tensor>& kept) {
  IndexList axes;
  for (const auto& index : indices) {
    GARNER_TRY(check_number(self, static_cast<Index>(axes.size()) + 1));
    if (index) GARNER_TRY(add_index(axes, self, *index, kept));
    else axes.emplace_back();
  }
  if (std::ranges::none_of(axes, [](const auto& a) { return a.has_value(); }))
    return fail(Code::kInvalidArgument, "TO18", "{}: number of index tensors is 0, allowed [1, {}]", kName,
                self.rank());
  axes.resize(static_cast<std::size_t>(self.rank()));
  return axes;
}

Result<Axes> block_shape(const IndexList& axes) {
  std::vector<Axes> shapes;
  for (const auto& index : axes)
    if (index) shapes.push_back(index->shape());
  if (auto block = broadcast_shapes(shapes)) return *std::move(block);
  std::string given;
  for (const Axes& shape : shapes) given += ' ' + list(shape);
  return fail(Code::kIndex, "TO15", "{}: index shapes are{}, allowed shapes that broadcast together", kName, given);
}

/// How many ":" stand in front of the block; 0 when index tensors are separated.
Index block_position(const IndexList& axes) {
  const auto given = [](const auto& index) { return index.has_value(); };
  const auto first = std::ranges::find_if(axes, given), end = std::find_if_not(first, axes.end(), given);
  return std::any_of(end, axes.end(), given) ? 0 : first - axes.begin();
}

Axes domain_of(const View& self, const IndexList& axes, const Axes& block) {
  Axes domain;
  for (Index a = 0; a < self.rank(); ++a)
    if (!axes[static_cast<std::size_t>(a)]) domain.push_back(self.extent(a));
  domain.insert(domain.begin() + block_position(axes), block.begin(), block.end());
  return domain;
}

Result<View> updates_for(const View& values, const Axes& domain) {
  if (auto wide = broadcast_to(values, domain); wide.ok()) return wide;
  return fail(Code::kInvalidArgument, "TO16", "{}: shape of values is {}, allowed one that broadcasts to {}", kName,
              list(values.shape()), list(domain));
}

void address(JobBuilder& job, const View& self, const IndexList& axes, Index block_rank) {
  const Index at = block_position(axes), end = at + block_rank;
  Index free = at == 0 ? end : 0;  // the next domain axis of a ":"
  for (Index a = 0; a < self.rank(); ++a) {
    const auto& index = axes[static_cast<std::size_t>(a)];
    if (index) {
      const Bounds bounds{.hi = self.extent(a), .wrap = self.extent(a)};
      const Axes along = axes_from(end - index->rank(), index->rank());
      job.look_up(a, job.term(*index, along, bounds, fmt::format("indices[{}]", a), "TO8"));
      continue;
    }
    job.follow(a, free++);
    if (free == at) free = end;
  }
}

Result<Jobs> lower_call(Arguments& a) {
  const View input = a.tensor("input"), values = a.tensor("values");
  const IndexList indices = a.maybe_tensors("indices");
  const bool accumulate = a.flag("accumulate");
  GARNER_TRY(a.status());
  return one(lower_index_put(input, indices, values, accumulate));
}

}  // namespace

Result<Job> lower_index_put(const View& self, const IndexList& indices, const View& values, bool accumulate) {
  GARNER_TRY(check_same_dtype(kName, self, "values", values));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const IndexList axes, per_axis(self, indices, kept));
  GARNER_ASSIGN(const Axes block, block_shape(axes));
  GARNER_ASSIGN(const View updates, updates_for(values, domain_of(self, axes, block)));
  auto job = JobBuilder::scatter(kName, self, updates, accumulate ? Combine::kAdd : Combine::kAssign);
  address(job, self, axes, static_cast<Index>(block.size()));
  Job built = std::move(job).build();
  built.kept = std::move(kept);
  return built;
}

Tensor index_put(const View& self, const IndexList& indices, const View& values, bool accumulate,
                 const RunOptions& run) {
  return value_or_throw(run_one(lower_index_put(self, indices, values, accumulate), run));
}

void index_put_(const MutableView& self, const IndexList& indices, const View& values, bool accumulate,
                const RunOptions& run) {
  run_on(self, lower_index_put(self, indices, values, accumulate), run);
}

extern const Op op_index_put;
const Op op_index_put{"index_put", "(input, indices, values, accumulate=False)", lower_call};

}  // namespace garner::torch
