"""CuPy's arrays: the NumPy dialect, with its in-place forms, on CuPy's current stream."""
import sys
from pathlib import Path

import cupy
import numpy as np
import pytest
import torch

import garner

sys.path.insert(0, str(Path(__file__).parent))
import libraries  # noqa: E402

gn, library = garner.numpy, libraries.Cupy()
RANDOM = np.random.default_rng(7)
X, I = RANDOM.standard_normal((6, 5)), RANDOM.integers(0, 6, 4)


def same(there, here):
    assert isinstance(there, cupy.ndarray)
    back = library.back(there)
    assert back.dtype == here.dtype and back.tobytes() == np.ascontiguousarray(here).tobytes()


@pytest.mark.parametrize("dtype", ["bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_take(dtype):
    x = (X * 4).astype(dtype)
    same(gn.take(cupy.array(x), cupy.array(I), axis=0), x[I])
    same(gn.getitem(cupy.array(x), (cupy.array(I), slice(None, None, -1))), x[I, ::-1])


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "i8", "u4"])
def test_index_dtype(dtype):
    same(gn.take(cupy.array(X), cupy.array(I.astype(dtype)), axis=0), X[I])


def test_put_and_along_axis():
    x, there = X.copy(), cupy.array(X)
    along = X.argsort(1)
    same(gn.take_along_axis(there, cupy.array(along), 1), np.take_along_axis(X, along, 1))
    np.put_along_axis(x, along[:, :1], 9.0, 1)
    gn.put_along_axis(there, cupy.array(along[:, :1]), 9.0, 1)
    same(there, x)


def test_put():
    x, there = X.ravel().copy(), cupy.array(X.ravel())
    np.put(x, I, X.ravel()[:4])
    gn.put(there, cupy.array(I), cupy.array(X.ravel()[:4]))
    same(there, x)


@pytest.mark.parametrize("name", ["add", "multiply", "minimum", "maximum"])
def test_at(name):
    x, there, value = X.copy(), cupy.array(X), X[:4] + 1
    getattr(np, name).at(x, I, value)
    getattr(gn, name).at(there, cupy.array(I), cupy.array(value))
    same(there, x)


def test_overlapping_assignment():
    x, there = X.copy(), cupy.array(X)
    x[1:] = X[:-1]
    gn.setitem(there, slice(1, None), there[:-1])
    same(there, x)


def test_out():
    out = cupy.full((5, 4), 9.0).T  # strided
    assert gn.take(cupy.array(X), cupy.array(I), axis=0, out=out) is out
    same(out, X[I])


def test_mask_and_scalars():
    same(gn.take(cupy.array(X), cupy.array(3)), X.ravel()[3])
    there = cupy.array(X)
    gn.setitem(there, (cupy.array(I), 0), 7)
    x = X.copy()
    x[I, 0] = 7
    same(there, x)


def test_streams():
    for _ in range(5):
        with cupy.cuda.Stream(non_blocking=True) as stream:
            x = cupy.cumsum(cupy.ones(1 << 22))
            y = gn.take(x, cupy.arange((1 << 22) - 1, -1, -1))
            assert y[:2].get().tolist() == [float(1 << 22), float((1 << 22) - 1)]
            garner.cuda.check(stream.ptr)
        del y, stream  # the result is given back in the order of a stream that the caller has dropped
    same(gn.take(cupy.array(X), cupy.array(I), axis=0), X[I])


def test_no_copies():
    x = cupy.array(X)
    y = gn.take(x, cupy.array(I), axis=0)
    assert cupy.from_dlpack(y).data.ptr == y.data.ptr


def test_bad_index():
    gn.take(cupy.array(X), cupy.array([0, 6]), axis=0)
    with pytest.raises(IndexError, match=r"index\[1\] is 6, allowed \[-6, 6\)"):
        garner.cuda.check()
    garner.cuda.check()


def test_mixed_devices():
    with pytest.raises(ValueError) as caught:
        gn.take(cupy.array(X), I, axis=0)
    assert caught.value.rule == "P23"


def test_beside_torch():
    """Arrays of two libraries in one call."""
    result = gn.take(cupy.array(X), torch.from_numpy(I).cuda(), axis=0)
    back = result.cpu().numpy() if isinstance(result, torch.Tensor) else result.get()
    assert back.tobytes() == X[I].tobytes()
