"""garner.jax on NumPy arrays: the golden cases, and every function against its definition as loops."""
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import garner
import garner.jax as jax

sys.path.insert(0, str(Path(__file__).parent))
import cases  # noqa: E402

SETTINGS = settings(max_examples=50, deadline=None, derandomize=True)
OPERATIONS = {"set": lambda old, new: new, "add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}


def as_key(key):
    """A key of the text form: there a bare list is a slice."""
    return tuple(map(as_part, key if isinstance(key, (list, tuple)) else [key]))


def as_part(part):
    if isinstance(part, (list, tuple)):
        return slice(*part)
    return Ellipsis if isinstance(part, str) and part == "Ellipsis" else part


class Text:
    """The operations as the text form names them."""

    def __getattr__(self, name):
        if not name.startswith("at_"):
            return getattr(jax, name)
        return lambda x, key, *values, **options: getattr(jax.at(x)[as_key(key)], name[3:])(*values, **options)


@pytest.mark.parametrize("case", cases.load("jax"))
def test_case(case):
    case.check(Text())


# ---- definitions ----

def place(index, extent, wraps, mode):
    """Where an index points, or None."""
    index = index + extent if wraps and index < 0 else index
    if 0 <= index < extent:
        return index
    return min(max(index, 0), extent - 1) if mode == "clip" else None


def fill_of(dtype):
    if dtype.kind == "f":
        return np.nan
    return np.iinfo(dtype).min if dtype.kind == "i" else np.iinfo(dtype).max


def loop_get(x, index, axis, mode, wraps=True):
    """x[:, index, :] with the index on `axis`."""
    front, back = x.shape[:axis], x.shape[axis + 1:]
    out = np.empty(front + index.shape + back, x.dtype)
    for f, i, b in product(np.ndindex(front), np.ndindex(index.shape), np.ndindex(back)):
        at = place(int(index[i]), x.shape[axis], wraps, mode)
        out[f + i + b] = fill_of(x.dtype) if at is None else x[f + (at,) + b]
    return out


def loop_update(x, index, axis, values, join, mode, wraps=True):
    front, back = x.shape[:axis], x.shape[axis + 1:]
    out = x.copy()
    for f, i, b in product(np.ndindex(front), np.ndindex(index.shape), np.ndindex(back)):
        at = place(int(index[i]), x.shape[axis], wraps, mode)
        if at is not None:
            out[f + (at,) + b] = join(out[f + (at,) + b], values[f + i + b])
    return out


def start_of(starts, batch, index_map, room, mode):
    """The start of a slice, None when it does not fit and is not moved. room: the last start that fits, per axis."""
    start = [0] * len(room)
    for component, axis in enumerate(index_map):
        at = place(int(starts[batch + (component,)]), room[axis] + 1, False, mode)
        if at is None:
            return None
        start[axis] = at
    return np.array(start, int)


def loop_gather(operand, starts, index_map, sizes, mode):
    """With all window axes at the end of the result, and none collapsed."""
    out = np.empty(starts.shape[:-1] + tuple(sizes), operand.dtype)
    for batch in np.ndindex(starts.shape[:-1]):
        start = start_of(starts, batch, index_map, np.subtract(operand.shape, sizes), mode)
        for offset in np.ndindex(*sizes):
            out[batch + offset] = fill_of(operand.dtype) if start is None else operand[tuple(start + offset)]
    return out


def loop_scatter(operand, starts, updates, index_map, join, mode):
    sizes, out = updates.shape[starts.ndim - 1:], operand.copy()
    for batch in np.ndindex(starts.shape[:-1]):
        start = start_of(starts, batch, index_map, np.subtract(operand.shape, sizes), mode)
        for offset in np.ndindex(*sizes) if start is not None else ():
            there = tuple(start + offset)
            out[there] = join(out[there], updates[batch + offset])
    return out


# ---- what the tests draw ----

DTYPES = st.sampled_from([np.int32, np.int64, np.uint8, np.float32, np.float64]).map(np.dtype)
MODES = st.sampled_from(["fill", "clip", "drop", "promise_in_bounds", None])
READ_AS = {None: "clip", "promise_in_bounds": "clip"}
UPDATE_AS = {None: "drop", "promise_in_bounds": "drop"}


@st.composite
def arrays(draw, low=1, high=3, least=1, dtypes=DTYPES):
    """Also transposed, reversed and stepped ones."""
    shape = tuple(draw(st.lists(st.integers(least, 4), min_size=low, max_size=high)))
    array = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 9, shape).astype(draw(dtypes))
    if array.ndim and draw(st.booleans()):
        array = np.repeat(array, 2, axis=0)[::-2]
    return array.T if draw(st.booleans()) else array


@st.composite
def index_arrays(draw, low=0, high=2):
    shape = tuple(draw(st.lists(st.integers(0, 3), min_size=low, max_size=high)))
    numbers = np.random.default_rng(draw(st.integers(0, 99))).integers(-7, 8, shape)
    return numbers.astype(draw(st.sampled_from([np.int8, np.int32, np.int64])))


# ---- x.at[key] ----

@SETTINGS
@given(arrays(), index_arrays(), MODES, st.booleans(), st.data())
def test_get(x, index, mode, wraps, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    key = (slice(None),) * axis + (index,)
    np.testing.assert_array_equal(jax.at(x)[key].get(mode=mode, wrap_negative_indices=wraps),
                                  loop_get(x, index, axis, READ_AS.get(mode, mode), wraps))


@SETTINGS
@given(arrays(), index_arrays(), MODES, st.booleans(), st.sampled_from(sorted(OPERATIONS)), st.data())
def test_update(x, index, mode, wraps, method, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    values = np.random.default_rng(1).integers(0, 9, x.shape[:axis] + index.shape + x.shape[axis + 1:]).astype(x.dtype)
    before, there = x.copy(), jax.at(x)[(slice(None),) * axis + (index,)]
    result = getattr(there, method)(values, mode=mode, wrap_negative_indices=wraps)
    expected = loop_update(x, index, axis, values, OPERATIONS[method], UPDATE_AS.get(mode, mode), wraps)
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(x, before)


def keys_for(shape):
    inside = [st.one_of(st.integers(-n, n - 1), st.slices(n)) for n in shape]
    return st.tuples(*inside).flatmap(
        lambda parts: st.sampled_from([parts, (*parts, None), (None, *parts), (..., *parts), (*parts[:1], ...)]))


@SETTINGS
@given(arrays(), st.data())
def test_basic_keys_are_numpy_keys(x, data):
    key = data.draw(keys_for(x.shape))
    expected = x.copy()
    expected[key] += np.array(3, x.dtype)
    np.testing.assert_array_equal(jax.at(x)[key].get(), x[key])
    np.testing.assert_array_equal(jax.at(x)[key].add(3), expected)


def test_mul_is_multiply():
    np.testing.assert_array_equal(jax.at(np.arange(4))[1:].mul(3), [0, 3, 6, 9])


def test_masks_and_lists_in_a_key():
    x = np.arange(12).reshape(3, 4)
    np.testing.assert_array_equal(jax.at(x)[x % 2 == 0].set(-1), np.where(x % 2 == 0, -1, x))
    np.testing.assert_array_equal(jax.at(x)[[0, 2], (1, -1)].get(), [1, 11])
    assert jax.at(x)[[], 0].get().shape == (0,)


def test_numbers_in_values_take_the_dtype_of_x():
    x = np.zeros(3, np.float32)
    assert jax.at(x)[:2].set([1.5, 2]).tolist() == [1.5, 2, 0]
    assert jax.at(x.astype(np.complex64))[0].set(1j).tolist() == [1j, 0, 0]


@pytest.mark.parametrize("key, kind, rule", [
    ([0, 1], TypeError, "JX42"), ("newaxis", TypeError, "JX42"), (1.5, TypeError, "JX42"),
    (slice(0.5, None), TypeError, "JX42"), ((0, 0, 0), IndexError, "JX41"), (slice(None, None, 0), ValueError, "JX50"),
    ((..., ...), IndexError, "JX49")])
def test_bad_keys(key, kind, rule):
    with pytest.raises(kind) as caught:
        jax.at(np.zeros((2, 3)))[key].get()
    assert isinstance(caught.value, garner.Error) and caught.value.rule == rule


@pytest.mark.parametrize("method", ["subtract", "divide", "power", "apply"])
def test_methods_not_offered(method):
    with pytest.raises(NotImplementedError, match=method):
        getattr(jax.at(np.zeros(3))[0], method)(1)


# ---- modes ----

@pytest.mark.parametrize("mode", list(jax.GatherScatterMode)[:3])
def test_members_are_their_words(mode):
    word = {"CLIP": "clip", "FILL_OR_DROP": "fill", "PROMISE_IN_BOUNDS": "promise_in_bounds"}[mode.name]
    x, index = np.arange(5.0), np.array([1, 9, -1])
    np.testing.assert_array_equal(jax.at(x)[index].get(mode=mode), jax.at(x)[index].get(mode=word))
    np.testing.assert_array_equal(jax.at(x)[index].add(1, mode=mode), jax.at(x)[index].add(1, mode=word))


def test_broken_promises_stay_inside_the_array():
    x, far = np.arange(5.0), np.array([10**12, -10**12])
    assert jax.at(x)[far].get(mode="promise_in_bounds").tolist() == [4, 0]
    assert jax.at(x)[far].set(9, mode="promise_in_bounds").tolist() == x.tolist()
    assert jax.take_along_axis(x, np.array([-1, 9]), mode="promise_in_bounds").tolist() == [0, 4]
    one = jax.GatherDimensionNumbers((), (0,), (0,))
    assert jax.gather(x, far[:, None], one, (1,), mode="promise_in_bounds").tolist() == [4, 0]
    assert jax.segment_sum(x[:2], far, 2, mode="promise_in_bounds").tolist() == [0, 0]


def test_one_hot_is_not_offered():
    with pytest.raises(NotImplementedError, match="one_hot"):
        jax.at(np.zeros(3))[0].get(mode=jax.GatherScatterMode.ONE_HOT)


def test_unknown_mode():
    for mode in ("CLIP", 5):
        with pytest.raises(ValueError, match=f"mode is {mode}"):
            jax.at(np.zeros(3))[0].get(mode=mode)


# ---- lax ----

@st.composite
def windows(draw):
    """(operand, starts, index_map, slice sizes)"""
    operand = draw(arrays())
    sizes = tuple(draw(st.integers(0, n)) for n in operand.shape)
    index_map = draw(st.permutations(range(operand.ndim)))[:draw(st.integers(0, operand.ndim))]
    batch = tuple(draw(st.lists(st.integers(0, 3), max_size=2)))
    seed = draw(st.integers(0, 99))
    return operand, np.random.default_rng(seed).integers(-3, 6, (*batch, len(index_map))), tuple(index_map), sizes


@SETTINGS
@given(windows(), MODES)
def test_gather(window, mode):
    operand, starts, index_map, sizes = window
    offset_dims = tuple(range(starts.ndim - 1, starts.ndim - 1 + operand.ndim))
    numbers = jax.GatherDimensionNumbers(offset_dims, (), index_map)
    np.testing.assert_array_equal(jax.gather(operand, starts, numbers, sizes, mode=mode),
                                  loop_gather(operand, starts, index_map, sizes, READ_AS.get(mode, mode)))


@SETTINGS
@given(windows(), MODES, st.sampled_from(["scatter", "scatter_add", "scatter_mul", "scatter_min", "scatter_max"]))
def test_scatter(window, mode, name):
    operand, starts, index_map, sizes = window
    updates = np.random.default_rng(2).integers(0, 9, starts.shape[:-1] + sizes).astype(operand.dtype)
    numbers = jax.ScatterDimensionNumbers(tuple(range(starts.ndim - 1, updates.ndim)), (), index_map)
    join = OPERATIONS[{"scatter": "set", "scatter_mul": "multiply"}.get(name, name.removeprefix("scatter_"))]
    result = getattr(jax, name)(operand, starts, updates, numbers, mode=mode)
    expected = loop_scatter(operand, starts, updates, index_map, join, UPDATE_AS.get(mode, mode))
    np.testing.assert_array_equal(result, expected)


# ---- take, take_along_axis, segments ----

@SETTINGS
@given(arrays(), index_arrays(), st.sampled_from(["fill", "clip", "wrap", None]), st.data())
def test_take(a, indices, mode, data):
    axis = data.draw(st.none() | st.integers(-a.ndim, a.ndim - 1))
    flat, along = (a.reshape(-1), 0) if axis is None else (a, axis % a.ndim)
    plain = np.asarray(indices % flat.shape[along]) if mode == "wrap" else indices
    expected = loop_get(flat, plain, along, "clip" if mode == "clip" else "fill", wraps=mode != "clip")
    np.testing.assert_array_equal(jax.take(a, indices, axis, mode=mode), expected)


@SETTINGS
@given(arrays(), st.sampled_from(["fill", "clip", None]), st.integers(0, 3), st.data())
def test_take_along_axis(arr, mode, extent, data):
    axis = data.draw(st.integers(-arr.ndim, arr.ndim - 1))
    shape = list(arr.shape)
    shape[axis] = extent
    indices = np.random.default_rng(extent).integers(-6, 6, shape)
    expected = np.empty(shape, arr.dtype)
    for at in np.ndindex(*shape):
        source = list(at)
        source[axis] = place(int(indices[at]), arr.shape[axis], True, mode or "fill")
        expected[at] = fill_of(arr.dtype) if source[axis] is None else arr[tuple(source)]
    np.testing.assert_array_equal(jax.take_along_axis(arr, indices, axis, mode), expected)


@pytest.mark.parametrize("name, start, join", [
    ("sum", lambda d: 0, np.add), ("prod", lambda d: 1, np.multiply),
    ("min", lambda d: np.inf if d.kind == "f" else np.iinfo(d).max, np.minimum),
    ("max", lambda d: -np.inf if d.kind == "f" else np.iinfo(d).min, np.maximum)])
@SETTINGS
@given(arrays(), st.none() | st.integers(0, 4))
def test_segments(name, start, join, data, count):
    ids = np.random.default_rng(data.size).integers(-1, 4, data.shape[0])
    if count is None:
        ids[0] = 2
    expected = np.full((ids.max() + 1 if count is None else count, *data.shape[1:]), start(data.dtype), data.dtype)
    for i, row in zip(ids, data):
        if 0 <= i < len(expected):
            expected[i] = join(expected[i], row)
    np.testing.assert_array_equal(getattr(jax, f"segment_{name}")(data, ids, count), expected)


def test_what_is_not_offered_is_refused():
    x = np.arange(3)
    for call in (lambda: jax.take(x, x, out=x), lambda: jax.segment_sum(x, x, bucket_size=2),
                 lambda: jax.at(x)[0].get(out_sharding=1), lambda: jax.at(x)[0].set(1, out_sharding=1),
                 lambda: jax.take(x, x, mode="raise")):
        with pytest.raises(NotImplementedError):
            call()


def test_integers_of_numpy_are_integers():
    x = np.arange(6).reshape(2, 3)
    assert jax.take(x, np.array([1]), axis=np.int64(1)).tolist() == [[1], [4]]
    assert jax.segment_sum(x, np.array([0, 0]), np.int32(1)).tolist() == [[3, 5, 7]]
    with pytest.raises(TypeError):
        jax.take(x, np.array([1]), axis=1.0)


def test_names_are_also_where_jax_has_them():
    assert jax.lax.gather is jax.gather and jax.lax.GatherScatterMode is jax.GatherScatterMode
    assert jax.numpy.take is jax.take and jax.ops.segment_sum is jax.segment_sum
