"""Where elements stand, in which order they come, and what is combined by an id.

>>> import numpy as np
>>> from garner import index
>>> scores = np.array([[1, 9, 9], [5, 4, 5]])
>>> index.argmax(scores, axis=1)
array([1, 0])
>>> values, places = index.top_k(scores, 2)
>>> values
array([[9, 9],
       [5, 5]])
>>> places
array([[1, 2],
       [0, 2]])

Every function takes NumPy, PyTorch and JAX arrays (and lists) and returns arrays of the same kind; a single number is
an array of rank 0. Positions are int64 and count in row-major order, whatever the strides.

One order holds for sorting, searching and choosing: numbers by value, -0 equal to 0, complex numbers by real, then
imaginary part, false below true, and NaN above every number and equal to NaN.

| function                            | negative index    | out of range      |
|-------------------------------------|-------------------|-------------------|
| one_hot                             | off everywhere    | off everywhere    |
| bincount, ravel_multi_index,        |                   |                   |
| unravel_index                       | IndexError (IX7)  | IndexError (IX7)  |

An axis may be negative and counts from the end; one that is not there is a ValueError (IX1). A dtype that does not fit
is a TypeError (IX3), a shape a ValueError (IX5).
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from garner import _core
from garner._arrays import numpy_dtype

__all__ = ["Analysed", "TopK", "Unique", "analyse", "argmax", "argmin", "argsort", "bincount", "compress", "count_nonzero", "flatnonzero",
           "histogram", "nonzero", "one_hot", "ravel_multi_index", "searchsorted", "sort", "top_k", "unique",
           "unravel_index", "where"]


class TopK(NamedTuple):
    """The chosen elements, and where they stand."""

    values: Any
    indices: Any


class Unique(NamedTuple):
    """Each value once; where it first stands; for each element the place of its value; how often it occurs."""

    values: Any
    index: Any
    inverse: Any
    counts: Any


class Analysed:
    """Indices that were looked at once; see analyse."""

    def __init__(self, held):
        self._held = held
        #: The indices, in memory of their own that cannot be written to. Give this to any function of any dialect.
        self.array = np.ndarray(held.shape, numpy_dtype(held.dtype), held)

    extent = property(lambda self: self._held.extent, doc="What they were analysed for.")
    min = property(lambda self: self._held.min, doc="The smallest; 0 when there are none.")
    max = property(lambda self: self._held.max, doc="The largest; -1 when there are none.")
    in_range = property(lambda self: self._held.in_range, doc="Are all in [0, extent)?")
    sorted = property(lambda self: self._held.sorted, doc="Is none smaller than the one before?")
    unique = property(lambda self: self._held.unique, doc="Are no two the same?")

    def permutation(self) -> Any:
        """Positions in order of their values, equal values in order of position."""
        return self._held.permutation()

    def segments(self) -> Any:
        """Where each run of equal values begins in the permutation, and the number of values at the end."""
        return self._held.segments()


def analyse(indices: Any, extent: int) -> Analysed:
    """Looks at indices once: what is proved of them holds for every call that is given `array`, and an index whose range
    is proved is not checked again. Values out of range are no error here; the call they go to says what they mean.

    >>> rows = analyse([3, 0, 3], extent=4)
    >>> rows.in_range, rows.sorted, rows.unique, rows.max
    (True, False, False, 3)
    >>> import garner
    >>> garner.torch.index_select(np.array([[1.0], [2.0], [3.0], [4.0]]), 0, rows.array)
    array([[4.],
           [1.],
           [4.]])
    >>> rows.permutation(), rows.segments()
    (array([1, 0, 2]), array([0, 1, 3]))
    """
    return Analysed(_core.analyse(indices, extent))


def argmax(x: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """Where the largest element stands; without an axis, counted through all elements.

    x[result[i], i] >= x[j, i] for every j, and result[i] is the first such place. A NaN is the largest.

    Nothing to choose from: ValueError (IX4).

    >>> argmax([[1, 9, 9], [5, 4, 5]], axis=1)
    array([1, 0])
    >>> argmax([[1, 9, 9], [5, 4, 5]], axis=0, keepdims=True)
    array([[1, 0, 0]])
    """
    return _core.argmax(x, axis, keepdims)


def argmin(x: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """Where the smallest element stands; without an axis, counted through all elements.

    x[result[i], i] <= x[j, i] for every j, and result[i] is the first such place. A NaN is chosen before every number.

    Nothing to choose from: ValueError (IX4).

    >>> argmin([3, 1, 1])
    array(1)
    """
    return _core.argmin(x, axis, keepdims)


def nonzero(x: Any, *, columns: bool = False, capacity: int | None = None, fill: int = -1) -> Any:
    """The positions of all elements that are not zero (NaN is not, -0 is), in row-major order.

    x[result[i]] != 0; the shape is (n, rank), with `columns` (rank, n).

    With a capacity the result has that many positions exactly: the first ones, and `fill` behind them.

    >>> nonzero([[5, 0], [0, 7]])
    array([[0, 0],
           [1, 1]])
    >>> nonzero([0, 3, 0], columns=True, capacity=2)
    array([[ 1, -1]])
    """
    return _core.nonzero(x, columns, capacity, fill)


def flatnonzero(x: Any) -> Any:
    """The positions of all elements that are not zero, counted through all axes.

    >>> flatnonzero([[5, 0], [0, 7]])
    array([0, 3])
    """
    return _core.flatnonzero(x)


def count_nonzero(x: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """How many elements are not zero: in all, or along an axis.

    >>> count_nonzero([[5, 0], [1, 7]], axis=0)
    array([2, 1])
    """
    return _core.count_nonzero(x, axis, keepdims)


def sort(x: Any, axis: int = -1, *, descending: bool = False) -> Any:
    """The elements of each lane along an axis in order. NaN comes last, descending first.

    result[i] = x[argsort(x)[i]]

    >>> sort([3, 1, 2])
    array([1, 2, 3])
    """
    return _core.sort(x, axis, descending)


def argsort(x: Any, axis: int = -1, *, descending: bool = False) -> Any:
    """Where the elements stood before they were sorted. Equal ones keep their order, descending too.

    >>> argsort([3, 1, 3], descending=True)
    array([0, 2, 1])
    """
    return _core.argsort(x, axis, descending)


def top_k(x: Any, k: int, axis: int = -1, *, largest: bool = True, sorted: bool = True) -> TopK:
    """The k largest (or smallest) elements of each lane and where they stand; of equal ones the first come first.

    values[i] = x[indices[i]]; without `sorted` in order of position. k outside [0, extent]: ValueError (IX6).

    >>> top_k([5, 9, 9, 1], 2)
    TopK(values=array([9, 9]), indices=array([1, 2]))
    """
    return TopK(*_core.top_k(x, k, axis, largest, sorted))


def searchsorted(sequence: Any, values: Any, side: str = "left") -> Any:
    """Where each value would go in a sorted vector of the same dtype, so that it stays sorted.

    sequence[result[i] - 1] < values[i] <= sequence[result[i]]; with side="right" <= and <.

    >>> searchsorted([1, 3, 5], [3, 4])
    array([1, 2])
    >>> searchsorted([1, 3, 5], [3, 4], side="right")
    array([2, 2])
    """
    return _core.searchsorted(sequence, values, side)


def unique(x: Any) -> Unique:
    """Each value once, in order, through all axes; NaN is one value.

    values[inverse[i]] = x[i], and x.flat[index[j]] = values[j] for the first such place.

    >>> unique([3, 1, 3])
    Unique(values=array([1, 3]), index=array([1, 0]), inverse=array([1, 0, 1]), counts=array([1, 2]))
    """
    return Unique(*_core.unique(x))


def where(condition: Any, x: Any, y: Any) -> Any:
    """x where the condition is true, y elsewhere; the three broadcast, x and y have one dtype, the condition is bool.

    result[i] = x[i] if condition[i] else y[i]

    >>> where([True, False], [1, 2], [10, 20])
    array([ 1, 20])
    """
    return _core.where(condition, x, y)


def one_hot(indices: Any, depth: int, axis: int = -1) -> Any:
    """A new axis of extent `depth`, 1 at the index and 0 elsewhere: float32.

    result[i, k] = 1 if k == indices[i] else 0

    Bad index: 0 everywhere; negative: the same.

    >>> one_hot([1, 0, 5], 3)
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]], dtype=float32)
    """
    return _core.one_hot(indices, depth, axis)


def compress(x: Any, condition: Any, axis: int | None = None) -> Any:
    """The places along an axis (without one: of all elements) where a vector is not zero; a short one stops early.

    result[i, k] = x[i, flatnonzero(condition)[k]]

    >>> compress([[1, 2, 3], [4, 5, 6]], [True, False, True], axis=1)
    array([[1, 3],
           [4, 6]])
    """
    return _core.compress(x, condition, axis)


def bincount(x: Any, weights: Any = None, *, min_length: int = 0) -> Any:
    """How often each number from 0 on occurs: int64; with weights their sums, in the weights' dtype.

    result[x[i]] += weights[i]

    Bad index: a negative number is an IndexError (IX7).

    >>> bincount([1, 1, 3])
    array([0, 2, 0, 1])
    >>> bincount([1, 1], [0.5, 2.0], min_length=3)
    array([0. , 2.5, 0. ])
    """
    return _core.bincount(x, weights, min_length)


def histogram(values: Any, edges: Any) -> Any:
    """How many values lie in each bin: int64. The last bin has both edges; NaN is in none.

    result[i] = number of values with edges[i] <= value < edges[i + 1]

    >>> histogram([0.5, 1.0, 2.0, 9.0], [0.0, 1.0, 2.0])
    array([1, 2])
    """
    return _core.histogram(values, edges)


def ravel_multi_index(coordinates: Any, shape: Sequence[int]) -> Any:
    """Coordinates, one row each, as positions counted through all axes.

    result[i] = coordinates[i, 0] * shape[1] * … + … + coordinates[i, -1]

    Bad index: IndexError (IX7); negative: the same.

    >>> ravel_multi_index([[0, 1], [1, 2]], (2, 3))
    array([1, 5])
    """
    return _core.ravel_multi_index(coordinates, shape)


def unravel_index(positions: Any, shape: Sequence[int]) -> Any:
    """Positions counted through all axes as coordinates, one row each; the other way round than ravel_multi_index.

    Bad index: IndexError (IX7); negative: the same.

    >>> unravel_index([1, 5], (2, 3))
    array([[0, 1],
           [1, 2]])
    """
    return _core.unravel_index(positions, shape)
