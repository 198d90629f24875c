"""ONNX's operators that gather, scatter, or find indices, at every opset up to 28.

Inputs and attributes have ONNX's names; inputs go by position or name, attributes by name. Each operator has two names:
`gather` and `Gather` are one function. `opset` is the opset whose definition holds: the newest when it is left out (10
for Scatter, which ended there). Rules OX1-OX16: docs/dialects/onnx.md. A bad call raises ValueError, TypeError (OX4) or
IndexError (OX6); each is a `garner.Error` too.

| function | negative index | out of range |
|---|---|---|
| gather | from the end; before opset 11 IndexError | IndexError |
| gather_elements, gather_nd | from the end | IndexError |
| scatter | IndexError | IndexError |
| scatter_elements, scatter_nd | from the end | IndexError |
| tensor_scatter, mode "linear" | IndexError | IndexError |
| tensor_scatter, mode "circular" | modulo the extent | modulo the extent |
| one_hot | from the end; before opset 11 no place | no place: off |
| compress | – | IndexError where such an entry is true |
| where, non_zero, arg_max, arg_min, top_k, unique | – | – |

`garner.onnx.backend` runs whole models of these operators.
"""
from __future__ import annotations

from operator import index as _int

from garner._core import Operation as _Operation

_gather = _Operation("onnx", "Gather")
_gather_elements = _Operation("onnx", "GatherElements")
_gather_nd = _Operation("onnx", "GatherND")
_scatter = _Operation("onnx", "Scatter")
_scatter_elements = _Operation("onnx", "ScatterElements")
_scatter_nd = _Operation("onnx", "ScatterND")
_tensor_scatter = _Operation("onnx", "TensorScatter")
_non_zero = _Operation("onnx", "NonZero")
_arg_max = _Operation("onnx", "ArgMax")
_arg_min = _Operation("onnx", "ArgMin")
_one_hot = _Operation("onnx", "OneHot")
_compress = _Operation("onnx", "Compress")
_where = _Operation("onnx", "Where")
_top_k = _Operation("onnx", "TopK")
_unique = _Operation("onnx", "Unique")


def _flag(value):
    return 1 if value else 0


def _maybe(value):
    return None if value is None else _int(value)


# ---- gathers ----


def gather(data, indices, *, axis: int = 0, opset: int | None = None):
    """The slices of data along an axis that indices name; the axis is replaced by all axes of indices.

    result[a, i, j, b] = data[a, indices[i, j], b]

    Bad index: IndexError (OX6); negative: counts from the end, before opset 11 a bad index.

    >>> import numpy as np
    >>> gather(np.array([[1, 2, 3], [4, 5, 6]]), np.array([2, -1]), axis=1)
    array([[3, 3],
           [6, 6]])
    """
    return _gather(data, indices, _int(axis), opset)


def gather_elements(data, indices, *, axis: int = 0, opset: int | None = None):
    """One element of data for each element of indices.

    result[i, j] = data[indices[i, j], j] for axis 0, data[i, indices[i, j]] for axis 1

    Bad index: IndexError (OX6); negative: counts from the end. Off the axis, indices may be shorter than data (OX7).

    >>> import numpy as np
    >>> gather_elements(np.array([[1, 2], [3, 4]]), np.array([[0, 0], [1, 0]]), axis=1)
    array([[1, 1],
           [4, 3]])
    """
    return _gather_elements(data, indices, _int(axis), opset)


def gather_nd(data, indices, *, batch_dims: int = 0, opset: int | None = None):
    """The elements or slices of data that the tuples in the last axis of indices (i64) point to.

    result[b, i, rest] = data[b, indices[b, i, 0], ..., indices[b, i, k - 1], rest], with batch_dims axes b

    Bad index: IndexError (OX6); negative: counts from the end.

    >>> import numpy as np
    >>> gather_nd(np.array([[0, 1], [2, 3]]), np.array([[0, 0], [1, 1]]))
    array([0, 3])
    """
    return _gather_nd(data, indices, _int(batch_dims), opset)


# ---- scatters ----


def scatter(data, indices, updates, *, axis: int = 0, opset: int | None = None):
    """scatter_elements as it was in opsets 9 and 10: without reduction.

    result = data; result[indices[i, j], j] = updates[i, j] for axis 0

    Bad index: IndexError (OX6); negative: refused. Of several updates of one place the last in row-major order stays.

    >>> import numpy as np
    >>> scatter(np.array([[1, 2, 3, 4, 5]]), np.array([[1, 3]]), np.array([[11, 21]]), axis=1)
    array([[ 1, 11,  3, 21,  5]])
    """
    return _scatter(data, indices, updates, _int(axis), opset)


def scatter_elements(data, indices, updates, *, axis: int = 0, reduction: str = "none", opset: int | None = None):
    """A copy of data in which each element of updates changes the place its index names.

    result = data; result[indices[i, j], j] = f(that, updates[i, j]) for axis 0; f: "none" sets, or "add", "mul", "max",
    "min"

    Bad index: IndexError (OX6); negative: counts from the end. Set twice, the last in row-major order stays.

    >>> import numpy as np
    >>> data, indices = np.array([[1, 2, 3, 4, 5]]), np.array([[1, -4]])
    >>> scatter_elements(data, indices, np.array([[10, 20]]), axis=1, reduction="add")
    array([[ 1, 32,  3,  4,  5]])
    """
    return _scatter_elements(data, indices, updates, _int(axis), reduction, opset)


def scatter_nd(data, indices, updates, *, reduction: str = "none", opset: int | None = None):
    """A copy of data in which each slice of updates changes the place its tuple (the last axis of indices, i64) names.

    result = data; result[indices[i, 0], ..., indices[i, k - 1], rest] = f(that, updates[i, rest])

    Bad index: IndexError (OX6); negative: counts from the end. Set twice, the last in row-major order stays.

    >>> import numpy as np
    >>> scatter_nd(np.array([1, 2, 3, 4]), np.array([[3], [1]]), np.array([9, 10]))
    array([ 1, 10,  3,  9])
    """
    return _scatter_nd(data, indices, updates, reduction, opset)


def tensor_scatter(past_cache, update, write_indices=None, *, axis: int = -2, mode: str = "linear",
                   opset: int | None = None):
    """A copy of a cache with update written from a position of its own for each element of the first axis.

    result = past_cache; result[b, ..., write_indices[b] + s, ...] = update[b, ..., s, ...], s along the axis

    Bad position: IndexError (OX6); negative: refused. With mode "circular" positions are taken modulo the extent.
    Without write_indices, from 0 on.

    >>> import numpy as np
    >>> tensor_scatter(np.zeros((2, 3, 1), np.int32), np.ones((2, 1, 1), np.int32), np.array([0, 2]))[:, :, 0]
    array([[1, 0, 0],
           [0, 0, 1]], dtype=int32)
    """
    return _tensor_scatter(past_cache, update, write_indices, _int(axis), mode, opset)


# ---- masks ----


def one_hot(indices, depth, values, *, axis: int = -1, opset: int | None = None):
    """values[1] where indices point along a new axis of extent depth, values[0] elsewhere.

    result[i, d] = values[1] if d == indices[i] else values[0], with d put in at axis

    Bad index: all off; negative: counts from the end, before opset 11 all off. Floats are cut to integers.

    >>> import numpy as np
    >>> one_hot(np.array([0, -1, 7]), np.array(3), np.array([0, 1]))
    array([[1, 0, 0],
           [0, 0, 1],
           [0, 0, 0]])
    """
    return _one_hot(indices, depth, values, _int(axis), opset)


def compress(input, condition, *, axis: int | None = None, opset: int | None = None):
    """The slices of input (without an axis: its elements) where condition is true.

    result = input[:, [i for i in range(len(condition)) if condition[i]]] for axis 1

    A shorter condition drops the rest; a true entry behind the end: IndexError (OX6).

    >>> import numpy as np
    >>> compress(np.array([[1, 2], [3, 4], [5, 6]]), np.array([False, True, True]), axis=0)
    array([[3, 4],
           [5, 6]])
    """
    return _compress(input, condition, _maybe(axis), opset)


def where(condition, X, Y, *, opset: int | None = None):
    """X where condition is true, Y elsewhere; the three broadcast (OX16).

    result[i, j] = X[i, j] if condition[i, j] else Y[i, j]

    >>> import numpy as np
    >>> where(np.array([[True], [False]]), np.array([1, 2]), np.array(0))
    array([[1, 2],
           [0, 0]])
    """
    return _where(condition, X, Y, opset)


def non_zero(X, *, opset: int | None = None):
    """The positions of all elements that are not zero, one column each: i64 (rank, n), in row-major order.

    X[result[0, c], result[1, c]] != 0 for every column c

    >>> import numpy as np
    >>> non_zero(np.array([[1, 0], [1, 1]]))
    array([[0, 1, 1],
           [0, 0, 1]])
    """
    return _non_zero(X, opset)


# ---- positions ----


def arg_max(data, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0, opset: int | None = None):
    """Where along an axis the largest element stands: i64. Of equal ones the first (or last); a NaN counts as larger.

    data[i, result[i, 0]] == max(data[i, :]) for axis 1

    No index is read. An axis without elements: ValueError (OX13).

    >>> import numpy as np
    >>> arg_max(np.array([[2, 2], [3, 10]]), axis=1)
    array([[0],
           [1]])
    """
    return _arg_max(data, _int(axis), _flag(keepdims), _flag(select_last_index), opset)


def arg_min(data, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0, opset: int | None = None):
    """Where along an axis the smallest element stands: i64. Of equal ones the first (or last); a NaN counts as smaller.

    data[i, result[i, 0]] == min(data[i, :]) for axis 1

    No index is read. An axis without elements: ValueError (OX13).

    >>> import numpy as np
    >>> arg_min(np.array([[2, 2], [3, 10]]), axis=1, keepdims=0, select_last_index=1)
    array([1, 0])
    """
    return _arg_min(data, _int(axis), _flag(keepdims), _flag(select_last_index), opset)


def top_k(X, K=None, *, axis: int = -1, largest: int = 1, sorted: int = 1, k: int | None = None,
          opset: int | None = None):
    """The K largest (smallest) elements along an axis and where they stand (i64): (values, indices).

    values[i, c] = X[i, indices[i, c]]; of equal ones the first comes first, a NaN counts as larger than every number

    K is an i64 array of shape [1], from opset 10 on; before, the attribute k. Outside [0, extent]: ValueError (OX15).

    >>> import numpy as np
    >>> top_k(np.array([3, 1, 2]), np.array([2]))
    (array([3, 2]), array([0, 2]))
    """
    return _top_k(X, K, _int(axis), _flag(largest), _flag(sorted), _maybe(k), opset)


def unique(X, *, axis: int | None = None, sorted: int = 1, opset: int | None = None):
    """Each value (each slice along an axis) once: (values, first positions, inverse, counts).

    values[inverse[i]] == X[i], X[first[v]] == values[v]; not sorted: in order of appearance. All NaN are one value

    >>> import numpy as np
    >>> values, first, inverse, counts = unique(np.array([2, 1, 1, 3, 2]))
    >>> values, first, inverse, counts
    (array([1, 2, 3]), array([1, 0, 3]), array([1, 0, 0, 2, 1]), array([2, 2, 1]))
    """
    return _unique(X, _maybe(axis), _flag(sorted), opset)


Gather = gather
GatherElements = gather_elements
GatherND = gather_nd
Scatter = scatter
ScatterElements = scatter_elements
ScatterND = scatter_nd
TensorScatter = tensor_scatter
OneHot = one_hot
Compress = compress
Where = where
NonZero = non_zero
ArgMax = arg_max
ArgMin = arg_min
TopK = top_k
Unique = unique

__all__ = ["ArgMax", "ArgMin", "Compress", "Gather", "GatherElements", "GatherND", "NonZero", "OneHot", "Scatter",
           "ScatterElements", "ScatterND", "TensorScatter", "TopK", "Unique", "Where", "arg_max", "arg_min", "compress",
           "gather", "gather_elements", "gather_nd", "non_zero", "one_hot", "scatter", "scatter_elements", "scatter_nd",
           "tensor_scatter", "top_k", "unique", "where"]
