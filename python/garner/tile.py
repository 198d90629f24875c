"""cuTile Python (`cuda.tile`): gather, scatter and the atomics by index tiles, on arrays in main memory.

>>> import numpy as np
>>> import garner.tile as ct
>>> array = np.array([10, 20, 30])
>>> ct.gather(array, np.array([2, 0, 3]), padding_value=7)
array([30, 10,  7])

| function   | negative index        | out of range          |
|------------|-----------------------|-----------------------|
| gather     | the padding           | the padding           |
| scatter    | not stored            | not stored            |
| atomic_cas | unchanged, `expected` | unchanged, `expected` |
| atomic_*   | unchanged, 0          | unchanged, 0          |

Everywhere `indices` is a tuple with one integer tile or integer per axis of the array, broadcast to one shape; for an
array of one axis a tile alone will do. `scatter` and the atomics write to `array` itself, one element after another in
row-major order. With check_bounds=False the caller vouches for every index. A Python number is a constant, judged by
its value (CT13); an array is a tile, judged by its dtype.
"""
import enum

import numpy as np

from garner import _errors
from garner._core import Operation as _Operation

__all__ = ["MemoryOrder", "MemoryScope", "atomic_add", "atomic_and", "atomic_cas", "atomic_max", "atomic_min",
           "atomic_or", "atomic_xchg", "atomic_xor", "gather", "scatter", "to_string"]


class MemoryOrder(enum.Enum):
    """How an atomic is ordered among other memory accesses. Checked and otherwise without effect."""

    WEAK = "weak"
    RELAXED = "relaxed"
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"


class MemoryScope(enum.Enum):
    """Who sees that order. Checked and otherwise without effect."""

    NONE = "none"
    BLOCK = "block"
    DEVICE = "device"
    SYS = "sys"


_gather, _scatter = _Operation("cutile", "gather"), _Operation("cutile", "scatter")
_add, _max, _min = (_Operation("cutile", f"atomic_{name}") for name in ("add", "max", "min"))
_and, _or, _xor = (_Operation("cutile", f"atomic_{name}") for name in ("and", "or", "xor"))
_xchg, _cas = _Operation("cutile", "atomic_xchg"), _Operation("cutile", "atomic_cas")


def gather(array, indices, /, *, mask=None, padding_value=0, check_bounds=True, latency=None):
    """A tile of the elements that indices name.

    result[p] = array[indices[0][p], indices[1][p], ...], padding_value[p] where mask[p] is False.
    Bad index: padding_value; negative: the same.

    >>> array = np.arange(12).reshape(3, 4)
    >>> gather(array, (np.array([[0], [2]]), np.array([3, 1, 4])), padding_value=-1)
    array([[ 3,  1, -1],
           [11,  9, -1]])
    """
    return _gather(array, indices, mask, padding_value, check_bounds, latency)


def scatter(array, indices, value, /, *, mask=None, check_bounds=True, latency=None) -> None:
    """Stores a tile at the places that indices name, in array itself.

    array[indices[0][p], indices[1][p], ...] = value[p] where mask[p] is True; of several the last stays.
    Bad index: nothing is stored; negative: the same.

    >>> array = np.zeros(4)
    >>> scatter(array, np.array([2, 9, 0]), np.array([1.0, 2.0, 3.0]))
    >>> array
    array([3., 0., 1., 0.])
    """
    _scatter.into(array, array, indices, value, mask, check_bounds, latency)


def _word(member, kind, rule):
    if isinstance(member, kind):
        return member.name
    error = _errors.TypeError(f"cutile: {kind.__name__} is {member!r}, allowed one of its members")
    error.rule = rule
    raise error


def _atomic(operation, array, arguments, check_bounds, memory_order, memory_scope):
    order, scope = _word(memory_order, MemoryOrder, "CTA5"), _word(memory_scope, MemoryScope, "CTA6")
    return operation.into(array, array, *arguments, check_bounds, order, scope)


def atomic_add(array, indices, update, /, *, check_bounds=True, memory_order=MemoryOrder.ACQ_REL,
               memory_scope=MemoryScope.DEVICE):
    """Adds to the places that indices name; gives what each found there.

    result[p] = array[indices[0][p], ...]; array[indices[0][p], ...] += update[p]
    Bad index: nothing is done, the result is 0; negative: the same. Array dtypes: i32 i64 u32 u64 f16 bf16 f32 f64.

    >>> counts = np.zeros(3, np.int32)
    >>> atomic_add(counts, np.array([1, 1, 0]), 1), counts
    (array([0, 1, 0], dtype=int32), array([1, 2, 0], dtype=int32))
    """
    return _atomic(_add, array, (indices, update), check_bounds, memory_order, memory_scope)


def atomic_max(array, indices, update, /, *, check_bounds=True, memory_order=MemoryOrder.ACQ_REL,
               memory_scope=MemoryScope.DEVICE):
    """The larger of what is there and the update; gives what each found.

    result[p] = array[indices[0][p], ...]; array[indices[0][p], ...] = max(result[p], update[p])
    Bad index: nothing is done, the result is 0; negative: the same. Array dtypes: i32 i64 u32 u64.

    >>> best = np.array([5, 5])
    >>> atomic_max(best, np.array([0, 1]), np.array([9, 2])), best
    (array([5, 5]), array([9, 5]))
    """
    return _atomic(_max, array, (indices, update), check_bounds, memory_order, memory_scope)


def atomic_min(array, indices, update, /, *, check_bounds=True, memory_order=MemoryOrder.ACQ_REL,
               memory_scope=MemoryScope.DEVICE):
    """The smaller of what is there and the update; gives what each found.

    result[p] = array[indices[0][p], ...]; array[indices[0][p], ...] = min(result[p], update[p])
    Bad index: nothing is done, the result is 0; negative: the same. Array dtypes: i32 i64 u32 u64.

    >>> best = np.array([5, 5])
    >>> atomic_min(best, np.array([0, 1]), np.array([9, 2])), best
    (array([5, 5]), array([5, 2]))
    """
    return _atomic(_min, array, (indices, update), check_bounds, memory_order, memory_scope)


def atomic_and(array, indices, update, /, *, check_bounds=True, memory_order=MemoryOrder.ACQ_REL,
               memory_scope=MemoryScope.DEVICE):
    """Bitwise and with what is there; gives what each found.

    result[p] = array[indices[0][p], ...]; array[indices[0][p], ...] &= update[p]
    Bad index: nothing is done, the result is 0; negative: the same. Array dtypes: i32 i64 u32 u64, and update's is the
    same (CTA4).

    >>> bits = np.array([6, 3], np.int32)
    >>> atomic_and(bits, np.array([0, 1]), 2), bits
    (array([6, 3], dtype=int32), array([2, 2], dtype=int32))
    """
    return _atomic(_and, array, (indices, update), check_bounds, memory_order, memory_scope)


def atomic_or(array, indices, update, /, *, check_bounds=True, memory_order=MemoryOrder.ACQ_REL,
              memory_scope=MemoryScope.DEVICE):
    """Bitwise or with what is there; gives what each found.

    result[p] = array[indices[0][p], ...]; array[indices[0][p], ...] |= update[p]
    Bad index: nothing is done, the result is 0; negative: the same. Array dtypes: i32 i64 u32 u64, and update's is the
    same (CTA4).

    >>> bits = np.array([6, 3], np.int32)
    >>> atomic_or(bits, np.array([0, 1]), 9), bits
    (array([6, 3], dtype=int32), array([15, 11], dtype=int32))
    """
    return _atomic(_or, array, (indices, update), check_bounds, memory_order, memory_scope)


def atomic_xor(array, indices, update, /, *, check_bounds=True, memory_order=MemoryOrder.ACQ_REL,
               memory_scope=MemoryScope.DEVICE):
    """Bitwise exclusive or with what is there; gives what each found.

    result[p] = array[indices[0][p], ...]; array[indices[0][p], ...] ^= update[p]
    Bad index: nothing is done, the result is 0; negative: the same. Array dtypes: i32 i64 u32 u64, and update's is the
    same (CTA4).

    >>> bits = np.array([6, 3], np.int32)
    >>> atomic_xor(bits, np.array([0, 0]), 2), bits
    (array([6, 4], dtype=int32), array([6, 3], dtype=int32))
    """
    return _atomic(_xor, array, (indices, update), check_bounds, memory_order, memory_scope)


def atomic_xchg(array, indices, update, /, *, check_bounds=True, memory_order=MemoryOrder.ACQ_REL,
                memory_scope=MemoryScope.DEVICE):
    """Replaces what is there; gives what each found.

    result[p] = array[indices[0][p], ...]; array[indices[0][p], ...] = update[p]
    Bad index: nothing is done, the result is 0; negative: the same. Array dtypes: i32 i64 u32 u64 f32 f64.

    >>> slots = np.array([1, 2])
    >>> atomic_xchg(slots, np.array([0, 0]), np.array([8, 9])), slots
    (array([1, 8]), array([9, 2]))
    """
    return _atomic(_xchg, array, (indices, update), check_bounds, memory_order, memory_scope)


def atomic_cas(array, indices, expected, desired, /, *, check_bounds=True, memory_order=MemoryOrder.ACQ_REL,
               memory_scope=MemoryScope.DEVICE):
    """Replaces what is there if it is, bit by bit, what was expected; gives what each found.

    result[p] = array[indices[0][p], ...]; array[indices[0][p], ...] = desired[p] where result[p] is expected[p]
    Bad index: nothing is done, the result is expected; negative: the same. Array dtypes: i32 i64 u32 u64 f32 f64.

    >>> locks = np.array([0, 1])
    >>> atomic_cas(locks, np.array([0, 1, 7]), 0, 5), locks
    (array([0, 1, 0]), array([5, 1]))
    """
    return _atomic(_cas, array, (indices, expected, desired), check_bounds, memory_order, memory_scope)


def _text(array):
    return str(array[()]) if array.ndim == 0 else f"[{', '.join(_text(array[i, ...]) for i in range(len(array)))}]"


def to_string(tile) -> str:
    """The text ct.print writes for a tile: nested brackets, a scalar bare (CT22).

    >>> to_string(np.array([[0, 1], [4, 5]])), to_string(np.float32(7))
    ('[[0, 1], [4, 5]]', '7.0')
    """
    return _text(np.asarray(tile))
