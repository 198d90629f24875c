// TensorRT's Gather and Scatter layers. Rules TR1–TR21 (gather) and TRS1–TRS12 (scatter): docs/dialects/tensorrt.md.
// Below, r is the rank of data, q of indices, E the number of elementwise dimensions, k the last extent of indices.
#pragma once
#include "garner/run.h"

namespace garner::tensorrt {

enum class GatherMode { kDefault, kElement, kNd };
enum class ScatterMode { kElement, kNd };

struct GatherLayer {
  GatherMode mode = GatherMode::kDefault;
  Index axis = 0;                  // kNd does not use it
  Index num_elementwise_dims = 0;  // leading dimensions that data and indices share
};

struct ScatterLayer {
  ScatterMode mode = ScatterMode::kElement;
  Index axis = 0;  // kNd does not use it
};

/// kDefault: result[…, i…, …] = data[…, indices[i…], …], the axis replaced by the shape of indices (rank r+q-1-E).
/// kElement: result[j] = data[j with j[axis] replaced by indices[j]].
/// kNd: result[i…, rest] = data[first E of i, tuple indices[i…, :], rest].
/// A negative index counts from the end once; a place outside data reads as 0.
/// Throws TypeError (TR3), ArgumentError (TR2 axis, TR4 rank, TR7 E, TR8 shape, TR10 tuples).
Tensor gather(const View& data, const View& indices, const GatherLayer& layer = {}, const RunOptions& options = {});
Result<Job> lower_gather(const View& data, const View& indices, const GatherLayer& layer = {});

/// A copy of data with result[place] = updates[d]; of several updates of one place the last in row-major order stays,
/// and one outside data is dropped.
/// Throws TypeError (TRS1), ArgumentError (TRS2 rank, TRS3 axis, TRS4–TRS8 shapes).
Tensor scatter(const View& data, const View& indices, const View& updates, const ScatterLayer& layer = {},
               const RunOptions& options = {});
Result<Job> lower_scatter(const View& data, const View& indices, const View& updates, const ScatterLayer& layer = {});

// ---- build time: shapes before the values, and before every extent, is known ----

inline constexpr Index kDynamic = -1;  // an extent that is known only when the network runs

struct TensorType {
  DType dtype = DType::kF32;
  Axes shape;
};

/// The shape of the result, or the rule that the layer breaks whatever the dynamic extents turn out to be.
/// gather() and scatter() check by these, too. Rules TR9 and TRS6: k must not be dynamic.
Result<Axes> infer_gather(const TensorType& data, const TensorType& indices, const GatherLayer& layer = {});
Result<Axes> infer_scatter(const TensorType& data, const TensorType& indices, const TensorType& updates,
                           const ScatterLayer& layer = {});

// ---- the cookbook's log, TR21 ----

enum class Role { kInput, kOutput };

/// "Input ->DataType.FLOAT, (2, 3, 4, 5), (2, 3, 4, 5), name": dtype, shape when built, shape when run.
std::string log_line(Role role, const View& tensor, const std::string& name, const std::optional<Axes>& built = {});
/// That line, and the values below it as NumPy prints them.
std::string log_tensor(Role role, const View& tensor, const std::string& name, const std::optional<Axes>& built = {});

}  // namespace garner::tensorrt
