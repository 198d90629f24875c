// ONNX's schema as Debian compiles it (libonnx-dev). Messages of later releases are read as well: what they added has
// numbers of its own.
#pragma once
#define ONNX_ML 1  // as the library was built
#define ONNX_NAMESPACE onnx
#include <onnx/onnx_pb.h>

#include "dtype/onnx_types.h"
#include "garner/tensor.h"

namespace garner::model {

/// Rule OM4.
Result<DType> dtype_numbered(int number, const std::string& what);

/// Memory is asked for only when the message really holds so many elements. Rules OM4 dtype, OM5 shape and data, OM6
/// data in another file.
Result<Tensor> tensor_of(const ::onnx::TensorProto& message, const std::string& what);

}  // namespace garner::model
