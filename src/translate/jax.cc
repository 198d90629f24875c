// JAX, with 64-bit types switched on. The checks look at values, so they must be left out under jit.
#include "translate/python.h"

namespace garner::translate_detail {

const Words& jax_words() {
  static const Words kWords{
      .target = {.name = "jax", .has = has_all, .moved_as = as_itself, .combines = is_arithmetic},
      .imports = "import jax\nimport jax.numpy as jnp\n\njax.config.update('jax_enable_x64', True)",
      .prefix = "jnp.",
      .number = "{values}",
      .array = "jnp.array({values}, dtype={dtype}).reshape({shape})",
      .spelling = {{Op::kIota, "jnp.arange({number}, dtype=jnp.int64)"},
                   {Op::kReshape, "jnp.reshape({0}, {shape})"},
                   {Op::kBroadcast, "jnp.broadcast_to({0}, {shape})"},
                   {Op::kTranspose, "jnp.transpose({0}, ({axes}))"},
                   {Op::kSlice, "{0}[{slices}]"},
                   {Op::kConvert, "jnp.asarray({0}).astype({dtype})"},
                   {Op::kBitcast, "jax.lax.bitcast_convert_type({0}, {dtype})"},
                   {Op::kAdd, "{0} + {1}"},
                   {Op::kMul, "{0} * {1}"},
                   {Op::kClamp, "jnp.clip({0}, {low}, {high})"},
                   {Op::kMod, "jnp.mod({0}, {number})"},
                   {Op::kLess, "{0} < {1}"},
                   {Op::kAnd, "{0} & {1}"},
                   {Op::kNot, "~{0}"},
                   {Op::kSelect, "jnp.where({0}, {1}, {2})"},
                   {Op::kTake, "{0}[{1}]"},
                   {Op::kTakeAxis, "jnp.take({0}, {1}, axis={number})"},
                   {Op::kTakeElements, "jnp.take_along_axis({0}, {1}, axis={number})"},
                   {Op::kConcat, "jnp.concatenate([{0}, {1}])"},
                   {Op::kCheck, "    if not bool(jnp.all({0})):\n        raise IndexError('{message}')\n"}},
      .scatter = {{Combine::kAssign, "{0}.at[{1}].set({2})"},
                  {Combine::kAdd, "{0}.at[{1}].add({2})"},
                  {Combine::kMul, "{0}.at[{1}].multiply({2})"},
                  {Combine::kMin, "{0}.at[{1}].min({2})"},
                  {Combine::kMax, "{0}.at[{1}].max({2})"}}};
  return kWords;
}

}  // namespace garner::translate_detail
