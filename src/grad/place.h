// Where the result of an operation on tensors lies: where they do.
#pragma once
#include <initializer_list>

#include "garner/tensor.h"

namespace garner::grad::plain {

/// The device of the tensors that lie on one, or the CPU.
Device place_of(std::initializer_list<View> tensors);

/// Uninitialised, in the order of the thread's default stream.
Result<Tensor> empty_at(Device device, DType dtype, const Axes& shape);
Result<Tensor> zeros_at(Device device, DType dtype, const Axes& shape);

/// The tensor on the device: itself, or a single number taken along from the CPU's memory. Rule P23.
Result<Tensor> brought(const std::string& op, const Tensor& tensor, Device device);

/// The view as a row-major tensor on the device: from there, or a single number of the CPU's, repeated. Rule P23.
Result<Tensor> packed_at(const std::string& op, const View& view, Device device);

/// The tensor in the CPU's memory: itself, or fetched, which waits for the thread's default stream.
Result<Tensor> fetched(const Tensor& tensor);

/// Every value converted (tensor/cast.h). On a device: from bool and i64 to anything, and from integers to i64.
Result<Tensor> converted(const Tensor& tensor, DType to);

}  // namespace garner::grad::plain
