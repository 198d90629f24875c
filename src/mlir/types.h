// Types of the text as dtypes and shapes.
#pragma once
#include "mlir/tree.h"

namespace garner::mlir {

/// !name = tensor<…>: the nodes behind names of types.
using TypeNames = std::map<std::string, const Node*, std::less<>>;

/// Rule M3: no tensor type, an extent that is not known, or elements that are not offered.
Result<TensorType> read_type(const Node& node, const TypeNames& names);

/// Those of some_types, inputs, outputs, or a type_list.
Result<std::vector<TensorType>> read_types(const Node& node, const TypeNames& names);

}  // namespace garner::mlir
