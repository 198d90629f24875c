// Softmax along lanes on a device, on the thread's default stream. Added up in double in the order of the lane, as on
// the CPU; exponentials and logarithms are the device's, so that the last bit may differ.
#pragma once
#include "garner/tensor.h"

namespace garner::grad::plain::on_device {

/// `count` elements, `inner` apart; there are outer * inner lanes.
struct LaneShape {
  Index outer, count, inner;
};
enum class LaneFunction { kSoftmax, kLogSoftmax };
Status softmax(LaneFunction function, const Tensor& a, const LaneShape& lanes, const MutableView& out);

/// The mean over rows of log(sum exp(row)) - row[target]. target: i64, all inside.
Status cross_entropy(const Tensor& logits, const Tensor& target, const MutableView& out);

/// 1 at the rows' targets; out holds zeros.
Status mark_targets(const Tensor& target, const MutableView& out);

}  // namespace garner::grad::plain::on_device
