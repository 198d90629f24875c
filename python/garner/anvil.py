"""anvil (R): StableHLO's gather and scatter, and R's subsetting. Dimensions and positions count from 1.

>>> import garner.anvil as anvil
>>> operand = anvil.nv_matrix(range(1, 10), nrow=3)
>>> indices = anvil.nv_matrix([1, 3], ncol=1)
>>> rows = anvil.nvl_gather(
...     operand, indices,
...     slice_sizes=[1, 3], offset_dims=2, collapsed_slice_dims=1, operand_batching_dims=[],
...     start_indices_batching_dims=[], start_index_map=1, index_vector_dim=2)
>>> print(anvil.to_string(rows))
AnvilTensor
 1 4 7
 3 6 9
[ CPUi32{2,3} ]\x20

| function                   | position below 1        | position above the extent |
|----------------------------|-------------------------|---------------------------|
| nvl_gather                 | clamped                 | clamped                   |
| nvl_scatter                | dropped                 | dropped                   |
| nv_subset, nv_select       | clamped                 | clamped                   |
| nv_subset_assign           | dropped                 | dropped                   |
| positions known beforehand | IndexError (AS3, AS4)   | IndexError (AS3, AS4)     |

Between the brackets of R's x[...] stand: nothing (here `None`), `a:b` (`nv_seq(a, b)`), one integer (an int, and the
dimension goes), `array(c(3, 1))` (`Each([3, 1])`), or an integer tensor (an array of rank 0 or 1). The first four are
known beforehand and checked; positions in a tensor are clamped when reading and dropped when writing.
"""
import math
import operator
from typing import NamedTuple

import numpy as np

from garner import _errors
from garner._core import Operation as _Operation

__all__ = ["Each", "Range", "jit_eval", "nv_array", "nv_matrix", "nv_select", "nv_seq", "nv_subset", "nv_subset_assign",
           "nv_tensor", "nvl_gather", "nvl_scatter", "to_string"]

_nvl_gather, _nvl_scatter = _Operation("anvil", "nvl_gather"), _Operation("anvil", "nvl_scatter")
_nv_subset, _nv_subset_assign = _Operation("anvil", "nv_subset"), _Operation("anvil", "nv_subset_assign")
_nv_select, _nv_array = _Operation("anvil", "nv_select"), _Operation("anvil", "nv_array")
_nv_matrix = _Operation("anvil", "nv_matrix")

# Functions of two scalars that have a name here; in R they would be traced.
_COMPUTATIONS = {None: "replace", operator.add: "add", operator.mul: "mul", min: "min", max: "max",
                 operator.and_: "and", operator.or_: "or", operator.xor: "xor"}


def _dims(dims):
    """R's integer(n): one integer is a vector of one."""
    return [dims] if isinstance(dims, int) else list(dims)


def nvl_gather(operand, start_indices, slice_sizes, offset_dims, collapsed_slice_dims, operand_batching_dims,
               start_indices_batching_dims, start_index_map, index_vector_dim, indices_are_sorted=False,
               unique_indices=False):
    """Slices of operand, one for every index vector in start_indices.

    result[b, o] = operand[start(b) + o - 1], where start(b) takes its component k from start_indices along
    index_vector_dim and puts it at dimension start_index_map[k].
    Bad index: clamped to [1, extent - slice_size + 1]; negative: clamped to 1. ValueError AN4-AN10; TypeError AN3.

    >>> nvl_gather(np.array([10, 20, 30]), np.array([[3], [9]]), 1, [], 1, [], [], 1, 2)
    array([30, 30])
    """
    return _nvl_gather(operand, start_indices, _dims(slice_sizes), _dims(offset_dims), _dims(collapsed_slice_dims),
                       _dims(operand_batching_dims), _dims(start_indices_batching_dims), _dims(start_index_map),
                       index_vector_dim, indices_are_sorted, unique_indices)


def nvl_scatter(input, scatter_indices, update, update_window_dims, inserted_window_dims, input_batching_dims,
                scatter_indices_batching_dims, scatter_dims_to_operand_dims, index_vector_dim, indices_are_sorted=False,
                unique_indices=False, update_computation=None):
    """A copy of input with windows of update written to it, one for every index vector in scatter_indices.

    result[start(b) + w - 1] = update[b, w], or f(old, update[b, w]) with an update_computation f: operator.add, mul,
    and_, or_, xor, the builtins min and max, or their names as text. Of several writes to one place the last stays.
    Bad index: the element is dropped; negative: the same. ValueError and TypeError scatter_C1-C25.

    >>> nvl_scatter(np.zeros(5), np.array([[1], [3]]), np.array([10.0, 30.0]), [], 1, [], [], 1, 2)
    array([10.,  0., 30.,  0.,  0.])
    """
    return _nvl_scatter(input, scatter_indices, update, _dims(update_window_dims), _dims(inserted_window_dims),
                        _dims(input_batching_dims), _dims(scatter_indices_batching_dims),
                        _dims(scatter_dims_to_operand_dims), index_vector_dim, indices_are_sorted, unique_indices,
                        _computation(update_computation))


def _computation(function):
    if isinstance(function, str):
        return function
    if function in _COMPUTATIONS:
        return _COMPUTATIONS[function]
    raise _errors.NotImplementedError("anvil.nvl_scatter: update_computation is another function, allowed None, "
                                      "operator.add mul and_ or_ xor, min, max")


# ---- subsetting ----


class Range(NamedTuple):
    """R's first:last, both ends included."""

    first: int
    last: int


def nv_seq(start: int, end: int) -> Range:
    """R's start:end in a subset, both ends included.

    >>> nv_subset(np.array([10, 20, 30]), nv_seq(2, 3))
    array([20, 30])
    """
    return Range(start, end)


class Each:
    """R's array(c(...)) in a subset: positions known beforehand, in any order; the dimension stays.

    >>> nv_subset(np.array([10, 20, 30]), Each([3, 1]))
    array([30, 10])
    """

    def __init__(self, positions):
        self.positions = [operator.index(p) for p in positions]


def _refused(kind, rule, message):
    error = kind(message)
    error.rule = rule
    return error


def _spec(op, spec, operand, axis):
    """A spec as the operation reads it: [first, last] for a range, a tensor for positions that have been checked."""
    if isinstance(spec, Range):
        return list(spec)
    if isinstance(spec, (list, tuple)):
        raise _refused(_errors.ValueError, "AS1", f"{op}: index is a list of {len(spec)}, allowed Each(...), "
                                                  f"nv_seq(...) or an array on axis {axis + 1}")
    return _checked(op, spec, operand, axis) if isinstance(spec, Each) else spec


def _checked(op, each, operand, axis):
    shape = np.shape(operand)
    for position in each.positions if axis < len(shape) else ():  # one spec too many is the operation's to say (AS2)
        if not 1 <= position <= shape[axis]:
            raise _refused(_errors.IndexError, "AS4", f"{op}: index is {position}, allowed [1, {shape[axis]}] on axis "
                                                      f"{axis + 1}")
    return np.array(each.positions, np.int64)


def _specs(op, specs, operand):
    return [_spec(op, spec, operand, axis) for axis, spec in enumerate(specs)]


def nv_subset(operand, *specs):
    """R's operand[...], one spec per dimension; what is left out is whole. Several lists select every combination.

    result[i, j] = operand[specs[0][i], specs[1][j]]
    Bad index: clamped in a tensor, IndexError (AS3, AS4) in what is known beforehand; negative: the same. ValueError
    AS1, AS2, AS5; TypeError AS6; NotImplementedError AS11 (masks).

    >>> nv_subset(np.array([[1, 2, 3], [4, 5, 6]]), 2, np.array([3, 1]))
    array([6, 4])
    """
    return _nv_subset(operand, _specs("anvil.nv_subset", specs, operand))


def nv_subset_assign(operand, *specs, value):
    """R's operand[...] <- value: a copy of operand with that subset replaced.

    result[specs[0][i], specs[1][j]] = value[i, j]; a value of rank 0 is the same everywhere.
    Bad index: dropped in a tensor, IndexError (AS3, AS4) in what is known beforehand; negative: the same. As nv_subset,
    with ValueError AS8 (value's shape) and TypeError AS9 (value's dtype).

    >>> nv_subset_assign(np.array([1, 2, 3]), np.array([1, 9]), value=np.array([10, 90]))
    array([10,  2,  3])
    """
    specs = _specs("anvil.nv_subset_assign", specs, operand)
    return _nv_subset_assign(operand, specs, _number(value, operand))


def _number(value, operand):
    """A Python number in the operand's dtype where that loses nothing, as R's literals have no dtype of their own."""
    dtype = getattr(operand, "dtype", None)
    if not isinstance(dtype, np.dtype) or not isinstance(value, (bool, int, float, complex)):
        return value
    fits = np.can_cast(np.result_type(np.empty(0, dtype), value), dtype)
    return np.asarray(value, dtype) if fits and not isinstance(value, np.generic) else np.asarray(value)


def nv_select(operand, dim: int, index):
    """`nv_subset` along one dimension.

    result[i, j] = operand[i, index[j]] for dim 2
    Bad index: as nv_subset. Bad dim: ValueError (AS10); negative: refused.

    >>> nv_select(np.array([[1, 2, 3], [4, 5, 6]]), 2, np.array([3, 3]))
    array([[3, 3],
           [6, 6]])
    """
    axis = dim - 1 if 1 <= dim <= len(np.shape(operand)) else len(np.shape(operand))
    return _nv_select(operand, dim, _spec("anvil.nv_select", index, operand, axis))


# ---- the surface around them ----


def nv_tensor(data):
    """An array of data; R's integers are 32 bits wide.

    >>> nv_tensor([1, 2])
    array([1, 2], dtype=int32)
    """
    if hasattr(data, "dtype"):
        return data
    array = np.asarray(data if np.isscalar(data) else list(data))
    return array.astype(np.int32) if array.dtype == np.int64 else array


def nv_array(values, dim):
    """R's array(values, dim): the first dimension varies fastest in values. Another count: ValueError (AN16).

    result[i, j] = values[i + dim[1] * (j - 1)], counted from 1.

    >>> nv_array([1, 2, 3, 4, 5, 6], [2, 3])
    array([[1, 3, 5],
           [2, 4, 6]], dtype=int32)
    """
    return _nv_array(nv_tensor(values), _dims(dim))


def nv_matrix(values, nrow=None, ncol=None):
    """R's matrix(values, nrow, ncol), filled column by column. Another count: ValueError (AN16).

    >>> nv_matrix([1, 2, 3, 4, 5, 6], 2)
    array([[1, 3, 5],
           [2, 4, 6]], dtype=int32)
    """
    values = nv_tensor(values)
    if ncol is None:
        return _nv_matrix(values, len(values) if nrow is None else nrow)
    return _nv_array(values, [len(values) // max(ncol, 1) if nrow is None else nrow, ncol])


def jit_eval(block):
    """The value of a block; there is no tracing.

    >>> jit_eval(lambda: nv_seq(1, 2).last)
    2
    """
    return block()


# ---- printing (AN18) ----


def to_string(array) -> str:
    """The text anvil prints for an array: a header, the rows, and a footer with place, dtype and shape.

    >>> to_string(np.array([1.5, 2.0], np.float32))
    'AnvilTensor\\n 1.5000\\n 2.0000\\n[ CPUf32{2} ] '
    """
    array = np.asarray(array)
    rows = _blocks(array) if array.size else ""
    return f"AnvilTensor\n{rows}[ CPU{_type_name(array.dtype)}{{{','.join(map(str, array.shape))}}} ] "


def _type_name(dtype):
    if dtype == bool:
        return "pred"
    letters = {"i": "i", "u": "ui", "f": "f", "c": "c"}
    return f"{letters[dtype.kind]}{8 * dtype.itemsize}" if dtype.kind in letters else dtype.name.replace("float", "f")


def _blocks(array):
    if array.ndim <= 2:
        return _block(array)
    headed = (f"({','.join(str(i + 1) for i in at)},.,.) =\n{_block(array[at])}" for at in np.ndindex(array.shape[:-2]))
    return "\n".join(headed)


def _block(array):
    """Rows of numbers, all as wide as the widest. A vector is a column, a scalar a row of one."""
    texts = _texts(array.ravel())
    width, columns = max(map(len, texts)), array.shape[1] if array.ndim == 2 else 1
    rows = (texts[i:i + columns] for i in range(0, len(texts), columns))
    return "".join("".join(f" {text:>{width}}" for text in row) + "\n" for row in rows)


def _texts(values):
    if values.dtype.kind in "biu":
        return [str(int(v)) for v in values]
    if values.dtype.kind == "c":
        parts = zip(_reals(values.real), _reals(values.imag))
        return [f"{real}{'' if imaginary.startswith('-') else '+'}{imaginary}i" for real, imaginary in parts]
    return _reals(values)


def _reals(values):
    """Whole numbers without a point, others with four decimals, all in scientific notation when one is far from 1."""
    numbers = [float(v) for v in values]
    sizes = [abs(v) for v in numbers if math.isfinite(v)]
    far = any(s >= 1e6 or 0 < s < 1e-4 for s in sizes)
    form = ".4e" if far else ".0f" if all(s == math.floor(s) for s in sizes) else ".4f"
    return [format(v, form) for v in numbers]
