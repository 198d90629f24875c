"""PyTorch's functions that gather, scatter or find, with PyTorch's names, defaults and exceptions.

They take NumPy arrays, and need no torch for that; given tensors they return tensors, take part in autograd and stay in
one graph under `torch.compile`. A function whose name ends in an underscore updates its first argument and returns it.

What happens to an index that is negative, or outside [0, n) for the extent n it counts in:

| function | negative index | out of range |
|---|---|---|
| gather, scatter, scatter_add, scatter_reduce | refused | RuntimeError |
| index_select, index_add | refused | an error that is both |
| index_copy, index_reduce, embedding | refused | IndexError |
| embedding_bag | refused | RuntimeError |
| index_fill, index_put, take, put | from the end | IndexError |
| take_along_dim with dim | modulo n | modulo n |
| take_along_dim without dim | refused | RuntimeError |

An index is an array of int64 or int32; index_copy, index_fill, take, put and take_along_dim take int64 alone. Where
several values go to one place, the last one stays. An array of rank 0 counts as one of rank 1 with one element.
"""
import sys as _sys
from typing import Any as _Any
from typing import NamedTuple as _NamedTuple

import numpy as np

from garner import _errors
from garner._core import Operation as _Operation

_IN_PLACE = ("scatter", "scatter_add", "scatter_reduce", "index_add", "index_copy", "index_fill", "index_reduce", "put",
             "index_put", "masked_fill", "masked_scatter")
_NAMES = (*_IN_PLACE, "argmax", "argmin", "embedding", "embedding_bag", "gather", "index_select", "masked_select",
          "nonzero", "searchsorted", "take", "take_along_dim", "topk")
__all__ = sorted([*_NAMES, *(name + "_" for name in _IN_PLACE)]) + ["TopK"]

_OPERATIONS = {name: _Operation("torch", name) for name in _NAMES}
# Looked up once, not at each call.
_CALLS = {name: operation.__call__ for name, operation in _OPERATIONS.items()}
_INTO = {name: operation.into for name, operation in _OPERATIONS.items()}
_gather, _ndarray = _CALLS["gather"], np.ndarray


class TopK(_NamedTuple):
    """What topk returns."""

    values: _Any
    indices: _Any


# ---- how a call is made ----

def _is_tensor(thing):
    """Is it torch's? Whoever has a tensor has imported torch."""
    return type(thing) is not _ndarray and "torch" in _sys.modules and isinstance(thing, _sys.modules["torch"].Tensor)


_glue: _Any = None
# Of the glue, from when it is there: which types go straight to what makes their calls in C, and whether torch traces
# this code.
_quick_types: tuple = ()
_quick: dict = {}
_quick_into: dict = {}
_is_traced: _Any = bool


def _tensors():
    """garner._torch, which is imported when a tensor comes along. Not by sys.modules: another thread may be importing it."""
    global _glue, _quick, _quick_into, _is_traced, _quick_types
    if _glue is None:
        from garner import _torch
        _quick, _quick_into, _is_traced = _torch.QUICK, _torch.QUICK_INTO, _torch.is_dynamo_compiling
        _quick_types, _glue = _torch.TENSORS, _torch
    return _glue


def _call(name, out, *arguments):
    """The result, in `out` where one is given."""
    kind = type(arguments[0])
    if kind is not _ndarray:
        if kind in _quick_types and not _is_traced():
            result = _quick[name](*arguments) if out is None else _quick_into[name](out, *arguments)
            if result is not NotImplemented:
                return result
        if _is_tensor(arguments[0]):
            return _tensors().call(name, out, arguments)
    if out is None:
        return _CALLS[name](*arguments)
    return _INTO[name](out if type(out) is _ndarray else _writable(name, out), *arguments)


def _update(name, input, *arguments):
    """The result in place of `input`."""
    if type(input) in _quick_types and not _is_traced():
        result = _quick_into[name](input, input, *arguments)
        if result is not NotImplemented:
            return result
    if _is_tensor(input):
        return _tensors().update(name, input, arguments)
    return _INTO[name](_writable(name + "_", input), input, *arguments)


def _writable(name, array):
    """A list would be copied, and the copy written to. A tuple has an array for each result."""
    if isinstance(array, _ndarray) or _is_tensor(array):
        return array
    if isinstance(array, tuple):
        return tuple(_writable(name, one) for one in array)
    raise _errors.TypeError(f"torch.{name}: what is written to is {type(array).__name__}, allowed an array or a tensor")


# ---- one index per element ----

def gather(input, dim: int, index, *, sparse_grad: bool = False, out=None):
    """Picks one element of input per element of index.

    result[i, j] = input[i, index[i, j]] for dim 1; index may be shorter than input off dim.
    Bad index: RuntimeError (TO8); negative: refused. sparse_grad asks for a sparse gradient, which is not offered.

    >>> gather(np.array([[10, 20, 30], [40, 50, 60]]), 1, np.array([[2, 1], [0, 2]]))
    array([[30, 20],
           [40, 60]])
    """
    if out is None and type(input) is _ndarray:
        return _gather(input, dim, index)
    return _call("gather", out, input, dim, index, sparse_grad)


def take_along_dim(input, indices, dim: int | None = None, *, out=None):
    """gather, with input and indices broadcast off dim; without dim, from all elements in order.

    result[i, j] = input[i, indices[i, j] mod n] for dim 1; result[k] = input.ravel()[indices.ravel()[k]] without dim.
    Bad or negative index: modulo n with dim; without dim: RuntimeError (TO8).

    >>> x = np.array([[30, 10, 20], [60, 50, 40]])
    >>> take_along_dim(x, np.array([[-1]]), 1)
    array([[20],
           [40]])
    >>> take_along_dim(x, np.array([0, 5]))
    array([30, 40])
    """
    return _call("take_along_dim", out, input, indices, dim)


def scatter(input, dim: int, index, src=None, *, value=None, reduce: str | None = None, out=None):
    """Puts the elements of src (or one number) where index says, in a copy of input.

    result = input; result[i, index[i, j]] = src[i, j] for dim 1; reduce="add" means +=, "multiply" means *=.
    Bad index: RuntimeError (TO8); negative: refused.

    >>> scatter(np.zeros((2, 3), int), 1, np.array([[2], [0]]), np.array([[7], [8]]))
    array([[0, 0, 7],
           [8, 0, 0]])
    >>> scatter(np.ones(3, int), 0, np.array([1, 1]), 5, reduce="add")
    array([ 1, 11,  1])
    """
    return _call("scatter", out, input, dim, index, src, value, reduce)


def scatter_(input, dim: int, index, src=None, *, value=None, reduce: str | None = None):
    """scatter in place: input[i, index[i, j]] = src[i, j] for dim 1.

    Bad index: RuntimeError (TO8), and input is untouched; negative: refused.

    >>> x = np.zeros(3, int)
    >>> scatter_(x, 0, np.array([1]), value=7) is x, x
    (True, array([0, 7, 0]))
    """
    return _update("scatter", input, dim, index, src, value, reduce)


def scatter_add(input, dim: int, index, src, *, out=None):
    """Adds the elements of src where index says, in a copy of input.

    result = input; result[i, index[i, j]] += src[i, j] for dim 1.
    Bad index: RuntimeError (TO8); negative: refused.

    >>> scatter_add(np.zeros(3, int), 0, np.array([0, 2, 0]), np.array([1, 2, 3]))
    array([4, 0, 2])
    """
    return _call("scatter_add", out, input, dim, index, src)


def scatter_add_(input, dim: int, index, src):
    """scatter_add in place: input[i, index[i, j]] += src[i, j] for dim 1.

    Bad index: RuntimeError (TO8), and input is untouched; negative: refused.

    >>> scatter_add_(np.zeros(3, int), 0, np.array([0, 2, 0]), np.array([1, 2, 3]))
    array([4, 0, 2])
    """
    return _update("scatter_add", input, dim, index, src)


def scatter_reduce(input, dim: int, index, src, reduce: str, *, include_self: bool = True, out=None):
    """Combines the elements of src that go to one place: "sum", "prod", "mean", "amax" or "amin".

    result = input; result[i, index[i, j]] = reduce(result[i, index[i, j]], src[i, j]) for dim 1; with
    include_self=False, what input holds where something arrives does not count.
    Bad index: RuntimeError (TO8); negative: refused.

    >>> scatter_reduce(np.array([1, 1, 1]), 0, np.array([0, 0, 2]), np.array([4, 6, 8]), "mean", include_self=False)
    array([5, 1, 8])
    """
    return _call("scatter_reduce", out, input, dim, index, src, reduce, include_self)


def scatter_reduce_(input, dim: int, index, src, reduce: str, *, include_self: bool = True):
    """scatter_reduce in place: input[i, index[i, j]] = reduce(input[i, index[i, j]], src[i, j]) for dim 1.

    Bad index: RuntimeError (TO8), and input is untouched; negative: refused.

    >>> scatter_reduce_(np.array([1, 5]), 0, np.array([0, 1]), np.array([3, 4]), "amax")
    array([3, 5])
    """
    return _update("scatter_reduce", input, dim, index, src, reduce, include_self)


# ---- one index per slice ----

def index_select(input, dim: int, index, *, out=None):
    """Slices of input along dim, in the order of a vector of indices.

    result[i, j] = input[i, index[j]] for dim 1.
    Bad index: IndexError and RuntimeError in one (TO8); negative: refused.

    >>> index_select(np.array([[1, 2, 3], [4, 5, 6]]), 1, np.array([2, 0]))
    array([[3, 1],
           [6, 4]])
    """
    return _call("index_select", out, input, dim, index)


def index_add(input, dim: int, index, source, *, alpha=1, out=None):
    """Adds alpha times the slices of source to slices of a copy of input.

    result = input; result[i, index[j]] += alpha * source[i, j] for dim 1.
    Bad index: IndexError and RuntimeError in one (TO8); negative: refused.

    >>> index_add(np.zeros((3, 2), int), 0, np.array([0, 0]), np.array([[1, 2], [3, 4]]), alpha=10)
    array([[40, 60],
           [ 0,  0],
           [ 0,  0]])
    """
    return _call("index_add", out, input, dim, index, source, alpha)


def index_add_(input, dim: int, index, source, *, alpha=1):
    """index_add in place: input[i, index[j]] += alpha * source[i, j] for dim 1.

    Bad index: IndexError and RuntimeError in one (TO8), and input is untouched; negative: refused.

    >>> index_add_(np.zeros(3, int), 0, np.array([2]), np.array([5]))
    array([0, 0, 5])
    """
    return _update("index_add", input, dim, index, source, alpha)


def index_copy(input, dim: int, index, source, *, out=None):
    """Puts the slices of source over slices of a copy of input.

    result = input; result[i, index[j]] = source[i, j] for dim 1.
    Bad index: IndexError (TO8); negative: refused.

    >>> index_copy(np.zeros((3, 2), int), 0, np.array([2, 0]), np.array([[1, 2], [3, 4]]))
    array([[3, 4],
           [0, 0],
           [1, 2]])
    """
    return _call("index_copy", out, input, dim, index, source)


def index_copy_(input, dim: int, index, source):
    """index_copy in place: input[i, index[j]] = source[i, j] for dim 1.

    Bad index: IndexError (TO8), and input is untouched; negative: refused.

    >>> index_copy_(np.zeros(3, int), 0, np.array([1]), np.array([5]))
    array([0, 5, 0])
    """
    return _update("index_copy", input, dim, index, source)


def index_fill(input, dim: int, index, value):
    """Fills slices of a copy of input with one number (or array of rank 0).

    result = input; result[i, index[j]] = value for dim 1.
    Bad index: IndexError (TO8); negative: from the end.

    >>> index_fill(np.array([[1, 2, 3], [4, 5, 6]]), 1, np.array([0, -1]), 9)
    array([[9, 2, 9],
           [9, 5, 9]])
    """
    return _call("index_fill", None, input, dim, index, value)


def index_fill_(input, dim: int, index, value):
    """index_fill in place: input[i, index[j]] = value for dim 1.

    Bad index: IndexError (TO8), and input is untouched; negative: from the end.

    >>> index_fill_(np.array([1, 2, 3]), 0, np.array([-1]), 9)
    array([1, 2, 9])
    """
    return _update("index_fill", input, dim, index, value)


def index_reduce(input, dim: int, index, source, reduce: str, *, include_self: bool = True, out=None):
    """Combines the slices of source that go to one slice: "prod", "mean", "amax" or "amin".

    result = input; result[i, index[j]] = reduce(result[i, index[j]], source[i, j]) for dim 1; with include_self=False,
    the slices of input where something arrives do not count.
    Bad index: IndexError (TO8); negative: refused.

    >>> index_reduce(np.array([2, 3]), 0, np.array([1, 1]), np.array([5, 7]), "prod")
    array([  2, 105])
    """
    return _call("index_reduce", out, input, dim, index, source, reduce, include_self)


def index_reduce_(input, dim: int, index, source, reduce: str, *, include_self: bool = True):
    """index_reduce in place: input[i, index[j]] = reduce(input[i, index[j]], source[i, j]) for dim 1.

    Bad index: IndexError (TO8), and input is untouched; negative: refused.

    >>> index_reduce_(np.array([2, 3]), 0, np.array([1, 1]), np.array([5, 7]), "amin")
    array([2, 3])
    """
    return _update("index_reduce", input, dim, index, source, reduce, include_self)


def _shorten(input, weight, max_norm, norm_type):
    """What max_norm asks for, in place and before the rows are looked up: those that are longer get that norm."""
    if _is_tensor(weight):
        return _tensors().shorten(input, weight, max_norm, norm_type)
    rows = np.unique(input)
    if rows.size and 0 <= rows[0] and rows[-1] < len(weight):  # otherwise the call refuses the index
        norms = np.linalg.norm(weight[rows].astype(np.float64), norm_type, axis=1)
        long = norms > max_norm
        weight[rows[long]] = weight[rows[long]] * (max_norm / (norms[long, None] + 1e-7))  # rounded once
    return None


def embedding(input, weight, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0,
              scale_grad_by_freq: bool = False, sparse: bool = False):
    """Rows of weight (torch.nn.functional.embedding).

    result[i, j, :] = weight[input[i, j], :]
    Bad index: IndexError (TO8); negative: refused. The row padding_idx gets no gradient. max_norm shortens the rows that
    are looked up, in weight itself (not under torch.compile: TO26). sparse and scale_grad_by_freq are refused where a
    gradient is wanted.

    >>> embedding(np.array([2, 0]), np.array([[1., 2.], [3., 4.], [5., 6.]]))
    array([[5., 6.],
           [1., 2.]])
    """
    if max_norm is not None:
        max_norm = _shorten(input, weight, max_norm, norm_type)
    return _call("embedding", None, input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)


def embedding_bag(input, weight, offsets=None, max_norm: float | None = None, norm_type: float = 2,
                  scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, per_sample_weights=None,
                  include_last_offset: bool = False, padding_idx: int | None = None):
    """The "sum", "mean" or "max" of the rows of weight in each bag (torch.nn.functional.embedding_bag).

    result[b, :] = mode of weight[input[k], :] for k in [offsets[b], offsets[b + 1]); without offsets, over row b of
    input. An empty bag is 0.
    Bad index: RuntimeError (TO8); negative: refused. Rows padding_idx do not count. max_norm shortens the rows that are
    looked up, in weight itself (not under torch.compile: TO26). sparse and scale_grad_by_freq are refused where a
    gradient is wanted.

    >>> embedding_bag(np.array([0, 1, 1]), np.array([[1., 2.], [3., 4.]]), np.array([0, 2]), mode="sum")
    array([[4., 6.],
           [3., 4.]])
    """
    if max_norm is not None:
        max_norm = _shorten(input, weight, max_norm, norm_type)
    return _call("embedding_bag", None, input, weight, offsets, max_norm, norm_type, scale_grad_by_freq, mode, sparse,
                 per_sample_weights, include_last_offset, padding_idx)


# ---- from and to all elements ----

def take(input, index, *, out=None):
    """Elements of input, seen as one row-major list.

    result[i, j] = input.ravel()[index[i, j]]
    Bad index: IndexError (TO8); negative: from the end.

    >>> take(np.array([[1, 2], [3, 4]]), np.array([0, -1]))
    array([1, 4])
    """
    return _call("take", out, input, index)


def put(input, index, source, accumulate: bool = False):
    """Puts the elements of source into a copy of input, seen as one row-major list.

    result = input; result.ravel()[index.ravel()[k]] = source.ravel()[k], or += with accumulate.
    Bad index: IndexError (TO8); negative: from the end.

    >>> put(np.array([[1, 2], [3, 4]]), np.array([1, -1]), np.array([7, 8]))
    array([[1, 7],
           [3, 8]])
    """
    return _call("put", None, input, index, source, accumulate)


def put_(input, index, source, accumulate: bool = False):
    """put in place: input.ravel()[index.ravel()[k]] = source.ravel()[k], or += with accumulate.

    Bad index: IndexError (TO8), and input is untouched; negative: from the end.

    >>> put_(np.array([1, 2]), np.array([1, 1]), np.array([7, 8]), accumulate=True)
    array([ 1, 17])
    """
    return _update("put", input, index, source, accumulate)


def index_put(input, indices, values, accumulate: bool = False):
    """Puts values where several index arrays say together, in a copy of input.

    result = input; result[indices[0][k], indices[1][k]] = values[k], or += with accumulate. The index arrays broadcast;
    one of bool or uint8 is a mask; None stands for ":".
    Bad index: IndexError (TO8); negative: from the end.

    >>> index_put(np.zeros((2, 3), int), (np.array([0, 1]), np.array([2, -3])), np.array([7, 8]))
    array([[0, 0, 7],
           [8, 0, 0]])
    """
    return _call("index_put", None, input, indices, values, accumulate)


def index_put_(input, indices, values, accumulate: bool = False):
    """index_put in place: input[indices[0][k], indices[1][k]] = values[k], or += with accumulate.

    Bad index: IndexError (TO8), and input is untouched; negative: from the end.

    >>> index_put_(np.zeros((2, 2), int), (None, np.array([1])), np.array(7))
    array([[0, 7],
           [0, 7]])
    """
    return _update("index_put", input, indices, values, accumulate)


# ---- masks ----

def masked_fill(input, mask, value):
    """One number (or array of rank 0) where mask is true, else input; the two broadcast.

    result[i, j] = value if mask[i, j] else input[i, j]
    There is no index. A mask that is not bool: RuntimeError (TO21).

    >>> masked_fill(np.array([1, 2, 3]), np.array([True, False, True]), 0)
    array([0, 2, 0])
    """
    return _call("masked_fill", None, input, mask, value)


def masked_fill_(input, mask, value):
    """masked_fill in place: input[i, j] = value where mask[i, j].

    There is no index. The mask broadcasts to input (TO22).

    >>> masked_fill_(np.array([1, 2, 3]), np.array(True), 0)
    array([0, 0, 0])
    """
    return _update("masked_fill", input, mask, value)


def masked_select(input, mask, *, out=None):
    """The elements where mask is true, as a vector; input and mask broadcast.

    result[k] = input[i, j] for the k-th true mask[i, j] in row-major order
    There is no index. A mask that is not bool: RuntimeError (TO21).

    >>> masked_select(np.array([[1, 2], [3, 4]]), np.array([True, False]))
    array([1, 3])
    """
    return _call("masked_select", out, input, mask)


def masked_scatter(input, mask, source):
    """The elements of source in order where mask is true, else input; input and mask broadcast.

    result = input; result[i, j] = source.ravel()[k] for the k-th true mask[i, j] in row-major order
    There is no index. Fewer elements in source than true ones in mask: RuntimeError (TO23).

    >>> masked_scatter(np.array([1, 2, 3]), np.array([True, False, True]), np.array([7, 8, 9]))
    array([7, 2, 8])
    """
    return _call("masked_scatter", None, input, mask, source)


def masked_scatter_(input, mask, source):
    """masked_scatter in place: input[i, j] = source.ravel()[k] for the k-th true mask[i, j] in row-major order.

    There is no index. The mask broadcasts to input (TO22).

    >>> masked_scatter_(np.array([1, 2, 3]), np.array([True, False, True]), np.array([7, 8]))
    array([7, 2, 8])
    """
    return _update("masked_scatter", input, mask, source)


# ---- functions that return indices ----

def nonzero(input, *, out=None, as_tuple: bool = False):
    """Where input is not zero: one row per element, or one vector per axis with as_tuple.

    result[k, :] = (i, j) of the k-th nonzero input[i, j] in row-major order
    It takes no index.

    >>> nonzero(np.array([[0, 5], [6, 0]]))
    array([[0, 1],
           [1, 0]])
    >>> nonzero(np.array([0, 5, 6]), as_tuple=True)
    (array([1, 2]),)
    """
    if not as_tuple:
        return _call("nonzero", out, input)
    if out is not None:
        raise _errors.TypeError("torch.nonzero: out is given, allowed without as_tuple only")
    if _is_tensor(input):
        return _call("nonzero", None, input if input.ndim else input.reshape(1)).unbind(1)
    found = _OPERATIONS["nonzero"](input, True)
    return found if isinstance(found, tuple) else (found,)


def argmax(input, dim: int | None = None, keepdim: bool = False, *, out=None):
    """The position of the first largest element along dim, or among all; NaN is larger than every number.

    input[i, result[i]] = max of input[i, j] over j, for dim 1
    It takes no index. Nothing to choose from: IndexError (TO36).

    >>> argmax(np.array([[1, 9, 3], [4, 5, 6]]), 1)
    array([1, 2])
    """
    return _call("argmax", out, input, dim, keepdim)


def argmin(input, dim: int | None = None, keepdim: bool = False, *, out=None):
    """The position of the first smallest element along dim, or among all; NaN is smaller than every number.

    input[i, result[i]] = min of input[i, j] over j, for dim 1
    It takes no index. Nothing to choose from: IndexError (TO36).

    >>> argmin(np.array([[1, 9, 3], [4, 5, 6]]), 0, keepdim=True)
    array([[0, 1, 0]])
    """
    return _call("argmin", out, input, dim, keepdim)


def topk(input, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, out=None) -> TopK:
    """The k largest (smallest) elements along dim with their positions, equal ones in order of position.

    values[i, j] = input[i, indices[i, j]] for dim 1; in order of value, or of position with sorted=False.
    It takes no index. k outside [0, n]: RuntimeError (TO37). `out` is a pair of arrays.

    >>> topk(np.array([3, 9, 4, 9]), 2)
    TopK(values=array([9, 9]), indices=array([1, 3]))
    """
    return TopK(*_call("topk", out if out is None else tuple(out), input, k, dim, largest, sorted))


def searchsorted(sorted_sequence, input, *, out_int32: bool = False, right: bool = False, side: str | None = None,
                 out=None, sorter=None):
    """Where each value goes in a sorted sequence: in front of equal elements, or behind them with right=True.

    result[i, j] = number of sorted_sequence[i, k] < input[i, j] (<= with right) over k. A sequence of rank 1 serves
    all values; sorter gives the order in which the sequence is sorted.
    Bad index in sorter: RuntimeError (TO8); negative: refused.

    >>> searchsorted(np.array([1, 3, 5]), np.array([3, 6]))
    array([1, 3])
    >>> searchsorted(np.array([1, 3, 5]), 3, side="right")
    array(2)
    """
    return _call("searchsorted", out, sorted_sequence, input, out_int32, right, side, sorter)


# ---- exceptions ----

class _AssertionError(_errors.Error, AssertionError):
    """What torch.nn.functional.embedding raises for padding_idx."""


class _IndexOrRuntimeError(_errors.IndexError, _errors.RuntimeError):
    """Torch raises the one or the other, by what its kernel for the shapes at hand looks at first."""


class _ValueOrRuntimeError(_errors.ValueError, _errors.RuntimeError):
    """A ValueError for the shape, a RuntimeError for the dtype."""


def _by_operation(usual, **special):
    """A class per operation, which the message begins with."""
    def error(message):
        return special.get(message.partition(":")[0].removeprefix("torch."), usual)(message)
    return error


_errors.raises(
    "torch", ValueError=_errors.RuntimeError,
    TO2=_by_operation(_errors.RuntimeError, index_fill=_errors.IndexError, index_put=_errors.IndexError),
    TO5=_IndexOrRuntimeError,
    TO8=_by_operation(_errors.RuntimeError, index_select=_IndexOrRuntimeError, index_add=_IndexOrRuntimeError,
                      index_copy=_errors.IndexError, index_fill=_errors.IndexError, index_put=_errors.IndexError,
                      index_reduce=_errors.IndexError, take=_errors.IndexError, put=_errors.IndexError,
                      embedding=_errors.IndexError),
    TO10=_by_operation(_errors.IndexError, index_fill=_errors.RuntimeError),
    TO11=_IndexOrRuntimeError,
    TO24=_by_operation(_errors.RuntimeError, embedding_bag=_errors.ValueError),
    TO25=_by_operation(_errors.RuntimeError, embedding=_AssertionError),
    TO29=_by_operation(_errors.RuntimeError, scatter=_errors.TypeError),
    TO30=_errors.ValueError, TO32=_errors.ValueError, TO34=_ValueOrRuntimeError)
