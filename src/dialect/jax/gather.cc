// jax.gather(operand, start_indices, dimension_numbers, slice_sizes, …): lax.gather
//   result[R] = operand[start + batching + offset]; a start whose slice does not fit is clamped, or its slice filled
#include "base/fail.h"
#include "dialect/jax/lax.h"
#include "garner/error.h"

namespace garner::jax {
namespace {

constexpr const char* kName = "jax.gather";

constexpr stablehlo::GatherWords kWords{{.op = kName,
                                         .base = 0,
                                         .operand = "operand",
                                         .indices = "start_indices",
                                         .window = {"offset_dims", "JX7", "JX7", "JX8"},
                                         .removed = {"collapsed_slice_dims", "JX9", "JX10", "JX11"},
                                         .operand_batching = {"operand_batching_dims", "JX12", "JX10", "JX13"},
                                         .indices_batching = {"start_indices_batching_dims", nullptr, "JX14", "JX15"},
                                         .map = {"start_index_map", nullptr, "JX20", "JX21"},
                                         .rank = "JX22",
                                         .vector_range = "JX6",
                                         .map_length = "JX19",
                                         .vector_not_batching = "JX16",
                                         .batching_lengths = "JX17",
                                         .paired_extents = "JX18",
                                         .integer = "JX5"},
                                        "JX23",
                                        "JX25",
                                        "JX26",
                                        "JX24",
                                        1};

stablehlo::Addressing addressing(const GatherDimensionNumbers& d, const View& indices) {
  return {d.offset_dims,     d.collapsed_slice_dims, d.operand_batching_dims, d.start_indices_batching_dims,
          d.start_index_map, indices.rank() - 1};
}

}  // namespace

Result<Job> lower_gather(const View& operand, const View& start_indices,
                         const GatherDimensionNumbers& dimension_numbers, const Axes& slice_sizes,
                         const GatherOptions& options) {
  GARNER_TRY(check_indices(kName, kWords.indices, start_indices));
  const stablehlo::Addressing a = addressing(dimension_numbers, start_indices);
  const auto shape = stablehlo::gather_shape(kWords, a, operand.shape(), start_indices.shape(), slice_sizes);
  if (!shape.ok()) return as_type_error(shape.status());
  auto job = JobBuilder::gather(kName, operand, *shape);
  const OutOfRange outside = reading(options.mode);
  address(job, kWords, a, start_indices, fitting(kWords, a.map, operand.shape(), slice_sizes, outside));
  return with_fill(std::move(job).build(), outside, options.fill_value);
}

Tensor gather(const View& operand, const View& start_indices, const GatherDimensionNumbers& dimension_numbers,
              const Axes& slice_sizes, const GatherOptions& options) {
  return value_or_throw(
      run_one(lower_gather(operand, start_indices, dimension_numbers, slice_sizes, options), options.run));
}

extern const Op op_gather;
const Op op_gather{"gather",
                   "(operand, start_indices, dimension_numbers, slice_sizes, *, unique_indices=false, "
                   "indices_are_sorted=false, mode=None, fill_value=None)",
                   [](Arguments& a) -> Result<Jobs> {
  const View operand = a.tensor("operand"), start_indices = a.tensor("start_indices");
  const Axes slice_sizes = a.integers("slice_sizes");
  GatherOptions options{.fill_value = read_fill(a)};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(options.mode, read_mode(a));
  GARNER_ASSIGN(const std::vector<Axes> d, read_dimension_numbers(a));
  return one(lower_gather(operand, start_indices, {d[0], d[1], d[2], d[3], d[4]}, slice_sizes, options));
}};

}  // namespace garner::jax
