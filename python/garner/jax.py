"""JAX's indexed reads and updates: x.at[...], lax.gather, lax.scatter*, jnp.take*, jax.ops.segment_*.

JAX itself is not needed: the functions take NumPy arrays as they take JAX's, and give the caller's kind back, always a
new array. `at(x)[key].add(3)` is JAX's `x.at[key].add(3)`; the other names are here, and also where JAX has them: under
`garner.jax.lax`, `garner.jax.numpy` and `garner.jax.ops`.

An index outside never is an error. What it means, by `mode`:

| mode | a read | a write |
|---|---|---|
| "fill", "drop", GatherScatterMode.FILL_OR_DROP | gives the fill value | is left out |
| "clip", GatherScatterMode.CLIP | from the nearest place | to the nearest place |
| "promise_in_bounds", GatherScatterMode.PROMISE_IN_BOUNDS | as clip | as drop |
| None | as the table below | as the table below |

| function | negative index | out of range without a mode |
|---|---|---|
| at(x)[key].get | wraps once, unless wrap_negative_indices=False | clip |
| at(x)[key].set, add, multiply, mul, min, max | the same | drop |
| gather | is outside | clip |
| scatter, scatter_add, scatter_mul, scatter_min, scatter_max | is outside | drop |
| take | wraps once; mode "clip": is outside; mode "wrap": modulo | fill |
| take_along_axis | wraps once, unless promised or wrap_negative_indices=False | fill |
| segment_sum, segment_prod, segment_min, segment_max | is outside | drop |

A promise is checked all the same, and a broken one does what XLA does with it: it costs little, and no call reads or
writes memory that is not the array's. indices_are_sorted and unique_indices are promises that change nothing.

The fill value, unless given: NaN, the smallest signed integer, the largest unsigned one, True.

JAX computes in 32 bits unless told otherwise (jax.config.update("jax_enable_x64", True)). Until then a result of a
64-bit dtype comes back as a 32-bit JAX array; NumPy arrays are not touched by this.

Under jax.jit, jax.grad and jax.vmap these functions, like all of Garner, run on the host: see garner/_jax.py.
"""
import enum as _enum
import operator as _operator
import types as _types
from typing import NamedTuple as _NamedTuple

import numpy as _np

from garner import _arrays, _errors
from garner._core import Operation as _Operation

__all__ = ["GatherDimensionNumbers", "GatherScatterMode", "ScatterDimensionNumbers", "at", "gather", "lax", "numpy",
           "ops", "scatter", "scatter_add", "scatter_max", "scatter_min", "scatter_mul", "segment_max", "segment_min",
           "segment_prod", "segment_sum", "take", "take_along_axis"]


class GatherDimensionNumbers(_NamedTuple):
    """Which axes of a gather are what. JAX's own is taken as well."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


class ScatterDimensionNumbers(_NamedTuple):
    """Which axes of a scatter are what. JAX's own is taken as well."""

    update_window_dims: tuple[int, ...]
    inserted_window_dims: tuple[int, ...]
    scatter_dims_to_operand_dims: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    scatter_indices_batching_dims: tuple[int, ...] = ()


class GatherScatterMode(_enum.Enum):
    """What an index outside means. JAX's own is taken as well."""

    CLIP = _enum.auto()
    FILL_OR_DROP = _enum.auto()
    PROMISE_IN_BOUNDS = _enum.auto()
    ONE_HOT = _enum.auto()


_MEMBERS = {"CLIP": "clip", "FILL_OR_DROP": "fill", "PROMISE_IN_BOUNDS": "promise_in_bounds", "ONE_HOT": "one_hot"}


def _word(mode):
    """A mode as JAX spells it in a string."""
    if mode is None or isinstance(mode, str):
        return mode
    return _MEMBERS.get(getattr(mode, "name", None), str(mode))


def _checked(mode, promised=None):
    """The engine's word for a mode; `promised` stands for a promise."""
    word = _word(mode)
    if word == "one_hot":
        raise _errors.NotImplementedError("jax: mode is one_hot, allowed fill drop clip promise_in_bounds")
    return promised if word == "promise_in_bounds" else word


def _error(kind, rule, message):
    error = kind(message)
    error.rule = rule
    return error


def _integer(value):
    return None if value is None else _operator.index(value)


# ---- x.at[key] ----

_at_get = _Operation("jax", "at_get")
_at_set = _Operation("jax", "at_set")
_at_add = _Operation("jax", "at_add")
_at_multiply = _Operation("jax", "at_multiply")
_at_min = _Operation("jax", "at_min")
_at_max = _Operation("jax", "at_max")


def _end(end):
    try:
        return _integer(end)
    except TypeError:
        unknown = hasattr(type(end), "__index__")  # one that JAX follows
        kind = _errors.IndexError if unknown else _errors.TypeError
        text = f"jax.at: a slice's end or step is {type(end).__name__}, allowed a known integer"
        raise _error(kind, "JX42", text) from None


def _part(part):
    """The engine knows a slice as a list."""
    if isinstance(part, slice):
        return [_end(part.start), _end(part.stop), _end(part.step)]
    if isinstance(part, str):
        raise _error(_errors.TypeError, "JX42", "jax.at: a part of the key is a string")
    if isinstance(part, (list, tuple)):
        array = _np.asarray(part)
        return array if array.size else array.astype(_np.intp)
    return part


def _key(index):
    if isinstance(index, list):
        raise _error(_errors.TypeError, "JX42", "jax.at: the key is a list, allowed an array or a tuple")
    return [_part(p) for p in (index if isinstance(index, tuple) else (index,))]


def _values(x, values):
    """Numbers in a list take the dtype of x where their kind allows it, as bare numbers do."""
    if not isinstance(values, (list, tuple, complex)):
        return values
    plain, dtype = _np.asarray(values), _arrays.numpy_dtype(_arrays.dtype_name(x.dtype))
    return plain.astype(dtype) if _np.can_cast(plain.dtype, dtype, "same_kind") else plain


def _refused(name):
    def method(self, *_, **__):
        raise _errors.NotImplementedError(f"jax.at: {name} is not offered, allowed get set add multiply mul min max")

    method.__name__, method.__doc__ = name, "Not offered."
    return method


class _AtKey:
    """x.at[key]: what the key names in x, to be read, or updated in a copy."""

    __slots__ = ("_x", "_key")

    def __init__(self, x, key):
        self._x, self._key = x, key

    def _update(self, operation, values, mode, out_sharding, wrap_negative_indices):
        if out_sharding is not None:
            raise _errors.NotImplementedError("jax.at: out_sharding is not offered")
        values = _values(self._x, values)
        return operation(self._x, self._key, values, False, False, _checked(mode), wrap_negative_indices)

    def get(self, *, indices_are_sorted=False, unique_indices=False, mode=None, fill_value=None, out_sharding=None,
            wrap_negative_indices=True):
        """What is there: result = x[key].

        Bad index: by mode, clip without one; negative: wraps once.

        >>> at(_np.arange(5.0))[_np.array([1, -1, 9])].get(mode="fill")
        array([ 1.,  4., nan])
        """
        if out_sharding is not None:
            raise _errors.NotImplementedError("jax.at: out_sharding is not offered")
        return _at_get(self._x, self._key, False, False, _checked(mode), fill_value, wrap_negative_indices)

    def set(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
            wrap_negative_indices=True):
        """A copy with other values: result = x; result[key] = values. Of several for one place the last stays.

        Bad index: by mode, drop without one; negative: wraps once.

        >>> at(_np.arange(5))[::2].set(9)
        array([9, 1, 9, 3, 9])
        """
        return self._update(_at_set, values, mode, out_sharding, wrap_negative_indices)

    def add(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
            wrap_negative_indices=True):
        """A copy with values added: result = x; result[key] += values, every one of several for one place.

        Bad index: by mode, drop without one; negative: wraps once.

        >>> at(_np.arange(5))[_np.array([0, 0, 7])].add(_np.array([1, 2, 3]))
        array([3, 1, 2, 3, 4])
        """
        return self._update(_at_add, values, mode, out_sharding, wrap_negative_indices)

    def multiply(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
                 wrap_negative_indices=True):
        """A copy, multiplied: result = x; result[key] *= values, every one of several for one place.

        Bad index: by mode, drop without one; negative: wraps once.

        >>> at(_np.arange(5))[3:].multiply(10)
        array([ 0,  1,  2, 30, 40])
        """
        return self._update(_at_multiply, values, mode, out_sharding, wrap_negative_indices)

    mul = multiply

    def min(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
            wrap_negative_indices=True):
        """A copy with the smaller of both: result = x; result[key] = min(result[key], values).

        Bad index: by mode, drop without one; negative: wraps once.

        >>> at(_np.arange(5))[...].min(2)
        array([0, 1, 2, 2, 2])
        """
        return self._update(_at_min, values, mode, out_sharding, wrap_negative_indices)

    def max(self, values, *, indices_are_sorted=False, unique_indices=False, mode=None, out_sharding=None,
            wrap_negative_indices=True):
        """A copy with the larger of both: result = x; result[key] = max(result[key], values).

        Bad index: by mode, drop without one; negative: wraps once.

        >>> at(_np.arange(5))[-5:2].max(_np.array([7, 0]))
        array([7, 1, 2, 3, 4])
        """
        return self._update(_at_max, values, mode, out_sharding, wrap_negative_indices)

    subtract, divide, power, apply = map(_refused, ("subtract", "divide", "power", "apply"))


class at:
    """x.at, for any array: at(x)[key].get(), at(x)[key].add(values) and so on.

    The key is NumPy's: integers, slices, None, an ellipsis, index arrays and masks.

    Bad index: by the method's mode; negative: wraps once.

    >>> at(_np.zeros((2, 4)))[1, ::2].add(3, mode="drop")
    array([[0., 0., 0., 0.],
           [3., 0., 3., 0.]])
    """

    __slots__ = ("_x",)

    def __init__(self, x):
        self._x = x

    def __getitem__(self, index):
        return _AtKey(self._x, _key(index))


# ---- lax ----

_gather = _Operation("jax", "gather")
_scatter = _Operation("jax", "scatter")
_scatter_add = _Operation("jax", "scatter_add")
_scatter_mul = _Operation("jax", "scatter_mul")
_scatter_min = _Operation("jax", "scatter_min")
_scatter_max = _Operation("jax", "scatter_max")


def gather(operand, start_indices, dimension_numbers, slice_sizes, *, unique_indices=False, indices_are_sorted=False,
           mode=None, fill_value=None):
    """A slice of slice_sizes from every start: result[batch + offset] = operand[start_indices[batch] + offset].

    The last axis of start_indices holds the starts; dimension_numbers says which axis each component is for.

    Bad index: by mode, clip without one, for the whole slice; negative: is outside.

    >>> columns = GatherDimensionNumbers(offset_dims=(0,), collapsed_slice_dims=(1,), start_index_map=(1,))
    >>> gather(_np.arange(6).reshape(2, 3), _np.array([[2], [0]]), columns, (2, 1))
    array([[2, 0],
           [5, 3]])
    """
    return _gather(operand, start_indices, dimension_numbers, slice_sizes, False, False, _checked(mode), fill_value)


def scatter(operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=False, unique_indices=False,
            mode=None):
    """A copy with windows replaced: result[scatter_indices[batch] + window] = updates[batch + window].

    Of several updates of one place the last in row-major order stays.

    Bad index: by mode, drop without one, for the whole window; negative: is outside.

    >>> rows = ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,),
    ...                                scatter_dims_to_operand_dims=(0,))
    >>> scatter(_np.zeros((3, 2)), _np.array([[2], [5]]), _np.ones((2, 2)), rows)
    array([[0., 0.],
           [0., 0.],
           [1., 1.]])
    """
    return _scatter(operand, scatter_indices, updates, dimension_numbers, False, False, _checked(mode))


def scatter_add(operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=False, unique_indices=False,
                mode=None):
    """A copy with windows added: result[scatter_indices[batch] + window] += updates[batch + window].

    Bad index: by mode, drop without one, for the whole window; negative: is outside.

    >>> places = ScatterDimensionNumbers((), (0,), (0,))
    >>> scatter_add(_np.arange(3), _np.array([[1], [1], [-1]]), _np.array([10, 20, 30]), places)
    array([ 0, 31,  2])
    """
    return _scatter_add(operand, scatter_indices, updates, dimension_numbers, False, False, _checked(mode))


def scatter_mul(operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=False, unique_indices=False,
                mode=None):
    """A copy with windows multiplied: result[scatter_indices[batch] + window] *= updates[batch + window].

    Bad index: by mode, drop without one, for the whole window; negative: is outside.

    >>> scatter_mul(_np.arange(3), _np.array([[1], [2]]), _np.array([5, 6]), ScatterDimensionNumbers((), (0,), (0,)))
    array([ 0,  5, 12])
    """
    return _scatter_mul(operand, scatter_indices, updates, dimension_numbers, False, False, _checked(mode))


def scatter_min(operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=False, unique_indices=False,
                mode=None):
    """A copy with the smaller of both: result[place] = min(result[place], updates[batch + window]).

    Bad index: by mode, drop without one, for the whole window; negative: is outside.

    >>> scatter_min(_np.arange(3), _np.array([[1], [2]]), _np.array([5, 0]), ScatterDimensionNumbers((), (0,), (0,)))
    array([0, 1, 0])
    """
    return _scatter_min(operand, scatter_indices, updates, dimension_numbers, False, False, _checked(mode))


def scatter_max(operand, scatter_indices, updates, dimension_numbers, *, indices_are_sorted=False, unique_indices=False,
                mode=None):
    """A copy with the larger of both: result[place] = max(result[place], updates[batch + window]).

    Bad index: by mode, drop without one, for the whole window; negative: is outside.

    >>> scatter_max(_np.arange(3), _np.array([[1], [9]]), _np.array([5, 6]), ScatterDimensionNumbers((), (0,), (0,)),
    ...             mode=GatherScatterMode.CLIP)
    array([0, 5, 6])
    """
    return _scatter_max(operand, scatter_indices, updates, dimension_numbers, False, False, _checked(mode))


# ---- jax.numpy ----

_take = _Operation("jax", "take")
_take_along_axis = _Operation("jax", "take_along_axis")


def take(a, indices, axis=None, out=None, mode=None, unique_indices=False, indices_are_sorted=False, fill_value=None):
    """Whole slices along an axis: result[..., i, ...] = a[..., indices[i], ...]. No axis: of all elements in a row.

    Bad index: by mode ("fill", "clip" or "wrap"), fill without one; negative: wraps once, under "clip" is outside.

    >>> take(_np.array([10, 20, 30]), _np.array([2, -1, 5]), fill_value=0)
    array([30, 30,  0])
    """
    if out is not None:
        raise _errors.NotImplementedError("jax.take: out is not offered, there or here")
    return _take(a, indices, _integer(axis), _word(mode), False, False, fill_value)


def take_along_axis(arr, indices, axis=-1, mode=None, fill_value=None, *, wrap_negative_indices=None):
    """One element per index: result[i, j] = arr[i, indices[i, j]] for axis 1. Both broadcast off the axis.

    Bad index: by mode, fill without one; negative: wraps once, unless promised in bounds or not to wrap.

    >>> take_along_axis(_np.array([[10, 20, 30], [40, 50, 60]]), _np.array([[2, 1], [0, -1]]), axis=1)
    array([[30, 20],
           [40, 60]])
    """
    if wrap_negative_indices is None:
        wrap_negative_indices = _word(mode) != "promise_in_bounds"
    return _take_along_axis(arr, indices, _integer(axis), _checked(mode, promised="clip"), fill_value,
                            bool(wrap_negative_indices))


# ---- jax.ops ----

_segment_sum = _Operation("jax", "segment_sum")
_segment_prod = _Operation("jax", "segment_prod")
_segment_min = _Operation("jax", "segment_min")
_segment_max = _Operation("jax", "segment_max")


def _segment(operation, data, segment_ids, num_segments, bucket_size, mode, out_sharding):
    if bucket_size is not None or out_sharding is not None:
        raise _errors.NotImplementedError(f"{operation.name}: bucket_size and out_sharding are not offered")
    return operation(data, segment_ids, _integer(num_segments), False, False, _checked(mode))


def segment_sum(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None,
                mode=None, out_sharding=None):
    """Sums by id: result[segment_ids[i]] += data[i], from 0. num_segments: the largest id + 1 unless given.

    Bad index: by mode, drop without one; negative: is outside.

    >>> segment_sum(_np.array([1, 2, 3, 4]), _np.array([0, 0, 2, 9]), num_segments=3)
    array([3, 0, 3])
    """
    return _segment(_segment_sum, data, segment_ids, num_segments, bucket_size, mode, out_sharding)


def segment_prod(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None,
                 mode=None, out_sharding=None):
    """Products by id: result[segment_ids[i]] *= data[i], from 1.

    Bad index: by mode, drop without one; negative: is outside.

    >>> segment_prod(_np.array([2, 3, 4]), _np.array([0, 0, 2]))
    array([6, 1, 4])
    """
    return _segment(_segment_prod, data, segment_ids, num_segments, bucket_size, mode, out_sharding)


def segment_min(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None,
                mode=None, out_sharding=None):
    """The smallest by id: result[segment_ids[i]] = min(it, data[i]), from the largest number of the dtype.

    Bad index: by mode, drop without one; negative: is outside.

    >>> segment_min(_np.array([3.0, 2.0, 4.0]), _np.array([0, 0, 2]))
    array([ 2., inf,  4.])
    """
    return _segment(_segment_min, data, segment_ids, num_segments, bucket_size, mode, out_sharding)


def segment_max(data, segment_ids, num_segments=None, indices_are_sorted=False, unique_indices=False, bucket_size=None,
                mode=None, out_sharding=None):
    """The largest by id: result[segment_ids[i]] = max(it, data[i]), from the smallest number of the dtype.

    Bad index: by mode, drop without one; negative: is outside.

    >>> segment_max(_np.array([3.0, 2.0, 4.0]), _np.array([0, 0, 2]))
    array([  3., -inf,   4.])
    """
    return _segment(_segment_max, data, segment_ids, num_segments, bucket_size, mode, out_sharding)


lax = _types.SimpleNamespace(
    GatherDimensionNumbers=GatherDimensionNumbers, GatherScatterMode=GatherScatterMode,
    ScatterDimensionNumbers=ScatterDimensionNumbers, gather=gather, scatter=scatter, scatter_add=scatter_add,
    scatter_max=scatter_max, scatter_min=scatter_min, scatter_mul=scatter_mul)
numpy = _types.SimpleNamespace(take=take, take_along_axis=take_along_axis)
ops = _types.SimpleNamespace(segment_max=segment_max, segment_min=segment_min, segment_prod=segment_prod,
                             segment_sum=segment_sum)
