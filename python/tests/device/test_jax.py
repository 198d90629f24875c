"""JAX's arrays on a device: eager calls run there, calls that JAX follows on the host; all give JAX's arrays back."""
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

import garner

sys.path.insert(0, str(Path(__file__).parent))
import libraries  # noqa: E402

gj, library = garner.jax, libraries.Jax()
jnp = jax.numpy
RANDOM = np.random.default_rng(7)
X, I = RANDOM.standard_normal((6, 5)), RANDOM.integers(0, 6, 4)


def same(there, here):
    assert isinstance(there, jax.Array)
    assert there.devices() == jnp.zeros(1).devices()
    back = np.asarray(there)
    assert back.dtype == here.dtype and back.tobytes() == np.ascontiguousarray(here).tobytes()


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64", "complex64"])
def test_take(dtype):
    x = jnp.asarray(X * 4).astype(dtype)
    same(gj.take(x, jnp.asarray(I), axis=0), np.asarray(x)[I])


def test_at():
    x, i, u = jnp.asarray(X), jnp.asarray(I), jnp.asarray(X[:4])
    same(gj.at(x)[i].get(), X[I])
    same(gj.at(x)[i].add(u), np.asarray(gj.at(X)[I].add(X[:4])))
    same(gj.at(x)[i].max(u), np.asarray(gj.at(X)[I].max(X[:4])))
    same(gj.at(x)[1:3, ::2].set(3.0), np.asarray(gj.at(X)[1:3, ::2].set(3.0)))
    same(x, X)  # immutable


def test_segments():
    data, segments = jnp.asarray(X), jnp.asarray(np.array([0, 0, 2, 1, 2, 2]))
    same(gj.segment_sum(data, segments, num_segments=3), np.asarray(gj.segment_sum(X, np.asarray(segments), num_segments=3)))


def test_arguments_may_go_at_once():
    """The memory of an argument may be used again when the call returns."""
    for k in range(20):
        x = jnp.full((1 << 20,), float(k))
        y = gj.take(x, jnp.arange((1 << 20) - 1, -1, -1))
        del x
        z = jnp.full((1 << 20,), -1.0)
        assert float(y.min()) == k and float(z.max()) == -1.0


def test_followed():
    x, i = jnp.asarray(X), jnp.asarray(I)
    same(jax.jit(lambda x: gj.take(x, i, axis=0))(x), X[I])
    gradient = jax.grad(lambda x: (gj.take(x, i, axis=0) ** 2).sum())(x)
    wanted = np.zeros_like(X)
    np.add.at(wanted, I, 2 * X[I])
    np.testing.assert_allclose(np.asarray(gradient), wanted)


def test_bad_index():
    """JAX has no stream to check later: the call itself waits and raises."""
    with pytest.raises(IndexError, match=r"index\[1\] is 6"):
        garner.numpy.take(jnp.asarray(X), jnp.asarray([0, 6]), axis=0)
    same(gj.take(jnp.asarray(X), jnp.asarray(I), axis=0), X[I])


def test_not_written_to():
    with pytest.raises(ValueError) as caught:
        garner.numpy.put(jnp.asarray(X), jnp.asarray(I), jnp.asarray(X[:4, 0]))
    assert caught.value.rule == "PY1"


def test_mixed_devices():
    with pytest.raises(ValueError) as caught:
        gj.take(jnp.asarray(X), I, axis=0)
    assert caught.value.rule == "P23"
