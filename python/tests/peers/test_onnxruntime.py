"""garner.onnx.backend and ONNX Runtime on the same random models: the same outputs, and errors in the same places."""
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

runtime = pytest.importorskip("onnxruntime", reason="compares with ONNX Runtime")
onnx = pytest.importorskip("onnx", reason="makes the models")

from onnx import helper  # noqa: E402

from garner.onnx import backend  # noqa: E402

FAST = settings(max_examples=30, deadline=None, derandomize=True, phases=[Phase.generate])
DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16,
          np.float32, np.float64]
NUMBERS = [np.int32, np.int64, np.float32, np.float64]  # what the runtime has most kernels for

filled = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)
short = st.lists(st.integers(0, 3), max_size=2).map(tuple)


def node_of(operator, inputs, count, attributes):
    names = [f"i{n}" if value is not None else "" for n, value in enumerate(inputs)]
    return helper.make_node(operator, names, [f"o{n}" for n in range(count)], **attributes)


def model_of(node, inputs, outputs, opset):
    """outputs: (dtype, rank) of each."""
    given = [helper.make_tensor_value_info(f"i{n}", helper.np_dtype_to_tensor_dtype(value.dtype), [None] * value.ndim)
             for n, value in enumerate(inputs) if value is not None]
    found = [helper.make_tensor_value_info(f"o{n}", helper.np_dtype_to_tensor_dtype(np.dtype(dtype)),
                                           None if rank is None else [None] * rank)
             for n, (dtype, rank) in enumerate(outputs)]
    graph = helper.make_graph([node], "graph", given, found)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def options():
    made = runtime.SessionOptions()
    made.log_severity_level = 4
    made.intra_op_num_threads = made.inter_op_num_threads = 1
    return made


def theirs(model, inputs):
    session = runtime.InferenceSession(model.SerializeToString(), options(), providers=["CPUExecutionProvider"])
    given = {f"i{n}": np.array(value, order="C") for n, value in enumerate(inputs) if value is not None}
    return session.run(None, given)


def ours(node, inputs, opset):
    return backend.run_node(node, [value for value in inputs if value is not None], opset_version=opset)


def both(operator, inputs, outputs, opset=18, **attributes):
    """The two answers, ours as a node and as a model."""
    node = node_of(operator, inputs, len(outputs), attributes)
    first = ours(node, inputs, opset)
    model = model_of(node, inputs, [(dtype, value.ndim) for dtype, value in zip(outputs, first)], opset)
    second = backend.run_model(model, [value for value in inputs if value is not None])
    for one, other in zip(first, second):
        np.testing.assert_array_equal(one, other)
    return first, theirs(model_of(node, inputs, [(dtype, None) for dtype in outputs], opset), inputs)


def compare(operator, inputs, outputs, opset=18, **attributes):
    got, want = both(operator, inputs, outputs, opset, **attributes)
    assert len(got) == len(want) == len(outputs)
    for have, expected in zip(got, want):
        assert have.dtype == expected.dtype and have.shape == expected.shape
        np.testing.assert_array_equal(have, expected)


def refused(operator, inputs, outputs, error, opset=18, **attributes):
    """By both: the runtime's errors derive from Exception alone."""
    node = node_of(operator, inputs, len(outputs), attributes)
    with pytest.raises(Exception, match="ONNXRuntimeError"):
        theirs(model_of(node, inputs, [(dtype, None) for dtype in outputs], opset), inputs)
    with pytest.raises(error):
        ours(node, inputs, opset)


# ---- random arrays ----


def strided(array, how):
    if array.ndim == 0:
        return array
    if how == "transposed":
        return np.ascontiguousarray(array.T).T
    if how == "reversed":
        return np.ascontiguousarray(array[..., ::-1])[..., ::-1]
    return array


hows = st.sampled_from(["plain", "transposed", "reversed"])


@st.composite
def values(draw, shape, dtypes=tuple(DTYPES)):
    dtype = draw(st.sampled_from(dtypes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return strided(np.asarray(rng.integers(0, 2 if dtype is np.bool_ else 9, shape)).astype(dtype), draw(hows))


@st.composite
def indices(draw, shape, extent, low=None, dtypes=(np.int32, np.int64)):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    made = np.asarray(rng.integers(-extent if low is None else low, extent, shape))
    return strided(made.astype(draw(st.sampled_from(dtypes))), draw(hows))


@st.composite
def axes(draw, shape):
    return draw(st.integers(-len(shape), len(shape) - 1))


# ---- operators ----


@FAST
@given(st.data(), st.sampled_from([1, 11, 13, 18]))
def test_gather(data, opset):
    shape = data.draw(filled)
    axis = data.draw(axes(shape))
    x = data.draw(values(shape))
    index = data.draw(indices(data.draw(short), shape[axis], 0 if opset < 11 else None))
    compare("Gather", [x, index], [x.dtype], opset, axis=axis)


@st.composite
def element_shapes(draw, shape, axis):
    return tuple(draw(st.integers(0, 5 if a == axis % len(shape) else n)) for a, n in enumerate(shape))


@FAST
@given(st.data(), st.sampled_from([11, 13]))
def test_gather_elements(data, opset):
    shape = data.draw(filled)
    axis = data.draw(axes(shape))
    x, index = data.draw(values(shape)), data.draw(indices(data.draw(element_shapes(shape, axis)), shape[axis]))
    compare("GatherElements", [x, index], [x.dtype], opset, axis=axis)


@FAST
@given(st.data(), st.sampled_from([12, 13]))
def test_gather_nd(data, opset):
    shape = data.draw(filled)
    batch = data.draw(st.integers(0, len(shape) - 1))
    k = data.draw(st.integers(1, len(shape) - batch))
    rows = shape[:batch] + data.draw(short)
    x = data.draw(values(shape))
    index = np.stack([data.draw(indices(rows, n, dtypes=[np.int64])) for n in shape[batch:batch + k]], axis=-1)
    compare("GatherND", [x, index], [x.dtype], opset, batch_dims=batch)


@FAST
@given(st.data(), st.sampled_from(["none", "add", "mul", "max", "min"]))
def test_scatter_elements(data, reduction):
    """Equal places, too: the last one stays."""
    shape = data.draw(filled)
    axis = data.draw(axes(shape))
    want = data.draw(element_shapes(shape, axis))
    x = data.draw(values(shape, NUMBERS))
    index, updates = data.draw(indices(want, shape[axis])), data.draw(values(want, [x.dtype.type]))
    compare("ScatterElements", [x, index, updates], [x.dtype], axis=axis, reduction=reduction)


@FAST
@given(st.data(), st.sampled_from([9, 10]))
def test_scatter(data, opset):
    shape = data.draw(filled)
    axis = data.draw(st.integers(0, len(shape) - 1))
    x = data.draw(values(shape, NUMBERS))
    index, updates = data.draw(indices(shape, shape[axis], 0)), data.draw(values(shape, [x.dtype.type]))
    compare("Scatter", [x, index, updates], [x.dtype], opset, axis=axis)


@FAST
@given(st.data(), st.sampled_from(["none", "add", "mul", "max", "min"]))
def test_scatter_nd(data, reduction):
    """Without a reduction, no two tuples are equal: the runtime writes on several threads."""
    shape = data.draw(filled)
    k = data.draw(st.integers(1, len(shape)))
    places = [at for at in np.ndindex(shape[:k])]
    if reduction == "none":
        chosen = data.draw(st.lists(st.sampled_from(places), max_size=4, unique=True))
    else:
        chosen = data.draw(st.lists(st.sampled_from(places), max_size=4))
    index = np.array(chosen, np.int64).reshape(len(chosen), k)
    index -= data.draw(st.sampled_from([0, 1])) * np.array(shape[:k])  # all counted from the end, or none
    x = data.draw(values(shape, NUMBERS))
    updates = data.draw(values((len(chosen), *shape[k:]), [x.dtype.type]))
    compare("ScatterND", [x, index, updates], [x.dtype], reduction=reduction)


@FAST
@given(st.data(), st.sampled_from(["linear", "circular"]))
def test_tensor_scatter(data, mode):
    shape = data.draw(st.lists(st.integers(1, 4), min_size=3, max_size=4).map(tuple))
    axis = data.draw(st.integers(1, len(shape) - 1))
    length = data.draw(st.integers(1, shape[axis]))
    cache = data.draw(values(shape, [np.float32, np.int32]))
    update = data.draw(values((*shape[:axis], length, *shape[axis + 1:]), [cache.dtype.type]))
    last = shape[axis] - length if mode == "linear" else shape[axis] - 1
    starts = data.draw(st.lists(st.integers(0, last), min_size=shape[0], max_size=shape[0]))
    compare("TensorScatter", [cache, update, np.array(starts)], [cache.dtype], 24, axis=axis, mode=mode)


@FAST
@given(st.data())
def test_one_hot(data):
    index = data.draw(indices(data.draw(filled), 9, dtypes=[np.int64]))
    depth, pair = np.array([data.draw(st.integers(1, 5))]), data.draw(values((2,), [np.float32, np.int64]))
    compare("OneHot", [index, depth, pair], [pair.dtype], 11, axis=data.draw(st.integers(-index.ndim - 1, index.ndim)))


@FAST
@given(st.data())
def test_compress(data):
    shape = data.draw(filled)
    x = data.draw(values(shape, NUMBERS))
    axis = data.draw(st.one_of(st.none(), axes(shape)))
    condition = np.array(data.draw(st.lists(st.booleans(), max_size=x.size if axis is None else shape[axis])), np.bool_)
    compare("Compress", [x, condition], [x.dtype], 11, **({} if axis is None else {"axis": axis}))


@FAST
@given(st.data())
def test_where(data):
    shape = data.draw(filled)
    part = st.integers(0, len(shape)).map(lambda cut: shape[cut:])
    x = data.draw(values(data.draw(part), [np.float32, np.int32, np.int64, np.uint8]))
    y, condition = data.draw(values(data.draw(part), [x.dtype.type])), data.draw(values(data.draw(part), [np.bool_]))
    compare("Where", [condition, x, y], [x.dtype], 16)


@FAST
@given(st.data())
def test_non_zero(data):
    """Not of rank 0, where the runtime gives (1, n) and the text says (0, n)."""
    x = data.draw(values(data.draw(filled), [np.float32, np.int32, np.int64, np.bool_, np.uint8]))
    compare("NonZero", [x], [np.int64], 13)


@FAST
@given(st.data(), st.sampled_from(["ArgMax", "ArgMin"]), st.integers(0, 1), st.integers(0, 1))
def test_arg(data, operator, keepdims, last):
    shape = data.draw(filled)
    x = data.draw(values(shape, [np.float32, np.float64, np.int32]))
    compare(operator, [x], [np.int64], 13, axis=data.draw(axes(shape)), keepdims=keepdims, select_last_index=last)


@FAST
@given(st.data(), st.integers(0, 1))
def test_top_k(data, largest):
    shape = data.draw(filled)
    axis = data.draw(axes(shape))
    x, k = data.draw(values(shape, NUMBERS)), np.array([data.draw(st.integers(1, shape[axis]))])
    compare("TopK", [x, k], [x.dtype, np.int64], 11, axis=axis, largest=largest)


@FAST
@given(st.data(), st.integers(0, 1))
def test_unique(data, ordered):
    shape = data.draw(filled)
    x = data.draw(values(shape, [np.float32, np.float64, np.int64]))
    axis = data.draw(st.one_of(st.none(), axes(shape)))
    compare("Unique", [x], [x.dtype, np.int64, np.int64, np.int64], 11, sorted=ordered,
            **({} if axis is None else {"axis": axis}))


@pytest.mark.parametrize("operator, inputs, attributes", [
    ("Gather", [np.zeros((0, 3), np.float32), np.array([2, 0])], {"axis": 1}),
    ("Gather", [np.zeros((2, 0), np.float32), np.array(-1)], {}),
    ("GatherElements", [np.zeros((0, 3), np.float32), np.zeros((0, 2), np.int64)], {"axis": 1}),
    ("GatherND", [np.zeros((2, 0), np.float32), np.array([[1], [0]])], {}),
    ("ScatterElements", [np.zeros((0, 3), np.float32), np.zeros((0, 2), np.int64), np.zeros((0, 2), np.float32)],
     {"axis": 1}),
    ("Compress", [np.zeros((0, 2), np.float32), np.array([False, True])], {"axis": 1}),
    ("Where", [np.zeros((0, 1), np.bool_), np.zeros(3, np.float32), np.zeros(1, np.float32)], {}),
])
def test_without_elements(operator, inputs, attributes):
    compare(operator, inputs, [np.float32], **attributes)


def test_non_zero_without_elements():
    compare("NonZero", [np.zeros((0, 3), np.float32)], [np.int64], 13)
    compare("NonZero", [np.zeros((2, 3), np.float32)], [np.int64], 13)


# ---- errors ----

F, FLOAT = np.zeros((2, 3), np.float32), [np.float32]


@pytest.mark.parametrize("operator, inputs, error, attributes", [
    ("Gather", [F, np.array([2])], IndexError, {}),
    ("Gather", [F, np.array([-3])], IndexError, {}),
    ("Gather", [F, np.array([0])], ValueError, {"axis": 2}),
    ("GatherElements", [F, np.array([[3]])], IndexError, {"axis": 1}),
    ("GatherElements", [F, np.zeros((3, 1), np.int64)], ValueError, {"axis": 1}),
    ("GatherElements", [F, np.array([0])], ValueError, {}),
    ("GatherND", [F, np.array([[0, 3]])], IndexError, {}),
    ("GatherND", [F, np.array([[0, 0, 0]])], ValueError, {}),
    ("GatherND", [F, np.array([[0], [0], [0]])], ValueError, {"batch_dims": 1}),
    ("ScatterElements", [F, np.array([[3]]), F[:1, :1]], IndexError, {"axis": 1}),
    ("ScatterElements", [F, np.array([[0]]), F], ValueError, {}),
    ("ScatterND", [F, np.array([[2]]), F[:1]], IndexError, {}),
    ("ScatterND", [F, np.array([[0]]), F], ValueError, {}),
    ("TopK", [F, np.array([4])], ValueError, {}),
    ("OneHot", [np.array([0]), np.array([-1]), F[0, :2]], ValueError, {}),
    ("Where", [np.array([True, False]), F, F], ValueError, {}),
    ("ArgMax", [F], ValueError, {"axis": 2}),
])
def test_errors(operator, inputs, error, attributes):
    outputs = {"TopK": [np.float32, np.int64], "ArgMax": [np.int64]}.get(operator, [np.float32])
    refused(operator, inputs, outputs, error, **attributes)


# ---- where docs/dialects/onnx.md says that the runtime differs ----


def only_ours_refuses(operator, inputs, outputs, opset, shape, **attributes):
    node = node_of(operator, inputs, 1, attributes)
    assert theirs(model_of(node, inputs, [(outputs[0], None)], opset), inputs)[0].shape == shape
    with pytest.raises(IndexError):
        ours(node, inputs, opset)


def test_negative_indices_before_opset_11():
    only_ours_refuses("Gather", [F, np.array([-1])], FLOAT, 10, (1, 3))


def test_a_condition_behind_the_end():
    only_ours_refuses("Compress", [np.zeros(1, np.float32), np.array([True, True])], FLOAT, 11, (1,), axis=0)


def test_non_zero_of_rank_0():
    (got,), (want,) = both("NonZero", [np.array(3.0, np.float32)], [np.int64], 13)
    assert (got.shape, want.shape) == ((0, 1), (1, 1))


def test_a_nan_that_is_there():
    data, update = np.array([np.nan], np.float32), np.array([1], np.float32)
    (got,), (want,) = both("ScatterND", [data, np.array([[0]]), update], FLOAT, reduction="max")
    assert np.isnan(got) and want == 1
