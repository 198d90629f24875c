"""garner.onnx against plain NumPy definitions of ONNX's operators, and its rules."""
import inspect

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import defs

import garner
from garner import onnx

FAST = settings(max_examples=40, deadline=None, derandomize=True)
DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16,
          np.float32, np.float64, np.complex64, np.complex128, ml_dtypes.bfloat16]
REALS = [t for t in DTYPES if t not in (np.bool_, np.complex64, np.complex128)]

SNAKE = {"Gather": "gather", "GatherElements": "gather_elements", "GatherND": "gather_nd", "Scatter": "scatter",
         "ScatterElements": "scatter_elements", "ScatterND": "scatter_nd", "TensorScatter": "tensor_scatter",
         "NonZero": "non_zero", "ArgMax": "arg_max", "ArgMin": "arg_min", "OneHot": "one_hot", "Compress": "compress",
         "TopK": "top_k", "Where": "where", "Unique": "unique"}


# ---- random arrays ----

shapes = st.lists(st.integers(0, 4), min_size=0, max_size=4).map(tuple)
filled = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)  # rank and extents of one or more


def strided(array, how):
    """The same values in other memory."""
    if array.ndim == 0:
        return np.asarray(array)
    if how == "transposed":
        return np.ascontiguousarray(array.T).T
    if how == "reversed":
        return np.ascontiguousarray(array[..., ::-1])[..., ::-1]
    if how == "stepped":
        wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        wide[..., ::2] = array
        return wide[..., ::2]
    if how == "stride 0":
        return np.broadcast_to(array[:1], array.shape)
    return array


hows = st.sampled_from(["plain", "transposed", "reversed", "stepped"])


@st.composite
def values(draw, shape, dtypes=tuple(DTYPES)):
    """Small whole numbers of some dtype, in some memory; also broadcast ones."""
    dtype = draw(st.sampled_from(dtypes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    array = np.asarray(rng.integers(0, 2 if dtype is np.bool_ else 7, shape)).astype(dtype)
    return strided(array, draw(st.one_of(hows, st.just("stride 0"))))


@st.composite
def indices(draw, shape, extent, low=None, types=(np.int32, np.int64)):
    """In [-extent, extent), or from `low` on."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    made = np.asarray(rng.integers(-extent if low is None else low, extent, shape))
    return strided(made.astype(draw(st.sampled_from(types))), draw(hows))


def same(got, want):
    want = np.asarray(want)
    assert isinstance(got, np.ndarray)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(got, want)


def grid(shape):
    return np.indices(shape, sparse=True)


def elements(rank, axis, index):
    """What gather_elements reads and scatter_elements writes."""
    place = [np.broadcast_to(g, index.shape) for g in grid(index.shape)]
    place[axis] = index
    return tuple(place)


# ---- names ----


def test_every_operator_has_both_names():
    for name, snake in SNAKE.items():
        assert getattr(onnx, name) is getattr(onnx, snake)
    assert set(onnx.__all__) == set(SNAKE) | set(SNAKE.values())


def test_inputs_and_attributes_have_onnx_s_names():
    for name in SNAKE:
        versions = [s for s in defs.get_all_schemas_with_history() if s.name == name and s.domain == ""]
        parameters = inspect.signature(getattr(onnx, name)).parameters.values()
        inputs = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        attributes = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
        assert attributes.pop("opset") is None
        newest = max((s for s in versions if not s.deprecated), key=lambda s: s.since_version)
        assert inputs == [i.name for i in newest.inputs], name
        assert set(attributes) == {a for s in versions if not s.deprecated for a in s.attributes}, name
        for attribute, definition in newest.attributes.items():
            value = definition.default_value
            default = {1: value.f, 2: value.i, 3: value.s.decode(), 0: None}[int(value.type)]
            assert attributes[attribute] == default, (name, attribute)


def test_attributes_go_by_name():
    with pytest.raises(TypeError):
        onnx.gather(np.arange(3), np.array([0]), 0)


# ---- gathers ----


@FAST
@given(st.data())
def test_gather(data):
    shape = data.draw(filled)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    x = data.draw(values(shape))
    index = data.draw(indices(data.draw(shapes), shape[axis]))
    same(onnx.gather(x, index, axis=axis), np.take(x, index, axis))


@FAST
@given(st.data())
def test_gather_elements(data):
    shape = data.draw(filled)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    want = [data.draw(st.integers(0, 5 if a == axis % len(shape) else n)) for a, n in enumerate(shape)]
    x, index = data.draw(values(shape)), data.draw(indices(want, shape[axis]))
    same(onnx.gather_elements(x, index, axis=axis), x[elements(len(shape), axis, index)])


@FAST
@given(st.data())
def test_gather_nd(data):
    shape = data.draw(filled)
    batch = data.draw(st.integers(0, len(shape) - 1))
    k = data.draw(st.integers(1, len(shape) - batch))
    rows = (*shape[:batch], *data.draw(st.lists(st.integers(0, 3), max_size=2)))
    x = data.draw(values(shape))
    index = np.stack([data.draw(indices(rows, n, types=(np.int64,))) for n in shape[batch:batch + k]], axis=-1)
    lead = [g.reshape(g.shape + (1,) * (len(rows) - batch)) for g in grid(shape[:batch])]
    same(onnx.gather_nd(x, index, batch_dims=batch), x[(*lead, *np.moveaxis(index, -1, 0))])


# ---- scatters ----

FUNCTIONS = {"none": lambda a, b: b, "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}
reductions = st.sampled_from(sorted(FUNCTIONS))


def scattered(x, place, updates, function):
    """One by one, in row-major order."""
    out = np.array(x)
    for at in np.ndindex(updates.shape):
        target = tuple(p[at] for p in place)
        out[target] = function(out[target], updates[at])
    return out


def dtypes_for(reduction):
    if reduction in ("max", "min"):
        return [*REALS, np.bool_]
    return DTYPES


@FAST
@given(st.data(), reductions)
def test_scatter_elements(data, reduction):
    shape = data.draw(filled)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    want = tuple(data.draw(st.integers(0, 5 if a == axis % len(shape) else n)) for a, n in enumerate(shape))
    x = data.draw(values(shape, dtypes_for(reduction)))
    updates, index = data.draw(values(want, [x.dtype.type])), data.draw(indices(want, shape[axis]))
    expected = scattered(x, elements(len(shape), axis, index), updates, FUNCTIONS[reduction])
    same(onnx.scatter_elements(x, index, updates, axis=axis, reduction=reduction), expected)


@FAST
@given(st.data())
def test_scatter(data):
    shape = data.draw(filled)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    types = [t for t in DTYPES if t is not ml_dtypes.bfloat16]
    x = data.draw(values(shape, types))
    updates, index = data.draw(values(shape, [x.dtype.type])), data.draw(indices(shape, shape[axis], low=0))
    expected = scattered(x, elements(len(shape), axis, index), updates, FUNCTIONS["none"])
    same(onnx.scatter(x, index, updates, axis=axis, opset=data.draw(st.sampled_from([None, 9, 10]))), expected)


@FAST
@given(st.data(), reductions)
def test_scatter_nd(data, reduction):
    shape = data.draw(filled)
    k = data.draw(st.integers(1, len(shape)))
    rows = tuple(data.draw(st.lists(st.integers(0, 3), max_size=2)))
    x = data.draw(values(shape, dtypes_for(reduction)))
    index = np.stack([data.draw(indices(rows, n, types=(np.int64,))) for n in shape[:k]], axis=-1)
    updates = data.draw(values(rows + shape[k:], [x.dtype.type]))
    ones = (1,) * (len(shape) - k)
    place = [np.broadcast_to(i.reshape(rows + ones), updates.shape) for i in np.moveaxis(index, -1, 0)]
    place += [np.broadcast_to(g, updates.shape) for g in grid(updates.shape)[len(rows):]]
    same(onnx.scatter_nd(x, index, updates, reduction=reduction), scattered(x, place, updates, FUNCTIONS[reduction]))


@FAST
@given(st.data(), st.sampled_from(["linear", "circular"]))
def test_tensor_scatter(data, mode):
    shape = data.draw(st.lists(st.integers(1, 4), min_size=2, max_size=4).map(tuple))
    axis = data.draw(st.integers(1, len(shape) - 1))
    length = data.draw(st.integers(1, shape[axis]))
    cache = data.draw(values(shape, [*DTYPES, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]))
    update = data.draw(values((*shape[:axis], length, *shape[axis + 1:]), [cache.dtype.type]))
    last = shape[axis] - length if mode == "linear" else 2 * shape[axis]
    starts = np.array(data.draw(st.lists(st.integers(0, last), min_size=shape[0], max_size=shape[0])), np.int64)
    expected = np.array(cache)
    for at in np.ndindex(update.shape):
        target = list(at)
        target[axis] = (starts[at[0]] + at[axis]) % shape[axis]
        expected[tuple(target)] = update[at]
    same(onnx.tensor_scatter(cache, update, starts, axis=axis - data.draw(st.sampled_from([0, len(shape)])), mode=mode),
         expected)


# ---- masks and positions ----


@FAST
@given(st.data())
def test_one_hot(data):
    low = data.draw(st.sampled_from([-9, 0]))
    index = data.draw(indices(data.draw(filled), 9, low, REALS[:-1] if low == 0 else [np.int8, np.int64, np.float32]))
    depth, pair = data.draw(st.integers(1, 5)), data.draw(values((2,)))
    axis = data.draw(st.integers(-index.ndim - 1, index.ndim))
    whole = np.asarray(index, np.int64)
    wrapped = np.where(whole < 0, whole + depth, whole)
    hot = np.moveaxis(wrapped[..., None] == np.arange(depth), -1, axis)
    same(onnx.one_hot(index, np.array(depth), pair, axis=axis), np.where(hot, pair[1], pair[0]))


@FAST
@given(st.data())
def test_compress(data):
    shape = data.draw(filled)
    axis = data.draw(st.one_of(st.none(), st.integers(-len(shape), len(shape) - 1)))
    x = data.draw(values(shape))
    extent = x.size if axis is None else shape[axis]
    condition = np.array(data.draw(st.lists(st.booleans(), max_size=extent)), np.bool_)
    same(onnx.compress(x, condition, axis=axis), np.compress(condition, x, axis))


@FAST
@given(st.data())
def test_where(data):
    shape = data.draw(shapes)
    part = st.integers(0, len(shape)).map(lambda cut: shape[cut:])
    x = data.draw(values(data.draw(part)))
    y = data.draw(values(data.draw(part), [x.dtype.type]))
    condition = data.draw(values(data.draw(part), [np.bool_]))
    same(onnx.where(condition, x, y), np.where(condition, x, y).astype(x.dtype))


@FAST
@given(st.data())
def test_non_zero(data):
    x = data.draw(values(data.draw(filled)))
    same(onnx.non_zero(x), np.array(np.nonzero(x), np.int64))


@pytest.mark.parametrize("value, count", [(0, 0), (3, 1)])
def test_non_zero_of_rank_0(value, count):
    same(onnx.non_zero(np.array(value)), np.zeros((0, count), np.int64))


@FAST
@given(st.data(), st.sampled_from(["max", "min"]), st.booleans(), st.booleans())
def test_arg(data, which, keepdims, last):
    shape = data.draw(filled)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    x = data.draw(values(shape, REALS))
    ours, find = {"max": (onnx.arg_max, np.argmax), "min": (onnx.arg_min, np.argmin)}[which]
    if last:
        expected = shape[axis] - 1 - find(np.flip(x, axis), axis)
    else:
        expected = find(x, axis)
    expected = np.asarray(np.expand_dims(expected, axis) if keepdims else expected, np.int64)
    same(ours(x, axis=axis, keepdims=keepdims, select_last_index=last), expected)


@FAST
@given(st.data(), st.booleans())
def test_top_k(data, largest):
    shape = data.draw(filled)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    x, k = data.draw(values(shape, REALS)), data.draw(st.integers(0, shape[axis]))
    key = np.asarray(x, np.float64) * (-1 if largest else 1)
    where = np.take(np.argsort(key, axis=axis, kind="stable"), range(k), axis)
    got = onnx.top_k(x, np.array([k]), axis=axis, largest=largest)
    same(got[0], np.take_along_axis(x, where, axis))
    same(got[1], where)


def distinct(x, axis):
    """The keys of slices along an axis, or of all elements."""
    if axis is None:
        return [(float(v),) for v in x.ravel()]
    return [tuple(np.moveaxis(x, axis, 0)[i].ravel().astype(float)) for i in range(x.shape[axis])]


@FAST
@given(st.data(), st.booleans())
def test_unique(data, ordered):
    shape = data.draw(filled)
    axis = data.draw(st.one_of(st.none(), st.integers(-len(shape), len(shape) - 1)))
    x = data.draw(values(shape, REALS))
    keys = distinct(x, axis)
    kept = list(dict.fromkeys(keys))
    kept = sorted(kept) if ordered else kept
    first = np.array([keys.index(key) for key in kept], np.int64)
    got = onnx.unique(x, axis=axis, sorted=ordered)
    same(got[0], np.take(x, first, axis))
    same(got[1], first)
    same(got[2], np.array([kept.index(key) for key in keys], np.int64))
    same(got[3], np.array([keys.count(key) for key in kept], np.int64))


def test_nan():
    x = np.array([1, np.nan, 3, np.nan], np.float32)
    assert onnx.arg_max(x, keepdims=0) == onnx.arg_min(x, keepdims=0) == 1
    assert onnx.arg_max(x, keepdims=0, select_last_index=1) == 3
    np.testing.assert_array_equal(onnx.top_k(x, np.array([4]))[1], [1, 3, 2, 0])
    np.testing.assert_array_equal(onnx.unique(x)[3], [1, 1, 2])
    for reduction in ("max", "min"):
        got = onnx.scatter_nd(x, np.array([[0], [1]]), np.array([np.nan, 2], np.float32), reduction=reduction)
        assert np.isnan(got[:2]).all()


# ---- opsets ----


@pytest.mark.parametrize("call, opset", [
    (lambda o: onnx.gather(np.arange(3), np.array([0]), opset=o), 1),
    (lambda o: onnx.gather_elements(np.arange(3), np.array([0]), opset=o), 11),
    (lambda o: onnx.gather_nd(np.arange(3), np.array([[0]]), opset=o), 11),
    (lambda o: onnx.scatter(np.arange(3), np.array([0]), np.array([5]), opset=o), 9),
    (lambda o: onnx.scatter_elements(np.arange(3), np.array([0]), np.array([5]), opset=o), 11),
    (lambda o: onnx.scatter_elements(np.arange(3), np.array([0]), np.array([5]), reduction="mul", opset=o), 16),
    (lambda o: onnx.scatter_elements(np.arange(3), np.array([0]), np.array([5]), reduction="min", opset=o), 18),
    (lambda o: onnx.scatter_nd(np.arange(3), np.array([[0]]), np.array([5]), opset=o), 11),
    (lambda o: onnx.scatter_nd(np.arange(3), np.array([[0]]), np.array([5]), reduction="add", opset=o), 16),
    (lambda o: onnx.scatter_nd(np.arange(3), np.array([[0]]), np.array([5]), reduction="max", opset=o), 18),
    (lambda o: onnx.tensor_scatter(np.zeros((1, 2, 1)), np.ones((1, 1, 1)), opset=o), 24),
    (lambda o: onnx.gather_nd(np.zeros((2, 2)), np.array([[0], [1]]), batch_dims=1, opset=o), 12),
    (lambda o: onnx.one_hot(np.array([0]), np.array(2), np.array([0, 1]), opset=o), 9),
    (lambda o: onnx.one_hot(np.array([0]), np.array(2), np.array([0, 1]), axis=-2, opset=o), 11),
    (lambda o: onnx.compress(np.arange(3), np.array([True]), opset=o), 9),
    (lambda o: onnx.compress(np.arange(3), np.array([True]), axis=-1, opset=o), 11),
    (lambda o: onnx.where(np.array([True]), np.arange(1), np.arange(1), opset=o), 9),
    (lambda o: onnx.non_zero(np.arange(3), opset=o), 9),
    (lambda o: onnx.arg_max(np.arange(3), opset=o), 1),
    (lambda o: onnx.arg_max(np.arange(3), axis=-1, opset=o), 11),
    (lambda o: onnx.arg_min(np.arange(3), select_last_index=1, opset=o), 12),
    (lambda o: onnx.top_k(np.zeros(3), np.array([1]), opset=o), 10),
    (lambda o: onnx.top_k(np.zeros(3), np.array([1]), largest=0, opset=o), 11),
    (lambda o: onnx.unique(np.arange(3), opset=o), 11),
])
def test_the_opset_a_form_came_with(call, opset):
    call(opset)
    with pytest.raises(ValueError) as error:
        call(opset - 1)
    assert error.value.rule in ("OX1", "OX2", "OX5")


@pytest.mark.parametrize("call, opset", [
    (lambda x, o: onnx.gather(x, np.array([0]), opset=o), 13),
    (lambda x, o: onnx.gather_elements(x, np.array([0]), opset=o), 13),
    (lambda x, o: onnx.gather_nd(x, np.array([[0]]), opset=o), 13),
    (lambda x, o: onnx.scatter_elements(x, np.array([0]), x[:1], opset=o), 13),
    (lambda x, o: onnx.scatter_nd(x, np.array([[0]]), x[:1], opset=o), 13),
    (lambda x, o: onnx.one_hot(np.array([0]), np.array(2), x[:2], opset=o), 28),
    (lambda x, o: onnx.compress(x, np.array([True]), opset=o), 28),
    (lambda x, o: onnx.where(np.array([True]), x, x, opset=o), 16),
    (lambda x, o: onnx.non_zero(x, opset=o), 13),
    (lambda x, o: onnx.arg_max(x, opset=o), 13),
    (lambda x, o: onnx.top_k(x, np.array([1]), opset=o), 24),
    (lambda x, o: onnx.unique(x, opset=o), 28),
])
def test_the_opset_bfloat16_came_with(call, opset):
    x = np.arange(3).astype(ml_dtypes.bfloat16)
    call(x, opset)
    with pytest.raises(TypeError) as error:
        call(x, opset - 1)
    assert error.value.rule == "OX4"


def test_integers_in_top_k_came_with_opset_11():
    onnx.top_k(np.arange(3), np.array([1]), opset=11)
    with pytest.raises(TypeError):
        onnx.top_k(np.arange(3), np.array([1]), opset=10)


def test_the_number_of_top_k_moved():
    same(onnx.top_k(np.array([1, 3, 2], np.float32), k=2, opset=1)[1], np.array([1, 2]))
    for call in (lambda: onnx.top_k(np.zeros(3), k=2), lambda: onnx.top_k(np.zeros(3), np.array([2]), opset=9)):
        with pytest.raises(ValueError) as error:
            call()
        assert error.value.rule == "OX5"


def test_negative_indices_came_with_opset_11():
    one = np.array([-1])
    assert onnx.gather(np.arange(3), one, opset=11) == 2
    assert onnx.one_hot(one, np.array(2), np.array([0, 1]), opset=11).tolist() == [[0, 1]]
    assert onnx.one_hot(one, np.array(2), np.array([0, 1]), opset=10).tolist() == [[0, 0]]
    for call in (lambda: onnx.gather(np.arange(3), one, opset=10), lambda: onnx.scatter(np.arange(3), one, one)):
        with pytest.raises(IndexError) as error:
            call()
        assert error.value.rule == "OX6"


# ---- rules ----


@pytest.mark.parametrize("call, error, rule", [
    (lambda: onnx.gather(np.arange(3), np.array([0]), opset=29), ValueError, "OX1"),
    (lambda: onnx.scatter(np.arange(3), np.array([0]), np.array([0]), opset=11), ValueError, "OX1"),
    (lambda: onnx.gather(np.arange(3), np.array([0]), axis=1), ValueError, "OX2"),
    (lambda: onnx.tensor_scatter(np.zeros((1, 2)), np.zeros((1, 2)), axis=0), ValueError, "OX2"),
    (lambda: onnx.gather(np.array(3), np.array([0])), ValueError, "OX3"),
    (lambda: onnx.gather_elements(np.arange(3), np.array([[0]])), ValueError, "OX3"),
    (lambda: onnx.gather(np.arange(3), np.array([0.0])), TypeError, "OX4"),
    (lambda: onnx.gather_nd(np.arange(3), np.array([[0]], np.int32)), TypeError, "OX4"),
    (lambda: onnx.scatter_nd(np.arange(3), np.array([[0]]), np.array([0.0])), TypeError, "OX4"),
    (lambda: onnx.gather(np.arange(3), np.array([3])), IndexError, "OX6"),
    (lambda: onnx.gather_elements(np.arange(3), np.array([-4])), IndexError, "OX6"),
    (lambda: onnx.gather_nd(np.arange(3), np.array([[3]])), IndexError, "OX6"),
    (lambda: onnx.scatter_elements(np.arange(3), np.array([3]), np.array([0])), IndexError, "OX6"),
    (lambda: onnx.scatter_nd(np.arange(3), np.array([[-4]]), np.array([0])), IndexError, "OX6"),
    (lambda: onnx.tensor_scatter(np.zeros((1, 2, 1)), np.ones((1, 1, 1)), np.array([2])), IndexError, "OX6"),
    (lambda: onnx.tensor_scatter(np.zeros((1, 2, 1)), np.ones((1, 1, 1)), np.array([-1])), IndexError, "OX6"),
    (lambda: onnx.compress(np.arange(2), np.array([False, False, True])), IndexError, "OX6"),
    (lambda: onnx.gather_elements(np.zeros((2, 2)), np.zeros((2, 3), int)), ValueError, "OX7"),
    (lambda: onnx.scatter_nd(np.arange(3), np.array([[0]]), np.array([0, 1])), ValueError, "OX8"),
    (lambda: onnx.gather_nd(np.zeros((2, 2)), np.array([[0]]), batch_dims=1), ValueError, "OX9"),
    (lambda: onnx.gather_nd(np.arange(3), np.array([[0, 0]])), ValueError, "OX10"),
    (lambda: onnx.scatter_nd(np.arange(3), np.array([[0]]), np.array([0]), reduction="sum"), ValueError, "OX11"),
    (lambda: onnx.tensor_scatter(np.zeros((1, 2, 1)), np.ones((1, 1, 1)), mode="ring"), ValueError, "OX11"),
    (lambda: onnx.tensor_scatter(np.zeros((1, 2, 1)), np.ones((1, 3, 1))), ValueError, "OX12"),
    (lambda: onnx.arg_max(np.zeros((0, 2))), ValueError, "OX13"),
    (lambda: onnx.one_hot(np.array([0]), np.array(-1), np.array([0, 1])), ValueError, "OX14"),
    (lambda: onnx.top_k(np.arange(3), np.array([4])), ValueError, "OX15"),
    (lambda: onnx.where(np.array([True, False]), np.arange(3), np.arange(3)), ValueError, "OX16"),
])
def test_rules(call, error, rule):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, garner.Error)
    assert caught.value.rule == rule


def test_inputs_are_not_changed():
    data, index, updates = np.arange(3), np.array([[0]]), np.array([9])
    onnx.scatter_nd(data, index, updates)
    assert data.tolist() == [0, 1, 2]
