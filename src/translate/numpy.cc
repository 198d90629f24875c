// NumPy. Repeated places of an assignment: "the last value remains", as its documentation says; ufunc.at goes in order.
#include "translate/python.h"

namespace garner::translate_detail {
namespace {

bool has(DType t) { return !is_float8(t) && t != DType::kBF16; }
bool combines(Combine c) { return is_arithmetic(c) || is_bitwise(c); }

}  // namespace

const Words& numpy_words() {
  static const Words kWords{
      .target = {.name = "numpy", .has = has, .moved_as = as_itself, .combines = combines, .in_order = true},
      .imports = "import numpy as np",
      .prefix = "np.",
      .number = "{values}",
      .array = "np.array({values}, dtype={dtype}).reshape({shape})",
      .spelling = {{Op::kIota, "np.arange({number}, dtype=np.int64)"},
                   {Op::kReshape, "np.reshape({0}, {shape})"},
                   {Op::kBroadcast, "np.broadcast_to({0}, {shape})"},
                   {Op::kTranspose, "np.transpose({0}, ({axes}))"},
                   {Op::kSlice, "{0}[{slices}]"},
                   {Op::kConvert, "np.asarray({0}).astype({dtype})"},
                   {Op::kBitcast, "{0}.view({dtype})"},
                   {Op::kAdd, "{0} + {1}"},
                   {Op::kMul, "{0} * {1}"},
                   {Op::kClamp, "np.clip({0}, {low}, {high})"},
                   {Op::kMod, "np.mod({0}, {number})"},
                   {Op::kLess, "{0} < {1}"},
                   {Op::kAnd, "{0} & {1}"},
                   {Op::kNot, "~{0}"},
                   {Op::kSelect, "np.where({0}, {1}, {2})"},
                   {Op::kTake, "{0}[{1}]"},
                   {Op::kTakeAxis, "np.take({0}, {1}, axis={number})"},
                   {Op::kTakeElements, "np.take_along_axis({0}, {1}, axis={number})"},
                   {Op::kConcat, "np.concatenate([{0}, {1}])"},
                   {Op::kCheck, "    if not np.all({0}):\n        raise IndexError('{message}')\n"}},
      .scatter = {{Combine::kAssign, "    {out} = np.array({0})\n    {out}[{1}] = {2}\n"},
                  {Combine::kAdd, "    {out} = np.array({0})\n    np.add.at({out}, {1}, {2})\n"},
                  {Combine::kMul, "    {out} = np.array({0})\n    np.multiply.at({out}, {1}, {2})\n"},
                  {Combine::kMin, "    {out} = np.array({0})\n    np.minimum.at({out}, {1}, {2})\n"},
                  {Combine::kMax, "    {out} = np.array({0})\n    np.maximum.at({out}, {1}, {2})\n"},
                  {Combine::kAnd, "    {out} = np.array({0})\n    np.bitwise_and.at({out}, {1}, {2})\n"},
                  {Combine::kOr, "    {out} = np.array({0})\n    np.bitwise_or.at({out}, {1}, {2})\n"},
                  {Combine::kXor, "    {out} = np.array({0})\n    np.bitwise_xor.at({out}, {1}, {2})\n"}}};
  return kWords;
}

}  // namespace garner::translate_detail
