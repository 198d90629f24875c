// JAX: x.at[key], lax.gather and lax.scatter*, take, take_along_axis and the segment functions. Rules JX1–JX50:
// docs/dialects/jax.md.
#pragma once
#include "garner/numpy.h"

namespace garner::jax {

/// What an index outside means. A read: kFill gives the fill value, kClip the nearest place inside. A write: kFill and
/// kDrop leave it out, kClip goes to the nearest place. Windows are taken whole: one that hangs over the edge is filled
/// or dropped altogether, or moved inside. kPromiseInBounds checks nothing. kDefault is the operation's own.
enum class Mode { kDefault, kFill, kDrop, kClip, kPromiseInBounds };

/// The last axis of the indices holds index vectors.
struct GatherDimensionNumbers {
  Axes offset_dims = {}, collapsed_slice_dims = {}, start_index_map = {}, operand_batching_dims = {},
       start_indices_batching_dims = {};
};
struct ScatterDimensionNumbers {
  Axes update_window_dims = {}, inserted_window_dims = {}, scatter_dims_to_operand_dims = {},
       operand_batching_dims = {}, scatter_indices_batching_dims = {};
};

/// fill_value has rank 0; without it a filled read gives NaN, the smallest signed or largest unsigned integer, or true.
struct GatherOptions {
  Mode mode = Mode::kDefault;
  std::optional<Tensor> fill_value = std::nullopt;
  RunOptions run = {};
};
struct ScatterOptions {
  Mode mode = Mode::kDefault;
  RunOptions run = {};
};

/// lax.gather: a slice of slice_sizes from every start. By default starts are clamped so that the slice fits.
Tensor gather(const View& operand, const View& start_indices, const GatherDimensionNumbers& dimension_numbers,
              const Axes& slice_sizes, const GatherOptions& options = {});
Result<Job> lower_gather(const View& operand, const View& start_indices,
                         const GatherDimensionNumbers& dimension_numbers, const Axes& slice_sizes,
                         const GatherOptions& options = {});

/// lax.scatter, scatter_add, scatter_mul, scatter_min, scatter_max: a copy of operand, joined with updates. By default
/// a window that does not fit is dropped. Updates of one place are joined in row-major order; with scatter the last
/// stays.
Tensor scatter(const View& operand, const View& scatter_indices, const View& updates,
               const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});
Tensor scatter_add(const View& operand, const View& scatter_indices, const View& updates,
                   const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});
Tensor scatter_mul(const View& operand, const View& scatter_indices, const View& updates,
                   const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});
Tensor scatter_min(const View& operand, const View& scatter_indices, const View& updates,
                   const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});
Tensor scatter_max(const View& operand, const View& scatter_indices, const View& updates,
                   const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});
Result<Job> lower_scatter(const View& operand, const View& scatter_indices, const View& updates,
                          const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});
Result<Job> lower_scatter_add(const View& operand, const View& scatter_indices, const View& updates,
                              const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});
Result<Job> lower_scatter_mul(const View& operand, const View& scatter_indices, const View& updates,
                              const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});
Result<Job> lower_scatter_min(const View& operand, const View& scatter_indices, const View& updates,
                              const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});
Result<Job> lower_scatter_max(const View& operand, const View& scatter_indices, const View& updates,
                              const ScatterDimensionNumbers& dimension_numbers, const ScatterOptions& options = {});

struct GetOptions {
  Mode mode = Mode::kDefault;  // kClip
  std::optional<Tensor> fill_value = std::nullopt;
  bool wrap_negative_indices = true;
  RunOptions run = {};
};
struct UpdateOptions {
  Mode mode = Mode::kDefault;  // kDrop
  bool wrap_negative_indices = true;
  RunOptions run = {};
};

/// x.at[key], with NumPy's keys: at(x, {numpy::Slice{}, tensor({2, 0})}).add(values). It looks at the memory of x and
/// of the key's index arrays, which must live as long. Every method gives fresh memory. Values broadcast to the shape
/// of get(), and their dtype promotes to x's. Several values for one place are joined in row-major order; with set()
/// the last stays.
class At {
 public:
  At(const View& x, numpy::Key key) : x_(x), key_(std::move(key)) {}

  Tensor get(const GetOptions& options = {}) const;
  Tensor set(const View& values, const UpdateOptions& options = {}) const;
  Tensor add(const View& values, const UpdateOptions& options = {}) const;
  Tensor multiply(const View& values, const UpdateOptions& options = {}) const;
  Tensor mul(const View& values, const UpdateOptions& options = {}) const { return multiply(values, options); }
  Tensor min(const View& values, const UpdateOptions& options = {}) const;
  Tensor max(const View& values, const UpdateOptions& options = {}) const;

  Result<Job> lower_get(const GetOptions& options = {}) const;
  Result<Job> lower_set(const View& values, const UpdateOptions& options = {}) const;
  Result<Job> lower_add(const View& values, const UpdateOptions& options = {}) const;
  Result<Job> lower_multiply(const View& values, const UpdateOptions& options = {}) const;
  Result<Job> lower_min(const View& values, const UpdateOptions& options = {}) const;
  Result<Job> lower_max(const View& values, const UpdateOptions& options = {}) const;

 private:
  View x_;
  numpy::Key key_;
};
inline At at(const View& x, numpy::Key key) { return {x, std::move(key)}; }

/// axis none: through all axes, and indices have rank 1. wrap_negative_indices none: they wrap unless promised.
struct AlongAxisOptions {
  std::optional<Index> axis = -1;
  Mode mode = Mode::kDefault;  // kFill
  std::optional<Tensor> fill_value = std::nullopt;
  std::optional<bool> wrap_negative_indices = std::nullopt;
  RunOptions run = {};
};

/// result[j] = arr[j with j[axis] replaced by indices[j]], arr and indices broadcast against each other off the axis.
Tensor take_along_axis(const View& arr, const View& indices, const AlongAxisOptions& options = {});
Result<Job> lower_take_along_axis(const View& arr, const View& indices, const AlongAxisOptions& options = {});

/// kFill counts a negative index from the end, kClip does not.
enum class TakeMode { kFill, kClip, kWrap };
struct TakeOptions {
  std::optional<Index> axis = std::nullopt;  // none: through all axes
  TakeMode mode = TakeMode::kFill;
  std::optional<Tensor> fill_value = std::nullopt;
  RunOptions run = {};
};

/// result[…, i…, …] = a[…, indices[i…], …].
Tensor take(const View& a, const View& indices, const TakeOptions& options = {});
Result<Job> lower_take(const View& a, const View& indices, const TakeOptions& options = {});

struct SegmentOptions {
  std::optional<Index> num_segments = std::nullopt;  // none: the largest id + 1
  Mode mode = Mode::kDefault;  // kDrop
  RunOptions run = {};
};

/// result[segment_ids[i…]] is joined with data[i…], starting from 0, 1, the largest or the smallest number.
/// A negative id is outside.
Tensor segment_sum(const View& data, const View& segment_ids, const SegmentOptions& options = {});
Tensor segment_prod(const View& data, const View& segment_ids, const SegmentOptions& options = {});
Tensor segment_min(const View& data, const View& segment_ids, const SegmentOptions& options = {});
Tensor segment_max(const View& data, const View& segment_ids, const SegmentOptions& options = {});
Result<Job> lower_segment_sum(const View& data, const View& segment_ids, const SegmentOptions& options = {});
Result<Job> lower_segment_prod(const View& data, const View& segment_ids, const SegmentOptions& options = {});
Result<Job> lower_segment_min(const View& data, const View& segment_ids, const SegmentOptions& options = {});
Result<Job> lower_segment_max(const View& data, const View& segment_ids, const SegmentOptions& options = {});

}  // namespace garner::jax
