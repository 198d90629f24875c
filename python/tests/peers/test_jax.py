"""garner.jax against JAX: results, exception classes, and calls that JAX traces."""
import pytest

jax = pytest.importorskip("jax", reason="compares with JAX, which is not installed")

import warnings  # noqa: E402

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from hypothesis import assume, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from jax import lax  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

import garner  # noqa: E402
import garner.jax as ours  # noqa: E402

jax.config.update("jax_enable_x64", True)
SETTINGS = settings(max_examples=25, deadline=None, derandomize=True)


def outcome(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except Exception as error:  # noqa: BLE001  whatever JAX raises is what we compare with
            return error


def assert_same(mine, theirs):
    """Both results equal, bits of NaN aside, or ours an exception of JAX's class."""
    mine, theirs = outcome(mine), outcome(theirs)
    if isinstance(theirs, Exception):
        assert isinstance(mine, type(theirs)), f"we: {mine!r}; JAX: {theirs!r}"
        assert isinstance(mine, garner.Error), f"we: {mine!r}"
    else:
        assert not isinstance(mine, Exception), f"we: {mine!r}; JAX: {theirs!r}"
        np.testing.assert_array_equal(np.asarray(mine), np.asarray(theirs), strict=True)


# ---- what the tests draw. Few shapes, since JAX compiles for each ----

SHAPES = st.sampled_from([(), (5,), (3, 4), (2, 3, 2), (0, 3), (3, 0)])
DTYPES = st.sampled_from(["int32", "uint8", "float32", "float64", "complex64"])
MODES = st.sampled_from(["fill", "clip", "drop", "promise_in_bounds", None])
ENDS = st.none() | st.integers(-6, 6)
STEPS = st.none() | st.sampled_from([1, 2, -1, -2])
INDEX_DTYPES = st.sampled_from(["int8", "int32", "int64", "uint16"])


@st.composite
def arrays(draw, shapes=SHAPES, dtypes=DTYPES):
    shape, dtype = draw(shapes), draw(dtypes)
    numbers = np.random.default_rng(draw(st.integers(0, 20))).integers(0, 60, shape)
    array = numbers.astype(dtype)
    return array.T if draw(st.booleans()) else array[::-1] if array.ndim else array


@st.composite
def indices(draw, shape):
    dtype = draw(INDEX_DTYPES)
    low = 0 if dtype == "uint16" else -6
    return np.random.default_rng(draw(st.integers(0, 20))).integers(low, 7, shape).astype(dtype)


@st.composite
def parts(draw, extent):
    """What stands for one axis, or for none."""
    kind = draw(st.sampled_from("integer slice slice none ellipsis array array mask scalar float".split()))
    if kind == "integer":
        return draw(st.integers(-6, 6))
    if kind == "slice":
        return slice(draw(ENDS), draw(ENDS), draw(STEPS))
    if kind in ("none", "ellipsis"):
        return None if kind == "none" else ...
    if kind == "array":
        return draw(indices(draw(st.sampled_from([(2,), (1,), (2, 1), (0,)]))))
    if kind == "mask":
        return np.arange(extent) % 2 == 0
    return np.int64(draw(st.integers(-3, 3))) if kind == "scalar" else 1.5


@st.composite
def keys(draw, shape):
    return tuple(draw(parts(n)) for n in shape[:draw(st.integers(0, len(shape)))])


def integer_beside_array(key):
    return any(np.ndim(p) > 0 for p in key) and any(isinstance(p, (int, np.integer)) for p in key)


# ---- x.at[key] ----

@SETTINGS
@given(arrays(), MODES, st.booleans(), st.data())
def test_get(x, mode, wraps, data):
    key = data.draw(keys(x.shape))
    assume(x.size > 0 or not integer_beside_array(key))  # below, as an expected failure
    options = {"mode": mode, "wrap_negative_indices": wraps, "fill_value": data.draw(st.sampled_from([None, 7]))}
    assert_same(lambda: ours.at(x)[key].get(**options), lambda: jnp.asarray(x).at[key].get(**options))


@SETTINGS
@given(arrays(), MODES, st.booleans(), st.sampled_from("set add multiply mul min max".split()), st.data())
def test_update(x, mode, wraps, method, data):
    key = data.draw(keys(x.shape))
    assume(x.size > 0 or not integer_beside_array(key))  # below, as an expected failure
    options = {"mode": mode, "wrap_negative_indices": wraps}
    shape = outcome(lambda: jnp.asarray(x).at[key].get().shape)
    if isinstance(shape, Exception) or data.draw(st.booleans()):
        values = 3
    else:
        values = np.random.default_rng(4).integers(0, 9, shape).astype(x.dtype)
    assert_same(lambda: getattr(ours.at(x)[key], method)(values, **options),
                lambda: getattr(jnp.asarray(x).at[key], method)(values, **options))


@pytest.mark.xfail(strict=True, reason="an integer on an empty axis is JX45, an IndexError, also beside an index array")
@pytest.mark.parametrize("method, values", [("get", ()), ("set", (1.0,))])
def test_integer_beside_an_array_on_an_empty_axis(method, values):
    x, key = np.zeros((3, 0)), (np.array([0, 1]), 0)
    assert_same(lambda: getattr(ours.at(x)[key], method)(*values),
                lambda: getattr(jnp.asarray(x).at[key], method)(*values))


@pytest.mark.parametrize("key", [
    [0, 1], "a", (0, "a"), 1.5, slice(0.5, None), slice("a", None), (0, 0, 0), slice(None, None, 0), (..., ...),
    np.array([0.5]), (np.array([0, 1]), np.array([0, 1, 2])), np.array([True]), ([0, 1], [1, 0]), ((0, 1), 0), True,
    False, [], ([], 0), np.array([], int), slice(np.int64(1), jnp.array(2)), 2**31 - 1, -2**31])
def test_keys(key):
    x = np.arange(6.0).reshape(2, 3)
    assert_same(lambda: ours.at(x)[key].get(), lambda: jnp.asarray(x).at[key].get())
    assert_same(lambda: ours.at(x)[key].set(9), lambda: jnp.asarray(x).at[key].set(9))


@pytest.mark.parametrize("mode", ["wrap", "CLIP", 5])
def test_unknown_modes(mode):
    x, index = np.arange(3.0), np.array([1])
    assert_same(lambda: ours.at(x)[index].get(mode=mode), lambda: jnp.asarray(x).at[index].get(mode=mode))
    assert_same(lambda: ours.at(x)[index].set(1, mode=mode), lambda: jnp.asarray(x).at[index].set(1, mode=mode))
    assert_same(lambda: ours.take_along_axis(x, index, mode=mode), lambda: jnp.take_along_axis(x, index, mode=mode))


@pytest.mark.parametrize("values", [[1, 2, 3], [1.5], 2.5, np.float32(2), "a", np.ones((2, 3)), np.ones((1, 3)), True])
def test_values(values):
    x = np.arange(5.0)
    assert_same(lambda: ours.at(x)[1:4].set(values), lambda: jnp.asarray(x).at[1:4].set(values))


@pytest.mark.parametrize("fill_value", [3, 2.5, True, np.float32(2), np.array([1, 2]), "a"])
def test_fill_values(fill_value):
    x, index = np.arange(5), np.array([7])
    options = {"mode": "fill", "fill_value": fill_value}
    assert_same(lambda: ours.at(x)[index].get(**options), lambda: jnp.asarray(x).at[index].get(**options))


# ---- take, take_along_axis, segments ----

@SETTINGS
@given(arrays(), st.sampled_from([(), (2,), (2, 1), (0,)]).flatmap(indices), st.sampled_from([None, 0, -1, 1]),
       st.sampled_from(["fill", "clip", "wrap", "drop", None]))
def test_take(a, index, axis, mode):
    if a.size == 0 and index.size == 0:
        return  # the shape the formula gives; JAX returns its argument (a decision, docs/dialects/jax.md)
    assert_same(lambda: ours.take(a, index, axis, mode=mode), lambda: jnp.take(a, index, axis, mode=mode))


@SETTINGS
@given(arrays(), MODES, st.sampled_from([None, True, False]), st.data())
def test_take_along_axis(arr, mode, wraps, data):
    axis = data.draw(st.sampled_from([None, 0, -1, 1]))
    shape = tuple(data.draw(st.sampled_from([n, 1, 2])) for n in arr.shape) if axis is not None else (4,)
    index = data.draw(indices(shape))
    assert_same(lambda: ours.take_along_axis(arr, index, axis, mode, wrap_negative_indices=wraps),
                lambda: jnp.take_along_axis(arr, index, axis, mode, wrap_negative_indices=wraps))


@SETTINGS
@given(arrays(st.sampled_from([(5,), (3, 4)])), st.sampled_from("sum prod min max".split()), MODES, st.data())
def test_segments(values, name, mode, data):
    ids = data.draw(indices(values.shape[:1]))
    count = data.draw(st.sampled_from([None, 3, 0, -1]))
    assert_same(lambda: getattr(ours, f"segment_{name}")(values, ids, count, mode=mode),
                lambda: getattr(jax.ops, f"segment_{name}")(values, ids, count, mode=mode))


# ---- lax ----

@st.composite
def dimension_numbers(draw):
    """Mostly right: (operand, indices, lists in JAX's order, slice sizes, shape of the result or the updates)"""
    operand = draw(arrays(st.sampled_from([(5,), (3, 4), (2, 3, 2)])))
    roles = [draw(st.sampled_from(["window", "window", "removed", "batching"])) for _ in operand.shape]
    axes = {role: tuple(a for a, r in enumerate(roles) if r == role) for role in ("window", "removed", "batching")}
    free = [a for a in range(operand.ndim) if a not in axes["batching"]]
    index_map = tuple(draw(st.permutations(free))[:draw(st.integers(0, len(free)))])
    batch = tuple(operand.shape[a] for a in axes["batching"]) + draw(st.sampled_from([(), (2,), (0,)]))
    paired = tuple(range(len(axes["batching"])))
    rank = len(batch) + len(axes["window"])
    window_dims = tuple(sorted(draw(st.permutations(range(rank)))[:len(axes["window"])]))
    sizes = tuple(draw(st.sampled_from([n, 1, 2])) if r == "window" else 1 for n, r in zip(operand.shape, roles))
    lists = [window_dims, axes["removed"], index_map, axes["batching"], paired]
    if draw(st.integers(0, 5)) == 0:  # spoil one
        i = draw(st.integers(0, 4))
        lists[i] = draw(st.sampled_from([lists[i][::-1], (*lists[i], 0), (*lists[i], 9), lists[i][1:], (-1,)]))
    window, outer = iter([sizes[a] for a in axes["window"]]), iter(batch)
    shape = tuple(next(window) if d in window_dims else next(outer) for d in range(rank))
    return operand, draw(indices((*batch, len(index_map)))), lists, sizes, shape


@SETTINGS
@given(dimension_numbers(), MODES)
def test_gather(drawn, mode):
    operand, starts, lists, sizes, _ = drawn
    assert_same(lambda: ours.gather(operand, starts, ours.GatherDimensionNumbers(*lists), sizes, mode=mode),
                lambda: lax.gather(operand, starts, lax.GatherDimensionNumbers(*lists), sizes, mode=mode))


@SETTINGS
@given(dimension_numbers(), MODES, st.sampled_from(["", "_add", "_mul", "_min", "_max"]))
def test_scatter(drawn, mode, suffix):
    name = f"scatter{suffix}"
    operand, starts, lists, _, shape = drawn
    assume(starts.shape[-1] > 0)  # with index vectors of length 0, XLA keeps only the last of several updates
    updates = np.random.default_rng(6).integers(0, 9, shape).astype(operand.dtype)
    assert_same(
        lambda: getattr(ours, name)(operand, starts, updates, ours.ScatterDimensionNumbers(*lists), mode=mode),
        lambda: getattr(lax, name)(operand, starts, updates, lax.ScatterDimensionNumbers(*lists), mode=mode))


def test_jax_own_modes_and_dimension_numbers():
    x, index = np.arange(5.0), np.array([[1], [9]])
    numbers = lax.GatherDimensionNumbers((), (0,), (0,))
    for mode in list(lax.GatherScatterMode)[:3]:
        assert_same(lambda: ours.gather(x, index, numbers, (1,), mode=mode),
                    lambda: lax.gather(x, index, numbers, (1,), mode=mode))


# ---- what JAX follows ----

X = jnp.arange(12.0).reshape(3, 4) + 0.5
I = jnp.array([2, 0, 2])
V = jnp.array([[7.0, -1, 2, 3], [4, 5.25, 6, 8], [1, 9, -3, 0.25]])
ROWS = ours.GatherDimensionNumbers((1,), (0,), (0,))
TO_ROWS = ours.ScatterDimensionNumbers((1,), (0,), (0,))

# name: (ours, JAX's), functions of (x, i, v)
PAIRS = {
    "get": (lambda x, i, v: ours.at(x)[i, 1:].get(), lambda x, i, v: x.at[i, 1:].get()),
    "get_fill": (lambda x, i, v: ours.at(x)[i + 1].get(mode="fill", fill_value=0),
                 lambda x, i, v: x.at[i + 1].get(mode="fill", fill_value=0)),
    "set": (lambda x, i, v: ours.at(x)[i[:2]].set(v[:2]), lambda x, i, v: x.at[i[:2]].set(v[:2])),
    "add": (lambda x, i, v: ours.at(x)[i].add(v), lambda x, i, v: x.at[i].add(v)),
    "add_column": (lambda x, i, v: ours.at(x)[:, i].add(v[:, :1]), lambda x, i, v: x.at[:, i].add(v[:, :1])),
    "multiply": (lambda x, i, v: ours.at(x)[i[:2]].multiply(v[:2]),
                 lambda x, i, v: x.at[i[:2]].multiply(v[:2], unique_indices=True)),
    "min": (lambda x, i, v: ours.at(x)[i].min(v), lambda x, i, v: x.at[i].min(v)),
    "max": (lambda x, i, v: ours.at(x)[i].max(v), lambda x, i, v: x.at[i].max(v)),
    "take": (lambda x, i, v: ours.take(x, i, 1), lambda x, i, v: jnp.take(x, i, 1)),
    "take_along_axis": (lambda x, i, v: ours.take_along_axis(x, i[:, None], 1),
                        lambda x, i, v: jnp.take_along_axis(x, i[:, None], 1)),
    "segment_sum": (lambda x, i, v: ours.segment_sum(x, i, 3), lambda x, i, v: jax.ops.segment_sum(x, i, 3)),
    "gather": (lambda x, i, v: ours.gather(x, i[:, None], ROWS, (1, 4)),
               lambda x, i, v: lax.gather(x, i[:, None], lax.GatherDimensionNumbers(*ROWS), (1, 4))),
    "scatter_add": (lambda x, i, v: ours.scatter_add(x, i[:, None], v, TO_ROWS),
                    lambda x, i, v: lax.scatter_add(x, i[:, None], v, lax.ScatterDimensionNumbers(*TO_ROWS))),
}
each_pair = pytest.mark.parametrize("mine, theirs", PAIRS.values(), ids=PAIRS)


@each_pair
def test_jit(mine, theirs):
    assert_same(lambda: jax.jit(mine)(X, I, V), lambda: theirs(X, I, V))


def loss(function):
    return lambda x, i, v: jnp.sum(jnp.sin(function(x, i, v)))


@each_pair
def test_grad(mine, theirs):
    expected = jax.grad(loss(theirs), (0, 2))(X, I, V)
    for g, e in zip(jax.grad(loss(mine), (0, 2))(X, I, V), expected, strict=True):
        np.testing.assert_allclose(g, e, rtol=1e-12)


some_pairs = pytest.mark.parametrize("name", ["get", "add", "scatter_add"])  # JAX compiles for seconds


@some_pairs
def test_compiled_grad(name):
    gradient = jax.grad(loss(PAIRS[name][0]), (0, 2))
    for g, e in zip(jax.jit(gradient)(X, I, V), gradient(X, I, V), strict=True):
        np.testing.assert_allclose(g, e, rtol=1e-12)


@some_pairs
def test_check_grads(name):
    check_grads(lambda x, v: PAIRS[name][0](x, I, v), (X, V), order=1, modes=["rev"])


@some_pairs
def test_vmap(name):
    mine, theirs = PAIRS[name]
    many = X + jnp.arange(2.0)[:, None, None], jnp.stack([I, I[::-1]]), V
    assert_same(lambda: jax.vmap(mine, (0, 0, None))(*many), lambda: jax.vmap(theirs, (0, 0, None))(*many))
    gradients = [jax.vmap(jax.grad(loss(f)), (0, 0, None))(*many) for f in (mine, theirs)]
    np.testing.assert_allclose(*gradients, rtol=1e-12)


def test_complex_gradients_are_jax_gradients():
    z, v = X[0] + 1j, V[0] - 2j
    def total(f):
        return lambda z, v: jnp.sum(jnp.abs(f(z, v)) ** 2)
    mine = jax.grad(total(lambda z, v: ours.at(z)[jnp.array([2, 0])].multiply(v[:2])), (0, 1))(z, v)
    theirs = jax.grad(total(lambda z, v: z.at[jnp.array([2, 0])].multiply(v[:2], unique_indices=True)), (0, 1))(z, v)
    for m, t in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(m, t, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_narrow_dtypes(dtype):
    x = jnp.arange(6.0).astype(dtype)
    gradient = jax.jit(jax.grad(lambda x: ours.take(x, I).sum()))(x)
    assert gradient.dtype == x.dtype
    assert gradient.tolist() == [1, 0, 2, 0, 0, 0]


def test_a_shape_that_is_in_the_values_is_refused():
    with pytest.raises(jax.errors.NonConcreteBooleanIndexError):
        jax.jit(lambda m: ours.at(X)[m].get())(X > 3)
    with pytest.raises(jax.errors.ConcretizationTypeError, match="segment_sum"):
        jax.jit(lambda i: ours.segment_sum(X, i))(I)
    with pytest.raises(jax.errors.ConcretizationTypeError, match="dynamic_gather"):
        jax.jit(lambda s: garner.stablehlo.dynamic_gather(X, I[:, None], s, offset_dims=[1, 2], start_index_map=[0],
                                                         index_vector_dim=1))(jnp.array([1, 2]))
    with pytest.raises(IndexError, match="slice"):
        jax.jit(lambda i: ours.at(X)[i:].get())(1)


def test_a_known_mask_is_a_constant():
    mask = np.array([True, False, True])
    assert_same(lambda: jax.jit(lambda x: ours.at(x)[mask].get())(X), lambda: X.at[mask].get())
    gradient = jax.grad(lambda x: ours.at(x)[mask].get().sum())(X)
    np.testing.assert_array_equal(gradient, np.repeat(mask[:, None], 4, axis=1))


def test_what_is_wrong_for_all_values_is_raised_while_tracing():
    with pytest.raises(IndexError, match="JX41|key speaks of 3 axes"):
        jax.jit(lambda x: ours.at(x)[0, 0, 0].get())(X)
    with pytest.raises(TypeError, match="indices is f64"):
        jax.jit(lambda x: ours.take_along_axis(x, x))(X)


def test_what_the_values_show_is_raised_when_run():
    read = jax.jit(lambda x, i: garner.torch.index_select(x, 0, i))
    assert read(X, I).shape == (3, 4)
    with pytest.raises((ValueError, jax.errors.JaxRuntimeError), match=r"index\[0\] is 7, allowed"):
        read(X, I + 5).block_until_ready()


def test_other_dialects_are_followed_too():
    hlo = jax.jit(lambda x, i: garner.stablehlo.gather(
        x, i, offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1, slice_sizes=[1, 4]))
    np.testing.assert_array_equal(hlo(X, I[:, None]), X[I])
    trt = jax.jit(lambda x, i: garner.tensorrt.gather(x, i, axis=1))
    np.testing.assert_array_equal(trt(X.astype(jnp.float32), I), X[:, I])
    gradient = jax.grad(lambda x: garner.stablehlo.dynamic_slice(x, [I[0], I[1]], [1, 2]).sum())(X)
    np.testing.assert_array_equal(gradient, jnp.zeros_like(X).at[2, :2].set(1))


def test_several_results():
    d = {"inserted_window_dims": [0], "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1}
    def both(x, n):
        return garner.stablehlo.scatter((x, n), I[:2, None], (V[0, :2], I[:2]), update_computation="add", **d)
    floats, integers = jax.jit(both)(X[0], jnp.arange(4))
    np.testing.assert_allclose(floats, X[0].at[I[:2]].add(V[0, :2]))
    np.testing.assert_array_equal(integers, jnp.arange(4).at[I[:2]].add(I[:2]))
    gradient = jax.grad(lambda x: (both(x, jnp.arange(4))[0] ** 2).sum())(X[0])
    np.testing.assert_allclose(gradient, 2 * floats)


def test_large_arrays_under_jit():
    many = jnp.arange(2_000_000.0)
    total = jax.jit(lambda x, i: ours.take(x * 2, i).sum())(many, jnp.arange(1_000_000))
    assert total == 1_000_000 * 999_999


def test_results_are_of_the_callers_kind():
    x, index = np.arange(5.0), np.array([1])
    assert type(ours.take(x, index)) is np.ndarray
    assert isinstance(ours.take(jnp.asarray(x), index), jax.Array)
    assert isinstance(ours.take(x, jnp.asarray(index)), jax.Array)


def test_without_x64_results_are_32_bits_wide():
    with jax.enable_x64(False):
        result = ours.take(np.arange(5), jnp.array([1]))
        assert result.dtype == jnp.int32
        compiled = jax.jit(lambda i: ours.take(np.arange(5), i))(jnp.array([1]))
        assert compiled.dtype == jnp.int32 and compiled.tolist() == [1]
        gradient = jax.jit(jax.grad(lambda x: ours.take(x, np.array([1])).sum()))(jnp.arange(3.0))
        assert gradient.dtype == jnp.float32 and gradient.tolist() == [0, 1, 0]
