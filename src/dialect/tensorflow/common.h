// What the operations share: their checks, the word for bad indices, and how tuples address a tensor.
#pragma once
#include "dialect/onnx/address.h"
#include "dialect/op.h"
#include "garner/tensorflow.h"

namespace garner::tensorflow {

struct Typed {
  const char* name;
  DType dtype;
};
/// Rule TF4.
Status check_dtype(const char* op, const Typed& input, std::initializer_list<DType> allowed);
Status check_same_dtype(const char* op, const Typed& input, DType allowed);
/// Rule TF4. No operation that writes has 8-bit floats in the source; some have no bool, some no complex numbers.
enum class Numbers { kReal, kComplexToo, kBoolToo };
Status check_number(const char* op, DType dtype, Numbers numbers);
/// Rule TF1.
Status check_rank(const char* op, const char* name, const View& input, Index least);
/// Rule TF3: the first `batch` extents are equal.
Status check_batch_extents(const char* op, const View& params, const View& indices, Index batch);
/// Rule TF6.
Status check_tuples(const char* op, const View& indices, Index least, Index most);

/// Rule TF8.
Result<BadIndices> bad_indices_named(const std::string& op, const std::string& word);
/// `ignored` is what an ignored index means: fill for reads, drop for writes.
Reading reading(BadIndices policy, OutOfRange ignored);

}  // namespace garner::tensorflow
