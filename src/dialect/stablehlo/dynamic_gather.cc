// stablehlo.dynamic_gather(operand, start_indices, slice_sizes, …): gather with slice sizes known at run time only
#include "base/fail.h"
#include "dialect/op.h"
#include "dialect/stablehlo/gather_words.h"
#include "dtype/dispatch.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::stablehlo {
namespace {

constexpr const char* kName = "stablehlo.dynamic_gather";

Status check_sizes(const View& sizes) {
  if (is_integer(sizes.dtype()) && sizes.rank() == 1) return validate(sizes, "slice_sizes");
  return fail(Code::kType, "dynamic_gather_I3", "{}: slice_sizes is {} of rank {}, allowed an integer dtype of rank 1",
              kName, name(sizes.dtype()), sizes.rank());
}

/// The values as they are; what no Index can hold becomes the largest, which is no slice size either.
Axes values_of(const View& sizes) {
  Axes out;
  const auto read = [&]<class T>() {
    walk_bytes(sizes, [&](const std::byte* element) {
      T value;
      std::memcpy(&value, element, sizeof value);
      out.push_back(std::in_range<Index>(value) ? static_cast<Index>(value) : std::numeric_limits<Index>::max());
    });
  };
  dispatch_index(sizes.dtype(), read, [] {});
  return out;
}

}  // namespace

Result<Job> lower_dynamic_gather(const View& operand, const View& start_indices, const View& slice_sizes,
                                 const GatherDims& dims, bool /*indices_are_sorted*/) {
  GARNER_TRY(check_sizes(slice_sizes));
  return gather_job(gather_words(kName), addressing(dims), operand, start_indices, values_of(slice_sizes));
}

Tensor dynamic_gather(const View& operand, const View& start_indices, const View& slice_sizes, const GatherDims& dims,
                      bool indices_are_sorted, const RunOptions& options) {
  return value_or_throw(
      run_one(lower_dynamic_gather(operand, start_indices, slice_sizes, dims, indices_are_sorted), options));
}

extern const Op op_dynamic_gather;
const Op op_dynamic_gather{"dynamic_gather",
                           "(operand, start_indices, slice_sizes, *, offset_dims, collapsed_slice_dims=[], "
                           "operand_batching_dims=[], start_indices_batching_dims=[], start_index_map, "
                           "index_vector_dim, indices_are_sorted=false)",
                           [](Arguments& a) -> Result<Jobs> {
  const View operand = a.tensor("operand"), start_indices = a.tensor("start_indices"), sizes = a.tensor("slice_sizes");
  const GatherDims dims = read_gather_dims(a);
  const bool sorted = a.flag("indices_are_sorted");
  GARNER_TRY(a.status());
  return one(lower_dynamic_gather(operand, start_indices, sizes, dims, sorted));
}};

}  // namespace garner::stablehlo
