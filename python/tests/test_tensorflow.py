"""garner.tensorflow against plain NumPy definitions of TensorFlow's calls, and its rules."""
import inspect
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import garner
from garner import tensorflow as tf

FAST = settings(max_examples=40, deadline=None, derandomize=True)
DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16,
          np.float32, np.float64, np.complex64, np.complex128, ml_dtypes.bfloat16]
NUMBERS = [t for t in DTYPES if t is not np.bool_]
REALS = [t for t in NUMBERS if t not in (np.complex64, np.complex128)]
ALL = [*DTYPES, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]
INDICES = [np.int16, np.int32, np.int64]

filled = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)
short = st.lists(st.integers(0, 3), max_size=2).map(tuple)


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
def values(draw, shape, dtypes=tuple(ALL)):
    dtype = draw(st.sampled_from(dtypes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    array = np.asarray(rng.integers(0, 2 if dtype is np.bool_ else 7, shape)).astype(dtype)
    return strided(array, draw(st.one_of(hows, st.just("stride 0"))))


@st.composite
def integers(draw, shape, low, high, dtypes=tuple(INDICES)):
    """In [low, high)."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    made = np.asarray(rng.integers(low, high, shape)).astype(draw(st.sampled_from(dtypes)))
    return strided(made, draw(hows))


@st.composite
def tuples(draw, rows, extents, beyond=0, dtypes=tuple(INDICES)):
    """One for each row; `beyond` the range on either side."""
    dtype = draw(st.sampled_from(dtypes))
    parts = [draw(integers(rows, -beyond, n + beyond, [dtype])) for n in extents]
    return np.stack(parts, axis=-1) if parts else np.zeros((*rows, 0), dtype)


def same(got, want):
    want = np.asarray(want)
    assert isinstance(got, np.ndarray)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(got, want)


def inside(index, extents):
    return all(0 <= i < n for i, n in zip(index, extents))


# ---- gathers ----


@FAST
@given(st.data())
def test_gather(data):
    shape = data.draw(filled)
    batch = data.draw(st.integers(0, len(shape) - 1))
    axis = data.draw(st.integers(batch, len(shape) - 1))
    x = data.draw(values(shape))
    index = data.draw(integers(shape[:batch] + data.draw(short), 0, shape[axis]))
    expected = np.zeros(shape[:axis] + index.shape[batch:] + shape[axis + 1:], x.dtype)
    for lead in np.ndindex(shape[:batch]):
        expected[lead] = np.take(x[lead], index[lead], axis - batch)
    given_axis = data.draw(st.sampled_from([axis, axis - len(shape)]))
    same(tf.gather(x, index, axis=given_axis, batch_dims=batch), expected)
    if axis == batch:
        same(tf.gather(x, index, batch_dims=batch), expected)


@FAST
@given(st.data(), st.sampled_from([0, 2]))
def test_gather_nd(data, beyond):
    """What is out of range reads 0 with IGNORE."""
    shape = data.draw(filled)
    batch = data.draw(st.integers(0, len(shape) - 1))
    k = data.draw(st.integers(0, len(shape) - batch))
    rows = shape[:batch] + data.draw(short)
    x, index = data.draw(values(shape)), data.draw(tuples(rows, shape[batch:batch + k], beyond))
    expected = np.zeros(rows + shape[batch + k:], x.dtype)
    for row in np.ndindex(rows):
        if inside(index[row], shape[batch:]):
            expected[row] = x[row[:batch] + tuple(index[row])]
    same(tf.gather_nd(x, index, batch_dims=batch, bad_indices_policy="IGNORE" if beyond else ""), expected)


# ---- scatters ----

UPDATES = {"update": lambda a, b: b, "add": np.add, "sub": np.subtract, "min": np.minimum, "max": np.maximum}
ALLOWED = {"update": DTYPES, "add": NUMBERS, "sub": NUMBERS, "min": REALS, "max": REALS}


def scattered(out, index, updates, function):
    for row in np.ndindex(index.shape[:-1]):
        if inside(index[row], out.shape):
            place = tuple(index[row])
            out[place] = function(out[place], updates[row])
    return out


@st.composite
def scatter_arguments(draw, dtypes, beyond):
    shape = draw(filled)
    k = draw(st.integers(1, len(shape)))
    rows = draw(short)
    tensor = draw(values(shape, dtypes))
    index = draw(tuples(rows, shape[:k], beyond, [np.int32, np.int64]))
    return tensor, index, draw(values(rows + shape[k:], [tensor.dtype.type]))


@FAST
@given(st.data(), st.sampled_from(sorted(UPDATES)), st.sampled_from([0, 2]))
def test_tensor_scatter(data, which, beyond):
    """What is out of range is left out with IGNORE, which update does not have."""
    beyond = 0 if which == "update" else beyond
    tensor, index, updates = data.draw(scatter_arguments(ALLOWED[which], beyond))
    options = {"bad_indices_policy": "IGNORE"} if beyond else {}
    got = getattr(tf, f"tensor_scatter_nd_{which}")(tensor, index, updates, **options)
    same(got, scattered(np.array(tensor), index, updates, UPDATES[which]))


@FAST
@given(st.data(), st.sampled_from([0, 2]))
def test_scatter_nd(data, beyond):
    tensor, index, updates = data.draw(scatter_arguments(NUMBERS, beyond))
    expected = scattered(np.zeros_like(np.array(tensor)), index, updates, np.add)
    policy = "IGNORE" if beyond else ""
    for shape in (tensor.shape, list(tensor.shape), np.array(tensor.shape)):
        same(tf.scatter_nd(index, updates, shape, bad_indices_policy=policy), expected)


# ---- segments ----


def lowest(dtype):
    return np.iinfo(dtype).min if np.dtype(dtype).kind in "iu" else ml_dtypes.finfo(dtype).min


def highest(dtype):
    return np.iinfo(dtype).max if np.dtype(dtype).kind in "iu" else ml_dtypes.finfo(dtype).max


SEGMENTS = {"sum": (np.add, lambda t: 0), "prod": (np.multiply, lambda t: 1), "max": (np.maximum, lowest),
            "min": (np.minimum, highest)}


@FAST
@given(st.data(), st.sampled_from(sorted(SEGMENTS)))
def test_unsorted_segment(data, which):
    """A negative id belongs to no segment."""
    shape, count = data.draw(filled), data.draw(st.integers(1, 4))
    rank = data.draw(st.integers(0, len(shape)))
    x = data.draw(values(shape, NUMBERS if which in ("sum", "prod") else REALS))
    ids = data.draw(integers(shape[:rank], -2, count, [np.int32, np.int64]))
    function, empty = SEGMENTS[which]
    expected = np.full((count, *shape[rank:]), empty(x.dtype), x.dtype)
    for row in np.ndindex(ids.shape):
        if ids[row] >= 0:
            expected[ids[row]] = function(expected[ids[row]], x[row])
    name = f"unsorted_segment_{which}"
    assert getattr(tf.math, name) is getattr(tf, name)
    with np.errstate(all="ignore"):
        same(getattr(tf, name)(x, ids, data.draw(st.sampled_from([count, np.int32(count), np.array(count)]))), expected)


@FAST
@given(st.data())
def test_unsorted_segment_mean(data):
    shape, count = data.draw(filled), data.draw(st.integers(1, 4))
    x = data.draw(values(shape, [np.float32, np.float64]))
    ids = data.draw(integers(shape[:1], -1, count, [np.int32, np.int64]))
    expected = np.stack([x[ids == s].mean(0) if (ids == s).any() else np.zeros(shape[1:], x.dtype)
                         for s in range(count)])
    got = tf.unsorted_segment_mean(x, ids, count)
    assert got.dtype == x.dtype and tf.math.unsorted_segment_mean is tf.unsorted_segment_mean
    np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize("dtype, gives", [(np.int8, np.float32), (np.uint16, np.float32), (np.int32, np.float64),
                                          (np.int64, np.float64)])
def test_the_mean_of_integers(dtype, gives):
    same(tf.unsorted_segment_mean(np.array([1, 2], dtype), np.array([0, 0]), 2), np.array([1.5, 0], gives))


# ---- masks ----


@FAST
@given(st.data())
def test_boolean_mask(data):
    shape = data.draw(filled)
    axis = data.draw(st.integers(0, len(shape) - 1))
    rank = data.draw(st.integers(1, len(shape) - axis))
    x, mask = data.draw(values(shape)), data.draw(values(shape[axis:axis + rank], [np.bool_]))
    same(tf.boolean_mask(x, mask, axis), x[(slice(None),) * axis + (np.array(mask),)])
    if axis == 0:
        same(tf.boolean_mask(x, mask), x[np.array(mask)])


# ---- what is no array ----


def test_lists_have_tensorflow_s_dtypes():
    same(tf.gather([1, 2, 3], [2, 0]), np.array([3, 1], np.int32))
    same(tf.gather([[1.5], [2.5]], 1), np.array([2.5], np.float32))
    same(tf.boolean_mask([1, 2], [True, False]), np.array([1], np.int32))
    same(tf.unsorted_segment_sum([1.0, 2.0], [0, 0], 1), np.array([3], np.float32))
    same(tf.gather((True, False), (1,)), np.array([False]))
    same(tf.gather([np.float64(1), np.float64(2)], [1]), np.array([2.0]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.complex64, ml_dtypes.bfloat16])
def test_updates_in_a_list_have_the_tensor_s_dtype(dtype):
    same(tf.tensor_scatter_nd_add(np.zeros(3, dtype), [[1]], [4]), np.array([0, 4, 0], dtype))


@pytest.mark.parametrize("tensor, updates", [(np.zeros(3, np.int32), [1.5]), (np.zeros(3, np.float32), [True]),
                                             (np.zeros(3, np.float32), np.zeros(1))])
def test_updates_that_do_not_fit(tensor, updates):
    with pytest.raises(TypeError) as error:
        tf.tensor_scatter_nd_update(tensor, [[1]], updates)
    assert error.value.rule == "TF4"


def test_an_integer_too_large_for_i32():
    with pytest.raises(OverflowError):
        tf.gather([2**40], [0])


def test_signatures():
    """Names, order and defaults of TensorFlow 2.21."""
    scatter = "(tensor, indices, updates, bad_indices_policy='', name=None)"
    segment = "(data, segment_ids, num_segments, name=None)"
    wanted = {"gather": "(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None)",
              "gather_nd": "(params, indices, batch_dims=0, name=None, bad_indices_policy='')",
              "scatter_nd": "(indices, updates, shape, bad_indices_policy='', name=None)",
              "tensor_scatter_nd_update": "(tensor, indices, updates, name=None)",
              **{f"tensor_scatter_nd_{f}": scatter for f in ("add", "sub", "min", "max")},
              **{f"unsorted_segment_{f}": segment for f in ("sum", "mean", "max", "min", "prod")},
              "boolean_mask": "(tensor, mask, axis=None, name='boolean_mask')"}
    assert {name: str(inspect.signature(getattr(tf, name))) for name in wanted} == wanted
    assert set(tf.__all__) == {*wanted, "math"}


def test_tensorflow_is_not_imported():
    code = ("import sys, numpy as np, garner; garner.tensorflow.gather(np.arange(3), np.array([0])); "
            "sys.exit('tensorflow' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# ---- rules ----

A, I = np.arange(6.0).reshape(2, 3), np.array([[0]])


@pytest.mark.parametrize("call, error, rule", [
    (lambda: tf.gather(np.array(1.0), [0]), ValueError, "TF1"),
    (lambda: tf.gather_nd(A, np.array(0)), ValueError, "TF1"),
    (lambda: tf.gather(A, [0], axis=2), ValueError, "TF2"),
    (lambda: tf.boolean_mask(A, [True, False], axis=2), ValueError, "TF2"),
    (lambda: tf.gather(A, [0], axis=0, batch_dims=1), ValueError, "TF3"),
    (lambda: tf.gather(A, [[0]], batch_dims=1), ValueError, "TF3"),
    (lambda: tf.gather_nd(A, I, batch_dims=2), ValueError, "TF3"),
    (lambda: tf.gather(A, [0.0]), TypeError, "TF4"),
    (lambda: tf.scatter_nd(I.astype(np.int16), A[:1, 0], [3]), TypeError, "TF4"),
    (lambda: tf.unsorted_segment_max(np.array([True]), [0], 1), TypeError, "TF4"),
    (lambda: tf.gather(A, [2]), IndexError, "TF5"),
    (lambda: tf.gather(A, [-1]), IndexError, "TF5"),
    (lambda: tf.gather_nd(A, [[2]]), IndexError, "TF5"),
    (lambda: tf.gather_nd(A, [[-1]], bad_indices_policy="ERROR"), IndexError, "TF5"),
    (lambda: tf.scatter_nd([[3]], [1.0], [3]), IndexError, "TF5"),
    (lambda: tf.tensor_scatter_nd_update(A, [[-1]], A[:1]), IndexError, "TF5"),
    (lambda: tf.tensor_scatter_nd_max(A, [[2]], A[:1]), IndexError, "TF5"),
    (lambda: tf.unsorted_segment_sum([1, 2], [0, 3], 3), IndexError, "TF5"),
    (lambda: tf.gather_nd(A, [[0, 0, 0]]), ValueError, "TF6"),
    (lambda: tf.scatter_nd([[0]], [1.0, 2.0], [3]), ValueError, "TF7"),
    (lambda: tf.gather_nd(A, I, bad_indices_policy="WRAP"), ValueError, "TF8"),
    (lambda: tf.gather_nd(np.zeros((0, 2)), I), ValueError, "TF9"),
    (lambda: tf.scatter_nd([[0]], [1.0], [-1]), ValueError, "TF10"),
    (lambda: tf.unsorted_segment_sum(A, [0, 0, 0], 1), ValueError, "TF11"),
    (lambda: tf.unsorted_segment_min([1], [0], -1), ValueError, "TF12"),
    (lambda: tf.boolean_mask(A, [True]), ValueError, "TF13"),
    (lambda: tf.boolean_mask(A, True), ValueError, "TF13"),
])
def test_rules(call, error, rule):
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, garner.Error)
    assert caught.value.rule == rule


@pytest.mark.parametrize("shape", [3, [2.0], [[3]]])
def test_a_shape_is_a_list_of_integers(shape):
    with pytest.raises(TypeError):
        tf.scatter_nd([[0]], [1.0], shape)
