// The true places of a mask as index tensors.
#pragma once
#include "dialect/torch/common.h"

namespace garner::torch {

/// One i64 vector per axis of the mask, all of one length; their memory goes into `kept`.
struct Positions {
  Index count = 0;
  std::vector<View> axes;
};
Result<Positions> true_positions(const View& mask, std::vector<Tensor>& kept);

}  // namespace garner::torch
