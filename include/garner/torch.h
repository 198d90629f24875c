// PyTorch's gather, scatter and index functions, with PyTorch's names, defaults and checks. Rules TO1–TO41:
// docs/dialects/torch.md.
//
// A rank-0 tensor counts as a rank-1 tensor of one element. Where several writes meet in one place, the last one in
// row-major order stays. f_(self, …) works in place, on any strides; self is untouched when the call is refused.
// Every f throws; lower_f gives the plan instead.
#pragma once
#include <complex>
#include <variant>

#include "garner/index.h"

namespace garner::torch {

/// A Python number. It takes the dtype of the tensor it meets; rule TO4 where it does not fit.
using Scalar = std::variant<bool, Index, double, std::complex<double>>;

/// What scatter does with the value that is there.
enum class Write { kAssign, kAdd, kMultiply };
enum class Reduce { kSum, kProd, kMean, kAmax, kAmin };
struct Reduction {
  Reduce reduce = Reduce::kSum;
  bool include_self = true;  // false: what self holds where something arrives does not count
};

// ---- one index per element ----

/// result[d] = self[d with d[dim] replaced by index[d]]; index may be shorter than self off dim.
/// Throws IndexError (TO1 dim, TO8 value), ArgumentError (TO2 dtype, TO5 rank, TO6 extent).
Tensor gather(const View& self, Index dim, const View& index, const RunOptions& run = {});
Result<Job> lower_gather(const View& self, Index dim, const View& index);

/// The same with self and indices broadcast off dim; an index counts modulo the extent. Without dim: from all elements
/// in order, one for each of indices, negatives refused. Rules TO1, TO2, TO5, TO8, TO19, TO20.
Tensor take_along_dim(const View& self, const View& indices, std::optional<Index> dim = std::nullopt,
                      const RunOptions& run = {});
Result<Job> lower_take_along_dim(const View& self, const View& indices, std::optional<Index> dim = std::nullopt);

/// result = self; result[d with d[dim] replaced by index[d]] = src[d] (or += or *=). Rules TO1–TO8.
Tensor scatter(const View& self, Index dim, const View& index, const View& src, Write write = Write::kAssign,
               const RunOptions& run = {});
Tensor scatter(const View& self, Index dim, const View& index, const Scalar& value, Write write = Write::kAssign,
               const RunOptions& run = {});
void scatter_(const MutableView& self, Index dim, const View& index, const View& src, Write write = Write::kAssign,
              const RunOptions& run = {});
void scatter_(const MutableView& self, Index dim, const View& index, const Scalar& value, Write write = Write::kAssign,
              const RunOptions& run = {});
Result<Job> lower_scatter(const View& self, Index dim, const View& index, const View& src,
                          Write write = Write::kAssign);
Result<Job> lower_scatter(const View& self, Index dim, const View& index, const Scalar& value,
                          Write write = Write::kAssign);

Tensor scatter_add(const View& self, Index dim, const View& index, const View& src, const RunOptions& run = {});
void scatter_add_(const MutableView& self, Index dim, const View& index, const View& src, const RunOptions& run = {});
Result<Job> lower_scatter_add(const View& self, Index dim, const View& index, const View& src);

/// Integer means round towards minus infinity. Rules TO1–TO8, TO27 (mean of bool, amax and amin of complex). The plan
/// is one only for a reduction that includes self and is no mean (A5).
Tensor scatter_reduce(const View& self, Index dim, const View& index, const View& src, const Reduction& reduction,
                      const RunOptions& run = {});
void scatter_reduce_(const MutableView& self, Index dim, const View& index, const View& src, const Reduction& reduction,
                     const RunOptions& run = {});
Result<Job> lower_scatter_reduce(const View& self, Index dim, const View& index, const View& src,
                                 const Reduction& reduction);

// ---- one index per slice ----

/// Slices of self along dim, in the order of a vector of indices. Rules TO1, TO2, TO8, TO10, TO12.
Tensor index_select(const View& self, Index dim, const View& index, const RunOptions& run = {});
Result<Job> lower_index_select(const View& self, Index dim, const View& index);

/// Slice index[i] of self gets alpha * slice i of source added. Rules TO1–TO4, TO8, TO10, TO11.
Tensor index_add(const View& self, Index dim, const View& index, const View& source, const Scalar& alpha = Index{1},
                 const RunOptions& run = {});
void index_add_(const MutableView& self, Index dim, const View& index, const View& source,
                const Scalar& alpha = Index{1}, const RunOptions& run = {});
Result<Job> lower_index_add(const View& self, Index dim, const View& index, const View& source,
                            const Scalar& alpha = Index{1});

/// Slice index[i] of self becomes slice i of source. Rules TO1–TO3, TO8, TO10, TO11.
Tensor index_copy(const View& self, Index dim, const View& index, const View& source, const RunOptions& run = {});
void index_copy_(const MutableView& self, Index dim, const View& index, const View& source, const RunOptions& run = {});
Result<Job> lower_index_copy(const View& self, Index dim, const View& index, const View& source);

/// The slices of self along dim become one value; a negative index counts from the end. Rules TO1, TO2, TO4, TO8, TO10.
Tensor index_fill(const View& self, Index dim, const View& index, const Scalar& value, const RunOptions& run = {});
void index_fill_(const MutableView& self, Index dim, const View& index, const Scalar& value,
                 const RunOptions& run = {});
Result<Job> lower_index_fill(const View& self, Index dim, const View& index, const Scalar& value);

/// As scatter_reduce, slice by slice; there is no sum. Rules TO1–TO3, TO8–TO11, TO27.
Tensor index_reduce(const View& self, Index dim, const View& index, const View& source, const Reduction& reduction,
                    const RunOptions& run = {});
void index_reduce_(const MutableView& self, Index dim, const View& index, const View& source,
                   const Reduction& reduction, const RunOptions& run = {});
Result<Job> lower_index_reduce(const View& self, Index dim, const View& index, const View& source,
                               const Reduction& reduction);

/// Rows of weight. padding_idx is checked and else without meaning: it concerns the gradient. Rules TO2, TO8, TO24,
/// TO25.
Tensor embedding(const View& input, const View& weight, std::optional<Index> padding_idx = std::nullopt,
                 const RunOptions& run = {});
Result<Job> lower_embedding(const View& input, const View& weight, std::optional<Index> padding_idx = std::nullopt);

/// The sum, mean or maximum of the rows of each bag; 0 for an empty one. A matrix of indices has a bag per row.
/// options.weights are torch's per_sample_weights, last_offset_is_end its include_last_offset; rows of index
/// options.padding do not count. Rules TO2, TO8, TO24, TO25, TO30–TO35.
Tensor embedding_bag(const View& input, const View& weight, const BagOptions& options = {}, const RunOptions& run = {});

// ---- from and to all elements ----

/// self as one row-major list; a negative index counts from the end. Rules TO2, TO8.
Tensor take(const View& self, const View& index, const RunOptions& run = {});
Result<Job> lower_take(const View& self, const View& index);

/// The other way: place index[i] of the list becomes (or gets added) source[i]. Rules TO2, TO3, TO8, TO13.
Tensor put(const View& self, const View& index, const View& source, bool accumulate = false,
           const RunOptions& run = {});
void put_(const MutableView& self, const View& index, const View& source, bool accumulate = false,
          const RunOptions& run = {});
Result<Job> lower_put(const View& self, const View& index, const View& source, bool accumulate = false);

/// self[i0, i1, …] = values (or +=): index tensors that broadcast, masks, and nullopt for ":". Negatives count from the
/// end. Rules TO2, TO3, TO8, TO14–TO18.
using IndexList = std::vector<std::optional<View>>;
Tensor index_put(const View& self, const IndexList& indices, const View& values, bool accumulate = false,
                 const RunOptions& run = {});
void index_put_(const MutableView& self, const IndexList& indices, const View& values, bool accumulate = false,
                const RunOptions& run = {});
Result<Job> lower_index_put(const View& self, const IndexList& indices, const View& values, bool accumulate = false);

// ---- masks ----

/// value where mask is true; self and mask broadcast. Rules TO4, TO21, TO22.
Tensor masked_fill(const View& self, const View& mask, const Scalar& value, const RunOptions& run = {});
void masked_fill_(const MutableView& self, const View& mask, const Scalar& value, const RunOptions& run = {});
Result<Job> lower_masked_fill(const View& self, const View& mask, const Scalar& value);

/// The elements where mask is true, as a vector. Rules TO21, TO22.
Tensor masked_select(const View& self, const View& mask, const RunOptions& run = {});
Result<Job> lower_masked_select(const View& self, const View& mask);

/// Where mask is true, the elements of source in order. Rules TO3, TO21–TO23.
Tensor masked_scatter(const View& self, const View& mask, const View& source, const RunOptions& run = {});
void masked_scatter_(const MutableView& self, const View& mask, const View& source, const RunOptions& run = {});
Result<Job> lower_masked_scatter(const View& self, const View& mask, const View& source);

// ---- functions that return indices ----

/// (n, rank) positions of what is not zero; as_tuple gives one vector per axis.
Tensor nonzero(const View& self, const RunOptions& run = {});
std::vector<Tensor> nonzero_as_tuple(const View& self, const RunOptions& run = {});

/// The first largest (smallest) element, NaN before all numbers. Rules TO1, TO28, TO36.
Tensor argmax(const View& self, std::optional<Index> dim = std::nullopt, bool keepdim = false,
              const RunOptions& run = {});
Tensor argmin(const View& self, std::optional<Index> dim = std::nullopt, bool keepdim = false,
              const RunOptions& run = {});

/// The k largest (smallest) along an axis, largest first, equal ones by position. Rules TO1, TO28, TO37.
TopK topk(const View& self, Index k, const TopKOptions& options = {}, const RunOptions& run = {});

struct SearchOptions {
  bool right = false;  // behind equal elements
  std::optional<View> sorter = std::nullopt;  // the order in which the sequence is sorted
  bool out_int32 = false;
};
/// Where each value goes in a sorted sequence, or in the sequence with the same leading position. Different dtypes meet
/// in i64 or f64. Rules TO2, TO8, TO38–TO41.
Tensor searchsorted(const View& sorted_sequence, const View& values, const SearchOptions& options = {},
                    const RunOptions& run = {});

}  // namespace garner::torch
