// TensorFlow 2, as it behaves on a CPU: a negative index is out of range, and what is out of range is an error unless
// the call says otherwise. Rules TF1–TF13: docs/dialects/tensorflow.md.
#pragma once
#include "garner/run.h"

namespace garner::tensorflow {

struct GatherOptions {
  std::optional<Index> axis = std::nullopt;  // none: batch_dims
  Index batch_dims = 0;                      // leading axes that params and indices share
};

/// result[b…, …, i…, …] = params[b…, …, indices[b…, i…], …].
///   tensorflow::gather(tensor({{1, 2}, {3, 4}}), tensor({{1}, {0}}), {.batch_dims = 1})  ->  [[2] [3]]
/// Throws ArgumentError (TF1 rank, TF2 axis, TF3 batch_dims), TypeError (TF4), IndexError (TF5).
Tensor gather(const View& params, const View& indices, const GatherOptions& gather = {},
              const RunOptions& options = {});
Result<Job> lower_gather(const View& params, const View& indices, const GatherOptions& gather = {});

/// kDefault: what the device does; here, an error. kIgnore: a read gives 0, a write does nothing.
enum class BadIndices { kDefault, kError, kIgnore };

struct GatherNdOptions {
  Index batch_dims = 0;
  BadIndices bad_indices_policy = BadIndices::kDefault;
};

/// result[b…, i…, rest] = params[b…, tuple indices[b…, i…, :], rest].
/// Also throws TF6 (length of the tuples) and TF9 (nothing to read from).
Tensor gather_nd(const View& params, const View& indices, const GatherNdOptions& gather = {},
                 const RunOptions& options = {});
Result<Job> lower_gather_nd(const View& params, const View& indices, const GatherNdOptions& gather = {});

/// Zeros of a shape, with updates[i…, rest] added at [tuple indices[i…, :], rest].
/// Throws ArgumentError (TF1 rank, TF6 tuples, TF7 updates, TF9 and TF10 shape), TypeError (TF4), IndexError (TF5).
Tensor scatter_nd(const View& indices, const View& updates, const Axes& shape,
                  BadIndices bad_indices_policy = BadIndices::kDefault, const RunOptions& options = {});
Result<Job> lower_scatter_nd(const View& indices, const View& updates, const Axes& shape,
                             BadIndices bad_indices_policy = BadIndices::kDefault);

/// A copy of tensor in which the place of every tuple is updated: set, increased, decreased, or the smaller (larger) of
/// the two. Of several values set in one place the last one in row-major order stays. Throws as scatter_nd does.
Tensor tensor_scatter_nd_update(const View& tensor, const View& indices, const View& updates,
                                const RunOptions& options = {});
Tensor tensor_scatter_nd_add(const View& tensor, const View& indices, const View& updates,
                             BadIndices bad_indices_policy = BadIndices::kDefault, const RunOptions& options = {});
Tensor tensor_scatter_nd_sub(const View& tensor, const View& indices, const View& updates,
                             BadIndices bad_indices_policy = BadIndices::kDefault, const RunOptions& options = {});
Tensor tensor_scatter_nd_min(const View& tensor, const View& indices, const View& updates,
                             BadIndices bad_indices_policy = BadIndices::kDefault, const RunOptions& options = {});
Tensor tensor_scatter_nd_max(const View& tensor, const View& indices, const View& updates,
                             BadIndices bad_indices_policy = BadIndices::kDefault, const RunOptions& options = {});
Result<Job> lower_tensor_scatter_nd_update(const View& tensor, const View& indices, const View& updates);
Result<Job> lower_tensor_scatter_nd_add(const View& tensor, const View& indices, const View& updates,
                                        BadIndices bad_indices_policy = BadIndices::kDefault);
Result<Job> lower_tensor_scatter_nd_sub(const View& tensor, const View& indices, const View& updates,
                                        BadIndices bad_indices_policy = BadIndices::kDefault);
Result<Job> lower_tensor_scatter_nd_min(const View& tensor, const View& indices, const View& updates,
                                        BadIndices bad_indices_policy = BadIndices::kDefault);
Result<Job> lower_tensor_scatter_nd_max(const View& tensor, const View& indices, const View& updates,
                                        BadIndices bad_indices_policy = BadIndices::kDefault);

/// result[s, rest] = sum (product, largest, smallest) of data[i…, rest] over all i… with segment_ids[i…] == s. A
/// negative id belongs to no segment. A segment without elements is 0 (1, the lowest number, the highest number).
/// Throws ArgumentError (TF11 shape of segment_ids, TF12 num_segments), TypeError (TF4), IndexError (TF5).
Tensor unsorted_segment_sum(const View& data, const View& segment_ids, Index num_segments,
                            const RunOptions& options = {});
Tensor unsorted_segment_prod(const View& data, const View& segment_ids, Index num_segments,
                             const RunOptions& options = {});
Tensor unsorted_segment_max(const View& data, const View& segment_ids, Index num_segments,
                            const RunOptions& options = {});
Tensor unsorted_segment_min(const View& data, const View& segment_ids, Index num_segments,
                            const RunOptions& options = {});
Result<Job> lower_unsorted_segment_sum(const View& data, const View& segment_ids, Index num_segments);
Result<Job> lower_unsorted_segment_prod(const View& data, const View& segment_ids, Index num_segments);
Result<Job> lower_unsorted_segment_max(const View& data, const View& segment_ids, Index num_segments);
Result<Job> lower_unsorted_segment_min(const View& data, const View& segment_ids, Index num_segments);

/// The sum by the number of elements, 0 where there are none. 8- and 16-bit integers give f32, wider ones f64.
Tensor unsorted_segment_mean(const View& data, const View& segment_ids, Index num_segments,
                             const RunOptions& options = {});

/// tensor[:axis] + [n] + tensor[axis + rank of mask:]: the slices where mask is not zero. Throws TF2 (axis), TF13
/// (mask).
/// Looks at the mask, so the plan is for these values of it.
Result<Job> lower_boolean_mask(const View& tensor, const View& mask, std::optional<Index> axis = {});
Tensor boolean_mask(const View& tensor, const View& mask, std::optional<Index> axis = {},
                    const RunOptions& options = {});

}  // namespace garner::tensorflow
