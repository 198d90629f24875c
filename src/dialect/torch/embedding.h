// What embedding and embedding_bag share.
#pragma once
#include "dialect/torch/common.h"

namespace garner::torch {

Status check_weight(const char* op, const View& weight);                                        // TO24
Status check_padding(const char* op, const View& weight, std::optional<Index> padding);        // TO25
/// TO26: torch scales the rows of weight in place, which a read-only view does not allow.
Status refuse_max_norm(const Arguments& a);

/// A row of weight for every element of input.
Result<Job> lower_rows(const char* op, const View& input, const View& weight);

}  // namespace garner::torch
