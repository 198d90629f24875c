// ONNX operators that gather, scatter, or find indices, at every opset that changed them. Rules OX1–OX16:
// docs/dialects/onnx.md. Operators and attributes keep ONNX's names, in snake_case.
#pragma once
#include "garner/index.h"

namespace garner::onnx {

inline constexpr Index kNewestOpset = 28;
inline constexpr Index kLastScatterOpset = 10;  // then ScatterElements took over

/// Of Gather and GatherElements.
struct GatherAttributes {
  Index axis = 0;
  Index opset = kNewestOpset;
};

/// result[…, i…, …] = data[…, indices[i…], …]: the axis is replaced by the shape of indices.
///   onnx::gather(tensor({{1, 2, 3}, {4, 5, 6}}), tensor({2, -1}), {.axis = 1})  ->  [[3 3] [6 6]]
/// From opset 11 on, a negative index counts from the end.
/// Throws ArgumentError (OX1 opset, OX2 axis, OX3 rank), TypeError (OX4), IndexError (OX6).
Tensor gather(const View& data, const View& indices, const GatherAttributes& attributes = {},
              const RunOptions& options = {});
Result<Job> lower_gather(const View& data, const View& indices, const GatherAttributes& attributes = {});

/// result[d] = data[d with d[axis] replaced by indices[d]]. Also throws OX7: indices reach past data off the axis.
Tensor gather_elements(const View& data, const View& indices, const GatherAttributes& attributes = {},
                       const RunOptions& options = {});
Result<Job> lower_gather_elements(const View& data, const View& indices, const GatherAttributes& attributes = {});

struct GatherNdAttributes {
  Index batch_dims = 0;
  Index opset = kNewestOpset;
};

/// result[b…, i…, rest] = data[b…, tuple indices[b…, i…, :], rest].
/// Also throws OX9 (batch_dims, leading extents) and OX10 (length of the tuples).
Tensor gather_nd(const View& data, const View& indices, const GatherNdAttributes& attributes = {},
                 const RunOptions& options = {});
Result<Job> lower_gather_nd(const View& data, const View& indices, const GatherNdAttributes& attributes = {});

/// What an update does with the value that is there. Of several plain updates of one place the last one in row-major
/// order stays.
enum class Reduction { kNone, kAdd, kMul, kMax, kMin };

struct ScatterAttributes {
  Index axis = 0;
  Index opset = kLastScatterOpset;
};

struct ScatterElementsAttributes {
  Index axis = 0;
  Reduction reduction = Reduction::kNone;
  Index opset = kNewestOpset;
};

struct ScatterNdAttributes {
  Reduction reduction = Reduction::kNone;
  Index opset = kNewestOpset;
};

/// A copy of data with result[d with d[axis] replaced by indices[d]] = f(that, updates[d]).
/// Throws as gather_elements does, and OX5 (a reduction the opset has not), OX8 (shape of updates).
Tensor scatter_elements(const View& data, const View& indices, const View& updates,
                        const ScatterElementsAttributes& attributes = {}, const RunOptions& options = {});
Result<Job> lower_scatter_elements(const View& data, const View& indices, const View& updates,
                                   const ScatterElementsAttributes& attributes = {});

/// What ScatterElements was called in opsets 9 and 10: no reduction, no negative indices.
Tensor scatter(const View& data, const View& indices, const View& updates, const ScatterAttributes& attributes = {},
               const RunOptions& options = {});
Result<Job> lower_scatter(const View& data, const View& indices, const View& updates,
                          const ScatterAttributes& attributes = {});

/// A copy of data with result[tuple indices[i…, :], rest] = f(that, updates[i…, rest]).
Tensor scatter_nd(const View& data, const View& indices, const View& updates,
                  const ScatterNdAttributes& attributes = {}, const RunOptions& options = {});
Result<Job> lower_scatter_nd(const View& data, const View& indices, const View& updates,
                             const ScatterNdAttributes& attributes = {});

enum class CacheMode { kLinear, kCircular };

struct TensorScatterAttributes {
  Index axis = -2;
  CacheMode mode = CacheMode::kLinear;
  Index opset = kNewestOpset;
};

/// A copy of past_cache with result[b, …, write_indices[b] + s, …] = update[b, …, s, …], s along the axis; the position
/// is taken modulo the extent in circular mode. Without write_indices, from 0 on. Throws OX12 (shapes), OX6 (position).
Tensor tensor_scatter(const View& past_cache, const View& update, const std::optional<View>& write_indices = {},
                      const TensorScatterAttributes& attributes = {}, const RunOptions& options = {});
Result<Job> lower_tensor_scatter(const View& past_cache, const View& update,
                                 const std::optional<View>& write_indices = {},
                                 const TensorScatterAttributes& attributes = {});

struct OneHotAttributes {
  Index axis = -1;
  Index opset = kNewestOpset;
};

/// values[1] at result[i… with indices[i…] put in at axis], values[0] elsewhere; an index outside the depth has no
/// place. Throws OX14: depth or values.
Tensor one_hot(const View& indices, const View& depth, const View& values, const OneHotAttributes& attributes = {},
               const RunOptions& options = {});
Result<Job> lower_one_hot(const View& indices, const View& depth, const View& values,
                          const OneHotAttributes& attributes = {});

/// X where condition is true, Y elsewhere; the three broadcast. Throws OX16 when they do not.
Tensor where(const View& condition, const View& X, const View& Y, Index opset = kNewestOpset,
             const RunOptions& options = {});
Result<Job> lower_where(const View& condition, const View& X, const View& Y, Index opset = kNewestOpset);

// ---- operators that find indices, or a shape, in the values ----

/// The positions of all elements that are not zero, one column each: i64 (rank, n).
Tensor non_zero(const View& X, Index opset = kNewestOpset, const RunOptions& options = {});

struct ArgAttributes {
  Index axis = 0;
  bool keepdims = true;
  Index opset = kNewestOpset;
  bool select_last_index = false;  // which of several equal ones
};

/// Where along the axis the largest (smallest) element stands: i64. NaN counts as found. Throws OX13: empty axis.
Tensor arg_max(const View& data, const ArgAttributes& attributes = {}, const RunOptions& options = {});
Tensor arg_min(const View& data, const ArgAttributes& attributes = {}, const RunOptions& options = {});

struct CompressAttributes {
  std::optional<Index> axis = std::nullopt;  // none: input is flattened
  Index opset = kNewestOpset;
};

/// The slices (elements) where the condition is true; a shorter condition drops the rest.
/// Looks at the condition, so the plan is for these values of it.
Result<Job> lower_compress(const View& input, const View& condition, const CompressAttributes& attributes = {});
Tensor compress(const View& input, const View& condition, const CompressAttributes& attributes = {},
                const RunOptions& options = {});

struct TopKAttributes {
  Index axis = -1;
  bool largest = true;
  Index opset = kNewestOpset;
  bool sorted = true;  // the result is, either way
};

/// The k largest (smallest) elements along the axis and where they stand; of equal ones the first come first.
/// NaN counts as larger than every number. Throws OX15: k.
TopK top_k(const View& X, Index k, const TopKAttributes& attributes = {}, const RunOptions& options = {});

struct UniqueAttributes {
  std::optional<Index> axis = std::nullopt;  // none: X is flattened
  bool sorted = true;  // false: in order of appearance
  Index opset = kNewestOpset;
};

/// Each value (each slice along the axis) once, where it first stands, which one each of X is, and how many there are.
Unique unique(const View& X, const UniqueAttributes& attributes = {}, const RunOptions& options = {});

}  // namespace garner::onnx
