"""StableHLO's gather, scatter and their neighbours: one function per operation, its attributes as keyword arguments.

Dimension numbers and positions count from 0. Results are new arrays of the caller's kind.

| function | negative index | out of range |
|---|---|---|
| gather, dynamic_gather | start moved to 0 | start moved until the slice fits |
| scatter | skipped | skipped: the elements outside, or, with out_of_bounds="window", the whole window |
| dynamic_slice, dynamic_update_slice | start moved to 0 | start moved until the slice fits |

Errors name the constraint of the specification: gather_C1 to gather_C23, scatter_C1 to scatter_C25 and so on.
ValueError, or TypeError where it is about a dtype.
"""
from garner import _errors
from garner._core import Operation as _Operation

__all__ = ["dynamic_gather", "dynamic_slice", "dynamic_update_slice", "gather", "scatter"]

_gather = _Operation("stablehlo", "gather")
_dynamic_gather = _Operation("stablehlo", "dynamic_gather")
_scatter = _Operation("stablehlo", "scatter")
_dynamic_slice = _Operation("stablehlo", "dynamic_slice")
_dynamic_update_slice = _Operation("stablehlo", "dynamic_update_slice")


def gather(operand, start_indices, *, offset_dims, collapsed_slice_dims=(), operand_batching_dims=(),
           start_indices_batching_dims=(), start_index_map, index_vector_dim, slice_sizes, indices_are_sorted=False):
    """A slice of slice_sizes from every start: result[batch + offset] = operand[start + batch + offset].

    The starts lie along index_vector_dim of start_indices; start_index_map says which axis each component is for.

    Bad index: the start is moved until the slice fits; negative: moved to 0.

    >>> import numpy as np
    >>> gather(np.arange(9).reshape(3, 3), np.array([[2], [9]]), offset_dims=[1], collapsed_slice_dims=[0],
    ...        start_index_map=[0], index_vector_dim=1, slice_sizes=[1, 3])
    array([[6, 7, 8],
           [6, 7, 8]])
    """
    return _gather(operand, start_indices, offset_dims, collapsed_slice_dims, operand_batching_dims,
                   start_indices_batching_dims, start_index_map, index_vector_dim, slice_sizes, indices_are_sorted)


def dynamic_gather(operand, start_indices, slice_sizes, *, offset_dims, collapsed_slice_dims=(),
                   operand_batching_dims=(), start_indices_batching_dims=(), start_index_map, index_vector_dim,
                   indices_are_sorted=False):
    """gather with its slice sizes in an array: result[batch + offset] = operand[start + batch + offset].

    Bad index: the start is moved until the slice fits; negative: moved to 0.

    >>> import numpy as np
    >>> dynamic_gather(np.arange(5), np.array([[1], [4]]), np.array([2]), offset_dims=[1], start_index_map=[0],
    ...                index_vector_dim=1)
    array([[1, 2],
           [3, 4]])
    """
    return _dynamic_gather(operand, start_indices, slice_sizes, offset_dims, collapsed_slice_dims,
                           operand_batching_dims, start_indices_batching_dims, start_index_map, index_vector_dim,
                           indices_are_sorted)


def scatter(inputs, scatter_indices, updates, *, update_window_dims=(), inserted_window_dims=(), input_batching_dims=(),
            scatter_indices_batching_dims=(), scatter_dims_to_operand_dims, index_vector_dim, indices_are_sorted=False,
            unique_indices=False, update_computation="replace", out_of_bounds="element"):
    """Copies of the inputs, updated: result[start + batch + window] = f(result[...], updates[batch + window]).

    One input and its updates, or a tuple of inputs and one of updates, which gives a tuple. update_computation, the f,
    is one of "replace", "add", "mul", "min", "max", "and", "or", "xor". Updates of one place come in row-major order.

    Bad index: elements outside are skipped, or whole windows (out_of_bounds="window", as XLA does); negative: outside.

    >>> import numpy as np
    >>> scatter(np.zeros(4), np.array([[3], [1]]), np.array([[1.0, 2.0], [3.0, 4.0]]), update_window_dims=[1],
    ...         scatter_dims_to_operand_dims=[0], index_vector_dim=1, update_computation="add")
    array([0., 3., 4., 1.])
    """
    if callable(update_computation):
        raise _errors.NotImplementedError("stablehlo.scatter: update_computation is a function, allowed a name")
    results = _scatter(inputs, scatter_indices, updates, update_window_dims, inserted_window_dims, input_batching_dims,
                       scatter_indices_batching_dims, scatter_dims_to_operand_dims, index_vector_dim,
                       indices_are_sorted, unique_indices, update_computation, out_of_bounds)
    return (results,) if isinstance(inputs, (list, tuple)) and not isinstance(results, tuple) else results


def dynamic_slice(operand, start_indices, slice_sizes):
    """One slice: result[i, j] = operand[start_0 + i, start_1 + j]. A rank-0 start for every axis, all of one dtype.

    Bad index: the start is moved until the slice fits; negative: moved to 0.

    >>> import numpy as np
    >>> dynamic_slice(np.arange(12).reshape(3, 4), [1, 9], [2, 2])
    array([[ 6,  7],
           [10, 11]])
    """
    return _dynamic_slice(operand, start_indices, slice_sizes)


def dynamic_update_slice(operand, update, start_indices):
    """A copy with one slice replaced: result[start_0 + i, start_1 + j] = update[i, j].

    Bad index: the start is moved until the update fits; negative: moved to 0.

    >>> import numpy as np
    >>> dynamic_update_slice(np.arange(5), np.array([-1, -2]), [9])
    array([ 0,  1,  2, -1, -2])
    """
    return _dynamic_update_slice(operand, update, start_indices)
