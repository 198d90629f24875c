"""TensorRT's Gather and Scatter layers, as functions on arrays.

`gather` and `scatter` take what add_gather_v2 and add_scatter take, and the attributes of IGatherLayer and
IScatterLayer. TensorRT's own enumerations are taken as well as the ones here, and so are the members' names.

| function | negative index | out of range |
|---|---|---|
| gather | counts from the end, once | reads 0 |
| scatter | counts from the end, once | the update is dropped |

Data is bool, int8, int32, int64, float8_e4m3fn, float16, float32 or bfloat16 (for scatter neither int8 nor
float8_e4m3fn), indices are int32 or int64. Errors: ValueError, or TypeError for a dtype (TR1 to TR13, TRS1 to TRS12).
"""
import enum as _enum

from garner._core import Operation as _Operation

__all__ = ["GatherMode", "ScatterMode", "gather", "scatter"]


class GatherMode(_enum.IntEnum):
    """How a gather reads its indices."""

    DEFAULT = 0
    ELEMENT = 1
    ND = 2


class ScatterMode(_enum.IntEnum):
    """How a scatter reads its indices."""

    ELEMENT = 0
    ND = 1


_gather = _Operation("tensorrt", "gather")
_scatter = _Operation("tensorrt", "scatter")


def _word(mode):
    return getattr(mode, "name", mode if isinstance(mode, str) else str(mode))


def gather(data, indices, mode=GatherMode.DEFAULT, axis=0, num_elementwise_dims=0):
    """Reads data through indices; E = num_elementwise_dims leading axes belong to both together.

    DEFAULT: result[..., i, ...] = data[..., indices[i], ...], E at most 1. ELEMENT: result[i, j] = data[i, indices[i,
    j]] for axis 1. ND: result[i] = data[tuple(indices[i])], or the slice that a shorter tuple names; axis is not used.

    Bad index: reads 0; negative: counts from the end.

    >>> import numpy as np
    >>> data = np.arange(6, dtype=np.float32).reshape(2, 3)
    >>> gather(data, np.array([2, -1, 7]), axis=1)
    array([[2., 2., 0.],
           [5., 5., 0.]], dtype=float32)
    >>> gather(data, np.array([[2, 0], [1, 1]]), GatherMode.ELEMENT, axis=1)
    array([[2., 0.],
           [4., 4.]], dtype=float32)
    >>> gather(data, np.array([[1, 2], [0, 1]]), GatherMode.ND)
    array([5., 1.], dtype=float32)
    """
    return _gather(data, indices, _word(mode), axis, num_elementwise_dims)


def scatter(data, indices, updates, mode=ScatterMode.ELEMENT, axis=0):
    """A copy of data with updates in it. Of several for one place the last in row-major order stays.

    ELEMENT: result[i, indices[i, j]] = updates[i, j] for axis 1. ND: result[tuple(indices[i])] = updates[i], an element
    or the slice that a shorter tuple names; axis is not used.

    Bad index: the update is dropped; negative: counts from the end.

    >>> import numpy as np
    >>> data = np.zeros((2, 3), dtype=np.float32)
    >>> scatter(data, np.array([[2], [-3]]), np.array([[5], [6]], dtype=np.float32), axis=1)
    array([[0., 0., 5.],
           [6., 0., 0.]], dtype=float32)
    >>> scatter(data, np.array([[1]]), np.array([[7, 8, 9]], dtype=np.float32), ScatterMode.ND)
    array([[0., 0., 0.],
           [7., 8., 9.]], dtype=float32)
    """
    return _scatter(data, indices, updates, _word(mode), axis)
