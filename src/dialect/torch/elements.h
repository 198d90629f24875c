// One index per element along one dim: gather and the scatters.
#pragma once
#include "dialect/torch/common.h"

namespace garner::torch {

/// TO5, TO6: index has the rank of self and is no longer off dim. Both lifted.
Status check_index_shape(const char* op, const View& self, const View& index, Index dim);

/// self[d with d[dim] replaced by index[d]]; `rank` axes, of which an index of rank 0 leaves only dim.
void address_elements(JobBuilder& job, const View& self, const View& index, Index dim);

/// A scatter of src[d], lowered with every check but those on dtypes of numbers. TO1–TO8 without TO4.
struct ElementScatter {
  const char* op;
  Combine combine = Combine::kAssign;
};
Result<Job> lower_elements(const ElementScatter& call, const View& self, Index dim, const View& index, const View& src);

}  // namespace garner::torch
