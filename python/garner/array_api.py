"""The Python array API standard (2024.12) over NumPy arrays, with Garner's own indexing, searching and sorting.

>>> import numpy as np
>>> import garner.array_api as xp
>>> xp.__array_api_version__
'2024.12'
>>> x = xp.asarray([3.0, 1.0, xp.nan, 1.0])
>>> xp.argsort(x, descending=True)
array([2, 0, 1, 3])
>>> xp.unique_counts(x)
UniqueCountsResult(values=array([ 1.,  3., nan]), counts=array([2, 1, 1]))

Garner's are these and no others:

    indexing    take  take_along_axis
    searching   argmax  argmin  count_nonzero  nonzero  searchsorted  where
    sorting     argsort  sort
    sets        unique_all  unique_counts  unique_inverse  unique_values

Every other name of the standard (creation, elementwise functions, dtypes, constants, `linalg`, `fft`, inspection) is
NumPy's own and reached through this module. Arrays are `numpy.ndarray` of NumPy 2.1 or later, so their operators and
methods, brackets among them, are NumPy's too.

Results are arrays, also of rank 0; positions and counts are int64. Sorting is stable whatever `stable` says. NaN comes
last in ascending order and first in descending order; each NaN is a value of its own in the set functions.

| function                | negative index      | out of range     |
|-------------------------|---------------------|------------------|
| take, take_along_axis   | counts from the end | IndexError (NP3) |
"""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy import __array_namespace_info__

from garner import _core, _errors
from garner import numpy as _numpy

__array_api_version__ = "2024.12"

__all__ = ["argmax", "argmin", "argsort", "count_nonzero", "nonzero", "searchsorted", "sort", "take", "take_along_axis",
           "unique_all", "unique_counts", "unique_inverse", "unique_values", "where"]


def __getattr__(name):
    """What is not Garner's is NumPy's."""
    if not name.startswith("_") and hasattr(np, name):
        return getattr(np, name)
    raise AttributeError(f"module 'garner.array_api' has no attribute '{name}'")


def __dir__():
    public = {name for name in dir(np) if not name.startswith("_")}
    return sorted(public.union(__all__, ("__array_api_version__", "__array_namespace_info__")))


# ---- indexing ----

def take(x: np.ndarray, indices: np.ndarray, /, *, axis: int | None = None) -> np.ndarray:
    """The elements of `x` at a vector of positions along an axis, which may be left out for one axis only.

    result[i…, j, k…] = x[i…, indices[j], k…]

    Bad index: IndexError (NP3); negative: counts from the end.

    >>> take(np.asarray([[10, 20, 30], [40, 50, 60]]), np.asarray([2, 0]), axis=1)
    array([[30, 10],
           [60, 40]])
    """
    if axis is None and x.ndim != 1:
        raise _errors.ValueError(f"array_api.take: axis is None, allowed an integer for rank {x.ndim}")
    if indices.ndim != 1:
        raise _errors.ValueError(f"array_api.take: indices have rank {indices.ndim}, allowed 1")
    _check_kind("take", "indices", indices, "iu")
    return np.asarray(_numpy.take(x, indices, axis))


def take_along_axis(x: np.ndarray, indices: np.ndarray, /, *, axis: int = -1) -> np.ndarray:
    """One element per index along an axis; the other axes broadcast together.

    result[i…, j, k…] = x[i…, indices[i…, j, k…], k…]

    Bad index: IndexError (NP3); negative: counts from the end.

    >>> take_along_axis(np.asarray([[10, 20, 30], [40, 50, 60]]), np.asarray([[2], [0]]))
    array([[30],
           [40]])
    """
    _check_kind("take_along_axis", "indices", indices, "iu")
    return _numpy.take_along_axis(x, indices, axis)


def _check_kind(function, name, x, kinds):
    if x.dtype.kind not in kinds:
        raise _errors.TypeError(f"array_api.{function}: {name} is {x.dtype}, allowed one of kind {' or '.join(kinds)}")


# ---- searching ----

def argmax(x: np.ndarray, /, *, axis: int | None = None, keepdims: bool = False) -> np.ndarray:
    """Where the largest element first stands; without an axis, counted through all elements. A NaN is the largest.

    >>> argmax(np.asarray([[1, 9, 9], [5, 4, 5]]), axis=1)
    array([1, 0])
    """
    return _core.argmax(x, axis, keepdims)


def argmin(x: np.ndarray, /, *, axis: int | None = None, keepdims: bool = False) -> np.ndarray:
    """Where the smallest element first stands; without an axis, counted through all elements. A NaN goes first.

    >>> argmin(np.asarray([3, 1, 1]))
    array(1)
    """
    return _core.argmin(x, axis, keepdims)


def count_nonzero(x: np.ndarray, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> np.ndarray:
    """How many elements are not zero: in all, or along one axis or several.

    >>> count_nonzero(np.asarray([[5, 0], [1, 7]]), axis=0)
    array([2, 1])
    """
    if not isinstance(axis, tuple):
        return _core.count_nonzero(x, axis, keepdims)
    axes = np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)
    kept = [a for a in range(x.ndim) if a not in axes]
    length = math.prod(x.shape[a] for a in axes)
    counts = _core.count_nonzero(x.transpose(*kept, *axes).reshape(*(x.shape[a] for a in kept), length), -1)
    return np.expand_dims(counts, axes) if keepdims else counts


def nonzero(x: np.ndarray, /) -> tuple[np.ndarray, ...]:
    """The positions of all elements that are not zero, in row-major order: one array per axis.

    x[result][i] != 0

    >>> nonzero(np.asarray([[5, 0], [0, 7]]))
    (array([0, 1]), array([0, 1]))
    """
    if x.ndim == 0:
        raise _errors.ValueError("array_api.nonzero: x has rank 0, allowed 1 or more")
    return tuple(_core.nonzero(x, True))


def searchsorted(x1: np.ndarray, x2: np.ndarray, /, *, side: str = "left",
                 sorter: np.ndarray | None = None) -> np.ndarray:
    """Where each element of `x2` would go in the sorted vector `x1`; `sorter` sorts one that is not.

    x1[result[i] - 1] < x2[i] <= x1[result[i]]; with side="right" <= and <.

    >>> searchsorted(np.asarray([1, 3, 5]), np.asarray([3, 4]))
    array([1, 2])
    """
    if sorter is not None:
        x1 = take(x1, sorter)
    dtype = np.result_type(x1, x2)
    return _core.searchsorted(x1.astype(dtype, copy=False), x2.astype(dtype, copy=False), side)


def where(condition: np.ndarray, x1: Any, x2: Any, /) -> np.ndarray:
    """x1 where the condition is true, x2 elsewhere. The three broadcast; numbers take the dtype of the other side.

    result[i] = x1[i] if condition[i] else x2[i]

    >>> where(np.asarray([True, False]), np.asarray([1.0, 2.0]), 0)
    array([1., 0.])
    """
    dtype = np.result_type(x1, x2)
    return _core.where(condition, np.asarray(x1, dtype), np.asarray(x2, dtype))


# ---- sorting ----

def argsort(x: np.ndarray, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> np.ndarray:
    """Where the elements stood before they were sorted. Equal ones keep their order, descending too.

    >>> argsort(np.asarray([3, 1, 3]), descending=True)
    array([0, 2, 1])
    """
    return _core.argsort(x, axis, descending)


def sort(x: np.ndarray, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> np.ndarray:
    """The elements of each lane along an axis in order.

    >>> sort(np.asarray([3, 1, 2]), descending=True)
    array([3, 2, 1])
    """
    return _core.sort(x, axis, descending)


# ---- sets ----

class UniqueAllResult(NamedTuple):
    """Each value once; where it first stands; for each element the place of its value; how often it occurs."""

    values: np.ndarray
    indices: np.ndarray
    inverse_indices: np.ndarray
    counts: np.ndarray


class UniqueCountsResult(NamedTuple):
    """Each value once, and how often it occurs."""

    values: np.ndarray
    counts: np.ndarray


class UniqueInverseResult(NamedTuple):
    """Each value once, and for each element the place of its value."""

    values: np.ndarray
    inverse_indices: np.ndarray


def unique_all(x: np.ndarray, /) -> UniqueAllResult:
    """Each value of `x` once, in order, with all that is known of it. Every NaN is a value of its own; -0 equals 0.

    values[inverse_indices[i]] = x[i], and x.flat[indices[j]] = values[j]

    >>> unique_all(np.asarray([3, 1, 3])).indices
    array([1, 0])
    """
    found = UniqueAllResult(*_core.unique(x))
    values = found.values
    return _nans_apart(x, found) if values.size > 0 and values[-1] != values[-1] else found


def _nans_apart(x, found):
    """Garner's unique has one NaN, behind the numbers; the standard has one for each."""
    numbers = found.values.size - 1
    places = _core.flatnonzero(x != x)
    inverse = found.inverse_indices.copy()
    _numpy.put(inverse, places, np.arange(numbers, numbers + places.size))
    return UniqueAllResult(np.concatenate([found.values[:-1], _numpy.take(x, places)]),
                           np.concatenate([found.indices[:-1], places]), inverse,
                           np.concatenate([found.counts[:-1], np.ones(places.size, np.int64)]))


def unique_counts(x: np.ndarray, /) -> UniqueCountsResult:
    """Each value of `x` once, in order, and how often it occurs; a NaN once.

    >>> unique_counts(np.asarray([3, 1, 3])).counts
    array([1, 2])
    """
    found = unique_all(x)
    return UniqueCountsResult(found.values, found.counts)


def unique_inverse(x: np.ndarray, /) -> UniqueInverseResult:
    """Each value of `x` once, in order, and for each element the place of its value.

    values[inverse_indices[i]] = x[i]

    >>> unique_inverse(np.asarray([3, 1, 3])).inverse_indices
    array([1, 0, 1])
    """
    found = unique_all(x)
    return UniqueInverseResult(found.values, found.inverse_indices)


def unique_values(x: np.ndarray, /) -> np.ndarray:
    """Each value of `x` once, in order; every NaN is a value of its own.

    >>> unique_values(np.asarray([3, 1, 3]))
    array([1, 3])
    """
    return unique_all(x).values
