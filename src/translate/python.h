// Programs in Python: one page of spellings per library.
#pragma once
#include "translate/lower.h"

namespace garner::translate_detail {

/// How a library spells each operation. In a spelling, {0} {1} {2} are the operands, {shape} {dtype} {number} {low}
/// {high} {axes} {slices} what the node says, {colons} a full slice for every axis before axis `number`, {out} the name
/// of the result in a spelling that is a statement.
struct Words {
  Target target;
  const char* imports;
  const char* prefix;  // of dtypes: "np."
  const char* number;  // an i64 of rank 0 beside arrays, with {values}
  const char* array;  // a constant, with {values}
  std::vector<std::pair<Op, const char*>> spelling;
  std::vector<std::pair<Combine, const char*>> scatter;
};

/// A module with one function, call(inputs…).
std::string python_source(const Program& program, const Words& words, const std::string& op);

/// The elements of a constant as a Python list: "[1, 2]".
std::string python_list(const Tensor& value);
/// "(2, 3)", "(2,)", "()".
std::string python_tuple(const Axes& axes);
/// "float32", "bool": NumPy's names, which the others share.
std::string numpy_name(DType dtype);

const Words& numpy_words();
const Words& torch_words();
const Words& jax_words();
const Words& tensorflow_words();

}  // namespace garner::translate_detail
