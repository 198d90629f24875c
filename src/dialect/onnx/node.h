// What the operators share: which opset they are read under, and the checks every one of them makes.
#pragma once
#include "dialect/onnx/address.h"
#include "dialect/op.h"
#include "garner/onnx.h"

namespace garner::onnx {

/// The operator a message speaks of, and the opset that says what it means.
struct Node {
  const char* op;  // "onnx.Gather"
  Index opset;
};

/// Rule OX1. `last` is given for what ONNX has dropped again.
Status check_opset(const Node& node, Index first, Index last = kNewestOpset);
/// Rule OX5: an attribute has a value that came with a later opset.
Status check_since(const Node& node, Index since, const char* attribute, const std::string& value);

/// A set of dtypes, one bit each.
using DTypes = std::uint32_t;
constexpr DTypes bit(DType dtype) { return DTypes{1} << static_cast<unsigned>(dtype); }
constexpr DTypes dtypes_of(Kind kind_wanted) {
  DTypes set = 0;
  for (const DTypeInfo& d : kDTypes)
    if (d.kind == kind_wanted) set |= bit(d.dtype);
  return set;
}
inline constexpr DTypes kIndices = bit(DType::kI32) | bit(DType::kI64);
inline constexpr DTypes kFloats = bit(DType::kF16) | bit(DType::kF32) | bit(DType::kF64);
inline constexpr DTypes kReals = dtypes_of(Kind::kInt) | dtypes_of(Kind::kUInt) | kFloats;
inline constexpr DTypes kAny = kReals | bit(DType::kBool) | dtypes_of(Kind::kComplex);

/// `set`, and bf16 from opset `since` on.
inline DTypes with_bf16(DTypes set, const Node& node, Index since) {
  return node.opset >= since ? set | bit(DType::kBF16) : set;
}

/// Rule OX4.
struct Typed {
  const char* name;
  DType dtype;
};
Status check_dtype(const Node& node, const Typed& input, DTypes allowed);
/// Rule OX3.
Status check_rank(const Node& node, const char* name, const View& input, Index least);
Status check_rank_is(const Node& node, const char* name, const View& input, Index rank);
/// Rule OX2; a negative axis counts from the end. Where it does not, lowest is 0.
Result<Index> effective_axis(const Node& node, Index axis, Index lowest, Index rank);

/// How the operators here read an index: negative ones from the end (if the opset has that), an error outside.
Reading reading(bool wraps);

/// data and indices of GatherElements and the two element scatters: OX2, OX3, OX7. Gives the axis, counted from 0.
Result<Index> check_elements(const Node& node, const View& data, const View& indices, Index axis);
/// Rule OX8.
Status check_updates(const Node& node, const View& updates, const Axes& allowed);
/// Rules OX4 (a dtype without it) and OX5 (an opset without it).
Result<Combine> combine_of(const Node& node, Reduction reduction, DType dtype);
/// Rule OX11.
Result<Reduction> reduction_named(const std::string& op, const std::string& word);

/// The text form leaves the opset out for the newest one.
Index opset_of(Arguments& args, Index newest = kNewestOpset);

}  // namespace garner::onnx
