// PyTorch. Unsigned 16 to 64 bits and the 8-bit floats have few kernels, so their bits are moved as signed integers.
#include "translate/python.h"

namespace garner::translate_detail {
namespace {

DType moved_as(DType t) {
  if (is_float8(t)) return DType::kU8;
  if (kind(t) != Kind::kUInt || width(t) == 1) return t;
  return width(t) == 2 ? DType::kI16 : width(t) == 4 ? DType::kI32 : DType::kI64;
}

}  // namespace

const Words& torch_words() {
  static const Words kWords{
      .target = {.name = "torch", .has = has_all, .moved_as = moved_as, .combines = is_arithmetic, .small_sums = false},
      .imports = "import torch",
      .prefix = "torch.",
      .number = "{values}",
      .array = "torch.tensor({values}, dtype={dtype}).reshape({shape})",
      .spelling = {{Op::kIota, "torch.arange({number})"},
                   {Op::kReshape, "torch.reshape({0}, {shape})"},
                   {Op::kBroadcast, "torch.broadcast_to({0}, {shape})"},
                   {Op::kTranspose, "torch.permute({0}, ({axes}))"},
                   {Op::kSlice, "{0}[{slices}]"},
                   {Op::kConvert, "{0}.to({dtype})"},
                   {Op::kBitcast, "{0}.contiguous().view({dtype})"},
                   {Op::kAdd, "{0} + {1}"},
                   {Op::kMul, "{0} * {1}"},
                   {Op::kClamp, "torch.clamp({0}, {low}, {high})"},
                   {Op::kMod, "torch.remainder({0}, {number})"},
                   {Op::kLess, "{0} < {1}"},
                   {Op::kAnd, "{0} & {1}"},
                   {Op::kNot, "~{0}"},
                   {Op::kSelect, "torch.where({0}, {1}, {2})"},
                   {Op::kTake, "{0}[{1}]"},
                   {Op::kTakeAxis, "{0}[{colons}{1}]"},
                   {Op::kTakeElements, "torch.gather({0}, {number}, {1})"},
                   {Op::kConcat, "torch.cat([{0}, {1}])"},
                   {Op::kCheck, "    if not bool(torch.all({0})):\n        raise IndexError('{message}')\n"}},
      .scatter = {{Combine::kAssign, "{0}.index_put(({1},), {2})"},
                  {Combine::kAdd, "{0}.index_add(0, {1}, {2})"},
                  {Combine::kMul, "{0}.scatter_reduce(0, {1}, {2}, 'prod')"},
                  {Combine::kMin, "{0}.scatter_reduce(0, {1}, {2}, 'amin')"},
                  {Combine::kMax, "{0}.scatter_reduce(0, {1}, {2}, 'amax')"}}};
  return kWords;
}

}  // namespace garner::translate_detail
