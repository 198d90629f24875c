// Functions that return indices, or choose by them. Rules IX1–IX8: docs/index.md.
//
// Each function is there four times: f(…) throws and gives a fresh tensor; f_into(…, out) throws and writes into memory
// the caller has (any strides; also memory that the inputs lie in); garner::index::f and f_into return a Result or
// Status instead. Positions are i64 and count in row-major order. NaN counts as larger than every number unless said
// otherwise.
#pragma once
#include "garner/error.h"
#include "garner/run.h"

namespace garner {

/// Which of several equal elements is meant.
enum class Tie { kFirst, kLast };
/// kPropagate: a NaN wins. kIgnore: numbers only; position 0 where there is none.
enum class NanRule { kPropagate, kIgnore };
/// Positions as (n, rank), one row each, or as (rank, n), one row per axis.
enum class Layout { kRows, kColumns };

struct ArgOptions {
  std::optional<Index> axis = std::nullopt;  // none: all elements, in row-major order
  bool keepdims = false;
  Tie tie = Tie::kFirst;
  NanRule nan = NanRule::kPropagate;
};

struct NonzeroOptions {
  Layout layout = Layout::kRows;
  std::optional<Index> capacity = std::nullopt;  // that many positions exactly: the first ones, then `fill`
  Index fill = -1;
};

struct CountOptions {
  std::optional<Index> axis = std::nullopt;
  bool keepdims = false;
};

struct SortOptions {
  Index axis = -1;
  bool descending = false;  // equal elements keep their order either way
};

struct TopKOptions {
  Index axis = -1;
  bool largest = true;
  bool sorted = true;  // false: in order of position
};
struct TopK {
  Tensor values, indices;
};
struct TopKOut {
  MutableView values, indices;
};

/// Before the first equal element, or behind the last.
enum class Side { kLeft, kRight };

/// index: where each value first stands. inverse: values[inverse] is the input.
struct Unique {
  Tensor values, index, inverse, counts;
};
struct UniqueOut {
  MutableView values, index, inverse, counts;
};

struct OneHotOptions {
  Index axis = -1;  // where the new axis stands in the result
  std::optional<View> on = std::nullopt, off = std::nullopt;  // rank 0, one dtype; f32 1 and 0 when not given
  bool wrap_negative = false;  // -1 is the last place
};

struct CompressOptions {
  std::optional<Index> axis = std::nullopt;  // none: of all elements
  std::optional<Index> capacity = std::nullopt;  // that many places exactly: the first ones, then `fill`
  std::optional<View> fill = std::nullopt;  // rank 0, of the input's dtype; 0 when not given
};

struct BincountOptions {
  std::optional<View> weights = std::nullopt;  // of the input's shape; the result has its dtype
  Index min_length = 0;
};

enum class SegmentOp { kSum, kMean, kMin, kMax, kProd };

struct SegmentOptions {
  std::optional<Index> num_segments = std::nullopt;  // none: one more than the largest id
  bool sorted = false;  // checks that ids do not fall (IX8)
  OutOfRange out_of_range = OutOfRange::kTrap;  // kDrop leaves rows with other ids out
};

enum class BagMode { kSum, kMean, kMax };

struct BagOptions {
  BagMode mode = BagMode::kMean;
  std::optional<View> offsets = std::nullopt;  // where each bag of a vector of indices begins; none: a bag a row
  std::optional<View> weights = std::nullopt;  // one per index, for sums
  std::optional<Index> padding = std::nullopt;  // an index that is left out, and not counted
  bool last_offset_is_end = false;
};

namespace index {

Result<Tensor> argmax(const View& input, const ArgOptions& options = {}, const RunOptions& run = {});
Status argmax_into(const View& input, const MutableView& out, const ArgOptions& options = {},
                   const RunOptions& run = {});
Result<Tensor> argmin(const View& input, const ArgOptions& options = {}, const RunOptions& run = {});
Status argmin_into(const View& input, const MutableView& out, const ArgOptions& options = {},
                   const RunOptions& run = {});

Result<Tensor> nonzero(const View& input, const NonzeroOptions& options = {}, const RunOptions& run = {});
Result<Index> nonzero_into(const View& input, const MutableView& out, const NonzeroOptions& options = {},
                           const RunOptions& run = {});
Result<Tensor> flatnonzero(const View& input, const NonzeroOptions& options = {}, const RunOptions& run = {});
Result<Index> flatnonzero_into(const View& input, const MutableView& out, const NonzeroOptions& options = {},
                               const RunOptions& run = {});
Result<Tensor> count_nonzero(const View& input, const CountOptions& options = {}, const RunOptions& run = {});
Status count_nonzero_into(const View& input, const MutableView& out, const CountOptions& options = {},
                          const RunOptions& run = {});

Result<Tensor> sort(const View& input, const SortOptions& options = {}, const RunOptions& run = {});
Status sort_into(const View& input, const MutableView& out, const SortOptions& options = {},
                 const RunOptions& run = {});
Result<Tensor> argsort(const View& input, const SortOptions& options = {}, const RunOptions& run = {});
Status argsort_into(const View& input, const MutableView& out, const SortOptions& options = {},
                    const RunOptions& run = {});
Result<TopK> top_k(const View& input, Index k, const TopKOptions& options = {}, const RunOptions& run = {});
Status top_k_into(const View& input, Index k, const TopKOut& out, const TopKOptions& options = {},
                  const RunOptions& run = {});
Result<Tensor> searchsorted(const View& sequence, const View& values, Side side = Side::kLeft,
                            const RunOptions& run = {});
Status searchsorted_into(const View& sequence, const View& values, const MutableView& out, Side side = Side::kLeft,
                         const RunOptions& run = {});
Result<Tensor> bucketize(const View& values, const View& boundaries, Side side = Side::kLeft,
                         const RunOptions& run = {});
Status bucketize_into(const View& values, const View& boundaries, const MutableView& out, Side side = Side::kLeft,
                      const RunOptions& run = {});
Result<Unique> unique(const View& input, const RunOptions& run = {});
Result<Index> unique_into(const View& input, const UniqueOut& out, const RunOptions& run = {});
Result<Tensor> one_hot(const View& indices, Index depth, const OneHotOptions& options = {}, const RunOptions& run = {});
Status one_hot_into(const View& indices, Index depth, const MutableView& out, const OneHotOptions& options = {},
                    const RunOptions& run = {});
Result<Tensor> compress(const View& input, const View& condition, const CompressOptions& options = {},
                        const RunOptions& run = {});
Result<Index> compress_into(const View& input, const View& condition, const MutableView& out,
                            const CompressOptions& options = {}, const RunOptions& run = {});
Result<Tensor> masked_select(const View& input, const View& mask, const RunOptions& run = {});
Status masked_select_into(const View& input, const View& mask, const MutableView& out, const RunOptions& run = {});
Result<Tensor> masked_scatter(const View& input, const View& mask, const View& source, const RunOptions& run = {});
Status masked_scatter_into(const View& input, const View& mask, const View& source, const MutableView& out,
                           const RunOptions& run = {});
Result<Tensor> masked_fill(const View& input, const View& mask, const View& value, const RunOptions& run = {});
Status masked_fill_into(const View& input, const View& mask, const View& value, const MutableView& out,
                        const RunOptions& run = {});
Result<Tensor> where(const View& cond, const View& a, const View& b, const RunOptions& run = {});
Status where_into(const View& cond, const View& a, const View& b, const MutableView& out, const RunOptions& run = {});
Result<Tensor> bincount(const View& input, const BincountOptions& options = {}, const RunOptions& run = {});
Status bincount_into(const View& input, const MutableView& out, const BincountOptions& options = {},
                     const RunOptions& run = {});
Result<Tensor> histogram(const View& values, const View& edges, const RunOptions& run = {});
Status histogram_into(const View& values, const View& edges, const MutableView& out, const RunOptions& run = {});
Result<Tensor> segment(SegmentOp op, const View& data, const View& ids, const SegmentOptions& options = {},
                       const RunOptions& run = {});
Status segment_into(SegmentOp op, const View& data, const View& ids, const MutableView& out,
                    const SegmentOptions& options = {}, const RunOptions& run = {});
Result<Tensor> embedding_bag(const View& table, const View& indices, const BagOptions& options = {},
                             const RunOptions& run = {});
Status embedding_bag_into(const View& table, const View& indices, const MutableView& out,
                          const BagOptions& options = {}, const RunOptions& run = {});
Result<Tensor> ravel_multi_index(const View& coordinates, const Axes& shape, Layout layout = Layout::kRows,
                                 const RunOptions& run = {});
Status ravel_multi_index_into(const View& coordinates, const Axes& shape, const MutableView& out,
                              Layout layout = Layout::kRows, const RunOptions& run = {});
Result<Tensor> unravel_index(const View& positions, const Axes& shape, Layout layout = Layout::kRows,
                             const RunOptions& run = {});
Status unravel_index_into(const View& positions, const Axes& shape, const MutableView& out,
                          Layout layout = Layout::kRows, const RunOptions& run = {});

}  // namespace index

/// Where the largest (smallest) element stands: i64, without the axis or with extent 1 there.
///   argmax(tensor({{1, 9, 9}, {5, 4, 5}}), {.axis = 1})  ->  [1 0]
/// Rules IX1 axis, IX4 nothing to choose from.
inline Tensor argmax(const View& input, const ArgOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::argmax(input, options, run));
}
inline void argmax_into(const View& input, const MutableView& out, const ArgOptions& options = {},
                        const RunOptions& run = {}) {
  value_or_throw(index::argmax_into(input, out, options, run));
}
inline Tensor argmin(const View& input, const ArgOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::argmin(input, options, run));
}
inline void argmin_into(const View& input, const MutableView& out, const ArgOptions& options = {},
                        const RunOptions& run = {}) {
  value_or_throw(index::argmin_into(input, out, options, run));
}

/// The positions of all elements that are not zero (NaN is not), in row-major order.
///   nonzero(tensor({{5, 0}, {0, 7}}))  ->  [[0 0] [1 1]]
/// The capacity of nonzero_into is the extent of `out`; it returns how many there are, which may be more (on a
/// device -1, unless it waits). Rule IX6.
inline Tensor nonzero(const View& input, const NonzeroOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::nonzero(input, options, run));
}
inline Index nonzero_into(const View& input, const MutableView& out, const NonzeroOptions& options = {},
                          const RunOptions& run = {}) {
  return value_or_throw(index::nonzero_into(input, out, options, run));
}
/// The same positions counted through all axes.
inline Tensor flatnonzero(const View& input, const NonzeroOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::flatnonzero(input, options, run));
}
inline Index flatnonzero_into(const View& input, const MutableView& out, const NonzeroOptions& options = {},
                              const RunOptions& run = {}) {
  return value_or_throw(index::flatnonzero_into(input, out, options, run));
}
/// How many there are: i64, of rank 0 or one per lane along the axis.
inline Tensor count_nonzero(const View& input, const CountOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::count_nonzero(input, options, run));
}
inline void count_nonzero_into(const View& input, const MutableView& out, const CountOptions& options = {},
                               const RunOptions& run = {}) {
  value_or_throw(index::count_nonzero_into(input, out, options, run));
}

/// The elements of each lane along an axis in order; equal ones keep theirs. Rule IX1.
///   sort(tensor({3, 1, 2}))  ->  [1 2 3]
inline Tensor sort(const View& input, const SortOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::sort(input, options, run));
}
inline void sort_into(const View& input, const MutableView& out, const SortOptions& options = {},
                      const RunOptions& run = {}) {
  value_or_throw(index::sort_into(input, out, options, run));
}
/// Where they stood: i64.
///   argsort(tensor({3, 1, 2}))  ->  [1 2 0]
inline Tensor argsort(const View& input, const SortOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::argsort(input, options, run));
}
inline void argsort_into(const View& input, const MutableView& out, const SortOptions& options = {},
                         const RunOptions& run = {}) {
  value_or_throw(index::argsort_into(input, out, options, run));
}
/// The k largest (smallest) elements of each lane and where they stand; of equal ones the first come first.
///   top_k(tensor({5, 9, 9, 1}), 2)  ->  values [9 9], indices [1 2]
/// Rules IX1 axis, IX6 k.
inline TopK top_k(const View& input, Index k, const TopKOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::top_k(input, k, options, run));
}
inline void top_k_into(const View& input, Index k, const TopKOut& out, const TopKOptions& options = {},
                       const RunOptions& run = {}) {
  value_or_throw(index::top_k_into(input, k, out, options, run));
}
/// Where each value would go in a sorted vector of its dtype so that it stays sorted: i64, the shape of values.
///   searchsorted(tensor({1, 3, 5}), tensor({3, 4}))  ->  [1 2]
/// Rules IX3 dtype, IX5 rank.
inline Tensor searchsorted(const View& sequence, const View& values, Side side = Side::kLeft,
                           const RunOptions& run = {}) {
  return value_or_throw(index::searchsorted(sequence, values, side, run));
}
inline void searchsorted_into(const View& sequence, const View& values, const MutableView& out, Side side = Side::kLeft,
                              const RunOptions& run = {}) {
  value_or_throw(index::searchsorted_into(sequence, values, out, side, run));
}
/// The same with its arguments the other way round.
inline Tensor bucketize(const View& values, const View& boundaries, Side side = Side::kLeft,
                        const RunOptions& run = {}) {
  return value_or_throw(index::bucketize(values, boundaries, side, run));
}
inline void bucketize_into(const View& values, const View& boundaries, const MutableView& out, Side side = Side::kLeft,
                           const RunOptions& run = {}) {
  value_or_throw(index::bucketize_into(values, boundaries, out, side, run));
}
/// Each value once, in order, through all axes; NaN is one value. unique_into takes as many as `out` has room for, puts
/// 0 behind them, and returns how many there are.
///   unique(tensor({3, 1, 3}))  ->  values [1 3], index [1 0], inverse [1 0 1], counts [1 2]
inline Unique unique(const View& input, const RunOptions& run = {}) {
  return value_or_throw(index::unique(input, run));
}
inline Index unique_into(const View& input, const UniqueOut& out, const RunOptions& run = {}) {
  return value_or_throw(index::unique_into(input, out, run));
}
/// A new axis of extent `depth`, `on` at the index and `off` elsewhere; an index out of range is off everywhere.
///   one_hot(tensor({1, 0}), 3)  ->  [[0 1 0] [1 0 0]]
/// Rules IX1 axis, IX3 dtype, IX5 rank, IX6 depth.
inline Tensor one_hot(const View& indices, Index depth, const OneHotOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::one_hot(indices, depth, options, run));
}
inline void one_hot_into(const View& indices, Index depth, const MutableView& out, const OneHotOptions& options = {},
                         const RunOptions& run = {}) {
  value_or_throw(index::one_hot_into(indices, depth, out, options, run));
}
/// The places along an axis where the condition, a vector no longer than the axis, is not zero. The capacity of
/// compress_into is the extent of `out`; it returns how many there are, which may be more.
///   compress(tensor({{1, 2, 3}, {4, 5, 6}}), tensor({true, false, true}), {.axis = 1})  ->  [[1 3] [4 6]]
/// Rules IX1 axis, IX3 dtype of the fill, IX5 condition, IX6 capacity.
inline Tensor compress(const View& input, const View& condition, const CompressOptions& options = {},
                       const RunOptions& run = {}) {
  return value_or_throw(index::compress(input, condition, options, run));
}
inline Index compress_into(const View& input, const View& condition, const MutableView& out,
                           const CompressOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::compress_into(input, condition, out, options, run));
}
/// The elements where the mask is true, in row-major order, as a vector; the two broadcast together.
/// Rules IX3 dtype, IX5 shapes.
inline Tensor masked_select(const View& input, const View& mask, const RunOptions& run = {}) {
  return value_or_throw(index::masked_select(input, mask, run));
}
inline void masked_select_into(const View& input, const View& mask, const MutableView& out,
                               const RunOptions& run = {}) {
  value_or_throw(index::masked_select_into(input, mask, out, run));
}
/// A copy of input; where the mask, broadcast to it, is true stand the elements of source, one after another.
/// Rules IX3 dtype, IX5 shapes, or too few elements.
inline Tensor masked_scatter(const View& input, const View& mask, const View& source, const RunOptions& run = {}) {
  return value_or_throw(index::masked_scatter(input, mask, source, run));
}
inline void masked_scatter_into(const View& input, const View& mask, const View& source, const MutableView& out,
                                const RunOptions& run = {}) {
  value_or_throw(index::masked_scatter_into(input, mask, source, out, run));
}
/// A copy of input with `value` (broadcast to it) where the mask is true.
inline Tensor masked_fill(const View& input, const View& mask, const View& value, const RunOptions& run = {}) {
  return value_or_throw(index::masked_fill(input, mask, value, run));
}
inline void masked_fill_into(const View& input, const View& mask, const View& value, const MutableView& out,
                             const RunOptions& run = {}) {
  value_or_throw(index::masked_fill_into(input, mask, value, out, run));
}
/// a where cond is true, b elsewhere; the three broadcast together. Rules IX3 dtypes, IX5 shapes.
inline Tensor where(const View& cond, const View& a, const View& b, const RunOptions& run = {}) {
  return value_or_throw(index::where(cond, a, b, run));
}
inline void where_into(const View& cond, const View& a, const View& b, const MutableView& out,
                       const RunOptions& run = {}) {
  value_or_throw(index::where_into(cond, a, b, out, run));
}
/// How often each number from 0 on occurs: i64, or the sums of the weights.
///   bincount(tensor({1, 1, 3}))  ->  [0 2 0 1]
/// Rules IX3 dtype, IX5 shape of the weights, IX6 length, IX7 a negative number.
inline Tensor bincount(const View& input, const BincountOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(index::bincount(input, options, run));
}
inline void bincount_into(const View& input, const MutableView& out, const BincountOptions& options = {},
                          const RunOptions& run = {}) {
  value_or_throw(index::bincount_into(input, out, options, run));
}
/// How many values lie in each bin [edges[i], edges[i + 1]); the last bin has both edges, NaN is in none. i64.
/// Rules IX3 dtype, IX5 edges.
inline Tensor histogram(const View& values, const View& edges, const RunOptions& run = {}) {
  return value_or_throw(index::histogram(values, edges, run));
}
inline void histogram_into(const View& values, const View& edges, const MutableView& out, const RunOptions& run = {}) {
  value_or_throw(index::histogram_into(values, edges, out, run));
}
/// Rows with one id combined: [number of segments] + the axes behind those of ids. A segment without rows holds 0, for
/// kProd 1, for kMin and kMax the largest and smallest value there is.
///   segment_sum(tensor({1, 2, 4}), tensor({0, 0, 2}))  ->  [3 0 4]
/// Rules IX3 dtypes, IX5 shape of ids, IX6 number, IX7 id, IX8 ids that are not sorted.
inline Tensor segment(SegmentOp op, const View& data, const View& ids, const SegmentOptions& options = {},
                      const RunOptions& run = {}) {
  return value_or_throw(index::segment(op, data, ids, options, run));
}
inline void segment_into(SegmentOp op, const View& data, const View& ids, const MutableView& out,
                         const SegmentOptions& options = {}, const RunOptions& run = {}) {
  value_or_throw(index::segment_into(op, data, ids, out, options, run));
}
inline Tensor segment_sum(const View& data, const View& ids, const SegmentOptions& options = {},
                          const RunOptions& run = {}) {
  return segment(SegmentOp::kSum, data, ids, options, run);
}
inline Tensor segment_mean(const View& data, const View& ids, const SegmentOptions& options = {},
                           const RunOptions& run = {}) {
  return segment(SegmentOp::kMean, data, ids, options, run);
}
inline Tensor segment_min(const View& data, const View& ids, const SegmentOptions& options = {},
                          const RunOptions& run = {}) {
  return segment(SegmentOp::kMin, data, ids, options, run);
}
inline Tensor segment_max(const View& data, const View& ids, const SegmentOptions& options = {},
                          const RunOptions& run = {}) {
  return segment(SegmentOp::kMax, data, ids, options, run);
}
inline Tensor segment_prod(const View& data, const View& ids, const SegmentOptions& options = {},
                           const RunOptions& run = {}) {
  return segment(SegmentOp::kProd, data, ids, options, run);
}
/// The rows of a table that each bag of indices names, combined into one row: [bags, columns]; 0 for an empty bag.
/// Rules IX3 dtype, IX5 shapes, IX6 weights with another mode, IX7 index, IX8 offsets.
inline Tensor embedding_bag(const View& table, const View& indices, const BagOptions& options = {},
                            const RunOptions& run = {}) {
  return value_or_throw(index::embedding_bag(table, indices, options, run));
}
inline void embedding_bag_into(const View& table, const View& indices, const MutableView& out,
                               const BagOptions& options = {}, const RunOptions& run = {}) {
  value_or_throw(index::embedding_bag_into(table, indices, out, options, run));
}
/// Coordinates, (n, rank) or (rank, n), to flat positions. Rules IX3 dtype, IX5 shape, IX6 extents, IX7 coordinate.
inline Tensor ravel_multi_index(const View& coordinates, const Axes& shape, Layout layout = Layout::kRows,
                                const RunOptions& run = {}) {
  return value_or_throw(index::ravel_multi_index(coordinates, shape, layout, run));
}
inline void ravel_multi_index_into(const View& coordinates, const Axes& shape, const MutableView& out,
                                   Layout layout = Layout::kRows, const RunOptions& run = {}) {
  value_or_throw(index::ravel_multi_index_into(coordinates, shape, out, layout, run));
}
/// Flat positions, of any shape, to coordinates. Rules IX3 dtype, IX6 extents, IX7 position.
inline Tensor unravel_index(const View& positions, const Axes& shape, Layout layout = Layout::kRows,
                            const RunOptions& run = {}) {
  return value_or_throw(index::unravel_index(positions, shape, layout, run));
}
inline void unravel_index_into(const View& positions, const Axes& shape, const MutableView& out,
                               Layout layout = Layout::kRows, const RunOptions& run = {}) {
  value_or_throw(index::unravel_index_into(positions, shape, out, layout, run));
}

}  // namespace garner
