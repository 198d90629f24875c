// From the tree of a value to the value.
#pragma once
#include "call/call.h"
#include "call/tree.h"

namespace garner {

Result<Value> value_of(const Node& node, const Environment& names);

}  // namespace garner
