"""garner.index.analyse: facts, the proof, and that nobody can break it."""
import numpy as np
import pytest

import garner
from garner import index


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_facts_of_every_dtype(dtype):
    rows = index.analyse(np.array([[5, 1], [7, 1]], dtype), 8)
    assert (rows.min, rows.max, rows.in_range, rows.sorted, rows.unique, rows.extent) == (1, 7, True, False, False, 8)
    assert rows.array.dtype == dtype and rows.array.tolist() == [[5, 1], [7, 1]]


def test_the_copy_cannot_be_written():
    ids = np.array([1, 0])
    rows = index.analyse(ids, 2)
    ids[:] = 1000
    assert rows.array.tolist() == [1, 0]
    with pytest.raises(ValueError):
        rows.array[0] = 7
    with pytest.raises(ValueError):
        rows.array.flags.writeable = True


def test_a_smaller_table_is_checked():
    rows = index.analyse([2, 0], 3)
    assert garner.numpy.take(np.arange(3.0), rows.array).tolist() == [2.0, 0.0]
    with pytest.raises(IndexError, match=r"index\[0\] is 2, allowed \[-2, 2\)"):
        garner.numpy.take(np.arange(2.0), rows.array)


def test_the_array_outlives_the_analysis():
    array = index.analyse(np.arange(5000) % 7, 7).array
    assert garner.numpy.take(np.arange(7), array).sum() == array.sum()


def test_refusals():
    with pytest.raises(TypeError):
        index.analyse([1.5], 3)
    with pytest.raises(ValueError):
        index.analyse([1], -3)
