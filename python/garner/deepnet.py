"""DeepNet's Tensor (F#): functions that return indices; gather and scatter with an index tensor or None per dimension.

>>> import numpy as np
>>> import garner.deepnet as deepnet
>>> src = np.array([[0.0, 0.1, 0.2, 0.3], [1.0, 1.1, 1.2, 1.3], [2.0, 2.1, 2.2, 2.3]])
>>> deepnet.gather([np.array([1, 2, 0, 0]), np.array([3, 1, 0, 3])], src)
array([1.3, 2.1, 0. , 0.3])
>>> deepnet.gather([None, np.array([3, 1, 0])], src)
array([0.3, 1.1, 2. ])

| function           | negative index    | out of range          |
|--------------------|-------------------|-----------------------|
| gather             | IndexError (DN16) | IndexError (DN16)     |
| scatter            | IndexError (DN21) | IndexError (DN21)     |
| axis of a function | ValueError (DN4)  | ValueError (DN4)      |

Each function has DeepNet's own name too: `argMaxAxis` is `arg_max_axis`. Arguments keep DeepNet's order, the tensor
last. A position is a list of integers; tensors of positions are int64. An axis function gives `NotFound`
where there is no position.
"""
import itertools

import numpy as np

from garner import _arrays, _errors
from garner._core import Operation as _Operation

NotFound = -9223372036854775804
NoMask = None

_gather, _scatter = _Operation("deepnet", "gather"), _Operation("deepnet", "scatter")
_arg_max, _arg_min = _Operation("deepnet", "arg_max"), _Operation("deepnet", "arg_min")
_arg_max_axis, _arg_min_axis = _Operation("deepnet", "arg_max_axis"), _Operation("deepnet", "arg_min_axis")
_find, _try_find, _find_axis = (_Operation("deepnet", name) for name in ("find", "try_find", "find_axis"))
_true_idx, _count_true = _Operation("deepnet", "true_idx"), _Operation("deepnet", "count_true")
_count_true_axis, _if_then_else = _Operation("deepnet", "count_true_axis"), _Operation("deepnet", "if_then_else")
_masked_get, _masked_set = _Operation("deepnet", "masked_get"), _Operation("deepnet", "masked_set")


def _position(array):
    return np.asarray(array).tolist()


def _tensors(items):
    """The list of an argument, nested lists in it as arrays."""
    return [np.asarray(item) if isinstance(item, (list, tuple)) else item for item in items]


def _refused(kind, rule, message):
    error = kind(message)
    error.rule = rule
    return error


def _like(value, a):
    """A Python number in the dtype of the tensor it is looked for in; an array as it is."""
    if not isinstance(value, (bool, int, float, complex)) or isinstance(value, np.generic):
        return value
    dtype = _arrays.numpy_dtype(_arrays.dtype_name(a.dtype if hasattr(a, "dtype") else np.asarray(a).dtype))
    if isinstance(value, float) and dtype.kind in "biu" or isinstance(value, complex) and dtype.kind != "c":
        message = f"deepnet: value is a {type(value).__name__}, allowed one that {dtype} can hold"
        raise _refused(_errors.TypeError, "DN0", message)
    return np.asarray(value, dtype)


# ---- gather and scatter ----


def gather(indices, src):
    """Elements of src at the places that index tensors name, one tensor or None per dimension of src.

    result[d] = src[indices[0][d], indices[1][d], ...]; where an entry is None, its coordinate is that of d itself. The
    tensors broadcast to one shape, which is the result's.
    Bad index: IndexError (DN16); negative: refused. ValueError DN11 (length), DN12 (all None), DN13 (shapes), DN15
    (None beyond the result); TypeError DN0.

    >>> gather([None, np.array([1, 0, 1])], np.array([[1, 2], [3, 4], [5, 6]]))
    array([2, 3, 6])
    """
    return _gather(_tensors(indices), src)


def scatter(indices, shape, src):
    """A tensor of zeros with the elements of src added at the places that index tensors name.

    result[indices[0][d], indices[1][d], ...] += src[d]; where an entry is None, its coordinate is that of d itself.
    Bad index: IndexError (DN21); negative: refused. ValueError DN18 (length, broadcasting, None); TypeError DN0.

    >>> scatter([np.array([0, 3, 0])], [4], np.array([1, 2, 10]))
    array([11,  0,  0,  2])
    """
    return _scatter(_tensors(indices), list(shape), src)


def fill_gather(target, indices, src) -> None:
    """`gather` into target; the index tensors broadcast to its shape, so all entries may be None.

    target[d] = src[indices[0][d], indices[1][d], ...]
    Bad index: IndexError (DN16); negative: refused.

    >>> target = np.zeros(2)
    >>> fill_gather(target, [np.array([2, 0])], np.array([1.0, 2.0, 3.0]))
    >>> target
    array([3., 1.])
    """
    _gather.into(target, _spread(indices, np.shape(target)), src)


def _spread(indices, shape):
    """The first index tensor stretched to the target's shape, which gathers know only from index tensors; identity when
    there is none and src has a dimension."""
    spread = _tensors(indices)
    for d, index in enumerate(spread):
        if index is not None:
            spread[d] = _stretched(index, shape, d)
            return spread
    if spread and shape:
        column = [1] * len(shape)
        column[0] = -1
        spread[0] = np.broadcast_to(np.arange(shape[0]).reshape(column), shape)
    return spread


def _stretched(index, shape, d):
    try:
        return _arrays.namespace(index).broadcast_to(index, shape)
    except (ValueError, RuntimeError):  # the latter is torch's
        message = f"index shape is {list(np.shape(index))}, allowed one broadcastable to {list(shape)} on axis {d}"
        raise _refused(_errors.ValueError, "DN13", f"deepnet.gather: {message}") from None


def fill_scatter(target, indices, src) -> None:
    """`scatter` into target, which is set to zeros first.

    target = 0; target[indices[0][d], indices[1][d], ...] += src[d]
    Bad index: IndexError (DN21); negative: refused.

    >>> target = np.ones(3)
    >>> fill_scatter(target, [np.array([2, 2])], np.array([1.0, 2.0]))
    >>> target
    array([0., 0., 3.])
    """
    _scatter.into(target, _tensors(indices), list(np.shape(target)), src)


# ---- positions, one after another ----


def all_idx(a):
    """Every position of a in row-major order, made while it is walked; the one position of a scalar is [].

    >>> list(all_idx(np.zeros((2, 2))))
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return map(list, itertools.product(*map(range, np.shape(a))))


def all_idx_of_dim(dim, a):
    """0, 1, ... of one dimension. Bad dim: ValueError (DN4).

    >>> list(all_idx_of_dim(1, np.zeros((2, 3))))
    [0, 1, 2]
    """
    shape = np.shape(a)
    if 0 <= dim < len(shape):
        return range(shape[dim])
    raise _refused(_errors.ValueError, "DN4", f"deepnet.all_idx_of_dim: axis is {dim}, allowed [0, {len(shape)})")


def all_elems(a):
    """Every element of a in row-major order, read while it is walked.

    >>> list(all_elems(np.array([[1, 2], [3, 4]])))
    [1, 2, 3, 4]
    """
    a = np.asarray(a)
    return (a[tuple(at)].item() for at in all_idx(a))


# ---- where an element stands ----


def arg_max(a):
    """The position of the largest element, of the first one when there are several; NaN is never chosen.

    a[result] = max(a). No element to choose: ValueError (DN3).

    >>> arg_max(np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]))
    [1, 3]
    """
    return _position(_arg_max(a))


def arg_min(a):
    """The position of the smallest element, of the first one when there are several; NaN is never chosen.

    a[result] = min(a). No element to choose: ValueError (DN3).

    >>> arg_min(np.array([[3, 1], [1, 2]]))
    [0, 1]
    """
    return _position(_arg_min(a))


def arg_max_axis(ax, a):
    """Where the largest element stands along an axis; the axis goes.

    a[i, result[i]] = max(a[i, :]) for ax 1. Nothing to choose: NotFound. Bad axis: ValueError (DN4); negative: refused.

    >>> arg_max_axis(1, np.array([[1, 9, 3], [7, 5, 6]]))
    array([1, 0])
    """
    return _arg_max_axis(ax, a)


def arg_min_axis(ax, a):
    """Where the smallest element stands along an axis; the axis goes.

    a[i, result[i]] = min(a[i, :]) for ax 1. Nothing to choose: NotFound. Bad axis: ValueError (DN4); negative: refused.

    >>> arg_min_axis(1, np.array([[1, 9, 3], [7, 5, 6]]))
    array([0, 1])
    """
    return _arg_min_axis(ax, a)


def find(value, a):
    """The position of the first element equal to value; NaN equals nothing.

    a[result] = value. None there: ValueError (DN7). A value of another dtype: TypeError (DN0).

    >>> find(3.0, np.array([[1.0, 2.0], [3.0, 3.0]]))
    [1, 0]
    """
    return _position(_find(_like(value, a), a))


def try_find(value, a):
    """`find`, with None where there is no such element.

    >>> try_find(3.0, np.array([1.0, 3.0])), try_find(4.0, np.array([1.0, 3.0]))
    ([1], None)
    """
    rows = _position(_try_find(_like(value, a), a))
    return rows[0] if rows else None


def find_axis(value, ax, a):
    """The first place along an axis where an element equals value; the axis goes.

    a[i, result[i]] = value for ax 1. None there: NotFound. Bad axis: ValueError (DN4); negative: refused.

    >>> find_axis(3.0, 1, np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 3.0]]))
    array([2, 3])
    """
    return _find_axis(_like(value, a), ax, a)


def true_idx(a):
    """The positions of all true elements, one row each. Not bool: TypeError (DN0).

    a[result[n]] is true.

    >>> true_idx(np.array([[True, False], [True, True]]))
    array([[0, 0],
           [1, 0],
           [1, 1]])
    """
    return _true_idx(a)


def count_true(a) -> int:
    """The number of true elements. Not bool: TypeError (DN0).

    >>> count_true(np.array([True, False, True]))
    2
    """
    return int(_count_true(a))


def count_true_axis(ax, a):
    """The number of true elements along an axis; the axis goes. Bad axis: ValueError (DN4); negative: refused.

    >>> count_true_axis(1, np.array([[True, False], [True, True]]))
    array([1, 2])
    """
    return _count_true_axis(ax, a)


def fill_arg_max_axis(target, ax, a) -> None:
    """`arg_max_axis` into target, int64.

    >>> target = np.zeros(2, np.int64)
    >>> fill_arg_max_axis(target, 1, np.array([[1, 9, 3], [7, 5, 6]]))
    >>> target
    array([1, 0])
    """
    _arg_max_axis.into(target, ax, a)


def fill_arg_min_axis(target, ax, a) -> None:
    """`arg_min_axis` into target, int64.

    >>> target = np.zeros(2, np.int64)
    >>> fill_arg_min_axis(target, 1, np.array([[1, 9, 3], [7, 5, 6]]))
    >>> target
    array([0, 1])
    """
    _arg_min_axis.into(target, ax, a)


def fill_find_axis(target, value, ax, a) -> None:
    """`find_axis` into target, int64.

    >>> target = np.zeros(2, np.int64)
    >>> fill_find_axis(target, 6, 1, np.array([[6, 9, 3], [7, 5, 6]]))
    >>> target
    array([0, 2])
    """
    _find_axis.into(target, _like(value, a), ax, a)


def fill_count_true_axis(target, ax, a) -> None:
    """`count_true_axis` into target, int64.

    >>> target = np.zeros(2, np.int64)
    >>> fill_count_true_axis(target, 1, np.array([[True, False], [True, True]]))
    >>> target
    array([1, 2])
    """
    _count_true_axis.into(target, ax, a)


# ---- masks ----


def if_then_else(cond, if_true, if_false):
    """if_true where cond is true, if_false elsewhere; the three broadcast to one shape.

    result[d] = cond[d] ? if_true[d] : if_false[d]. Shapes: ValueError (DN13); dtypes: TypeError (DN0).

    >>> if_then_else(np.array([True, False]), np.array([1, 2]), np.array([10, 20]))
    array([ 1, 20])
    """
    return _if_then_else(cond, if_true, if_false)


def masked_get(a, masks):
    """What masks let through, DeepNet's a.M(m0, m1, ...). A mask takes as many dimensions as it has and leaves one;
    NoMask leaves one dimension whole.

    result[i, j] = a[place of the i-th true element of masks[0], place of the j-th of masks[1]].
    Masks that do not take exactly a's dimensions: ValueError (DNM1). Not bool: TypeError (DN0).

    >>> masked_get(np.array([[1, 2, 3], [4, 5, 6]]), [np.array([[True, True, False], [False, False, True]])])
    array([1, 2, 6])
    """
    return _masked_get(a, _tensors(masks))


def masked_set(a, masks, value) -> None:
    """Writes value to what masks let through, in a itself: DeepNet's a.M(m0, m1, ...) <- value.

    a[place of the i-th true element of masks[0], ...] = value[i, ...]; value broadcasts (ValueError DNM2).

    >>> a = np.array([[1, 2, 3], [4, 5, 6]])
    >>> masked_set(a, [np.array([True, False]), NoMask], 0)
    >>> a
    array([[0, 0, 0],
           [4, 5, 6]])
    """
    _masked_set.into(a, a, _tensors(masks), _like(value, a))


def M(a, *masks):
    """a.M(m0, m1, ...): `masked_get` with the masks one by one, or in a list.

    >>> M(np.array([[1, 2, 3], [4, 5, 6]]), np.array([True, False]), NoMask)
    array([[1, 2, 3]])
    """
    return masked_get(a, _unlisted(masks))


def SetM(a, *masks_and_value) -> None:
    """a.M(m0, m1, ...) <- value: `masked_set` with the masks one by one, or in a list, and the value last.

    >>> a = np.array([1, 2, 3])
    >>> SetM(a, np.array([True, False, True]), np.array([8, 9]))
    >>> a
    array([8, 2, 9])
    """
    *masks, value = masks_and_value
    masked_set(a, _unlisted(masks), value)


def _unlisted(masks):
    one_list = len(masks) == 1 and isinstance(masks[0], (list, tuple))
    return masks[0] if one_list and not all(isinstance(m, (bool, list)) for m in masks[0]) else masks


# ---- text ----


def to_string(value) -> str:
    """A tensor as DeepNet prints it (DN25); a position, None or a sequence of positions as F# writes it (DN26).

    >>> print(to_string(np.array([[0.5, -1.0], [2.0, 3.0]])))
    [[   0.5000    -1.000]
     [   2.0000    3.0000]]
    >>> to_string([1, 3]), to_string(all_idx(np.zeros((1, 2))))
    ('[1L; 3L]', 'seq [[0L; 0L]; [0L; 1L]]')
    """
    if value is None:
        return "None"
    if hasattr(value, "__array__"):
        return _shown(np.asarray(value), 1)
    if isinstance(value, list) and all(isinstance(i, int) for i in value):
        return f"[{'; '.join(f'{i}L' for i in value)}]"
    return f"seq [{'; '.join(map(to_string, value))}]"


def _shown(array, depth):
    """At most ten entries of a dimension: the first five, an ellipsis, the last four."""
    if array.ndim == 0:
        return _element(array[()])
    rows = [_shown(array[i, ...], depth + 1) for i in range(len(array))] if len(array) <= 10 else [
        *(_shown(array[i, ...], depth + 1) for i in range(5)), _ellipsis(array.dtype),
        *(_shown(array[i, ...], depth + 1) for i in range(-4, 0))]
    return f"[{(' ' if array.ndim == 1 else chr(10) + ' ' * depth).join(rows)}]"


def _element(value):
    if isinstance(value, np.bool_):
        return "true " if value else "false"
    if isinstance(value, np.integer):
        return f"{value:3}" if isinstance(value, np.uint8) else f"{value:4}"
    return str(value) if isinstance(value, np.complexfloating) else _real(float(value))


def _real(value):
    if np.isnan(value):
        return f"{'NaN':>9}"
    if np.isinf(value):
        return f"{'Infinity' if value > 0 else '-Infinity':>9}"
    return f"{value:9.3f}" if value < 0 else f"{value:9.4f}"


def _ellipsis(dtype):
    if dtype == np.int32:
        return " ..."
    return "..." if dtype.kind in "biuc" else "      ..."


# ---- the names DeepNet uses ----

allIdx, allIdxOfDim, allElems = all_idx, all_idx_of_dim, all_elems
argMax, argMin, argMaxAxis, argMinAxis = arg_max, arg_min, arg_max_axis, arg_min_axis
tryFind, findAxis = try_find, find_axis
trueIdx, countTrue, countTrueAxis = true_idx, count_true, count_true_axis
ifThenElse = if_then_else
FillGather, FillScatter, FillFindAxis = fill_gather, fill_scatter, fill_find_axis
FillArgMaxAxis, FillArgMinAxis, FillCountTrueAxis = fill_arg_max_axis, fill_arg_min_axis, fill_count_true_axis
