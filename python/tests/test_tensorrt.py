"""garner.tensorrt: the golden cases, the cookbook's examples, and both layers against their definitions as loops."""
import enum
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import garner
import garner.tensorrt as trt
from garner.tensorrt import GatherMode, ScatterMode

sys.path.insert(0, str(Path(__file__).parent))
import cases  # noqa: E402

SETTINGS = settings(max_examples=60, deadline=None, derandomize=True)


@pytest.mark.parametrize("case", cases.load("tensorrt"))
def test_case(case):
    case.check(trt)


# ---- the cookbook ----

def cookbook():
    """data[n, c, h, w] = 1000n + 100c + 10h + w"""
    n, c, h, w = np.ogrid[:2, :3, :4, :5]
    return (1000 * n + 100 * c + 10 * h + w).astype(np.float32)


def test_default_mode():
    data, index = cookbook(), np.array([[1, 0, 2], [0, 0, -1]], np.int32)
    result = trt.gather(data, index, axis=2)
    assert result.shape == (2, 3, 2, 3, 5)
    np.testing.assert_array_equal(result, data[:, :, index])


def test_default_mode_with_an_elementwise_dimension():
    data, index = cookbook(), np.array([[1, 0, 2], [0, 0, -1]], np.int32)
    result = trt.gather(data, index, GatherMode.DEFAULT, axis=2, num_elementwise_dims=1)
    assert result.shape == (2, 3, 3, 5)
    np.testing.assert_array_equal(result, np.stack([data[0][:, [1, 0, 2]], data[1][:, [0, 0, 3]]]))


def test_element_mode():
    index = np.array([[0, 0, 2, 2, 2], [1, 3, 3, 0, 1], [2, 2, 1, 3, 3], [3, 1, 0, 1, 0]], np.int32)
    result = trt.gather(cookbook()[0, 0], index, GatherMode.ELEMENT, axis=0)
    rows = [[0, 1, 22, 23, 24], [10, 31, 32, 3, 14], [20, 21, 12, 33, 34], [30, 11, 2, 13, 4]]
    np.testing.assert_array_equal(result, rows)


def test_nd_mode():
    data, index = cookbook(), np.array([[1, 0, 2], [0, 2, -1]], np.int32)
    rows = [[1020, 1021, 1022, 1023, 1024], [230, 231, 232, 233, 234]]
    np.testing.assert_array_equal(trt.gather(data, index, GatherMode.ND), rows)
    np.testing.assert_array_equal(trt.gather(data, index, GatherMode.ND, num_elementwise_dims=1), [102, 1024])


def test_scatter_nd():
    data = np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)
    places = np.array([(0, 2, 1, 1), (1, 0, 3, 2), (0, 1, 2, 3), (1, 2, 1, 1), (0, 0, 3, 2), (1, 1, 2, 3)], np.int32)
    updates = -np.arange(6, dtype=np.float32)
    expected = data.copy()
    expected[tuple(places.T)] = updates
    result = trt.scatter(data, places, updates, ScatterMode.ND)
    np.testing.assert_array_equal(result, expected)
    assert np.signbit(result[0, 2, 1, 1])  # -0 stays -0


# ---- definitions ----

def read(data, at):
    """0 outside; negative positions count from the end."""
    inside = all(-n <= i < n for i, n in zip(at, data.shape))
    return data[tuple(at)] if inside else np.zeros(data.shape[len(at):], data.dtype)


def loop_default(data, indices, axis, shared):
    """shared: how many leading axes data and indices have together, 0 or 1."""
    front, back = data.shape[:axis], data.shape[axis + 1:]
    out = np.empty(front + indices.shape[shared:] + back, data.dtype)
    for f in np.ndindex(*front):
        for i in np.ndindex(*indices.shape[shared:]):
            for b in np.ndindex(*back):
                out[f + i + b] = read(data, (*f, int(indices[f[:shared] + i]), *b))
    return out


def replaced(at, axis, index):
    return (*at[:axis], int(index), *at[axis + 1:])


@st.composite
def data_arrays(draw):
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    dtype = draw(st.sampled_from([np.bool_, np.int32, np.int64, np.float16, np.float32]))
    data = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 90, shape).astype(dtype)
    return data.T if draw(st.booleans()) else data[::-1]


def draw_indices(data, shape, low=-6, high=6):
    seed, dtype = data.draw(st.integers(0, 99)), data.draw(st.sampled_from([np.int32, np.int64]))
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)


@SETTINGS
@given(data_arrays(), st.data())
def test_default(array, data):
    axis = data.draw(st.integers(0, array.ndim - 1))
    shared = data.draw(st.integers(0, min(axis, 1)))
    shape = array.shape[:shared] + tuple(data.draw(st.lists(st.integers(0, 3), max_size=2)))
    indices = draw_indices(data, shape)
    result = trt.gather(array, indices, axis=axis, num_elementwise_dims=shared)
    np.testing.assert_array_equal(result, loop_default(array, indices, axis, shared), strict=True)


def element_shape(array, axis, data):
    """Off the axis not longer than data."""
    return tuple(data.draw(st.integers(0, 4 if a == axis else n)) for a, n in enumerate(array.shape))


@SETTINGS
@given(data_arrays(), st.data())
def test_element(array, data):
    axis = data.draw(st.integers(0, array.ndim - 1))
    indices = draw_indices(data, element_shape(array, axis, data))
    expected = np.empty(indices.shape, array.dtype)
    for at in np.ndindex(*indices.shape):
        expected[at] = read(array, replaced(at, axis, indices[at]))
    np.testing.assert_array_equal(trt.gather(array, indices, GatherMode.ELEMENT, axis), expected, strict=True)


@SETTINGS
@given(data_arrays(), st.data())
def test_nd(array, data):
    shared = data.draw(st.integers(0, array.ndim - 1))
    length = data.draw(st.integers(0, array.ndim - shared))
    shape = array.shape[:shared] + tuple(data.draw(st.lists(st.integers(0, 3), max_size=2)))
    indices = draw_indices(data, (*shape, length))
    expected = np.empty(shape + array.shape[shared + length:], array.dtype)
    for at in np.ndindex(*shape):
        expected[at] = read(array, (*at[:shared], *map(int, indices[at])))
    result = trt.gather(array, indices, GatherMode.ND, num_elementwise_dims=shared)
    np.testing.assert_array_equal(result, expected, strict=True)


def write(data, at, update):
    if all(-n <= i < n for i, n in zip(at, data.shape)):
        data[tuple(at)] = update


@SETTINGS
@given(data_arrays(), st.data())
def test_scatter_element(array, data):
    axis = data.draw(st.integers(0, array.ndim - 1))
    indices = draw_indices(data, element_shape(array, axis, data))
    updates = np.random.default_rng(5).integers(0, 90, indices.shape).astype(array.dtype)
    expected = array.copy()
    for at in np.ndindex(*indices.shape):
        write(expected, replaced(at, axis, indices[at]), updates[at])
    np.testing.assert_array_equal(trt.scatter(array, indices, updates, axis=axis), expected, strict=True)


@SETTINGS
@given(data_arrays(), st.data())
def test_scatter_tuples(array, data):
    length = data.draw(st.integers(0, array.ndim))
    shape = tuple(data.draw(st.lists(st.integers(0, 3), max_size=2)))
    indices = draw_indices(data, (*shape, length))
    updates = np.random.default_rng(5).integers(0, 90, shape + array.shape[length:]).astype(array.dtype)
    expected = array.copy()
    for at in np.ndindex(*shape):
        write(expected, tuple(map(int, indices[at])), updates[at])
    np.testing.assert_array_equal(trt.scatter(array, indices, updates, ScatterMode.ND), expected, strict=True)


# ---- what is Python's own ----

def test_modes_by_name_and_of_another_enumeration():
    theirs = enum.Enum("GatherMode", "DEFAULT ELEMENT ND")
    data, indices = cookbook(), np.array([[1, 2]], np.int32)
    for mode in ("ND", theirs.ND):
        np.testing.assert_array_equal(trt.gather(data, indices, mode), trt.gather(data, indices, GatherMode.ND))


@pytest.mark.parametrize("call, kind, rule", [
    (lambda d, i: trt.gather(d, i, "nd"), ValueError, "TR1"), (lambda d, i: trt.gather(d, i, 2), ValueError, "TR1"),
    (lambda d, i: trt.gather(d, i, axis=4), ValueError, "TR2"),
    (lambda d, i: trt.gather(d.astype(np.float64), i), TypeError, "TR3"),
    (lambda d, i: trt.scatter(d, i, d, axis=-1), ValueError, "TRS3"),
    (lambda d, i: trt.scatter(d, i.astype(np.uint8), d), TypeError, "TRS1")])
def test_errors_name_the_rule(call, kind, rule):
    with pytest.raises(kind) as caught:
        call(cookbook(), np.zeros((2, 3, 4, 5), np.int32))
    assert isinstance(caught.value, garner.Error) and caught.value.rule == rule
