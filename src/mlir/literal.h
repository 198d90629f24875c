// The inside of dense<…> as a tensor.
#pragma once
#include "mlir/program.h"

namespace garner::mlir {

/// A tensor of the type, or of rank 0 where one number stands for all: nested rows, one number for all, nothing (no
/// elements), or "0x…": the bytes of the elements. Bits of a float may be written as 0x7FC00000. Rule M1 where the text
/// is none of these, or its shape or a number does not fit the type.
Result<Tensor> read_dense(std::string_view body, const TensorType& type, Place at);

/// One number as it stands in the text, or nothing where it does not fit.
std::optional<Index> read_integer(std::string_view text);
std::optional<double> read_real(std::string_view text);

}  // namespace garner::mlir
