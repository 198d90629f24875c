"""garner.tensorflow and TensorFlow on a CPU: the same results, gradients, and errors in the same places.

TensorFlow raises tf.errors.InvalidArgumentError, an Exception and no more, where Garner raises ValueError, TypeError or
IndexError; where TensorFlow raises ValueError or TypeError, so does Garner.
"""
import os

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
tf = pytest.importorskip("tensorflow", reason="compares with TensorFlow")

import garner  # noqa: E402
from garner import tensorflow as ours  # noqa: E402

FAST = settings(max_examples=40, deadline=None, derandomize=True, phases=[Phase.generate])
DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16,
          np.float32, np.float64, np.complex64, np.complex128, tf.bfloat16.as_numpy_dtype]
NUMBERS = [np.int32, np.int64, np.float16, np.float32, np.float64, tf.bfloat16.as_numpy_dtype]

filled = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)
extents = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple)
short = st.lists(st.integers(0, 3), max_size=2).map(tuple)
INVALID = (tf.errors.InvalidArgumentError, tf.errors.NotFoundError, tf.errors.UnimplementedError)


# ---- random arrays ----


def strided(array, how):
    if array.ndim == 0:
        return array
    if how == "transposed":
        return np.ascontiguousarray(array.T).T
    if how == "reversed":
        return np.ascontiguousarray(array[..., ::-1])[..., ::-1]
    return np.broadcast_to(array[:1], array.shape) if how == "stride 0" else array


@st.composite
def values(draw, shape, dtypes=tuple(DTYPES)):
    dtype = draw(st.sampled_from(dtypes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    array = np.asarray(rng.integers(0, 2 if dtype is np.bool_ else 9, shape)).astype(dtype)
    return strided(array, draw(st.sampled_from(["plain", "transposed", "reversed", "stride 0"])))


@st.composite
def integers(draw, shape, low, high, dtypes=(np.int32, np.int64)):
    """In [low, high), which is not empty where there is something to fill."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return np.asarray(rng.integers(low, max(high, low + 1), shape)).astype(draw(st.sampled_from(dtypes)))


@st.composite
def tuples(draw, rows, bounds, beyond, dtypes=(np.int32, np.int64)):
    dtype = draw(st.sampled_from(dtypes))
    parts = [draw(integers(rows, -beyond, n + beyond, [dtype])) for n in bounds]
    return np.stack(parts, axis=-1) if parts else np.zeros((*rows, 0), dtype)


#: Mostly good; sometimes an index may be one beyond.
beyond = st.sampled_from([0, 0, 0, 1])


# ---- comparing ----


def attempt(call):
    try:
        return call(), None
    except (*INVALID, ValueError, TypeError, IndexError) as error:
        return None, error


def compare(name, *arguments, exact=True, **options):
    """The same array, or an error of both."""
    theirs = getattr(tf, name, None) or getattr(tf.math, name)
    want, refusal = attempt(lambda: theirs(*arguments, **options))
    got, error = attempt(lambda: getattr(ours, name)(*arguments, **options))
    assert (error is None) == (refusal is None), (error, refusal)
    if refusal is not None:
        assert isinstance(error, garner.Error)
        assert isinstance(refusal, INVALID) or isinstance(error, type(refusal)), (error, refusal)
        return
    want = want.numpy()
    assert isinstance(got, np.ndarray)
    assert got.dtype == want.dtype and got.shape == want.shape
    if exact:
        np.testing.assert_array_equal(got, want)
    else:
        np.testing.assert_allclose(got.astype(np.float64), want.astype(np.float64), rtol=1e-2)


# ---- gathers ----


@FAST
@given(st.data(), beyond)
def test_gather(data, beyond):
    """Where batch_dims is in force, axis is left out or positive: TensorFlow forgets batch_dims at axis 0."""
    shape = data.draw(extents)
    batch = data.draw(st.integers(0, len(shape) - 1))
    axis = data.draw(st.integers(batch, len(shape) - 1))
    x = data.draw(values(shape))
    index = data.draw(integers(shape[:batch] + data.draw(short), -beyond, shape[axis] + beyond,
                               [np.int16, np.int32, np.int64]))
    compare("gather", x, index, axis=None if axis == batch else axis - data.draw(st.sampled_from([0, len(shape)])),
            batch_dims=batch)


@FAST
@given(st.data(), beyond, st.sampled_from(["", "ERROR", "IGNORE"]))
def test_gather_nd(data, beyond, policy):
    shape = data.draw(extents)
    k = data.draw(st.integers(1 if 0 in shape else 0, len(shape)))  # see test_empty_tuples_into_nothing
    x = data.draw(values(shape))
    compare("gather_nd", x, data.draw(tuples(data.draw(short), shape[:k], beyond)), bad_indices_policy=policy)


@FAST
@given(st.data(), beyond)
def test_gather_nd_in_batches(data, beyond):
    shape = data.draw(filled)
    batch = data.draw(st.integers(0, len(shape) - 1))
    k = data.draw(st.integers(1, len(shape) - batch))
    x, rows = data.draw(values(shape)), shape[:batch] + data.draw(short)
    compare("gather_nd", x, data.draw(tuples(rows, shape[batch:batch + k], beyond)), batch_dims=batch)


@pytest.mark.xfail(strict=True, reason="TF9: TensorFlow refuses tuples of length 0 into a tensor without elements, too")
def test_empty_tuples_into_nothing():
    compare("gather_nd", np.zeros((0, 2), np.float32), np.zeros((1, 0), np.int32))


# ---- scatters ----


@st.composite
def scatter_arguments(draw, dtypes, beyond):
    """Tuples have at least one axis before their own: TensorFlow's kernel refuses one tuple alone."""
    shape = draw(extents)
    k = draw(st.integers(1, len(shape)))
    rows = (draw(st.integers(0, 4)), *draw(short))[:draw(st.integers(1, 2))]
    tensor = draw(values(shape, dtypes))
    return tensor, draw(tuples(rows, shape[:k], beyond)), draw(values(rows + shape[k:], [tensor.dtype.type]))


@FAST
@given(st.data(), beyond, st.sampled_from(["", "ERROR", "IGNORE"]))
def test_scatter_nd(data, beyond, policy):
    tensor, index, updates = data.draw(scatter_arguments(NUMBERS, beyond))
    compare("scatter_nd", index, updates, np.array(tensor.shape, index.dtype), bad_indices_policy=policy)


@FAST
@given(st.data(), beyond)
def test_tensor_scatter_nd_update(data, beyond):
    compare("tensor_scatter_nd_update", *data.draw(scatter_arguments(DTYPES, beyond)))


@FAST
@given(st.data(), beyond, st.sampled_from(["add", "sub", "min", "max"]), st.sampled_from(["", "ERROR", "IGNORE"]))
def test_tensor_scatter_nd(data, beyond, which, policy):
    arguments = data.draw(scatter_arguments(NUMBERS, beyond))
    compare(f"tensor_scatter_nd_{which}", *arguments, bad_indices_policy=policy)


# ---- segments and masks ----


@FAST
@given(st.data(), beyond, st.sampled_from(["sum", "max", "min", "prod"]))
def test_unsorted_segment(data, beyond, which):
    """Negative ids too. Products of small floats round in another order."""
    shape, count = data.draw(extents), data.draw(st.integers(0, 4))
    x = data.draw(values(shape, NUMBERS))
    ids = data.draw(integers(shape[:data.draw(st.integers(1, len(shape)))], -2, count + beyond))
    compare(f"unsorted_segment_{which}", x, ids, count, exact=which != "prod")


@FAST
@given(st.data())
def test_unsorted_segment_mean(data):
    shape, count = data.draw(filled), data.draw(st.integers(1, 4))
    x = data.draw(values(shape, [np.float16, np.float32, np.float64, np.int32, np.int64]))
    ids = data.draw(integers(shape[:1], -1, count))
    compare("unsorted_segment_mean", x, ids, count, exact=False)


@FAST
@given(st.data())
def test_boolean_mask(data):
    shape = data.draw(extents)
    axis = data.draw(st.integers(0, len(shape) - 1))
    rank = data.draw(st.integers(1, len(shape) - axis))
    mask = data.draw(values(shape[axis:axis + rank], [np.bool_]))
    if data.draw(st.integers(0, 4)) == 0 and mask.shape[0]:
        mask = mask[1:]
    compare("boolean_mask", data.draw(values(shape)), mask, axis=axis)


# ---- errors ----

A = np.zeros((2, 3), np.float32)


@pytest.mark.parametrize("name, arguments, options", [
    ("gather", (A, [0]), {"axis": 2}),
    ("gather", (A, [0.0]), {}),
    ("gather", (A, [[0]]), {"batch_dims": 1}),
    ("gather", (A, [0]), {"batch_dims": 2}),
    ("gather", (np.float32(1), [0]), {}),
    ("gather_nd", (A, [[0]]), {"batch_dims": 2}),
    ("gather_nd", (A, [[0, 0, 0]]), {}),
    ("gather_nd", (A, 0), {}),
    ("gather_nd", (A, [[0]]), {"bad_indices_policy": "WRAP"}),
    ("gather_nd", (np.zeros((0, 2), np.float32), [[0]]), {}),
    ("scatter_nd", ([[0]], [1, 2], [3]), {}),
    ("scatter_nd", ([[0, 0]], [1], [3]), {}),
    ("scatter_nd", ([[0]], [1], [-3]), {}),
    ("tensor_scatter_nd_update", (A, [[0]], [[1.0]]), {}),
    ("tensor_scatter_nd_add", (np.zeros(3, np.int32), [[0]], [1.5]), {}),
    ("tensor_scatter_nd_max", (np.zeros(3, np.complex64), [[0]], np.zeros(1, np.complex64)), {}),
    ("unsorted_segment_sum", ([1, 2], [0, 0, 0], 1), {}),
    ("unsorted_segment_sum", ([1, 2], [0, 0], -1), {}),
    ("boolean_mask", ([1, 2], True), {}),
    ("boolean_mask", ([1, 2], [True]), {}),
])
def test_errors(name, arguments, options):
    theirs = getattr(tf, name, None) or getattr(tf.math, name)
    with pytest.raises((*INVALID, ValueError, TypeError)):
        theirs(*arguments, **options)
    compare(name, *arguments, **options)


# ---- TensorFlow's tensors ----


def test_tensors_give_tensors():
    x, index = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1, 0])
    for call in (lambda lib: lib.gather(x, index, axis=1), lambda lib: lib.gather(x.numpy(), index),
                 lambda lib: lib.gather_nd(x, [[1, 0]]), lambda lib: lib.gather(tf.Variable(x), [0]),
                 lambda lib: lib.scatter_nd(tf.constant([[1]]), tf.constant([5.0]), tf.constant([3])),
                 lambda lib: lib.tensor_scatter_nd_add(x, [[0, 0]], [1]),
                 lambda lib: lib.math.unsorted_segment_sum(x, index, tf.constant(2)),
                 lambda lib: lib.boolean_mask(x, [True, False]),
                 lambda lib: lib.gather([tf.constant(1.0), tf.constant(2.0)], [1])):
        got, want = call(ours), call(tf)
        assert isinstance(got, tf.Tensor) and got.dtype == want.dtype
        np.testing.assert_array_equal(got.numpy(), want.numpy())


@pytest.mark.parametrize("dtype", [tf.bfloat16, tf.float16, tf.dtypes.experimental.float8_e5m2, tf.bool, tf.complex64,
                                   tf.uint64])
def test_dtypes_of_tensors(dtype):
    x = tf.constant(np.array([1, 0, 1]).astype(dtype.as_numpy_dtype))
    got = ours.gather(x, [2, 1])
    assert got.dtype == dtype
    np.testing.assert_array_equal(got.numpy(), np.array([1, 0]).astype(dtype.as_numpy_dtype))


X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32)


@pytest.mark.parametrize("call", [
    lambda lib, x: lib.gather(x, [1, 1, 0]),
    lambda lib, x: lib.gather(x, [[2, 2], [0, 1]], batch_dims=1),
    lambda lib, x: lib.gather_nd(x, [[0, 1], [0, 1], [1, 2]]),
    lambda lib, x: lib.scatter_nd([[3], [3]], x, [4, 3]),
    lambda lib, x: lib.tensor_scatter_nd_update(x, [[0]], X[1:] * 2),
    lambda lib, x: lib.tensor_scatter_nd_add(X, [[0], [0]], x),
    lambda lib, x: lib.tensor_scatter_nd_sub(X, [[0], [1]], x),
    lambda lib, x: lib.tensor_scatter_nd_max(X * 0 + 3.5, [[0], [1]], x),
    lambda lib, x: lib.math.unsorted_segment_sum(x, [1, 1], 2),
    lambda lib, x: lib.math.unsorted_segment_mean(x, [1, 1], 2),
    lambda lib, x: lib.math.unsorted_segment_max(x, [1, 1], 2),
    lambda lib, x: lib.math.unsorted_segment_prod(x, [1, 1], 2),
    lambda lib, x: lib.boolean_mask(x, [[True, False, True], [False, True, True]]),
])
def test_gradients(call):
    """Of a sum of squares."""
    found = []
    for lib in (ours, tf):
        x = tf.Variable(X)
        with tf.GradientTape() as tape:
            y = call(lib, x)
            loss = tf.reduce_sum(tf.where(tf.abs(y) < 1e30, y, 0.0) ** 2)  # an empty maximum is as low as can be
        found.append(tf.convert_to_tensor(tape.gradient(loss, x)).numpy())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


def test_what_is_no_dense_eager_tensor_is_refused():
    with pytest.raises(NotImplementedError, match="RaggedTensor"):
        ours.gather(tf.ragged.constant([[1], [2, 3]]), [0])
    with pytest.raises(NotImplementedError, match="tf.function"):
        tf.function(lambda x: ours.gather(x, [0]), autograph=False)(tf.constant([1.0]))


def test_inside_py_function():
    inside = tf.function(lambda x: tf.py_function(lambda y: ours.gather(y, [1]), [x], tf.float32))
    assert inside(tf.constant([1.0, 2.0])).numpy() == 2
