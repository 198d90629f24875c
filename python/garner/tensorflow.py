"""TensorFlow 2's gathers, scatters, segments and masks, as they behave on a CPU.

Signatures are TensorFlow's; `name` (and `validate_indices` of gather) is taken and does nothing, as in eager
TensorFlow. TensorFlow's own tensors and variables give tensors, and gradients flow through `tf.GradientTape`; all other
arrays give arrays of their kind. Lists and numbers become i32 and f32, or, as updates, the dtype of what they update.
Rules TF1-TF13: docs/dialects/tensorflow.md.

A bad call raises ValueError, TypeError (TF4) or IndexError (TF5), which are `garner.Error` too. TensorFlow raises
`tf.errors.InvalidArgumentError` for most of them, which is none of these.

| function | negative index | out of range |
|---|---|---|
| gather | IndexError | IndexError |
| gather_nd | IndexError; "IGNORE": reads 0 | the same |
| scatter_nd, tensor_scatter_nd_add, sub, min, max | IndexError; "IGNORE": left out | the same |
| tensor_scatter_nd_update | IndexError | IndexError |
| unsorted_segment_sum, mean, max, min, prod | left out | IndexError |
| boolean_mask | – | – |
"""
from __future__ import annotations

import sys
import types
from operator import index as _int

import numpy as _np

from garner import _errors
from garner._core import Operation as _Operation

_gather = _Operation("tensorflow", "gather")
_gather_nd = _Operation("tensorflow", "gather_nd")
_scatter_nd = _Operation("tensorflow", "scatter_nd")
_update = _Operation("tensorflow", "tensor_scatter_nd_update")
_add = _Operation("tensorflow", "tensor_scatter_nd_add")
_sub = _Operation("tensorflow", "tensor_scatter_nd_sub")
_min = _Operation("tensorflow", "tensor_scatter_nd_min")
_max = _Operation("tensorflow", "tensor_scatter_nd_max")
_segment_sum = _Operation("tensorflow", "unsorted_segment_sum")
_segment_mean = _Operation("tensorflow", "unsorted_segment_mean")
_segment_max = _Operation("tensorflow", "unsorted_segment_max")
_segment_min = _Operation("tensorflow", "unsorted_segment_min")
_segment_prod = _Operation("tensorflow", "unsorted_segment_prod")
_boolean_mask = _Operation("tensorflow", "boolean_mask")


# ---- TensorFlow's tensors ----


def _is_tensor(value):
    return type(value).__module__.partition(".")[0] == "tensorflow"


def _call(operation, *arguments):
    places = [i for i, value in enumerate(arguments) if _is_tensor(value)]
    return _call_on_tensors(operation, arguments, places) if places else operation(*arguments)


def _dense(tf, value):
    if isinstance(value, (tf.RaggedTensor, tf.SparseTensor, tf.IndexedSlices)):
        raise _errors.NotImplementedError(f"tensorflow: an argument is {type(value).__name__}, allowed a dense tensor")
    if tf.is_symbolic_tensor(value):
        raise _errors.NotImplementedError("tensorflow: an argument is a tensor of a tf.function that has no values "
                                          "yet, allowed an eager tensor; tf.py_function makes it one")
    return tf.convert_to_tensor(value)


def _call_on_tensors(operation, arguments, places):
    """The tape sees one operation from the tensors at these places to the result."""
    tf, arguments = sys.modules["tensorflow"], list(arguments)

    @tf.custom_gradient
    def call(*tensors):
        for place, tensor in zip(places, tensors):
            arguments[place] = _np.asarray(tensor)  # its memory, read-only

        def gradient(cotangent):
            found = operation.vjp([_np.asarray(tf.convert_to_tensor(cotangent))], *arguments)
            return [None if found[place] is None else tf.convert_to_tensor(found[place]) for place in places]

        return tf.convert_to_tensor(operation(*arguments)), gradient

    return call(*(_dense(tf, arguments[place]) for place in places))


# ---- Python's lists and numbers ----


def _leaf(value):
    """A list's first element, at any depth."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return value


def _array(value):
    """Lists and numbers with the dtype that TensorFlow gives them."""
    leaf = _leaf(value)
    if leaf is value and not isinstance(leaf, (int, float, complex, list, tuple)):
        return value
    if _is_tensor(leaf):
        return sys.modules["tensorflow"].convert_to_tensor(value)
    array = _np.asarray(value)
    narrow = {"i": _np.int32, "f": _np.float32}.get(array.dtype.kind)
    return array if narrow is None or isinstance(leaf, (_np.generic, _np.ndarray)) else _np.asarray(value, narrow)


def _array_like(value, other):
    """Lists and numbers with the dtype of another argument, where that loses nothing."""
    made, dtype = _array(value), getattr(_array(other), "dtype", None)
    dtype = getattr(dtype, "as_numpy_dtype", dtype)  # TensorFlow's
    if made is value or not isinstance(dtype, (_np.dtype, type)):
        return made
    kinds = {"i": "iufcV", "f": "fcV", "c": "c"}.get(made.dtype.kind, "")  # V: those of ml_dtypes
    return made.astype(dtype) if _np.dtype(dtype).kind in kinds else made


def _maybe(value):
    return None if value is None else _int(value)


def _shape(value):
    return [_int(extent) for extent in _np.asarray(value)]


def _policy(word):
    return word or "DEFAULT"


# ---- gathers ----


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    """The slices of params along an axis that indices name; the axes of indices behind batch_dims replace the axis.

    result[b, a, i, c] = params[b, a, indices[b, i], c], with batch_dims axes b; axis is batch_dims unless given

    Bad index: IndexError (TF5); negative: refused.

    >>> import numpy as np
    >>> gather(np.array([[1, 2, 3], [4, 5, 6]]), np.array([2, 0]), axis=1)
    array([[3, 1],
           [6, 4]])
    >>> gather(np.array([[1, 2, 3], [4, 5, 6]]), np.array([[2], [0]]), batch_dims=1)
    array([[3],
           [4]])
    """
    return _call(_gather, _array(params), _array(indices), None, _maybe(axis), _int(batch_dims))


def gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy=""):
    """The elements or slices of params that the tuples in the last axis of indices point to.

    result[b, i, rest] = params[b, indices[b, i, 0], ..., indices[b, i, k - 1], rest], with batch_dims axes b

    Bad index: IndexError (TF5), with bad_indices_policy "IGNORE" it reads 0; negative: a bad index.

    >>> import numpy as np
    >>> gather_nd(np.array([[1, 2], [3, 4]]), np.array([[1, 0], [0, 5]]), bad_indices_policy="IGNORE")
    array([3, 0])
    """
    return _call(_gather_nd, _array(params), _array(indices), _int(batch_dims), None, _policy(bad_indices_policy))


# ---- scatters ----


def scatter_nd(indices, updates, shape, bad_indices_policy="", name=None):
    """Zeros of a shape, with each slice of updates added at the place its tuple (the last axis of indices) names.

    result = 0; result[indices[i, 0], ..., indices[i, k - 1], rest] += updates[i, rest]

    Bad index: IndexError (TF5), with bad_indices_policy "IGNORE" it is left out; negative: a bad index.

    >>> import numpy as np
    >>> scatter_nd(np.array([[1], [3], [1]]), np.array([10, 20, 5]), [5])
    array([ 0, 15,  0, 20,  0])
    """
    return _call(_scatter_nd, _array(indices), _array(updates), _shape(shape), _policy(bad_indices_policy))


def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    """A copy of tensor with each slice of updates set at the place its tuple (the last axis of indices) names.

    result = tensor; result[indices[i, 0], ..., indices[i, k - 1], rest] = updates[i, rest]

    Bad index: IndexError (TF5); negative: refused. Set twice, the last in row-major order stays.

    >>> import numpy as np
    >>> tensor_scatter_nd_update(np.array([1, 2, 3]), [[2], [0]], [30, 10])
    array([10,  2, 30])
    """
    return _call(_update, _array(tensor), _array(indices), _array_like(updates, tensor))


def tensor_scatter_nd_add(tensor, indices, updates, bad_indices_policy="", name=None):
    """A copy of tensor with each slice of updates added at the place its tuple (the last axis of indices) names.

    result = tensor; result[indices[i, 0], ..., indices[i, k - 1], rest] += updates[i, rest]

    Bad index: IndexError (TF5), with bad_indices_policy "IGNORE" it is left out; negative: a bad index.

    >>> import numpy as np
    >>> tensor_scatter_nd_add(np.array([1, 2, 3]), [[2], [2]], [30, 10])
    array([ 1,  2, 43])
    """
    return _call(_add, _array(tensor), _array(indices), _array_like(updates, tensor), _policy(bad_indices_policy))


def tensor_scatter_nd_sub(tensor, indices, updates, bad_indices_policy="", name=None):
    """A copy of tensor with each slice of updates taken off at the place its tuple (the last axis of indices) names.

    result = tensor; result[indices[i, 0], ..., indices[i, k - 1], rest] -= updates[i, rest]

    Bad index: IndexError (TF5), with bad_indices_policy "IGNORE" it is left out; negative: a bad index.

    >>> import numpy as np
    >>> tensor_scatter_nd_sub(np.array([1, 2, 3]), [[2], [0]], [30, 10])
    array([ -9,   2, -27])
    """
    return _call(_sub, _array(tensor), _array(indices), _array_like(updates, tensor), _policy(bad_indices_policy))


def tensor_scatter_nd_min(tensor, indices, updates, bad_indices_policy="", name=None):
    """A copy of tensor with the smaller one of two at each place that a tuple (the last axis of indices) names.

    result = tensor; result[indices[i, ...], rest] = min(that, updates[i, rest])

    Bad index: IndexError (TF5), with bad_indices_policy "IGNORE" it is left out; negative: a bad index. NaN wins.

    >>> import numpy as np
    >>> tensor_scatter_nd_min(np.array([1, 2, 3]), [[2], [0]], [0, 10])
    array([1, 2, 0])
    """
    return _call(_min, _array(tensor), _array(indices), _array_like(updates, tensor), _policy(bad_indices_policy))


def tensor_scatter_nd_max(tensor, indices, updates, bad_indices_policy="", name=None):
    """A copy of tensor with the larger one of two at each place that a tuple (the last axis of indices) names.

    result = tensor; result[indices[i, ...], rest] = max(that, updates[i, rest])

    Bad index: IndexError (TF5), with bad_indices_policy "IGNORE" it is left out; negative: a bad index. NaN wins.

    >>> import numpy as np
    >>> tensor_scatter_nd_max(np.array([1, 2, 3]), [[2], [0]], [0, 10])
    array([10,  2,  3])
    """
    return _call(_max, _array(tensor), _array(indices), _array_like(updates, tensor), _policy(bad_indices_policy))


# ---- segments ----


def unsorted_segment_sum(data, segment_ids, num_segments, name=None):
    """The sum of the slices of data that have the same id; 0 for a segment without any.

    result[s, rest] = sum of data[i, rest] over all i with segment_ids[i] == s

    Id out of range: IndexError (TF5); negative: left out.

    >>> import numpy as np
    >>> unsorted_segment_sum(np.array([1, 2, 3, 4]), np.array([2, 0, 2, -1]), 3)
    array([2, 0, 4])
    """
    return _call(_segment_sum, _array(data), _array(segment_ids), _int(num_segments))


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """The mean of the slices of data that have the same id; 0 for a segment without any. Integers give floats.

    result[s, rest] = mean of data[i, rest] over all i with segment_ids[i] == s

    Id out of range: IndexError (TF5); negative: left out.

    >>> import numpy as np
    >>> unsorted_segment_mean(np.array([1, 2, 4]), np.array([2, 0, 2]), 3)
    array([2. , 0. , 2.5])
    """
    return _call(_segment_mean, _array(data), _array(segment_ids), _int(num_segments))


def unsorted_segment_max(data, segment_ids, num_segments, name=None):
    """The largest of the slices of data that have the same id; the lowest number for a segment without any.

    result[s, rest] = max of data[i, rest] over all i with segment_ids[i] == s

    Id out of range: IndexError (TF5); negative: left out.

    >>> import numpy as np
    >>> unsorted_segment_max(np.array([1, 2, 3], np.int8), np.array([2, 0, 2]), 3)
    array([   2, -128,    3], dtype=int8)
    """
    return _call(_segment_max, _array(data), _array(segment_ids), _int(num_segments))


def unsorted_segment_min(data, segment_ids, num_segments, name=None):
    """The smallest of the slices of data that have the same id; the highest number for a segment without any.

    result[s, rest] = min of data[i, rest] over all i with segment_ids[i] == s

    Id out of range: IndexError (TF5); negative: left out.

    >>> import numpy as np
    >>> unsorted_segment_min(np.array([1, 2, 3], np.int8), np.array([2, 0, 2]), 3)
    array([  2, 127,   1], dtype=int8)
    """
    return _call(_segment_min, _array(data), _array(segment_ids), _int(num_segments))


def unsorted_segment_prod(data, segment_ids, num_segments, name=None):
    """The product of the slices of data that have the same id; 1 for a segment without any.

    result[s, rest] = product of data[i, rest] over all i with segment_ids[i] == s

    Id out of range: IndexError (TF5); negative: left out.

    >>> import numpy as np
    >>> unsorted_segment_prod(np.array([5, 2, 3]), np.array([2, 0, 2]), 3)
    array([ 2,  1, 15])
    """
    return _call(_segment_prod, _array(data), _array(segment_ids), _int(num_segments))


# ---- masks ----


def boolean_mask(tensor, mask, axis=None, name="boolean_mask"):
    """The slices of tensor where mask, which lies along the axes from `axis` on, is true.

    result = tensor[mask] for axis 0, tensor[:, mask] for axis 1

    mask has the extents of the axes it lies along, else ValueError (TF13).

    >>> import numpy as np
    >>> boolean_mask(np.array([[1, 2], [3, 4], [5, 6]]), [True, False, True])
    array([[1, 2],
           [5, 6]])
    """
    return _call(_boolean_mask, _array(tensor), _array(mask), _maybe(axis))


#: As TensorFlow has the segments: `garner.tensorflow.math.unsorted_segment_sum`.
math = types.SimpleNamespace(unsorted_segment_sum=unsorted_segment_sum, unsorted_segment_mean=unsorted_segment_mean,
                             unsorted_segment_max=unsorted_segment_max, unsorted_segment_min=unsorted_segment_min,
                             unsorted_segment_prod=unsorted_segment_prod)

__all__ = ["boolean_mask", "gather", "gather_nd", "math", "scatter_nd", "tensor_scatter_nd_add",
           "tensor_scatter_nd_max", "tensor_scatter_nd_min", "tensor_scatter_nd_sub", "tensor_scatter_nd_update",
           "unsorted_segment_max", "unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_prod",
           "unsorted_segment_sum"]
