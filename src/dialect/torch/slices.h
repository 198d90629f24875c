// One index per slice along one dim: index_select, index_add, index_copy, index_fill, index_reduce.
#pragma once
#include "dialect/torch/common.h"

namespace garner::torch {

/// TO10: rank 0 or 1.
Status check_vector(const char* op, const View& index);

/// self[…, index[d[dim]], …]. Both lifted, the domain has the rank of self.
void address_slices(JobBuilder& job, const View& self, const View& index, Index dim, const Bounds& bounds);

struct SliceScatter {
  const char* op;
  Combine combine = Combine::kAssign;
  IndexKind kind = IndexKind::kI32OrI64;
};
/// TO1–TO3, TO8, TO10, TO11: source has the shape of self, but on dim one slice per index.
Result<Job> lower_slices(const SliceScatter& call, const View& self, Index dim, const View& index, const View& source);

/// The arguments of index_add, index_copy and index_reduce.
struct SliceArguments {
  View input, index, source;
  Index dim;
};
SliceArguments slice_arguments(Arguments& a);

}  // namespace garner::torch
