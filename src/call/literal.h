// From the tree of a value to the value.
#pragma once
#include "call/call.h"
#include "call/tree.h"

namespace garner {

/// Files that it names are read into memory, or kept by `files`.
Result<Value> value_of(const Node& node, const Environment& names, Files* files = nullptr);

}  // namespace garner
