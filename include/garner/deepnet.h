// DeepNet's Tensor (F#): the functions that return indices, and gather and scatter with one optional index tensor per
// dimension. Rules DN1–DN26: docs/dialects/deepnet.md, docs/index.md.
#pragma once
#include <iterator>
#include <limits>
#include <ranges>

#include "garner/error.h"
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

// ---- positions, one after another ----

/// DN1: every position of a shape in row-major order, made while it is walked. Rank 0 has one position, the empty one.
///   for (const Axes& at : all_idx(a)) …
class AllIdx : public std::ranges::view_interface<AllIdx> {
 public:
  class Iterator {
   public:
    using value_type = Axes;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;
    explicit Iterator(const Axes& shape);
    const Axes& operator*() const { return position_; }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return done_; }

   private:
    Axes shape_, position_;
    bool done_;
  };

  explicit AllIdx(Axes shape) : shape_(std::move(shape)) {}
  Iterator begin() const { return Iterator(shape_); }
  std::default_sentinel_t end() const { return {}; }

 private:
  Axes shape_;
};
inline AllIdx all_idx(const View& a) { return AllIdx(a.shape()); }

/// 0, 1, …, extent - 1 of one dimension. Rule DN4 when dim is not in [0, rank).
std::ranges::iota_view<Index, Index> all_idx_of_dim(Index dim, const View& a);

/// Every element in row-major order, read while it is walked. T is the element type of `a`: TypeError DN0 otherwise.
template <class T>
auto all_elems(const View& a) {
  if (a.dtype() != dtype_of<T>)
    throw_error({Code::kType, "DN0", "deepnet.all_elems: the element type asked for is not that of the tensor"});
  return std::views::transform(all_idx(a), [a](const Axes& at) {
    Index offset = 0;
    for (Index d = 0; d < a.rank(); ++d) offset += at[static_cast<std::size_t>(d)] * a.stride(d);
    return static_cast<const T*>(a.data())[offset];
  });
}

// ---- where an element stands ----

/// DN9: what an axis function gives where there is no position.
inline constexpr Index kNotFound = std::numeric_limits<Index>::min() + 4;

/// DN2: the coordinates of the largest (smallest) element, of the first one in row-major order when there are several.
/// NaN is never chosen. Throws ArgumentError DN3 when nothing can be: no elements, or only NaN.
Axes arg_max(const View& a, const RunOptions& options = {});
Axes arg_min(const View& a, const RunOptions& options = {});

/// DN4: i64, the axis removed; kNotFound where nothing can be chosen (DN5). Throws ArgumentError DN4 when the axis is
/// not in [0, rank).
Tensor arg_max_axis(Index axis, const View& a, const RunOptions& options = {});
Tensor arg_min_axis(Index axis, const View& a, const RunOptions& options = {});

/// DN6: the coordinates of the first element equal to `value`, a rank-0 tensor of a's dtype (DN0). NaN equals nothing.
std::optional<Axes> try_find(const View& value, const View& a, const RunOptions& options = {});
/// DN7: throws ArgumentError DN7 when there is none.
Axes find(const View& value, const View& a, const RunOptions& options = {});
/// DN8: i64, the first position along the axis, kNotFound where there is none.
Tensor find_axis(const View& value, Index axis, const View& a, const RunOptions& options = {});

template <class T>
  requires std::is_arithmetic_v<T>
std::optional<Axes> try_find(T value, const View& a) {
  return try_find(View(scalar(value)), a);
}
template <class T>
  requires std::is_arithmetic_v<T>
Axes find(T value, const View& a) {
  return find(View(scalar(value)), a);
}
template <class T>
  requires std::is_arithmetic_v<T>
Tensor find_axis(T value, Index axis, const View& a) {
  return find_axis(View(scalar(value)), axis, a);
}

/// DN10: the positions of all true elements of a bool tensor (DN0), as an i64 matrix [number of them, rank].
Tensor true_idx(const View& a, const RunOptions& options = {});
Index count_true(const View& a, const RunOptions& options = {});
/// i64, the axis removed.
Tensor count_true_axis(Index axis, const View& a, const RunOptions& options = {});

/// DN24: the axis functions into memory the caller has, i64.
void fill_arg_max_axis(const MutableView& target, Index axis, const View& a, const RunOptions& options = {});
void fill_arg_min_axis(const MutableView& target, Index axis, const View& a, const RunOptions& options = {});
void fill_find_axis(const MutableView& target, const View& value, Index axis, const View& a,
                    const RunOptions& options = {});
void fill_count_true_axis(const MutableView& target, Index axis, const View& a, const RunOptions& options = {});

/// if_true where cond (bool, DN0) is true, if_false elsewhere; the three broadcast to one shape (DN13).
Tensor if_then_else(const View& cond, const View& if_true, const View& if_false, const RunOptions& options = {});
Result<Job> lower_if_then_else(const View& cond, const View& if_true, const View& if_false);

// ---- masks: a.M(m0, m1, …) ----

/// A bool mask takes as many dimensions as it has and leaves one, of its true positions in order; no_mask takes one
/// dimension and leaves it whole. Rule DNM1 when they do not take exactly the dimensions of the tensor.
using MaskList = std::vector<std::optional<View>>;
inline constexpr std::nullopt_t no_mask = std::nullopt;

///   masked_get(a, {m})            the elements where m is true, as a vector
///   masked_get(a, {rows, no_mask})  whole rows
Tensor masked_get(const View& a, const MaskList& masks, const RunOptions& options = {});
Result<Job> lower_masked_get(const View& a, const MaskList& masks);
/// Writes a value of that shape, or one that broadcasts to it (DNM2), in place.
void masked_set(const MutableView& a, const MaskList& masks, const View& value, const RunOptions& options = {});
Result<Job> lower_masked_set(const View& a, const MaskList& masks, const View& value);

// ---- the names DeepNet uses ----

inline constexpr Index NotFound = kNotFound;
inline constexpr std::nullopt_t NoMask = std::nullopt;
inline AllIdx allIdx(const View& a) { return all_idx(a); }
inline auto allIdxOfDim(Index dim, const View& a) { return all_idx_of_dim(dim, a); }
template <class T>
auto allElems(const View& a) {
  return all_elems<T>(a);
}
inline Axes argMax(const View& a) { return arg_max(a); }
inline Axes argMin(const View& a) { return arg_min(a); }
inline Tensor argMaxAxis(Index axis, const View& a) { return arg_max_axis(axis, a); }
inline Tensor argMinAxis(Index axis, const View& a) { return arg_min_axis(axis, a); }
template <class T>
std::optional<Axes> tryFind(const T& value, const View& a) {
  return try_find(value, a);
}
template <class T>
Tensor findAxis(const T& value, Index axis, const View& a) {
  return find_axis(value, axis, a);
}
inline Tensor trueIdx(const View& a) { return true_idx(a); }
inline Index countTrue(const View& a) { return count_true(a); }
inline Tensor countTrueAxis(Index axis, const View& a) { return count_true_axis(axis, a); }
inline Tensor ifThenElse(const View& cond, const View& if_true, const View& if_false) {
  return if_then_else(cond, if_true, if_false);
}
inline Tensor M(const View& a, const MaskList& masks) { return masked_get(a, masks); }
inline void SetM(const MutableView& a, const MaskList& masks, const View& value) { masked_set(a, masks, value); }
inline void FillArgMaxAxis(const MutableView& target, Index axis, const View& a) { fill_arg_max_axis(target, axis, a); }
inline void FillArgMinAxis(const MutableView& target, Index axis, const View& a) { fill_arg_min_axis(target, axis, a); }
inline void FillFindAxis(const MutableView& target, const View& value, Index axis, const View& a) {
  fill_find_axis(target, value, axis, a);
}
inline void FillCountTrueAxis(const MutableView& target, Index axis, const View& a) {
  fill_count_true_axis(target, axis, a);
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
