"""NumPy's indexing calls, with NumPy's names, defaults and exceptions (compared with NumPy 2.4).

>>> import numpy as np
>>> import garner.numpy as gnp
>>> x = np.array([[10, 20, 30], [40, 50, 60]])
>>> gnp.take(x, [2, 0], axis=1)
array([[30, 10],
       [60, 40]])
>>> gnp.getitem(x, gnp.s_[::-1, [0, 2]])
array([[40, 60],
       [10, 30]])
>>> gnp.add.at(x, ([0, 0], [1, 1]), 1)
>>> x
array([[10, 22, 30],
       [40, 50, 60]])

| function                              | negative index      | out of range          |
|---------------------------------------|---------------------|-----------------------|
| take, put, mode="raise"               | counts from the end | IndexError (NP3)      |
| take, put, choose, mode="wrap"        | modulo the extent   | modulo the extent     |
| take, put, choose, mode="clip"        | 0                   | the last place        |
| choose, mode="raise"                  | ValueError (NP17)   | ValueError (NP17)     |
| take_along_axis, put_along_axis       | counts from the end | IndexError (NP3)      |
| getitem, setitem, add.at and its like | counts from the end | IndexError (NP3)      |

put, put_along_axis, setitem and ufunc.at work in place and return None; a read-only array is a ValueError. Values and
indices that lie in the array's own memory are read before it is written. What differs from NumPy:

- getitem and ix_ give fresh memory, where NumPy may give a view.
- A float that stands alone or in a list is no index (NumPy cuts it to an integer in take and put).
- A place that is bad in the middle of a write leaves the others written.
- An array whose elements share memory (a stride of 0) cannot be written: ValueError.
- ufunc.at refuses (TypeError, NP16) what NumPy would quietly convert back: floats into integers, integers into bool,
  complex numbers into floats.
"""
from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import index_exp, newaxis, s_

from garner import _arrays, _errors
from garner._core import Operation as _Operation
from garner._core import may_share_memory as _may_share_memory

__all__ = ["add", "argwhere", "bitwise_and", "bitwise_or", "bitwise_xor", "choose", "getitem", "index_exp", "ix_",
           "maximum", "minimum", "multiply", "newaxis", "put", "put_along_axis", "s_", "setitem", "take",
           "take_along_axis"]


class AxisError(_errors.Error, np.exceptions.AxisError):
    """An axis the array does not have: a ValueError and an IndexError, as NumPy's."""


class OverflowError(_errors.Error, OverflowError):
    """A Python integer that the array's dtype does not hold."""


class ElementError(_errors.TypeError, _errors.ValueError):
    """Several values for one element. NumPy raises the one or the other, by the dtype."""


_errors.raises("numpy", NP2=AxisError, NP17=_errors.ValueError, NP21=OverflowError)

_take = _Operation("numpy", "take")
_put = _Operation("numpy", "put")
_take_along_axis = _Operation("numpy", "take_along_axis")
_put_along_axis = _Operation("numpy", "put_along_axis")
_getitem = _Operation("numpy", "getitem")
_setitem = _Operation("numpy", "setitem")
_choose = _Operation("numpy", "choose")
_ix_ = _Operation("numpy", "ix_")
_argwhere = _Operation("numpy", "argwhere")


# ---- arguments ----

def _is_array(thing):
    return type(thing) is np.ndarray or hasattr(thing, "__array__") or hasattr(thing, "__dlpack__")


def _array(thing):
    """Lists and numbers as NumPy reads them."""
    return thing if _is_array(thing) else np.asarray(thing)


def _indices(thing):
    """The same for indices, where an empty list has no dtype to go by."""
    if _is_array(thing):
        return thing
    array = np.asarray(thing)
    return array.astype(np.intp) if array.size == 0 else array


def _axis(axis):
    return None if axis is None else operator.index(axis)


def _value(a, value):
    """What is assigned, in a's dtype where it has none of its own: a number, a list."""
    if _is_array(value):
        return value
    return np.asarray(value, a.dtype) if isinstance(a, np.ndarray) else _array(value)


def _scalar(result):
    """NumPy gives numbers, not arrays of rank 0."""
    return result[()] if type(result) is np.ndarray and result.ndim == 0 else result


# ---- keys: what stands between the brackets ----

_ENDS = 2**63 - 1


def _slice_end(end):
    return None if end is None else max(-_ENDS, min(operator.index(end), _ENDS))


def _slice(part):
    if part == slice(None):
        return (None, None, None)
    try:
        return (_slice_end(part.start), _slice_end(part.stop), _slice_end(part.step))
    except TypeError:
        raise _errors.TypeError("numpy: an end of a slice is no integer, allowed integers and None") from None


def _position(value):
    if -_ENDS <= value <= _ENDS:
        return value
    raise _errors.IndexError(f"numpy: index is {value}, allowed [-2^63, 2^63)")


def _index_array(part):
    array = part if _is_array(part) else _indices(part)
    if isinstance(array, (np.ndarray, np.generic)):
        if array.ndim == 0 and array.dtype.kind in "iu":
            return _position(int(array))
        if array.dtype.kind not in "biu":
            raise _errors.IndexError(f"numpy: index is {array.dtype}, allowed bool or an integer dtype (NP5)")
    return array


def _part(part):
    """One part of a key as garner._core reads it: a slice is a tuple of its ends, None a new axis."""
    if type(part) is int:
        return _position(part)
    if type(part) is np.ndarray:
        return _index_array(part)
    if part is None or part is Ellipsis or isinstance(part, bool):
        return part
    if isinstance(part, slice):
        return _slice(part)
    if not _is_array(part) and hasattr(part, "__index__"):
        return _position(operator.index(part))
    return _index_array(part)


def _key(key):
    return [_part(part) for part in key] if isinstance(key, tuple) else [_part(key)]


# ---- writing ----

def _memory(thing):
    return thing if isinstance(thing, np.ndarray) else _arrays.as_numpy(thing)[0]


def _apart(a, thing):
    """An argument that does not lie in the memory of `a`, which is about to be written."""
    if type(thing) is np.ndarray is type(a):  # the rest takes as long as a small call
        return thing.copy() if np.may_share_memory(a, thing) else thing
    if not _is_array(thing) or isinstance(thing, np.generic):
        return thing
    if _arrays.is_on_device(a):
        return _arrays.copied(thing) if _may_share_memory(a, thing) else thing
    memory = _memory(thing)
    return memory.copy() if np.may_share_memory(_memory(a), memory) else thing


def _check_target(a):
    if not isinstance(a, np.ndarray) and _arrays._kind_of(a) is None:
        raise _errors.TypeError(f"numpy: the array to write to is {type(a).__name__}, allowed an array")


def _as_it_lies(a):
    """Can it be written where it is? Not in another byte order, or between whole elements."""
    if not isinstance(a, np.ndarray):
        return True
    flags = a.flags
    whole = flags.c_contiguous or not any(stride % a.itemsize for stride in a.strides)
    return whole and flags.aligned and a.dtype.isnative


def _update(operation, a, *arguments):
    """Runs an operation on `a` in place."""
    _check_target(a)
    if _as_it_lies(a):
        operation.into(a, a, *arguments)
        return
    plain = a.astype(a.dtype.newbyteorder("="))
    plain.flags.writeable = a.flags.writeable
    operation.into(plain, plain, *arguments)
    a[...] = plain


def _update_at(operation, a, key, value):
    _update(operation, a, [_apart(a, part) for part in key], _apart(a, value))


# ---- the calls ----

def take(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
    """The elements of `a` at given positions along an axis; without an axis, counted through all of `a`.

    result[i…, j…, k…] = a[i…, indices[j…], k…]

    Bad index: IndexError (NP3) in mode "raise", modulo in "wrap", the nearest end in "clip"; negative: counts from the
    end, in "clip" 0.

    >>> x = np.array([[10, 20, 30], [40, 50, 60]])
    >>> take(x, [4, 0])
    array([50, 10])
    >>> take(x, [-1, 7], axis=1, mode="clip")
    array([[10, 30],
           [40, 60]])
    """
    a, indices, axis = _array(a), _indices(indices), _axis(axis)
    if out is None:
        return _scalar(_take(a, indices, axis, None, mode))
    return _taken_into(out, a, indices, axis, mode)


def _taken_into(out, a, indices, axis, mode):
    _check_target(out)
    if out.dtype == a.dtype:
        return _take.into(out, _apart(out, a), _apart(out, indices), axis, None, mode)
    if not np.can_cast(out.dtype, a.dtype, "safe"):
        raise _errors.TypeError(f"numpy.take: out is {out.dtype}, allowed what {a.dtype} holds")
    return _filled(out, _take(a, indices, axis, None, mode), _errors.ValueError)


def _filled(out, result, error):
    if tuple(out.shape) != tuple(result.shape):
        raise error(f"numpy: out has shape {tuple(out.shape)}, allowed {tuple(result.shape)}")
    setitem(out, Ellipsis, result)
    return out


def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """Writes values at positions counted through all axes of `a`, in place.

    a.flat[ind[i]] = v[i % len(v)]

    The values repeat, or are cut, to the number of positions and take the dtype of `a`. Of several writes to one place
    the last stays. Bad index: as in take; negative: as in take.

    >>> x = np.zeros((2, 3), int)
    >>> put(x, [0, -1, 2], [7, 8])
    >>> x
    array([[7, 0, 7],
           [0, 0, 8]])
    """
    _check_target(a)
    _update(_put, a, _apart(a, _indices(ind)), _apart(a, _value(a, v)), mode)


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    """One element per index along an axis; the other axes of `arr` and `indices` broadcast together.

    result[i…, j, k…] = arr[i…, indices[i…, j, k…], k…]

    Bad index: IndexError (NP3); negative: counts from the end. Without an axis `arr` is flattened and `indices` has
    one axis.

    >>> x = np.array([[10, 20, 30], [40, 50, 60]])
    >>> take_along_axis(x, np.array([[2, 1], [0, -1]]), axis=1)
    array([[30, 20],
           [40, 60]])
    """
    return _take_along_axis(_array(arr), _indices(indices), _axis(axis))


def put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    """Writes one value per index along an axis, in place; the values broadcast and take the dtype of `arr`.

    arr[i…, indices[i…, j, k…], k…] = values[i…, j, k…]

    Bad index: IndexError (NP3); negative: counts from the end.

    >>> x = np.zeros((2, 3), int)
    >>> put_along_axis(x, np.array([[2], [0]]), 9, axis=1)
    >>> x
    array([[0, 0, 9],
           [9, 0, 0]])
    """
    _check_target(arr)
    _update(_put_along_axis, arr, _apart(arr, _indices(indices)), _apart(arr, _value(arr, values)), _axis(axis))


def getitem(a: Any, key: Any) -> Any:
    """a[key], as fresh memory. `key` is what stands between the brackets; `s_[...]` writes one down.

    result[i…] = a[key[0][i…], key[1][i…], …]

    Integers, slices, None, Ellipsis, integer arrays and lists, bool masks of any rank, and tuples of those. The common
    axes of the index arrays stand where the arrays stood, or in front when something stands between them.
    Bad index: IndexError (NP3); negative: counts from the end.

    >>> x = np.array([[10, 20, 30], [40, 50, 60]])
    >>> getitem(x, ([1, 0], slice(None, None, -2)))
    array([[60, 40],
           [30, 10]])
    >>> getitem(x, x > 25)
    array([30, 40, 50, 60])
    >>> getitem(x, (0, 1))
    np.int64(20)
    """
    parts = _key(key)
    result = _getitem(_array(a), parts)
    return result if any(part is Ellipsis for part in parts) else _scalar(result)


def setitem(a: Any, key: Any, value: Any) -> None:
    """a[key] = value, in place. The value broadcasts to a[key] and takes the dtype of `a`.

    a[key[0][i…], key[1][i…], …] = value[i…]

    Of several writes to one place the last in row-major order stays. Bad index: IndexError (NP3); negative: counts from
    the end.

    >>> x = np.arange(6)
    >>> setitem(x, x % 2 == 0, -1)
    >>> setitem(x, slice(1, None), x[:-1])
    >>> x
    array([-1, -1,  1, -1,  3, -1])
    """
    _check_target(a)
    parts = _key(key)
    values = _value(a, value)
    _check_rank(a, parts, value, values)
    _update_at(_setitem, a, parts, values)


def _check_rank(a, parts, given, values):
    """Without index arrays NumPy takes no value of a higher rank than a[key] from a list, and only a number for one
    element."""
    if getattr(values, "ndim", 0) == 0 or any(_is_array(part) or isinstance(part, bool) for part in parts):
        return
    integers = sum(isinstance(part, int) for part in parts)
    rank = a.ndim - integers + sum(part is None for part in parts)
    element = rank == 0 and len(parts) == integers
    if element or (values is not given and values.ndim > rank):
        _getitem(a, parts)  # a bad key comes first
        error = ElementError if element else _errors.ValueError
        raise error(f"numpy.setitem: value has rank {values.ndim}, allowed [0, {rank}]")


class Ufunc:
    """A function of two numbers, for its `at` only."""

    def __init__(self, name):
        self.__name__ = name
        self._at = _Operation("numpy", f"{name}_at")
        self._orders = name in ("minimum", "maximum")

    def __repr__(self):
        return f"<garner ufunc '{self.__name__}'>"

    def at(self, a: Any, indices: Any, b: Any, /) -> None:
        """a[indices] = f(a[indices], b), in place and once for every index: a place named twice is updated twice.

        Bad index: IndexError (NP3); negative: counts from the end.

        >>> counts = np.zeros(3, int)
        >>> add.at(counts, [0, 2, 2, -1], 1)
        >>> counts
        array([1, 0, 3])
        """
        _check_target(a)
        _update_at(self._at, a, _key(indices), self._operand(a, b))

    def _operand(self, a, b):
        """b as an array: of a dtype of its own, unless a's is none of NumPy's. Integers that are ordered take a's dtype
        when it holds them: the result is the same."""
        if not isinstance(a, np.ndarray):
            return b
        b = b if _is_array(b) else np.asarray(b, a.dtype if a.dtype.kind == "V" else None)
        orders_integers = self._orders and _is_integer(a) and _is_integer(b) and a.dtype != b.dtype
        return b.astype(a.dtype) if orders_integers and _holds(a.dtype, b) else b


def _is_integer(array):
    return isinstance(array, (np.ndarray, np.generic)) and array.dtype.kind in "iu"


def _holds(dtype, integers):
    limits = np.iinfo(dtype)
    return integers.size == 0 or limits.min <= int(integers.min()) and int(integers.max()) <= limits.max


add = Ufunc("add")
multiply = Ufunc("multiply")
minimum = Ufunc("minimum")
maximum = Ufunc("maximum")
bitwise_and = Ufunc("bitwise_and")
bitwise_or = Ufunc("bitwise_or")
bitwise_xor = Ufunc("bitwise_xor")


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """Builds an array from several: `a` says for each place from which.

    result[i…] = choices[a[i…]][i…]

    Everything broadcasts to one shape; the dtype is that of all choices together. An array of choices has them along
    its first axis. Bad index: ValueError (NP17) in mode "raise", modulo in "wrap", the nearest end in "clip"; negative:
    refused, modulo, 0.

    >>> choose([1, 0, 1], [[1, 2, 3], [10, 20, 30]])
    array([10,  2, 30])
    >>> choose([5, -1], [7, 8], mode="clip")
    array([8, 7])
    """
    result = _choose(_array(a), _choices(choices), None, mode)
    return _scalar(result) if out is None else _filled(out, result, _errors.TypeError)


def _choices(choices):
    """An array, or a list of them. A bare number takes the dtype of the others."""
    if _is_array(choices):
        return choices
    each = [choice if _is_array(choice) or isinstance(choice, (bool, int, float, complex)) else np.asarray(choice)
            for choice in choices]
    if all(_is_array(choice) for choice in each):
        return each
    numpys = [choice for choice in each if not _is_array(choice) or isinstance(choice, (np.ndarray, np.generic))]
    dtype = np.result_type(*numpys)
    return [choice if _is_array(choice) else np.asarray(choice, dtype) for choice in each]


def ix_(*args: Sequence) -> tuple:
    """Index arrays that together select every combination of the given positions.

    x[ix_(rows, columns)][i, j] = x[rows[i], columns[j]]; a bool sequence stands for the places where it is true.

    Bad index: found when the arrays are used.

    >>> x = np.array([[10, 20, 30], [40, 50, 60]])
    >>> getitem(x, ix_([1, 0], [True, False, True]))
    array([[40, 60],
           [10, 30]])
    """
    if not args:
        return ()
    arrays = _ix_([_indices(sequence) for sequence in args])
    return arrays if isinstance(arrays, tuple) else (arrays,)


def argwhere(a: Any) -> Any:
    """The positions of all elements that are not zero (NaN is not), one row each, in row-major order: (n, rank).

    a[result[i]] != 0

    >>> argwhere([[5, 0], [0, 7]])
    array([[0, 0],
           [1, 1]])
    """
    return _argwhere(_array(a))
