// How ONNX numbers and names the dtypes (TensorProto.DataType). Those of later releases than the schema at hand are
// here as well. A dtype that is not here is one that ONNX does not have.
#pragma once
#include "garner/dtype.h"

namespace garner {

struct OnnxType {
  int number;
  const char* name;
  DType dtype;
};
inline constexpr OnnxType kOnnxTypes[] = {
    {1, "FLOAT", DType::kF32},
    {2, "UINT8", DType::kU8},
    {3, "INT8", DType::kI8},
    {4, "UINT16", DType::kU16},
    {5, "INT16", DType::kI16},
    {6, "INT32", DType::kI32},
    {7, "INT64", DType::kI64},
    {9, "BOOL", DType::kBool},
    {10, "FLOAT16", DType::kF16},
    {11, "DOUBLE", DType::kF64},
    {12, "UINT32", DType::kU32},
    {13, "UINT64", DType::kU64},
    {14, "COMPLEX64", DType::kC64},
    {15, "COMPLEX128", DType::kC128},
    {16, "BFLOAT16", DType::kBF16},
    {17, "FLOAT8E4M3FN", DType::kF8E4M3},
    {19, "FLOAT8E5M2", DType::kF8E5M2},
};

/// 0: ONNX has no such dtype.
constexpr int onnx_number(DType dtype) {
  for (const OnnxType& type : kOnnxTypes)
    if (type.dtype == dtype) return type.number;
  return 0;
}

}  // namespace garner
