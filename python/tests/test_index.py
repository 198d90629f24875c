"""garner.index against NumPy and, where NumPy has no such function, against plain Python."""
import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import garner
from garner import index

REAL = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", ml_dtypes.bfloat16]
ALL = [*REAL, "c8", "c16"]

some = settings(max_examples=60, deadline=None, derandomize=True,
                suppress_health_check=[HealthCheck.large_base_example, HealthCheck.too_slow])


def filled(dtype, shape, seed, nan=False):
    """Few different numbers, so that there are equal ones; NaN and -0 among floats on demand."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 4, shape).astype(dtype)
    kind = np.dtype(dtype).kind
    if kind == "c":
        values = values + random.integers(0, 2, shape).astype(dtype) * 1j
    if nan and kind in "fcV" and values.size > 0:
        values = np.where(random.random(shape) < 0.3, np.array(np.nan, dtype), values)
        values = np.where(random.random(shape) < 0.2, np.array(-0.0, dtype), values)
    return np.asarray(values, dtype)


@st.composite
def arrays(draw, dtypes=ALL, min_rank=0, min_extent=0, nan=False):
    shape = draw(st.lists(st.integers(min_extent, 5), min_size=min_rank, max_size=3))
    steps = [draw(st.sampled_from([1, 1, 2, -1])) for _ in shape]
    reach = [n * abs(s) for n, s in zip(shape, steps)]
    memory = filled(draw(st.sampled_from(dtypes)), reach, draw(st.integers(0, 99)), nan)
    view = memory[tuple(slice(None, None, s) for s in steps) + (...,)]
    return view.transpose(draw(st.permutations(range(view.ndim))))


def assert_same(ours, theirs):
    theirs = np.asarray(theirs)
    assert type(ours) is np.ndarray
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    assert ours.tobytes() == theirs.tobytes() or all(map(same_number, ours.ravel().tolist(), theirs.ravel().tolist()))


def same_number(a, b):
    return a == b or (a != a and b != b)


def axis_of(draw, array):
    return draw(st.none() | st.integers(-array.ndim, array.ndim - 1)) if array.ndim > 0 else None


def key_of(value):
    """Garner's order: NaN last, complex by parts."""
    value = complex(value)
    return (value != value, 0, 0) if value != value else (False, value.real, value.imag)


# ---- searching ----

@pytest.mark.parametrize("name", ["argmax", "argmin"])
@some
@given(st.data())
def test_argmax(name, data):
    dtypes = [d for d in ALL if d is not ml_dtypes.bfloat16]
    x = data.draw(arrays(dtypes, min_extent=1, nan=True))
    axis, keepdims = axis_of(data.draw, x), data.draw(st.booleans())
    assert_same(getattr(index, name)(x, axis, keepdims=keepdims), getattr(np, name)(x, axis, keepdims=keepdims))


def test_argmax_of_bf16():
    x = np.array([[1, np.nan, 2], [3, 3, -4]], ml_dtypes.bfloat16)
    assert index.argmax(x, 1).tolist() == [1, 0] and index.argmin(x, 1).tolist() == [1, 2]


@pytest.mark.parametrize("shape, axis", [((0,), None), ((2, 0), None), ((2, 0), 1)])
def test_nothing_to_choose_from(shape, axis):
    for ours, theirs in ((index.argmax, np.argmax), (index.argmin, np.argmin)):
        with pytest.raises(ValueError):
            theirs(np.zeros(shape), axis)
        with pytest.raises(ValueError) as caught:
            ours(np.zeros(shape), axis)
        assert caught.value.rule == "IX4"
    assert index.argmax(np.zeros((2, 0)), 0).shape == (0,)


@some
@given(arrays(nan=True))
def test_nonzero(x):
    places = np.argwhere(x)
    assert_same(index.nonzero(x), places)
    assert_same(index.nonzero(x, columns=True), places.T)
    assert_same(index.flatnonzero(x), np.flatnonzero(x))
    assert_same(index.nonzero(x, capacity=3, fill=-7), [*places.tolist(), *[[-7] * x.ndim] * 3][:3] if x.ndim
                else np.zeros((3, 0), int))


@some
@given(st.data())
def test_count_nonzero(data):
    x = data.draw(arrays(nan=True))
    axis, keepdims = axis_of(data.draw, x), data.draw(st.booleans())
    assert_same(index.count_nonzero(x, axis, keepdims=keepdims), np.count_nonzero(x, axis, keepdims=keepdims))


@some
@given(st.data())
def test_searchsorted(data):
    dtype = data.draw(st.sampled_from([d for d in ALL if d is not ml_dtypes.bfloat16]))
    sequence = np.sort(filled(dtype, (data.draw(st.integers(0, 9)),), data.draw(st.integers(0, 99)), nan=True))
    values = data.draw(arrays([dtype], nan=True))
    side = data.draw(st.sampled_from(["left", "right"]))
    assert_same(index.searchsorted(sequence, values, side), np.searchsorted(sequence, values, side))


# ---- order ----

@some
@given(st.data())
def test_sort(data):
    x = data.draw(arrays(min_rank=1, nan=True))
    axis, descending = data.draw(st.integers(-x.ndim, x.ndim - 1)), data.draw(st.booleans())
    order = index.argsort(x, axis, descending=descending)
    assert order.shape == x.shape and order.dtype == np.int64
    lanes = np.moveaxis(x, axis, -1).reshape(-1, x.shape[axis]) if x.size else []
    for lane, places in zip(lanes, np.moveaxis(order, axis, -1).reshape(-1, x.shape[axis]) if x.size else []):
        assert places.tolist() == stable_order(lane, descending)
    assert_same(index.sort(x, axis, descending=descending), np.take_along_axis(x, order, axis))


def stable_order(lane, descending):
    """Python's sorted is stable; keys with the other sign keep equal elements in their order."""
    sign = -1 if descending else 1
    return sorted(range(len(lane)), key=lambda i: [sign * part for part in key_of(lane[i])])


@some
@given(st.data())
def test_top_k(data):
    x = data.draw(arrays(min_rank=1, nan=True))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    k, largest, in_order = data.draw(st.integers(0, x.shape[axis])), data.draw(st.booleans()), data.draw(st.booleans())
    values, places = index.top_k(x, k, axis, largest=largest, sorted=in_order)
    first = np.take(index.argsort(x, axis, descending=largest), range(k), axis)
    assert_same(places, first if in_order else np.sort(first, axis))
    assert_same(values, np.take_along_axis(x, places, axis))


@some
@given(arrays(nan=True))
def test_unique(x):
    found = index.unique(x)
    flat = x.ravel().tolist()
    values = sorted({key_of(v) for v in flat})
    keys = [key_of(v) for v in flat]
    assert [key_of(v) for v in found.values.tolist()] == values and found.values.dtype == x.dtype
    assert found.index.tolist() == [keys.index(v) for v in values]
    assert found.counts.tolist() == [keys.count(v) for v in values]
    assert_same(found.inverse, np.array([values.index(v) for v in keys], int).reshape(x.shape))


# ---- choosing and counting ----

@some
@given(st.data())
def test_where(data):
    x = data.draw(arrays())
    y = filled(x.dtype, [data.draw(st.sampled_from([1, n])) for n in x.shape], 7)
    condition = filled("bool", x.shape[data.draw(st.integers(0, x.ndim)):], data.draw(st.integers(0, 9)))
    assert_same(index.where(condition, x, y), np.where(condition, x, y))


@some
@given(st.data())
def test_one_hot(data):
    indices = data.draw(arrays(["i1", "i4", "i8", "u1", "u8"])) - data.draw(st.sampled_from([0, 0, 1]))
    depth, axis = data.draw(st.integers(0, 4)), data.draw(st.integers(-indices.ndim - 1, indices.ndim))
    expected = (indices[..., None] == np.arange(depth)).astype("f4")
    assert_same(index.one_hot(indices, depth, axis), np.moveaxis(expected, -1, axis))


@some
@given(st.data())
def test_compress(data):
    x = data.draw(arrays())
    axis = axis_of(data.draw, x)
    extent = x.size if axis is None else x.shape[axis]
    condition = filled(data.draw(st.sampled_from(["bool", "i4"])), (data.draw(st.integers(0, extent)),), 3)
    assert_same(index.compress(x, condition, axis), np.compress(condition, x, axis))


@some
@given(st.data())
def test_bincount(data):
    numbers = filled(data.draw(st.sampled_from(["i1", "i4", "i8", "u1"])), (data.draw(st.integers(0, 9)),), 1)
    length = data.draw(st.integers(0, 6))
    assert_same(index.bincount(numbers, min_length=length), np.bincount(numbers, minlength=length))
    weights = filled("f8", numbers.shape, 2)
    if numbers.size > 0:  # NumPy's sums of nothing are integers
        assert_same(index.bincount(numbers, weights, min_length=length), np.bincount(numbers, weights, length))


@some
@given(st.data())
def test_histogram(data):
    values = filled("f8", (data.draw(st.integers(0, 20)),), data.draw(st.integers(0, 99)), nan=True)
    edges = np.unique(filled("f8", (6,), data.draw(st.integers(0, 99))))
    edges = np.append(edges, edges[-1] + 0.5)
    assert_same(index.histogram(values, edges), np.histogram(values[~np.isnan(values)], edges)[0])


@some
@given(st.data())
def test_flat_positions(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)))
    size = int(np.prod(shape))
    positions = np.array(data.draw(st.lists(st.integers(0, size - 1), max_size=6)), int)
    rows = index.unravel_index(positions, shape)
    assert_same(rows, np.stack(np.unravel_index(positions, shape), -1).reshape(len(positions), len(shape)))
    assert_same(index.ravel_multi_index(rows, shape), np.ravel_multi_index(tuple(rows.T), shape))


# ---- errors ----

@pytest.mark.parametrize("call, error, rule", [
    (lambda: index.argmax([1, 2], 3), ValueError, "IX1"),
    (lambda: index.sort([1, 2], -2), ValueError, "IX1"),
    (lambda: index.top_k([1, 2], 3), ValueError, "IX6"),
    (lambda: index.searchsorted([1, 2], [1.0]), TypeError, "IX3"),
    (lambda: index.searchsorted([[1, 2]], [1]), ValueError, "IX5"),
    (lambda: index.searchsorted([1, 2], [1], "middle"), ValueError, "IX1"),
    (lambda: index.where([1, 0], [1, 2], [3, 4]), TypeError, "IX3"),
    (lambda: index.where([True, False], [1, 2, 3], [3, 4]), ValueError, "IX5"),
    (lambda: index.one_hot([1.5], 3), TypeError, "IX3"),
    (lambda: index.one_hot([1], -1), ValueError, "IX6"),
    (lambda: index.compress([1, 2], [True, True, True]), ValueError, "IX5"),
    (lambda: index.bincount([-1]), IndexError, "IX7"),
    (lambda: index.bincount([1], [1.0, 2.0]), ValueError, "IX5"),
    (lambda: index.histogram([1.0], [[2.0, 1.0]]), ValueError, "IX5"),
    (lambda: index.unravel_index([6], (2, 3)), IndexError, "IX7"),
    (lambda: index.unravel_index([-1], (2, 3)), IndexError, "IX7"),
    (lambda: index.ravel_multi_index([[0, 3]], (2, 3)), IndexError, "IX7"),
    (lambda: index.ravel_multi_index([[0, 0, 0]], (2, 3)), ValueError, "IX5"),
])
def test_errors(call, error, rule):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, garner.Error) and caught.value.rule == rule


def test_arrays_of_other_kinds_of_objects_are_refused():
    with pytest.raises(TypeError):
        index.argmax(np.array(["a", "b"]))
    with pytest.raises(TypeError):
        index.argmax([object()])
