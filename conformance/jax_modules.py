#!/usr/bin/env python3
"""Indexing functions as JAX lowers them: StableHLO modules that `garner run` must execute with JAX's own results.

  jax_modules.py --out DIR       for every function DIR/NAME/{module.mlir, in0.npy…, out0.npy…}
  jax_modules.py --store DIR     the small ones as DIR/NAME.mlir: inputs and JAX's results are constants, and main checks
                                 them. conformance/mlir was written so, for machines without JAX.
  jax_modules.py --garner BIN    runs every function, also those not stored, with `BIN run FILE` and counts
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

MLIR_TYPES = {"bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "ui8", "uint16": "ui16",
              "uint32": "ui32", "uint64": "ui64", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
              "complex64": "complex<f32>", "complex128": "complex<f64>", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2"}
STORED_CHARACTERS = 16000  # longer modules are run, but not stored


class Case:
    """A function, its arguments, and whether 64-bit numbers are on. close: the results are rounded, not copied."""

    def __init__(self, name, function, *arguments, x64=False, close=False):
        self.name, self.function, self.arguments, self.x64, self.close = name, function, arguments, x64, close


CASES = []


def case(name, function, *arguments, **more):
    CASES.append(Case(name, function, *arguments, **more))


# ---- inputs ----

def counting(dtype, *shape):
    """Small numbers that every dtype holds exactly, no two neighbours equal."""
    values = np.arange(np.prod(shape, dtype=int)) * 7 % 23
    if np.dtype(dtype) == bool:
        return (values % 2 == 0).reshape(shape)
    if np.dtype(dtype).kind == "c":
        return (values + 1j * (values % 5)).astype(dtype).reshape(shape)
    if np.dtype(dtype).kind not in "u":
        values = values - 9
    return values.astype(dtype).reshape(shape)


f32, f16, bf16, f64 = np.float32, np.float16, ml_dtypes.bfloat16, np.float64
i8, i16, i32, i64, u8, u16, u32, u64 = np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64
DTYPES = [bool, i8, i32, u8, u32, f16, bf16, f32, np.complex64]
REAL = [t for t in DTYPES if np.dtype(t).kind != "c"]
TABLE = (5, 4)
INSIDE = np.array([3, 0, -1, 3], i32)          # also counted from the end, and one twice
OUTSIDE = np.array([3, 0, -1, 7, -9, 5], i32)  # past both ends
NOT_FINITE = np.array([1, np.inf, -0.0, np.nan, -np.inf, 0, np.nan, -3], f32)


def short(dtype):
    return np.dtype(dtype).name


# ---- reading ----

for t in DTYPES + [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]:
    case(f"index_{short(t)}", lambda x, i: x[i], counting(t, *TABLE), INSIDE)
for t in [i64, u64, f64, np.complex128, u16, i16]:
    case(f"index_{short(t)}", lambda x, i: x[i], counting(t, *TABLE), INSIDE.astype(i64), x64=True)
for t in [i8, u8, i16, u32, i32]:
    case(f"index_by_{short(t)}", lambda x, i: x[i], counting(f32, *TABLE), np.array([3, 0, 4], t))

for mode in ("fill", "clip", "wrap"):
    for t in (f32, i32, np.complex64):
        case(f"take_{mode}_{short(t)}", lambda x, i, m=mode: jnp.take(x, i, axis=0, mode=m), counting(t, *TABLE), OUTSIDE)
    case(f"take_{mode}_axis_1", lambda x, i, m=mode: jnp.take(x, i, axis=1, mode=m), counting(f32, *TABLE), OUTSIDE)
    case(f"take_{mode}_flat", lambda x, i, m=mode: jnp.take(x, i, mode=m), counting(f32, *TABLE), OUTSIDE.reshape(2, -1))
    case(f"take_{mode}_vmap", jax.vmap(lambda x, i, m=mode: jnp.take(x, i, mode=m)), counting(i32, 2, 6), np.stack([OUTSIDE, OUTSIDE[::-1]]))
case("get_promise", lambda x, i: x.at[i].get(mode="promise_in_bounds"), counting(f32, *TABLE), np.array([3, 0, 4], i32))
case("take_fill_value", lambda x, i: x.at[i].get(mode="fill", fill_value=-5), counting(i32, *TABLE), OUTSIDE)
case("take_fill_bool", lambda x, i: jnp.take(x, i, mode="fill"), counting(bool, 6), OUTSIDE)

case("index_pair", lambda x, i, j: x[i, j], counting(f32, *TABLE), INSIDE, np.array([1, 2, 3, 0], i32))
case("index_pair_broadcast", lambda x, i, j: x[i[:, None], j], counting(f32, *TABLE), INSIDE, np.array([1, 2, 3], i32))
case("index_middle", lambda x, i: x[:, i, 1:], counting(f32, 2, 5, 3), INSIDE)
case("index_apart", lambda x, i, j: x[i, :, j], counting(f32, 3, 2, 4), np.array([2, 0], i32), np.array([3, 1], i32))
case("index_scalar", lambda x, i: x[i], counting(f32, *TABLE), np.int32(-2))
case("index_newaxis", lambda x, i: x[None, i, ..., None], counting(f32, *TABLE), INSIDE)
case("index_empty", lambda x, i: x[i], counting(f32, *TABLE), np.zeros((0,), i32))
case("index_vmap", jax.vmap(lambda x, i: x[i]), counting(f32, 3, 5), np.array([[1, 0], [4, 4], [-1, 2]], i32))
case("index_vmap_in_axes_1", jax.vmap(lambda x, i: x[i], in_axes=(1, None)), counting(f32, 5, 3), INSIDE)
case("index_vmap_twice", jax.vmap(jax.vmap(lambda x, i: x[i])), counting(f32, 2, 3, 5), np.arange(6, dtype=i32).reshape(2, 3) % 5)
case("index_not_finite", lambda x, i: x[i], NOT_FINITE, np.arange(7, -1, -1, dtype=i32))
case("slice_steps", lambda x: x[1:5:2, ::-1], counting(f32, 6, 4))
case("slice_negative", lambda x: x[-3:-1, 1:], counting(i32, 6, 4))
for t in (f32, i32, bool):
    case(f"take_along_axis_{short(t)}", lambda x, i: jnp.take_along_axis(x, i, axis=1), counting(t, 3, 4),
         np.array([[1, 0], [3, 3], [-1, 2]], i32))
case("take_along_axis_0", lambda x, i: jnp.take_along_axis(x, i, axis=0), counting(f32, 3, 4), np.array([[1, 0, 2, 2]], i32))
case("take_along_axis_vmap", jax.vmap(lambda x, i: jnp.take_along_axis(x, i, axis=0)), counting(f32, 3, 4),
     np.array([[1, 0], [3, 3], [-1, 2]], i32))
case("dynamic_slice", lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)), counting(f32, *TABLE), np.int32(4), np.int32(-7))
case("dynamic_slice_vmap", jax.vmap(lambda x, i: lax.dynamic_slice(x, (i,), (2,))), counting(f32, 3, 5), np.array([4, 0, 9], i32))
case("dynamic_slice_vmap_shared", jax.vmap(lambda x, i: lax.dynamic_slice(x, (i, 0), (2, 3)), in_axes=(None, 0)),
     counting(i32, *TABLE), np.array([4, 0, 9], i32))
case("dynamic_index_in_dim", lambda x, i: lax.dynamic_index_in_dim(x, i, axis=1, keepdims=False), counting(f32, *TABLE), np.int32(2))
case("dynamic_update_slice", lambda x, u, i: lax.dynamic_update_slice(x, u, (i, 1)), counting(f32, *TABLE), counting(f32, 2, 2), np.int32(4))
case("dynamic_update_slice_vmap", jax.vmap(lambda x, u, i: lax.dynamic_update_slice(x, u, (i,))), counting(f32, 3, 5),
     counting(f32, 3, 2), np.array([4, 0, 9], i32))
case("one_hot_rows", lambda i: jax.nn.one_hot(i, 5), OUTSIDE)
case("where_three", lambda c, x, y: jnp.where(c, x, y), counting(bool, 3, 4), counting(f32, 3, 4), counting(f32, 4))
case("select_n", lambda i, x, y: lax.select_n(i > 0, x, y), counting(i32, 4), counting(f32, 4), counting(f32, 4) * 2)
case("roll", lambda x: jnp.roll(x, 2, axis=0), counting(f32, *TABLE))
case("roll_by_argument", lambda x, k: jnp.roll(x, k), counting(f32, 7), np.int32(-3))
case("flip_and_transpose", lambda x: jnp.flip(x, 0).T, counting(i8, *TABLE))
case("pad_modes", lambda x: lax.pad(x, f32(-1), ((1, 2, 1), (-1, 0, 2))), counting(f32, 3, 4))
case("pad_cut_both", lambda x: lax.pad(x, i32(9), ((-1, -1, 0), (2, -2, 1))), counting(i32, 4, 3))
case("repeat", lambda x: jnp.repeat(x, 3, axis=1), counting(f32, 2, 3))
case("tile_and_stack", lambda x: jnp.stack([jnp.tile(x, (2, 1)), jnp.tile(x, (2, 1)) * 2]), counting(f32, 2, 3))
case("diagonal", lambda x: jnp.diagonal(x), counting(f32, *TABLE))
case("meshgrid", lambda x, y: jnp.meshgrid(x, y), counting(i32, 3), counting(i32, 2))

# ---- writing ----

for t in DTYPES:
    case(f"at_set_{short(t)}", lambda x, i, u: x.at[i].set(u), counting(t, *TABLE), np.array([3, 0, -1], i32), counting(t, 3, 4))
for t in [i8, i32, u32, f16, bf16, f32, np.complex64]:
    case(f"at_add_{short(t)}", lambda x, i, u: x.at[i].add(u), counting(t, *TABLE), INSIDE, counting(t, 4, 4))
for t in REAL:
    case(f"at_max_{short(t)}", lambda x, i, u: x.at[i].max(u), counting(t, *TABLE), INSIDE, counting(t, 4, 4)[:, ::-1].copy())
for t in (i32, f32, u8):
    case(f"at_min_{short(t)}", lambda x, i, u: x.at[i].min(u), counting(t, *TABLE), INSIDE, counting(t, 4, 4)[:, ::-1].copy())
    case(f"at_mul_{short(t)}", lambda x, i, u: x.at[i].multiply(u), counting(t, *TABLE), INSIDE, counting(t, 4, 4))
case("at_add_float64", lambda x, i, u: x.at[i].add(u), counting(f64, *TABLE), INSIDE.astype(i64), counting(f64, 4, 4), x64=True)
case("at_add_int64", lambda x, i, u: x.at[i].add(u), counting(i64, *TABLE), INSIDE, counting(i64, 4, 4), x64=True)
case("at_subtract", lambda x, i: x.at[i].subtract(1), counting(i32, *TABLE), INSIDE)
case("at_divide", lambda x, i: x.at[i].divide(4), counting(f32, *TABLE), np.array([0, 2], i32))
case("at_power", lambda x, i: x.at[i].power(2), counting(f32, *TABLE), np.array([0, 2], i32), close=True)
case("at_apply", lambda x, i: x.at[i].apply(jnp.abs), counting(f32, *TABLE), np.array([0, 2], i32))
case("at_drop", lambda x, i: x.at[i].add(1, mode="drop"), counting(i32, *TABLE), OUTSIDE)
case("at_clip", lambda x, i: x.at[i].add(1, mode="clip"), counting(i32, *TABLE), OUTSIDE)
case("at_default_mode", lambda x, i: x.at[i].set(0), counting(f32, *TABLE), OUTSIDE)
case("at_promise", lambda x, i: x.at[i].set(0, indices_are_sorted=True, unique_indices=True, mode="promise_in_bounds"),
     counting(f32, *TABLE), np.array([1, 2, 4], i32))
case("at_pair", lambda x, i, j: x.at[i, j].add(10), counting(f32, *TABLE), INSIDE, np.array([1, 2, 3, 1], i32))
case("at_slice_set", lambda x: x.at[1:3, ::2].set(7), counting(f32, *TABLE))
case("at_middle_add", lambda x, i, u: x.at[:, i].add(u), counting(f32, 3, 5, 2), INSIDE, counting(f32, 3, 4, 2))
case("at_scalar_set", lambda x, i: x.at[i].set(3), counting(i32, *TABLE), np.int32(-2))
case("at_empty", lambda x, i: x.at[i].add(3), counting(i32, *TABLE), np.zeros((0,), i32))
case("at_mask_set", lambda x: jnp.where(x > 3, 0, x).at[0].set(5), counting(i32, *TABLE))
case("at_add_vmap", jax.vmap(lambda x, i, u: x.at[i].add(u)), counting(f32, 3, 5), np.array([[1, 0], [4, 4], [-1, 2]], i32), counting(f32, 3, 2))
case("at_set_vmap_shared", jax.vmap(lambda x, i: x.at[i].set(0), in_axes=(0, None)), counting(f32, 3, 5), np.array([1, 4], i32))
case("at_max_vmap", jax.vmap(lambda x, i, u: x.at[i].max(u)), counting(i32, 3, 5), np.array([[1, 0], [4, 4], [-1, 2]], i32), counting(i32, 3, 2))
case("scatter_nan_max", lambda x, i, u: x.at[i].max(u), np.zeros(4, f32), np.array([0, 1, 2, 3, 0, 1, 2, 3], i32), NOT_FINITE)

# ---- counting, ordering, searching ----

for t in (f32, i32):
    case(f"segment_sum_{short(t)}", lambda x, i: jax.ops.segment_sum(x, i, num_segments=4), counting(t, 6, 2), np.array([0, 3, 1, 0, 9, 1], i32))
case("segment_max", lambda x, i: jax.ops.segment_max(x, i, num_segments=4), counting(f32, 6), np.array([0, 3, 1, 0, 1, 1], i32))
case("segment_min", lambda x, i: jax.ops.segment_min(x, i, num_segments=4), counting(i32, 6), np.array([0, 3, 1, 0, 1, 1], i32))
case("segment_prod", lambda x, i: jax.ops.segment_prod(x, i, num_segments=3), counting(f32, 6), np.array([0, 2, 1, 0, 1, 1], i32))
case("segment_sum_sorted", lambda x, i: jax.ops.segment_sum(x, i, 3, indices_are_sorted=True), counting(f32, 5), np.array([0, 0, 1, 2, 2], i32))
case("segment_sum_vmap", jax.vmap(lambda x, i: jax.ops.segment_sum(x, i, num_segments=3)), counting(f32, 2, 4), np.array([[0, 2, 1, 0], [1, 1, 1, 0]], i32))
case("bincount", lambda i: jnp.bincount(i, length=6), np.array([0, 3, 1, 0, 5, 1], i32))
for t in (f32, i32, bf16, u8):
    case(f"argmax_{short(t)}", lambda x: jnp.argmax(x, axis=1), counting(t, 3, 4))
case("argmax_all", lambda x: jnp.argmax(x), counting(f32, 3, 4))
case("argmin", lambda x: jnp.argmin(x, axis=0), counting(f32, 3, 4))
case("argmax_nan", lambda x: jnp.argmax(x), NOT_FINITE)
case("argmax_vmap", jax.vmap(lambda x: jnp.argmax(x)), counting(i32, 3, 4))
case("take_at_argmax", lambda x: jnp.take_along_axis(x, jnp.argmax(x, axis=1)[:, None], axis=1), counting(f32, 3, 4))
for t in (f32, i32, f16, u8):
    case(f"argsort_{short(t)}", lambda x: jnp.argsort(x, axis=1), counting(t, 3, 7) % np.array(5, t))
case("argsort_descending", lambda x: jnp.argsort(x, descending=True), counting(f32, 9))
case("argsort_axis_0", lambda x: jnp.argsort(x, axis=0), counting(i32, 4, 3))
case("sort_not_finite", lambda x: jnp.sort(x), NOT_FINITE)
case("sort_complex", lambda x: jnp.sort(x), counting(np.complex64, 7))
case("sort_key_value", lambda k, v: lax.sort((k, v), num_keys=1), np.array([2, 1, 2, 0, 1], i32), counting(f32, 5))
case("sort_two_keys", lambda a, b, v: lax.sort((a, b, v), num_keys=2), np.array([2, 1, 2, 0, 1], i32), np.array([1, 5, 0, 2, 4], f32), counting(i32, 5))
case("rank", lambda x: jnp.argsort(jnp.argsort(x)), counting(f32, 8))
case("rank_by_scatter", lambda x: jnp.zeros(8, i32).at[jnp.argsort(x)].set(jnp.arange(8, dtype=i32)), counting(f32, 8))
case("rank_vmap", jax.vmap(lambda x: jnp.argsort(jnp.argsort(x))), counting(f32, 2, 5))
case("take_sorted", lambda x: x[jnp.argsort(x[:, 1])], counting(f32, *TABLE))
case("lexsort", lambda a, b: jnp.lexsort((a, b)), np.array([2, 1, 2, 0, 1], i32), np.array([1, 1, 0, 0, 1], i32))
case("top_k", lambda x: lax.top_k(x, 3), counting(f32, 2, 6))
case("searchsorted_sort", lambda a, v: jnp.searchsorted(a, v, method="sort"), np.array([-3, 0, 0, 4, 9], f32), counting(f32, 6))
case("searchsorted_compare", lambda a, v: jnp.searchsorted(a, v, side="right", method="compare_all"), np.array([-3, 0, 0, 4, 9], f32), counting(f32, 6))
case("searchsorted_scan", lambda a, v: jnp.searchsorted(a, v), np.array([-3, 0, 0, 4, 9], f32), counting(f32, 6))
case("nonzero", lambda x: jnp.nonzero(x, size=6, fill_value=-1), counting(bool, 3, 4))
case("unique", lambda x: jnp.unique(x, size=6, return_inverse=True), np.array([4, 1, 4, 4, 0], i32))
case("cumsum_offsets", lambda n: jnp.concatenate([jnp.zeros(1, i32), jnp.cumsum(n)]), np.array([3, 0, 2, 1], i32))
case("cummax", lambda x: lax.cummax(x), counting(i32, 7))
case("any_all", lambda x: (jnp.any(x > 8, axis=1), jnp.all(x > -9, axis=0)), counting(i32, 3, 4))
case("sum_min_max_prod", lambda x: (x.sum(0), x.min(1), x.max(), jnp.prod(x, axis=1)), counting(i32, 3, 4))
case("mean_rows", lambda x: x.mean(axis=1), counting(f32, 3, 4), close=True)
case("fori_scatter", lambda x: lax.fori_loop(0, 4, lambda k, v: v.at[k].set(v[(k + 1) % 5] + k), x), counting(f32, 5))
case("scan_gather", lambda x, i: lax.scan(lambda c, k: (c + x[k], c), f32(0), i), counting(f32, 5), INSIDE)
case("cond_index", lambda x, i: lax.cond(i[0] > 2, lambda: x[i], lambda: x[i] * 2), counting(f32, *TABLE), INSIDE)
case("switch_index", lambda k, x: lax.switch(k, [lambda v: v[0], lambda v: v[-1], lambda v: v.max(0)], x), np.int32(5), counting(f32, *TABLE))

# ---- arithmetic on indices ----

case("wrap_by_remainder", lambda x, i: x[i % 5], counting(f32, *TABLE), OUTSIDE)
case("floor_divide", lambda a, b: (a // b, a % b), np.array([7, -7, 7, -7], i32), np.array([3, 3, -3, -3], i32))
case("ravel_multi_index", lambda i, j: jnp.ravel_multi_index((i, j), (5, 4), mode="clip"), INSIDE, np.array([1, 2, 3, 9], i32))
case("unravel_index", lambda p: jnp.unravel_index(p, (5, 4)), np.array([0, 7, 19, -1], i32))
case("clip_and_abs", lambda x: jnp.abs(jnp.clip(x, -4, 5)), counting(i32, 3, 4))
case("bits", lambda a, b: (a & b, a | b, a ^ b, ~a, a << 2, a >> 1), counting(i32, 6), counting(i32, 6)[::-1].copy())
case("bits_unsigned", lambda a: (a << 31, a >> 3, lax.population_count(a), lax.clz(a)), counting(u32, 6))
case("convert_to_index", lambda x: x.astype(i32), np.array([1.9, -1.9, np.nan, np.inf, -np.inf, 3e9], f32))
case("convert_many", lambda x: (x.astype(f16), x.astype(bf16), x.astype(u8), x.astype(bool), x.astype(np.complex64)), counting(f32, 6) ** 2)
case("floor_ceil_round", lambda x: (jnp.floor(x), jnp.ceil(x), jnp.round(x), jnp.trunc(x), jnp.sign(x)), np.array([1.5, -1.5, 2.5, -0.4, 0], f32))
case("compare_nan", lambda x, y: (x < y, x == y, x != y, x >= y), NOT_FINITE, NOT_FINITE[::-1].copy())
case("divide_by_zero", lambda a, b: (lax.div(a, b), lax.rem(a, b)), np.array([7, -7, -2147483648, 0], i32), np.array([0, 0, -1, 0], i32))
case("constants", lambda x: x + jnp.asarray([np.inf, -np.inf, np.nan, 1e-40, 0.1, -0.0, 3.5, 1e30], f32), counting(f32, 8))
case("complex_parts", lambda z: (z.real, z.imag, jnp.conj(z), z * z), counting(np.complex64, 5))
case("bernoulli_like_mask", lambda x: jnp.sum(jnp.where(jnp.isfinite(x), x, 0)), NOT_FINITE)


# ---- modules with their data inside ----

def lowered(c):
    with jax.enable_x64(c.x64):
        return jax.jit(c.function, keep_unused=True).lower(*c.arguments).as_text()


def results(c):
    with jax.enable_x64(c.x64):
        return [np.asarray(leaf) for leaf in jax.tree.leaves(jax.jit(c.function)(*c.arguments))]


def float_text(value, dtype):
    if np.isfinite(value):
        text = repr(float(value))
        return text if "." in text else text.replace("e", ".0e")
    bits = np.array(value, dtype).view(f"u{np.dtype(dtype).itemsize}")
    return f"0x{int(bits):0{2 * np.dtype(dtype).itemsize}X}"


def element_text(value, dtype):
    dtype = np.dtype(dtype)
    if dtype == bool:
        return "true" if value else "false"
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        return f"({float_text(value.real, part)}, {float_text(value.imag, part)})"
    return str(int(value)) if dtype.kind in "iu" else float_text(value, dtype)


def body_text(array):
    if array.ndim == 0:
        return element_text(array[()], array.dtype)
    return "[" + ", ".join(body_text(row) for row in array) + "]"


def type_text(array):
    return f"tensor<{''.join(f'{n}x' for n in array.shape)}{MLIR_TYPES[array.dtype.name]}>"


def constant(name, array):
    body = "" if array.size == 0 else body_text(array)
    return f"    %{name} = stablehlo.constant dense<{body}> : {type_text(array)}\n"


def folded(c, text, wanted):
    """The module with a main that calls what was main and checks what it gives."""
    inputs = [np.asarray(a) for a in c.arguments]
    out = "".join(constant(f"in{k}", a) for k, a in enumerate(inputs))
    out += "".join(constant(f"expected{k}", a) for k, a in enumerate(wanted))
    given = ", ".join(f"%in{k}" for k in range(len(inputs)))
    takes, gives = ", ".join(map(type_text, inputs)), ", ".join(map(type_text, wanted))
    out += f"    %results:{len(wanted)} = call @tested({given}) : ({takes}) -> ({gives})\n"
    for k, a in enumerate(wanted):
        check = "expect_close" if c.close and a.dtype.kind not in "iub" else "expect_eq"
        out += (f"    stablehlo.custom_call @check.{check}(%results#{k}, %expected{k}) {{has_side_effect = true}} : "
                f"({type_text(a)}, {type_text(a)}) -> ()\n")
    main = f"  func.func public @main() {{\n{out}    return\n  }}\n"
    text = re.sub(r"@main\b", "@tested", text).replace("func.func public @tested", main.lstrip() + "  func.func private @tested", 1)
    return f"// {c.name}: written by jax_modules.py with JAX {jax.__version__}\n{text}"


# ---- what to do with them ----

def write_out(folder, c, text, wanted):
    place = folder / c.name
    place.mkdir(parents=True, exist_ok=True)
    (place / "module.mlir").write_text(text)
    for prefix, arrays in (("in", c.arguments), ("out", wanted)):
        for k, array in enumerate(arrays):
            np.save(place / f"{prefix}{k}.npy", np.asarray(array))


def run_with(binary, path):
    done = subprocess.run([binary, "run", path], capture_output=True, text=True)
    if done.returncode:
        print(f"{path.stem}: {done.stderr.strip()}", file=sys.stderr)
    return done.returncode == 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=pathlib.Path)
    options.add_argument("--store", type=pathlib.Path)
    options.add_argument("--garner")
    options = options.parse_args()
    right = stored = 0
    with tempfile.TemporaryDirectory() as scratch:
        for c in CASES:
            text, wanted = lowered(c), results(c)
            checked = folded(c, text, wanted)
            if options.out:
                write_out(options.out, c, text, wanted)
            if options.store and len(checked) <= STORED_CHARACTERS:
                (options.store / f"{c.name}.mlir").write_text(checked)
                stored += 1
            if options.garner:
                path = pathlib.Path(scratch) / f"{c.name}.mlir"
                path.write_text(checked)
                right += run_with(options.garner, path)
    print(f"{len(CASES)} functions, {stored} stored" + (f", {right} equal JAX's results" if options.garner else ""))
    return 0 if not options.garner or right == len(CASES) else 1


if __name__ == "__main__":
    sys.exit(main())
