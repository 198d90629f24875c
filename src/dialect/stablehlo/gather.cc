// stablehlo.gather(operand, start_indices, …)
//   result[R] = operand[start + batching + offset], start clamped so that the slice fits
#include "base/fail.h"
#include "dialect/op.h"
#include "dialect/stablehlo/addressing.h"
#include "dialect/stablehlo/gather_words.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::stablehlo {
namespace {

// ---- rules about slice_sizes ----

Status check_slice_count(const GatherWords& w, const Axes& slice_sizes, const Axes& operand) {
  if (slice_sizes.size() == operand.size()) return {};
  return fail(Code::kInvalidArgument, w.slice_count, "{}: slice_sizes has {} entries, allowed {} (the rank of {})",
              w.op, slice_sizes.size(), operand.size(), w.operand);
}

/// The sizes of the axes a list names are in [least, 1].
Status check_unit_slices(const GatherWords& w, const Axes& slice_sizes, const Axes& dims, Index least,
                         const char* rule) {
  for (const Index d : dims)
    if (at(slice_sizes, d) < least || at(slice_sizes, d) > 1)
      return fail(Code::kInvalidArgument, rule, "{}: slice_sizes[{}] is {}, allowed [{}, 1] on axis {}", w.op,
                  d + w.base, at(slice_sizes, d), least, d + w.base);
  return {};
}

Status check_slice_range(const GatherWords& w, const Axes& slice_sizes, const Axes& operand) {
  for (Index d = 0; d < static_cast<Index>(operand.size()); ++d)
    if (at(slice_sizes, d) < 0 || at(slice_sizes, d) > at(operand, d))
      return fail(Code::kInvalidArgument, w.slice_range, "{}: slice_sizes[{}] is {}, allowed [0, {}] on axis {}", w.op,
                  d + w.base, at(slice_sizes, d), at(operand, d), d + w.base);
  return {};
}

Status check_slices(const GatherWords& w, const Addressing& a, const Axes& slice_sizes, const Axes& operand) {
  GARNER_TRY(check_slice_count(w, slice_sizes, operand));
  GARNER_TRY(check_slice_range(w, slice_sizes, operand));
  GARNER_TRY(check_unit_slices(w, slice_sizes, a.operand_batching, 0, w.slice_batching));
  return check_unit_slices(w, slice_sizes, a.removed, w.removed_slice_min, w.slice_removed);
}

/// A removed axis is read at one place even when its slice is empty, so there must be such a place.
Status check_readable(const GatherWords& w, const Addressing& a, const Axes& operand, const Axes& result) {
  if (any_zero(result)) return {};
  for (const Index d : a.removed)
    if (at(operand, d) == 0)
      return fail(Code::kInvalidArgument, w.slice_removed, "{}: {} extent is 0, allowed [1, inf) on collapsed axis {}",
                  w.op, w.operand, d + w.base);
  return {};
}

/// Extents for the domain axes in `window`, and for the rest in order.
Axes interleaved(const Addressing& a, const Axes& window_extents, const Axes& batch) {
  Axes out = batch;
  for (std::size_t i = 0; i < a.window.size(); ++i) out.insert(out.begin() + a.window[i], window_extents[i]);
  return out;
}

Axes window_extents(const Addressing& a, const Axes& slice_sizes) {
  Axes out;
  for (const Index d : window_dims(a, static_cast<Index>(slice_sizes.size()))) out.push_back(at(slice_sizes, d));
  return out;
}

std::vector<Bounds> clamped(const Words& w, const Addressing& a, const View& operand, const Axes& slice_sizes) {
  std::vector<Bounds> out;
  for (const Index d : a.map) out.push_back(fitting(w, operand.extent(d), at(slice_sizes, d), OutOfRange::kClamp));
  return out;
}

}  // namespace

Result<Axes> gather_shape(const GatherWords& w, const Addressing& a, const Axes& operand, const Axes& indices,
                          const Axes& slice_sizes) {
  GARNER_TRY(check_vector_dim(w, a, static_cast<Index>(indices.size())));
  const Axes batch = batch_extents(a, indices);
  GARNER_TRY(check_addressing(w, a, operand, indices, static_cast<Index>(batch.size() + a.window.size())));
  GARNER_TRY(check_slices(w, a, slice_sizes, operand));
  const Axes result = interleaved(a, window_extents(a, slice_sizes), batch);
  GARNER_TRY(check_readable(w, a, operand, result));
  return result;
}

Result<Job> gather_job(const GatherWords& w, const Addressing& a, const View& operand, const View& indices,
                       const Axes& slice_sizes) {
  GARNER_TRY(check_integer(w, indices));
  GARNER_ASSIGN(const Axes shape, gather_shape(w, a, operand.shape(), indices.shape(), slice_sizes));
  auto job = JobBuilder::gather(w.op, operand, shape);
  address(job, w, a, indices, clamped(w, a, operand, slice_sizes));
  return std::move(job).build();
}

Addressing addressing(const GatherDims& d) {
  return {d.offset_dims,     d.collapsed_slice_dims, d.operand_batching_dims, d.start_indices_batching_dims,
          d.start_index_map, d.index_vector_dim};
}

GatherDims read_gather_dims(Arguments& a) {
  return {a.integers("offset_dims"),           a.integers("collapsed_slice_dims"),
          a.integers("operand_batching_dims"), a.integers("start_indices_batching_dims"),
          a.integers("start_index_map"),       a.integer("index_vector_dim")};
}

GatherWords gather_words(const char* op) {
  return {{.op = op,
           .base = 0,
           .operand = "operand",
           .indices = "start_indices",
           .window = {"offset_dims", "gather_C4", "gather_C4", "gather_C5"},
           .removed = {"collapsed_slice_dims", "gather_C7", "gather_C6", "gather_C8"},
           .operand_batching = {"operand_batching_dims", "gather_C10", "gather_C6", "gather_C11"},
           .indices_batching = {"start_indices_batching_dims", nullptr, "gather_C13", "gather_C14"},
           .map = {"start_index_map", nullptr, "gather_C18", "gather_C19"},
           .rank = "gather_C1",
           .vector_range = "gather_C2",
           .map_length = "gather_C3",
           .vector_not_batching = "gather_C15",
           .batching_lengths = "gather_C16",
           .paired_extents = "gather_C17",
           .integer = "gather_I2"},
          "gather_C20",
          "gather_C9",
          "gather_C12",
          "gather_C21"};
}

Result<Axes> infer_gather_shape(const Axes& operand, const Axes& start_indices, const GatherDims& dims,
                                const Axes& slice_sizes) {
  return gather_shape(gather_words("stablehlo.gather"), addressing(dims), operand, start_indices, slice_sizes);
}

Result<Job> lower_gather(const View& operand, const View& start_indices, const GatherDims& dims,
                         const Axes& slice_sizes, bool /*indices_are_sorted: no kernel needs to know*/) {
  return gather_job(gather_words("stablehlo.gather"), addressing(dims), operand, start_indices, slice_sizes);
}

Tensor gather(const View& operand, const View& start_indices, const GatherDims& dims, const Axes& slice_sizes,
              bool indices_are_sorted, const RunOptions& options) {
  return value_or_throw(run_one(lower_gather(operand, start_indices, dims, slice_sizes, indices_are_sorted), options));
}

extern const Op op_gather;
const Op op_gather{"gather",
                   "(operand, start_indices, *, offset_dims, collapsed_slice_dims=[], operand_batching_dims=[], "
                   "start_indices_batching_dims=[], start_index_map, index_vector_dim, slice_sizes, "
                   "indices_are_sorted=false)",
                   [](Arguments& a) -> Result<Jobs> {
  const View operand = a.tensor("operand"), start_indices = a.tensor("start_indices");
  const GatherDims dims = read_gather_dims(a);
  const Axes slice_sizes = a.integers("slice_sizes");
  const bool sorted = a.flag("indices_are_sorted");
  GARNER_TRY(a.status());
  return one(lower_gather(operand, start_indices, dims, slice_sizes, sorted));
}};

}  // namespace garner::stablehlo
