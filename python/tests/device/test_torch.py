"""Tensors on a device: the torch dialect with its streams, out=, in-place forms and gradients, and other dialects on tensors."""
import gc
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import garner

sys.path.insert(0, str(Path(__file__).parent))
import libraries  # noqa: E402

gt, library = garner.torch, libraries.Torch()
DEVICE = "cuda"


def rows(*shape, dtype=torch.float32):
    generator = torch.Generator().manual_seed(7)
    return torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)


def ids(n, *shape):
    return torch.randint(0, n, shape, generator=torch.Generator().manual_seed(8))


X, SOURCE, I1, I2 = rows(6, 5), rows(4, 5), ids(6, 4), ids(6, 4, 5)
MASK = X > 0
CALLS = {
    "gather": (X, 0, I2), "take_along_dim": (X, I2, 0), "scatter": (X, 0, I2, SOURCE), "scatter_add": (X, 0, I2, SOURCE),
    "scatter_reduce": (X, 0, I2, SOURCE, "amax"), "index_select": (X, 0, I1), "index_add": (X, 0, I1, SOURCE),
    "index_copy": (X, 0, torch.tensor([3, 0, 5, 1]), SOURCE), "index_fill": (X, 0, I1, 2.5),
    "index_reduce": (X, 0, I1, SOURCE, "prod"), "take": (X, I2), "put": (X, I2, SOURCE, True),
    "index_put": (X, (I1, torch.tensor([0, 1, 2, 3])), SOURCE[:, 0], True), "masked_fill": (X, MASK, -1.0),
    "embedding": (I1, X),
}
ACCEPTS_OUT = ("gather", "take_along_dim", "index_select", "take")
IN_PLACE = [name for name in CALLS if hasattr(gt, name + "_")]


def moved(thing):
    if isinstance(thing, torch.Tensor):
        return thing.to(DEVICE)
    return tuple(map(moved, thing)) if isinstance(thing, (list, tuple)) else thing


def same(there, here):
    torch.testing.assert_close(there.cpu(), here, rtol=0, atol=0)


@pytest.mark.parametrize("name", CALLS)
def test_call(name):
    there = getattr(gt, name)(*moved(CALLS[name]))
    garner.cuda.check()
    assert there.device.type == torch.device(DEVICE).type
    same(there, getattr(gt, name)(*CALLS[name]))


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int16, torch.int64, torch.float16, torch.bfloat16, torch.float64,
                                   torch.complex64, torch.complex128], ids=str)
def test_dtype(dtype):
    x = (rows(6, 5) * 4).to(torch.float64).to(dtype) if not dtype.is_complex else torch.complex(rows(6, 5), rows(6, 5)).to(dtype)
    same(gt.gather(x.to(DEVICE), 0, I2.to(DEVICE)), gt.gather(x, 0, I2))
    if dtype is not torch.bool:
        same(gt.index_add(x.to(DEVICE), 0, I1.to(DEVICE), x[:4].to(DEVICE)), gt.index_add(x, 0, I1, x[:4]))


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place(name):
    x, *others = moved(CALLS[name])
    x = x.clone()
    before = x.data_ptr()
    result = getattr(gt, name + "_")(x, *others)
    assert result is x and x.data_ptr() == before
    same(x, getattr(gt, name)(*CALLS[name]))


@pytest.mark.parametrize("name", ACCEPTS_OUT)
def test_out(name):
    wanted = getattr(gt, name)(*CALLS[name])
    out = torch.full((*wanted.shape, 2), 9.0, dtype=wanted.dtype, device=DEVICE)[..., 0]  # strided
    assert getattr(gt, name)(*moved(CALLS[name]), out=out) is out
    same(out, wanted)


def test_strided_and_empty():
    x, i = X.to(DEVICE), I2.to(DEVICE)
    same(gt.gather(x.T, 1, i.T), gt.gather(X.T, 1, I2.T))
    same(gt.gather(x.expand(3, 6, 5), 1, i.expand(3, 4, 5)), gt.gather(X.expand(3, 6, 5), 1, I2.expand(3, 4, 5)))
    same(gt.index_select(x[:, :0], 0, i[:, 0]), X[:4, :0])
    same(gt.index_select(x, 0, i[:0, 0]), X[:0])
    same(gt.gather(x[0, 0], 0, i[0, 0] * 0), X[0, 0])


def test_conjugate():
    z = torch.complex(rows(6, 5), rows(6, 5))
    same(gt.gather(z.to(DEVICE).conj(), 0, I2.to(DEVICE)), z.conj().resolve_conj().gather(0, I2))


# ---- gradients ----

def gradients(name, arguments):
    leaves = [a.clone().requires_grad_() if isinstance(a, torch.Tensor) and a.is_floating_point() else a for a in arguments]
    result = getattr(gt, name)(*leaves)
    weight = torch.linspace(0.5, 2, result.numel(), dtype=result.dtype).reshape(result.shape).to(result.device)
    (result * weight).sum().backward()
    return [leaf.grad for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()]


@pytest.mark.parametrize("name", CALLS)
def test_gradient(name):
    for there, here in zip(gradients(name, moved(CALLS[name])), gradients(name, CALLS[name]), strict=True):
        if name == "index_reduce":  # a quotient of products
            torch.testing.assert_close(there.cpu(), here)
        else:
            same(there, here)


def test_gradient_of_another_dialect():
    """Any operation follows autograd, whoever's words it has."""
    def gradient(x, i):
        x = x.clone().requires_grad_()
        garner.onnx.gather(x, i, axis=1).square().sum().backward()
        return x.grad
    same(gradient(X.to(DEVICE), ids(5, 3, 2).to(DEVICE)), gradient(X, ids(5, 3, 2)))


def test_embedding_layer():
    """A few steps of torch's own optimiser on a table that Garner looks up."""
    def train(device):
        table = torch.nn.Parameter(rows(50, 8).to(device))
        optimiser = torch.optim.SGD([table], lr=0.5)
        for step in range(4):
            optimiser.zero_grad()
            i = torch.randint(0, 50, (32,), generator=torch.Generator().manual_seed(step)).to(device)
            gt.embedding(i, table).sum(1).sum().backward()
            optimiser.step()
        return table.detach()
    same(train(DEVICE), train("cpu"))


# ---- where memory lies, and when the work is done ----

def test_no_copies():
    x, i = X.to(DEVICE), I1.to(DEVICE)
    y = gt.index_select(x, 0, i)
    again = torch.from_dlpack(y)
    assert again.data_ptr() == y.data_ptr()
    memory = torch.zeros(1 << 20, device=DEVICE)  # what the call reads is this very memory
    view = memory[: x.numel()].view(x.shape)
    view.copy_(x)
    same(gt.index_select(view, 0, i), X[I1])
    view.zero_()
    same(y, X[I1])


def test_side_stream():
    """Ordered by torch's current stream, before and after: nothing waits but the last line."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(20):
            x = torch.ones(1 << 22, device=DEVICE).cumsum(0)
            i = torch.arange((1 << 22) - 1, -1, -1, device=DEVICE)
            y = gt.index_select(x, 0, i) * 2
            del x, i
        total = y[:3].tolist()
    assert total == [2.0 * (1 << 22), 2.0 * ((1 << 22) - 1), 2.0 * ((1 << 22) - 2)]
    garner.cuda.check(side.cuda_stream)


def test_graph():
    x, i = X.to(DEVICE), I1.to(DEVICE)
    warm = torch.cuda.Stream()
    with torch.cuda.stream(warm):
        gt.index_select(x, 0, i)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    out = torch.empty(4, 5, device=DEVICE)
    with torch.cuda.graph(graph):
        gt.index_select(x, 0, i, out=out)
    i.copy_(I1.flip(0))
    graph.replay()
    same(out, X[I1.flip(0)])


def test_memory_comes_back():
    x, i = torch.zeros(1 << 20, 16, device=DEVICE), torch.arange(1 << 20, device=DEVICE)
    gt.index_select(x, 0, i)
    torch.cuda.synchronize()
    free = torch.cuda.mem_get_info()[0]
    for _ in range(50):
        gt.index_select(x, 0, i)  # 64 MiB each, were they kept
    torch.cuda.synchronize()
    gc.collect()
    assert torch.cuda.mem_get_info()[0] > free - (1 << 30)


# ---- errors ----

def test_bad_index():
    x = X.to(DEVICE)
    bad = torch.tensor([0, 7, 2, 9], device=DEVICE)
    result = gt.index_select(x, 0, bad)  # returns
    with pytest.raises((IndexError, RuntimeError), match=r"index\[1\] is 7, allowed \[0, 6\)") as caught:
        garner.cuda.check()
    with pytest.raises(type(caught.value)) as here:  # the CPU's class, rule and words
        gt.index_select(X, 0, bad.cpu())
    assert caught.value.rule == here.value.rule and str(caught.value) == str(here.value)
    garner.cuda.check()  # once
    same(result[[0, 2]], X[[0, 2]])
    same(gt.index_select(x, 0, I1.to(DEVICE)), X[I1])  # and the device lives on


def test_mixed_devices():
    with pytest.raises(garner.Error) as caught:
        gt.index_select(X.to(DEVICE), 0, I1)
    assert caught.value.rule == "P23"
    with pytest.raises(garner.Error) as caught:
        gt.index_add(X.to(DEVICE), 0, I1.to(DEVICE), SOURCE)
    assert caught.value.rule == "P23"


def test_masked_select():
    same(gt.masked_select(X.to(DEVICE), MASK.to(DEVICE)), X[MASK])


def test_other_dialects():
    x, i = X.to(DEVICE), I1.to(DEVICE)
    same(garner.numpy.take(x, i, axis=0), X[I1])
    same(garner.jax.take(x, i, axis=0), X[I1])
    same(garner.onnx.gather(x, i, axis=0), X[I1])
    same(garner.tensorrt.gather(x, i, axis=0), X[I1])
    same(garner.numpy.getitem(x, (i, slice(None, None, 2))), X[I1, ::2])
    same(garner.deepnet.gather([i, i // 2], x), X[I1, I1 // 2])
    target = torch.zeros(2, 4, device=DEVICE)
    garner.deepnet.fill_gather(target, [i, i // 2], x)
    same(target, X[I1, I1 // 2].expand(2, 4))
    y = x.clone()
    garner.numpy.add.at(y, i, torch.ones(4, 5, device=DEVICE))
    same(y, X.index_add(0, I1, torch.ones(4, 5)))
    garner.numpy.setitem(y, slice(1, None), y[:-1])  # overlapping
    same(y[1:], X.index_add(0, I1, torch.ones(4, 5))[:-1])


def test_text():
    same(garner.call("torch.index_select(x, 0, i)", x=X.to(DEVICE), i=I1.to(DEVICE)), X[I1])


def test_determinism_levels():
    x, i, source = (t.to(DEVICE) for t in (torch.zeros(3), torch.arange(1 << 16) % 3, rows(1 << 16)))
    with garner.determinism("exact"):
        exact = gt.index_add(x, 0, i, source)
    same(exact, gt.index_add(torch.zeros(3), 0, torch.arange(1 << 16) % 3, rows(1 << 16)))
    with garner.determinism("fast"):
        np.testing.assert_allclose(gt.index_add(x, 0, i, source).cpu(), exact.cpu(), rtol=1e-3, atol=1e-3)
