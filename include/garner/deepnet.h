// DeepNet's Tensor (F#): gather and scatter with one optional index tensor per dimension. Rules DN11–DN26:
// docs/dialects/deepnet.md.
#pragma once
#include "garner/run.h"

namespace garner::deepnet {

/// One entry per dimension of the indexed tensor. None means "the coordinate of the same number", not "all of it".
using IndexList = std::vector<std::optional<View>>;

/// result[d] = src[i0, i1, …], where i_k is indices[k] broadcast to the common index shape, or d[k] for None.
///   gather({i0, i1}, src)             src[1,3], src[2,1], …
///   gather({std::nullopt, j1}, src)   src[0,j1[0]], src[1,j1[1]], …
/// Throws ArgumentError (DN11 length, DN12 all None, DN13 broadcasting, DN15 None), TypeError (DN0), IndexError (DN16).
Tensor gather(const IndexList& indices, const View& src, const RunOptions& options = {});
Result<Job> lower_gather(const IndexList& indices, const View& src);

/// result = zeros(target_shape); result[i0, i1, …] += src[d]. Equal places are summed.
/// Throws ArgumentError (DN18 length, broadcasting, None), TypeError (DN0), IndexError (DN21).
Tensor scatter(const IndexList& indices, const Axes& target_shape, const View& src, const RunOptions& options = {});
Result<Job> lower_scatter(const IndexList& indices, const Axes& target_shape, const View& src);

/// DN24: the same into memory the caller has. fill_gather broadcasts the indices to the target's shape, so all may be
/// None; fill_scatter writes zeros first. The target is untouched when the call is refused.
void fill_gather(const MutableView& target, const IndexList& indices, const View& src, const RunOptions& options = {});
void fill_scatter(const MutableView& target, const IndexList& indices, const View& src, const RunOptions& options = {});
Result<Job> lower_fill_gather(const Axes& target_shape, const IndexList& indices, const View& src);
Result<Job> lower_fill_scatter(const Axes& target_shape, const IndexList& indices, const View& src);

/// The names DeepNet uses.
inline void FillGather(const MutableView& target, const IndexList& indices, const View& src) {
  fill_gather(target, indices, src);
}
inline void FillScatter(const MutableView& target, const IndexList& indices, const View& src) {
  fill_scatter(target, indices, src);
}

/// DN25: at most ten entries per dimension, padded to a fixed width.
std::string to_string(const View& view);
/// As DeepNet's guide writes results in comments: a vector without padding at its left, int64 as F# literals.
std::string to_doc_string(const View& view);

/// DN26: "[1L; 3L]", "Some [0L; 2L]" or "None", "seq [[0L; 0L]; [0L; 1L]]".
std::string to_string(const Axes& position);
std::string to_string(const std::optional<Axes>& position);
std::string to_string(const std::vector<Axes>& positions);

}  // namespace garner::deepnet
