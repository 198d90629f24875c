"""garner.torch beside PyTorch: the same results and exceptions, gradients, torch.compile."""
import importlib.util
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="compares with PyTorch")

import garner  # noqa: E402
import garner._torch  # noqa: E402
from garner import torch as gt  # noqa: E402
from garner._core import Operation  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # torch says what is in beta
examples = settings(max_examples=50, deadline=None, derandomize=True)


def alone():
    """The tests without torch: their calls and strategies serve here too."""
    spec = importlib.util.spec_from_file_location("torch_alone", Path(__file__).parents[1] / "test_torch.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


alone = alone()
X, CALLS = alone.X, alone.CALLS
IN_PLACE = alone.IN_PLACE


def theirs(name):
    if name.startswith("embedding"):
        return getattr(torch.nn.functional, name)
    if hasattr(torch, name):
        return getattr(torch, name)
    return lambda input, *rest: getattr(input, name)(*rest)


def tensors(thing):
    """NumPy arrays as tensors of the same strides where torch has them."""
    if isinstance(thing, np.ndarray):
        positive = all(s >= 0 for s in thing.strides)
        return torch.from_numpy(thing) if positive and thing.flags.writeable else torch.from_numpy(thing.copy())
    return tuple(map(tensors, thing)) if isinstance(thing, (list, tuple)) else thing


def outcome(function, arguments):
    """The results, or the error."""
    try:
        results = function(*arguments)
    except Exception as error:
        return error
    return [np.asarray(r) for r in (results if isinstance(results, tuple) else (results,))]


def agree(name, arguments):
    """PyTorch, and garner on arrays and on tensors."""
    expected = outcome(theirs(name), tensors(arguments))
    for given_arguments in (arguments, tensors(arguments)):
        found = outcome(getattr(gt, name), given_arguments)
        if isinstance(expected, Exception):
            assert isinstance(found, type(expected)), (name, arguments, expected, found)
        else:
            assert not isinstance(found, Exception), (name, arguments, found)
            for a, b in zip(found, expected, strict=True):
                np.testing.assert_array_equal(a, b, strict=True)


# ---- results and exceptions ----

@pytest.mark.parametrize("rule, name, arguments, error", alone.REFUSED, ids=lambda a: a if isinstance(a, str) else "")
def test_torch_refuses_it_with_the_same_class(rule, name, arguments, error):
    assert type(outcome(theirs(name), tensors(arguments))) is error
    assert isinstance(outcome(getattr(gt, name), tensors(arguments)), error)


def any_indices(draw, array):
    """Now and then one that is out of range."""
    if array.size and draw(st.integers(0, 3)) == 0:
        array = array.copy()
        array.flat[draw(st.integers(0, array.size - 1))] = draw(st.integers(-5, 5))
    return array


@given(st.data(), st.sampled_from(["gather", "scatter", "scatter_add", "scatter_reduce", "scatter_number"]))
@examples
def test_elements(data, name):
    input, dim, index, src = data.draw(alone.elements(["int64", "float64", "int8", "complex128"]))
    index = any_indices(data.draw, index)
    if name == "scatter_reduce":
        words = ["sum", "prod"] if input.dtype.kind == "c" else ["sum", "prod", "mean", "amax", "amin"]
        return agree(name, (input, dim, index, src, data.draw(st.sampled_from(words))))
    agree(name.removesuffix("_number"),
          (input, dim, index, *({"gather": (), "scatter_number": (3,)}.get(name, (src,)))))


@given(st.data(), st.sampled_from(["index_select", "index_add", "index_copy", "index_fill", "index_reduce"]))
@examples
def test_slices(data, name):
    input, dim, index, source = data.draw(alone.slices(["int64", "float64", "int8"]))
    # The index of empty slices is not looked at; torch looks at it in these two.
    if source.size or name not in ("index_select", "index_reduce"):
        index = any_indices(data.draw, index)
    rest = {"index_select": (), "index_fill": (3,), "index_reduce": (source, "amax")}.get(name, (source,))
    agree(name, (input, dim, index, *rest))


@given(st.data(), st.sampled_from(["take", "put"]))
@examples
def test_all_elements(data, name):
    input = alone.array(data.draw, data.draw(alone.shapes(0)), "int64")
    index = alone.indices(data.draw, input.size, data.draw(alone.shapes(0, 2)), -input.size).astype(np.int64)
    index = any_indices(data.draw, index)
    agree(name, (input, index) if name == "take" else (input, index, np.arange(index.size).reshape(index.shape), True))


@given(alone.masked(["int64", "float32", "bool"]))
@examples
def test_masks(case):
    input, mask = case
    agree("masked_fill", (input, mask, 1))
    agree("masked_select", (input, mask))
    agree("masked_scatter", (input, mask, np.arange(input.size).astype(input.dtype)))


@given(st.data())
@examples
def test_functions_that_return_indices(data):
    input = alone.array(data.draw, data.draw(alone.shapes(0)), data.draw(st.sampled_from(["int64", "float32"])))
    dim, keepdim = data.draw(st.none() | st.integers(-4, 3)), data.draw(st.booleans())
    agree("nonzero", (input,))
    agree("argmax", (input, dim, keepdim))
    agree("argmin", (input, dim, keepdim))


def test_nan():
    x = np.array([[1.0, np.nan, 3], [np.nan, -np.inf, np.inf]])
    for name in ("argmax", "argmin"):
        agree(name, (x, 1))
    agree("topk", (x, 2))
    index = np.array([[0, 0, 0], [1, 1, 1]])
    agree("scatter_reduce", (x, 1, index, x, "amax"))


@pytest.mark.xfail(strict=True, reason="int32 is refused (TO2); torch takes it where there is no dim")
def test_take_along_dim_of_int32_without_dim():
    agree("take_along_dim", (X, np.array([0, 5], np.int32)))


@pytest.mark.xfail(strict=True, reason="the index of an empty slice is not looked at; torch raises RuntimeError")
def test_index_select_of_empty_slices():
    agree("index_select", (np.empty((0, 1)), 1, np.array([1])))


@pytest.mark.xfail(strict=True, reason="offsets that fall are refused (TO31); torch does not look")
def test_offsets_that_fall():
    agree("embedding_bag", (np.array([0, 1]), X, np.array([0, 2, 1])))


@pytest.mark.filterwarnings("ignore")
def test_calls_that_torch_follows_go_through_its_operators():
    from torch.utils._python_dispatch import TorchDispatchMode
    x, index, seen = torch.arange(12.0).reshape(4, 3), torch.tensor([2, 0]), []

    class Recorded(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            seen.append(str(function))
            return function(*args, **(kwargs or {}))

    with Recorded():
        gt.index_select(x, 0, index)
    assert any("garner" in name for name in seen)
    assert "garner::index_select" in str(torch.jit.trace(lambda a: gt.index_select(a, 0, index), x).graph)
    both = torch.stack([x, -x])
    assert torch.equal(torch.func.vmap(lambda a: gt.index_select(a, 0, index))(both), both[:, index])


def test_tensors_that_are_not_what_their_memory_holds():
    z, index = torch.tensor([1 + 2j, 3 - 4j]), torch.tensor([1, 0])
    for x in (z.conj(), z.conj().imag, z.imag, z[::1], torch.zeros(0, 3)[:, :2]):
        assert torch.equal(gt.index_select(x, x.dim() - 1, index), torch.index_select(x, x.dim() - 1, index))
    weight = torch.nn.Parameter(torch.arange(6.0).reshape(2, 3))
    with torch.no_grad():
        rows = gt.embedding(index, weight)
    assert torch.equal(rows, weight[index].detach()) and not rows.requires_grad
    assert gt.embedding(index, weight).requires_grad
    kept = gt.index_select(torch.arange(3.0), 0, index)  # the result outlives what it was made of
    del index
    assert kept.tolist() == [1, 0] and kept.add_(1).tolist() == [2, 1]


def test_arguments_of_other_types():
    x, index = torch.from_numpy(X), torch.tensor([[2], [0]])
    assert gt.gather(x, 1, index.numpy()).tolist() == [[2], [3]]
    for bad in ((x, 1, [[2], [0]]), (x, 1.5, index), (x, 1, None)):
        for function in (torch.gather, gt.gather):
            with pytest.raises(TypeError):
                function(*bad)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "uint16", "complex64"])
def test_dtypes(dtype):
    x = torch.tensor([[1, 2, 3], [4, 5, 6]]).to(getattr(torch, dtype))
    assert gt.gather(x, 1, torch.tensor([[2], [0]])).to(torch.complex64).tolist() == [[3], [4]]
    assert gt.gather(x, 1, torch.tensor([[2], [0]])).dtype == x.dtype


# ---- in place, and into `out` ----

@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place(name):
    mine, other = torch.from_numpy(X.copy()).T.contiguous().T, torch.from_numpy(X.copy())
    version = mine._version
    assert getattr(gt, name)(mine, *tensors(CALLS[name[:-1]])) is mine
    assert torch.equal(mine, getattr(other, name)(*tensors(CALLS[name[:-1]])))
    assert mine._version > version


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_under_autograd(name):
    def gradient(function):
        x = torch.from_numpy(X.copy()).requires_grad_()
        y = x * 2
        assert function(y, *tensors(CALLS[name[:-1]])) is y
        (y * torch.arange(6.0).reshape(2, 3)).sum().backward()
        return x.grad
    torch.testing.assert_close(gradient(getattr(gt, name)), gradient(lambda y, *rest: getattr(y, name)(*rest)))
    with pytest.raises(RuntimeError, match="leaf"):
        getattr(gt, name)(torch.from_numpy(X.copy()).requires_grad_(), *tensors(CALLS[name[:-1]]))


@pytest.mark.parametrize("name", alone.WITH_OUT)
def test_out(name):
    arguments = tensors((X[0] if name == "searchsorted" else X, *CALLS[name]))
    expected = theirs(name)(*arguments)
    out = torch.zeros_like(expected)
    assert getattr(gt, name)(*arguments, out=out) is out
    assert torch.equal(out, expected)
    with pytest.raises(RuntimeError):
        getattr(gt, name)(arguments[0].clone().requires_grad_(), *arguments[1:], out=out)


# ---- gradients ----

def real(*shape):
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(sum(shape))).requires_grad_()


INDEX, ROWS = torch.tensor([[2, 0], [1, 1]]), torch.tensor([1, 0])
MASK = torch.tensor([[True, False, True], [False, True, True]])
DIFFERENTIABLE = {
    "gather": (real(2, 3), 1, INDEX), "take_along_dim": (real(2, 3), INDEX, 1),
    "scatter": (real(2, 3), 1, INDEX[:, :1], real(2, 2)),
    "scatter_add": (real(2, 3), 1, INDEX, real(2, 2)), "scatter_reduce": (real(2, 3), 1, INDEX, real(2, 2), "prod"),
    "index_select": (real(2, 3), 0, ROWS), "index_add": (real(2, 3), 0, ROWS, real(2, 3), 3),
    "index_copy": (real(2, 3), 0, ROWS, real(2, 3)), "index_fill": (real(2, 3), 0, ROWS[:1], real()),
    "index_reduce": (real(2, 3), 0, ROWS, real(2, 3), "mean"), "take": (real(2, 3), ROWS),
    "put": (real(2, 3), ROWS, real(2), True), "index_put": (real(2, 3), [ROWS, ROWS], real(2)),
    "masked_fill": (real(2, 3), MASK, real()), "masked_select": (real(2, 3), MASK),
    "masked_scatter": (real(2, 3), MASK, real(2, 3)), "embedding": (ROWS, real(4, 3)),
    "embedding_bag": (INDEX, real(4, 3), None, None, 2.0, False, "sum", False, real(2, 2)), "topk": (real(2, 3), 2)}


def operator(name):
    return lambda *arguments: getattr(torch.ops.garner, name)(*arguments)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients(name):
    assert torch.autograd.gradcheck(operator(name), DIFFERENTIABLE[name])


def test_every_operation_with_a_gradient_is_tried():
    assert set(DIFFERENTIABLE) | set(garner._torch._NO_GRADIENT) == set(garner._torch._SCHEMAS) == set(gt._OPERATIONS)


@pytest.mark.parametrize("name", ["gather", "scatter_add", "scatter_reduce", "index_add", "take", "masked_scatter", "masked_fill"])
def test_complex_gradients(name):
    def complexed(a):
        flows = isinstance(a, torch.Tensor) and a.requires_grad
        return a.detach().to(torch.complex128).mul(1 + 2j).requires_grad_() if flows else a
    arguments = [complexed(a) for a in DIFFERENTIABLE[name]]
    assert torch.autograd.gradcheck(operator(name), arguments)


@pytest.mark.parametrize("name, arguments", [
    ("gather", (real(2, 3), 1, INDEX, True)), ("embedding", (ROWS, real(4, 3), None, None, 2.0, True)),
    ("embedding", (ROWS, real(4, 3), None, None, 2.0, False, True)),
    ("embedding_bag", (INDEX, real(4, 3), None, None, 2.0, True))])
def test_other_kinds_of_gradients_are_refused(name, arguments):
    with pytest.raises(NotImplementedError, match="allowed False for a gradient"):
        operator(name)(*arguments)
    with torch.no_grad():
        operator(name)(*arguments)


def test_gradients_of_a_call_of_any_dialect():
    """A tensor that requires gradients, also one in a list, in a call that is none of torch's operators."""
    take = Operation("numpy", "take")
    assert torch.autograd.gradcheck(lambda x: take(x, ROWS, 1), (real(2, 3),))
    put = Operation("torch", "index_put")
    assert torch.autograd.gradcheck(lambda x, v: put(x, [ROWS], v), (real(2, 3), real(3)))
    choose = Operation("numpy", "choose")
    assert torch.autograd.gradcheck(lambda a, b: choose(ROWS, [a, b]), (real(2), real(2)))
    topk = Operation("torch", "topk")
    values, indices = topk(real(2, 3), 2)
    assert values.requires_grad and not indices.requires_grad


def test_no_gradient_where_none_is_wanted():
    with torch.no_grad():
        assert not gt.gather(real(2, 3), 1, INDEX).requires_grad
    assert not gt.argmax(real(2, 3)).requires_grad


# ---- torch.compile ----

def compiled(function):
    torch._dynamo.reset()
    return torch.compile(function, backend="aot_eager", fullgraph=True)


def chain(x, y):
    picked = gt.gather(x, 1, INDEX)
    added = gt.scatter_add(y, 1, INDEX, picked)
    filled = gt.masked_fill(added, added > 0, 0.5)
    gt.index_fill_(filled, 0, ROWS[:1], 2.0)
    put = gt.index_put(filled, (None, ROWS), gt.index_select(x, 1, ROWS), accumulate=True)
    return (put * gt.topk(added, 2, 1).values.sum()).sum()


def test_a_chain_of_calls_is_one_graph():
    x, y = real(2, 3), real(2, 3)
    expected = torch.autograd.grad(chain(x, y), (x, y))
    found = torch.autograd.grad(compiled(chain)(x, y), (x, y))
    torch.testing.assert_close(found, expected)


ONE_GRAPH = {
    "embedding": lambda x: gt.embedding(INDEX, x), "bag": lambda x: gt.embedding_bag(INDEX[:, 1:] * 0, x, mode="sum"),
    "scatter": lambda x: gt.scatter(x, 1, INDEX, 7.0, reduce="add"), "put": lambda x: gt.put(x, ROWS, x[0, :2]),
    "scatter_reduce": lambda x: gt.scatter_reduce(x, 1, INDEX, x, "amax", include_self=False),
    "take_along_dim": lambda x: gt.take_along_dim(x, gt.argmax(x, 1, True), 1),
    "searchsorted": lambda x: gt.searchsorted(x[0].sort().values, x), "number": lambda x: gt.searchsorted(x[0], 0.5),
    "nonzero": lambda x: gt.nonzero(x > 0), "as_tuple": lambda x: gt.nonzero(x > 0, as_tuple=True)[1],
    "masked_select": lambda x: gt.masked_select(x, x > 0) * 2,
    "out": lambda x: gt.take(x, ROWS, out=torch.empty(2, dtype=x.dtype))}


@pytest.mark.parametrize("name", ONE_GRAPH)
def test_one_graph(name):
    x = real(2, 3).detach()
    if name == "embedding":
        x = real(3, 2).detach()
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        torch.testing.assert_close(compiled(ONE_GRAPH[name])(x), ONE_GRAPH[name](x))


def test_a_graph_for_many_shapes():
    graph = torch.compile(lambda x, i: gt.gather(x, 0, i) * 2, backend="aot_eager", fullgraph=True, dynamic=True)
    for n in (3, 5, 9):
        x, index = torch.arange(float(n)), torch.arange(n - 1)
        assert torch.equal(graph(x, index), x[:-1] * 2)


# "test_faketensor" and the others of opcheck, on a sample per operator.
OPCHECK = {**DIFFERENTIABLE, "nonzero": (real(2, 3).detach(),), "argmax": (real(2, 3).detach(), 1),
           "argmin": (real(2, 3).detach(), None), "searchsorted": (torch.arange(3.0), torch.arange(6.0).reshape(2, 3))}


@pytest.mark.parametrize("name", OPCHECK)
def test_opcheck(name):
    torch.library.opcheck(getattr(torch.ops.garner, name).default, tuple(OPCHECK[name]))
