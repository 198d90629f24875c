// TensorFlow. Sums of integers are taken in i64, for which every kernel exists.
#include "translate/python.h"

namespace garner::translate_detail {
namespace {

bool has(DType t) { return !is_float8(t); }

}  // namespace

const Words& tensorflow_words() {
  static const Words kWords{
      .target = {.name = "tensorflow",
                 .has = has,
                 .moved_as = as_itself,
                 .combines = is_arithmetic,
                 .small_sums = false,
                 .keeps_nan = false,
                 .take_elements = false},
      .imports = "import tensorflow as tf",
      .prefix = "tf.",
      .number = "tf.constant({values}, tf.int64)",
      .array = "tf.reshape(tf.constant({values}, dtype={dtype}), {shape})",
      .spelling = {{Op::kIota, "tf.range({number}, dtype=tf.int64)"},
                   {Op::kReshape, "tf.reshape({0}, {shape})"},
                   {Op::kBroadcast, "tf.broadcast_to({0}, {shape})"},
                   {Op::kTranspose, "tf.transpose({0}, ({axes}))"},
                   {Op::kSlice, "{0}[{slices}]"},
                   {Op::kConvert, "tf.cast({0}, {dtype})"},
                   {Op::kBitcast, "tf.bitcast({0}, {dtype})"},
                   {Op::kAdd, "{0} + {1}"},
                   {Op::kMul, "{0} * {1}"},
                   {Op::kClamp, "tf.clip_by_value({0}, {low}, {high})"},
                   {Op::kMod, "tf.math.floormod({0}, {number})"},
                   {Op::kLess, "{0} < {1}"},
                   {Op::kAnd, "{0} & {1}"},
                   {Op::kNot, "~{0}"},
                   {Op::kSelect, "tf.where({0}, {1}, {2})"},
                   {Op::kTake, "tf.gather({0}, {1})"},
                   {Op::kTakeAxis, "tf.gather({0}, {1}, axis={number})"},
                   {Op::kConcat, "tf.concat([{0}, {1}], axis=0)"},
                   {Op::kCheck, "    if not bool(tf.reduce_all({0})):\n        raise IndexError('{message}')\n"}},
      .scatter = {{Combine::kAssign, "tf.tensor_scatter_nd_update({0}, tf.expand_dims({1}, 1), {2})"},
                  {Combine::kAdd, "tf.tensor_scatter_nd_add({0}, tf.expand_dims({1}, 1), {2})"},
                  {Combine::kMul, "{0} * tf.math.unsorted_segment_prod({2}, {1}, {size})"},
                  {Combine::kMin, "tf.tensor_scatter_nd_min({0}, tf.expand_dims({1}, 1), {2})"},
                  {Combine::kMax, "tf.tensor_scatter_nd_max({0}, tf.expand_dims({1}, 1), {2})"}}};
  return kWords;
}

}  // namespace garner::translate_detail
