// Arguments of a program on the command line: by position or by name, from files or as literals.
#pragma once
#include "garner/call.h"

namespace garner::cli {

/// What a program says of an argument.
struct Expected {
  std::string name;  // empty: it can be given by position only
  DType dtype = DType::kF32;
  bool optional = false;
};

/// What was given, in the order of `expected`; nothing where an optional one is left out. A value is what a call's
/// argument may be: @x.npy, f32[1, 2], and [1, 2] or 7, which take the dtype that is expected, as do files that do not
/// know theirs. By position, either all are given or all that are not optional. Rules A4 no value, R1 too many, too
/// few, or no such name.
Result<std::vector<std::optional<Value>>> read_arguments(const std::vector<std::string>& texts,
                                                         const std::vector<Expected>& expected, Files& files);

}  // namespace garner::cli
