"""garner.lucid: the guide's example, the rules LU1-LU20, and gather with its gradient against plain loops."""
import contextlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import garner.lucid as lucid

SETTINGS = settings(max_examples=50, deadline=None, derandomize=True)


def printed(*things):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        for thing in things:
            print(thing)
    return text.getvalue()


def loop_gather(x, dim, index):
    out = np.empty(index.shape, x.dtype)
    for at in np.ndindex(index.shape):
        source = list(at)
        source[dim] = index[at]
        out[at] = x[tuple(source)]
    return out


def loop_gradient(x, dim, index, cotangent):
    out = np.zeros_like(x)
    for at in np.ndindex(index.shape):
        source = list(at)
        source[dim] = index[at]
        out[tuple(source)] += cotangent[at]
    return out


def test_the_guides_example():
    x = lucid.tensor([[10, 20, 30],
                      [40, 50, 60]], requires_grad=True)
    idx = lucid.tensor([[2, 1],
                        [0, 2]], dtype=lucid.Int32)
    out = lucid.gather(x, dim=1, index=idx)
    assert printed(out) == "[[30 20]\n [40 60]]\n"
    out.sum().backward()
    assert printed(x.grad) == "[[0 1 1]\n [1 0 1]]\n"
    assert x.grad.dtype == np.int64 and idx.grad is None


def test_the_guides_formulas():
    x = np.arange(12).reshape(3, 4)
    rows = np.array([[2, 0], [1, 1]])
    for dim, rule in ((0, lambda i, j: x[rows[i, j], j]), (1, lambda i, j: x[i, rows[i, j]])):
        out = lucid.gather(x, dim, rows).data
        assert out.shape == (2, 2)
        assert all(out[i, j] == rule(i, j) for i in range(2) for j in range(2))


@st.composite
def calls(draw):
    rank = draw(st.integers(1, 3))
    dim = draw(st.integers(0, rank - 1))
    shape = [draw(st.integers(1, 4)) for _ in range(rank)]
    extents = [draw(st.integers(0, 5 if a == dim else shape[a])) for a in range(rank)]
    seed = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = seed.integers(-100, 100, shape).astype(draw(st.sampled_from(["int8", "int32", "int64", "float32", "float64"])))
    index = seed.integers(0, shape[dim], extents).astype(draw(st.sampled_from(["int8", "int16", "int32", "int64"])))
    cotangent = seed.integers(-5, 5, extents).astype(x.dtype)
    return x, draw(st.sampled_from([dim, dim - rank])), index, cotangent


@given(calls())
@SETTINGS
def test_gather_and_gradient_against_loops(call):
    x, dim, index, cotangent = call
    leaf = lucid.tensor(x, requires_grad=True)
    out = lucid.gather(leaf, dim, lucid.tensor(index))
    np.testing.assert_array_equal(out.data, loop_gather(x, dim, index))
    assert out.data.dtype == x.dtype
    (out * cotangent).sum().backward()
    np.testing.assert_array_equal(leaf.grad, loop_gradient(x, dim, index, cotangent))
    assert leaf.grad.dtype == x.dtype


@pytest.mark.parametrize("dim, index, kind, rule", [
    (2, [[0]], ValueError, "LU3"),
    (-3, [[0]], ValueError, "LU3"),
    (0, [0], ValueError, "LU4"),
    (0, [[0, 0, 0, 0]], ValueError, "LU5"),
    (1, [[3]], IndexError, "LU6"),
    (1, [[-1]], IndexError, "LU6"),
    (1, [[1.0]], TypeError, "LU7"),
    (1, [[True]], TypeError, "LU7"),
])
def test_errors(dim, index, kind, rule):
    with pytest.raises(kind) as caught:
        lucid.gather(lucid.tensor([[1, 2, 3], [4, 5, 6]]), dim, lucid.tensor(index))
    assert caught.value.rule == rule


def test_an_empty_index_is_not_looked_at():
    out = lucid.gather(lucid.tensor(np.zeros((0, 5))), 0, lucid.tensor(np.zeros((0, 5), np.int64)))
    assert out.shape == (0, 5)
    with pytest.raises(IndexError):
        lucid.gather(lucid.tensor(np.zeros((0, 5))), 0, lucid.tensor(np.zeros((4, 5), np.int64)))


def test_an_index_that_requires_gradients_gets_zeros():
    x = lucid.tensor([1.0, 2.0], requires_grad=True)
    index = lucid.tensor([1, 0, 1], requires_grad=True)
    (x.gather(0, index) * 3.0).sum().backward()
    np.testing.assert_array_equal(x.grad, [3.0, 6.0])
    np.testing.assert_array_equal(index.grad, [0, 0, 0])
    assert index.grad.dtype == np.int64


def test_the_leaf_behind_a_computed_index_gets_zeros():
    base = lucid.tensor([0, 1], requires_grad=True)
    out = lucid.tensor([1.0, 2.0, 3.0]).gather(0, base + 1)
    assert out.requires_grad
    out.sum().backward()
    np.testing.assert_array_equal(base.grad, [0, 0])


def test_a_tensor_that_is_input_and_index():
    x = lucid.tensor([1, 0, 0], requires_grad=True)
    x.gather(0, x).sum().backward()
    np.testing.assert_array_equal(x.grad, [2, 1, 0])


def test_backward_adds_up_and_zero_grad_forgets():
    x = lucid.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(2):
        (x * x).sum().backward()
    np.testing.assert_array_equal(x.grad, [4.0, 8.0])
    x.zero_grad()
    assert x.grad is None


def test_backward_needs_a_history():
    with pytest.raises(ValueError) as caught:
        lucid.tensor([1.0]).backward()
    assert caught.value.rule == "G4"


def test_dtypes():
    names = "Int8 Int16 Int32 Int64 Float16 Float32 Float64 Complex64".split()
    for name in names:
        dtype = getattr(lucid, name)
        made = lucid.tensor([1, 2], dtype=dtype)
        assert made.dtype is dtype and made.data.dtype == name.lower() and str(dtype) == name.lower()
    assert lucid.tensor([1, 2]).dtype is lucid.Int64
    assert lucid.tensor([1.0], dtype=float).dtype is lucid.Float64
    assert lucid.tensor([True]).dtype is bool
    with pytest.raises(TypeError):
        lucid.tensor([1], dtype=lucid.Int)
    assert lucid.tensor(np.float32([1.5])).astype(lucid.Int).dtype is lucid.Int32


def test_what_is_not_offered_is_refused():
    for options in ({"keep_grad": True}, {"device": "gpu"}):
        with pytest.raises(NotImplementedError):
            lucid.tensor([1], **options)


def test_arithmetic_against_numpy():
    a, b = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[2.0, 0.5], [1.0, 3.0]])
    x, y = lucid.tensor(a), lucid.tensor(b)
    pairs = [(x + y, a + b), (x - 1, a - 1), (2 * y, 2 * b), (1 / y, 1 / b), (x ** y, a ** b), (x @ y, a @ b), (-x, -a),
             (b - x, b - a), (x.exp(), np.exp(a)), (x.log(), np.log(a)), (x.sqrt(), np.sqrt(a)),
             (x.tanh(), np.tanh(a)), (x.mean(axis=0), a.mean(0)), (x.max(1, keepdims=True), a.max(1, keepdims=True)),
             (x.min(), a.min()), (x.reshape(4), a.reshape(4)), (x.reshape((1, -1)), a.reshape(1, 4)), (x.T, a.T),
             (x.transpose((1, 0)), a.T), (x[1], a[1]), (x[:, ::-1], a[:, ::-1]), (x[x > 2], a[a > 2]),
             (x.sum(axis=(0, 1)), a.sum())]
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours.data, theirs, rtol=1e-14)
        assert ours.shape == theirs.shape
    assert (x == y).tolist() == (a == b).tolist() and (x >= y).tolist() == (a >= b).tolist()


def test_operands_of_different_dtypes():
    whole = lucid.tensor([1, 2])
    assert (whole + lucid.tensor([0.5, 0.5])).tolist() == [1.5, 2.5]
    assert (whole * 0.5).tolist() == [0.5, 1.0]
    assert (lucid.tensor(np.float32([1])) * 2.0).dtype is lucid.Float32
    with pytest.raises(TypeError) as caught:
        lucid.tensor([1, 2], requires_grad=True) * 0.5
    assert caught.value.rule == "G6"


def test_gradients_through_indexing():
    x = lucid.tensor([1.0, 2.0, 3.0], requires_grad=True)
    (x[[0, 0, 2]] * np.array([1.0, 10.0, 100.0])).sum().backward()
    np.testing.assert_array_equal(x.grad, [11.0, 0.0, 100.0])
    with pytest.raises(IndexError):
        x[3]


def test_setting_items():
    x = lucid.tensor([1, 2, 3])
    x[1:] = 9
    assert x.tolist() == [1, 9, 9]
    with pytest.raises(RuntimeError):
        lucid.tensor([1.0], requires_grad=True)[0] = 2.0


def test_the_surface():
    x = lucid.tensor([[1, 2, 3], [4, 5, 6]], requires_grad=True)
    assert (x.ndim, x.shape, x.size(), x.size(1), len(x), x.is_leaf, x.device) == (2, (2, 3), 6, 3, 2, True, "cpu")
    assert x.sum().item() == 21 and not x.detach().requires_grad and not x.sum().is_leaf
    assert [row.tolist() for row in x] == [[1, 2, 3], [4, 5, 6]]
    assert repr(lucid.tensor([1])) == "Tensor([1], grad=None)"
    assert lucid.gather_flops(x) == 6
    with pytest.raises(ValueError):
        x.item()
    with pytest.raises(ValueError):
        x.data[0, 0] = 1
    copy = x.numpy()
    copy[0, 0] = 99
    assert x.tolist()[0][0] == 1 and len({x, x.T}) == 2


def test_the_tensor_has_its_own_memory():
    memory = np.arange(3)
    x = lucid.tensor(memory)
    memory[:] = -1
    assert x.tolist() == [0, 1, 2]
