"""PyTorch's own samples (OpInfo) for every function of garner.torch: results, gradients and error inputs, on the CPU.

    python -m opinfo [name ...]        in python/tests/peers, with garner on the path

prints a line per function, a total, and every miss with its reason.
"""
import logging
import sys
import warnings
from typing import NamedTuple

import torch
from torch.testing import assert_close

import garner.torch

logging.disable(logging.WARNING)  # on import, PyTorch's test tools look for CUDA and say that there is none
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

logging.disable(logging.NOTSET)

NAMES = [name for name in garner.torch.__all__ if name.islower() and not name.endswith("_")]
FORWARD = (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex128, torch.complex64, torch.int64,
           torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool)
BACKWARD = (torch.float64, torch.float32, torch.complex128)


class Miss(NamedTuple):
    name: str
    kind: str  # forward, backward, errors
    call: str
    rule: str  # of the refusal; empty when results differ
    reason: str

    def __str__(self):
        return f"  {self.name} {self.kind} {self.call}: {self.reason}"


KINDS = ("forward", "backward", "errors")


class Tally:
    """How many of a kind agreed."""

    def __init__(self):
        self.agreed, self.tried, self.misses = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0), []

    def check(self, name, kind, call, compare):
        self.tried[kind] += 1
        try:
            compare()
            self.agreed[kind] += 1
        except Exception as error:  # a refusal by garner is a miss as well
            reason = f"{type(error).__name__}: {one_line(error)}"
            self.misses.append(Miss(name, kind, call, getattr(error, "rule", ""), reason))

    def add(self, other):
        for kind in KINDS:
            self.agreed[kind] += other.agreed[kind]
            self.tried[kind] += other.tried[kind]
        self.misses += other.misses

    def __str__(self):
        return ", ".join(f"{kind} {self.agreed[kind]} of {self.tried[kind]}" for kind in KINDS)


def one_line(error):
    return " ".join(str(error).split())[:200]


def infos(name):
    """PyTorch's descriptions: one per function, or one per reduction."""
    return [op for op in op_db if op.name.removeprefix("nn.functional.") == name]


def ours(name):
    function = getattr(garner.torch, name)
    if not name.startswith("embedding"):
        return function
    return lambda weight, index, *args, **kwargs: function(index, weight, *args, **kwargs)  # as the samples have them


def shown(thing):
    if isinstance(thing, torch.Tensor):
        return f"{str(thing.dtype).removeprefix('torch.')}{list(thing.shape)}"
    if isinstance(thing, (list, tuple)):
        return "(" + ", ".join(map(shown, thing)) + ")"
    return repr(thing)


def call_text(sample):
    words = [f"{key}={shown(value)}" for key, value in sample.kwargs.items()]
    return f"({', '.join([shown(sample.input), *map(shown, sample.args), *words])})"


def call(function, sample):
    return function(sample.input, *sample.args, **sample.kwargs)


def as_list(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def compare_results(name, sample, theirs):
    results = call(ours(name), sample)
    if name == "topk":
        return compare_topk(results, theirs, sample)
    assert_close(as_list(results), as_list(theirs), equal_nan=True)


def compare_topk(results, theirs, sample):
    """Which of equal elements come first, torch leaves open: the positions must lead to the values."""
    assert_close(results.values, theirs.values, equal_nan=True)
    dim = sample.kwargs.get("dim", sample.args[1] if len(sample.args) > 1 else -1)
    assert_close(torch.gather(sample.input, dim, results.indices), results.values)
    assert not (results.indices.sort(dim).values.diff(dim=dim) == 0).any() if sample.input.ndim else True


def forward(name, op, dtype, tally):
    for sample in op.sample_inputs("cpu", dtype, requires_grad=False):
        theirs = call(op.op, sample)
        tally.check(name, "forward", call_text(sample), lambda: compare_results(name, sample, theirs))


def leaves(sample):
    things = [sample.input, *sample.args, *sample.kwargs.values()]
    flat = [t for thing in things for t in (thing if isinstance(thing, (list, tuple)) else [thing])]
    return [t for t in flat if isinstance(t, torch.Tensor) and t.requires_grad]


def gradients(function, sample):
    results = [r for r in as_list(call(function, sample)) if r.requires_grad]
    generator = torch.Generator().manual_seed(0)
    cotangents = [torch.randn(r.shape, dtype=r.dtype, generator=generator) for r in results]
    return torch.autograd.grad(results, leaves(sample), cotangents, allow_unused=True)


def dense(gradient):
    return gradient.to_dense() if gradient is not None and gradient.is_sparse else gradient


def backward(name, op, dtype, tally):
    for sample in op.sample_inputs("cpu", dtype, requires_grad=True):
        if leaves(sample):
            theirs = [dense(g) for g in gradients(op.op, sample)]
            tally.check(name, "backward", call_text(sample),
                        lambda: assert_close(list(gradients(ours(name), sample)), theirs, equal_nan=True))


def refuses(function, sample, error_type):
    try:
        call(function, sample)
    except error_type:
        return
    except Exception as error:
        raise AssertionError(f"{type(error).__name__} instead of {error_type.__name__}") from error
    raise AssertionError(f"accepted, torch raises {error_type.__name__}")


def errors(name, op, tally):
    if op.error_inputs_func is None:
        return
    for bad in op.error_inputs(torch.device("cpu")):
        tally.check(name, "errors", f"{call_text(bad.sample_input)} {bad.error_regex!r}",
                    lambda: refuses(ours(name), bad.sample_input, bad.error_type))


def tally_of(name):
    torch.manual_seed(0)
    tally = Tally()
    for op in infos(name):
        for dtype in FORWARD:
            if dtype in op.dtypes:
                forward(name, op, dtype, tally)
        for dtype in BACKWARD if op.supports_autograd else ():
            if dtype in op.backward_dtypes:
                backward(name, op, dtype, tally)
        errors(name, op, tally)
    return tally


def main(names=()):
    warnings.simplefilter("ignore")
    total = Tally()
    for name in names or NAMES:
        tally = tally_of(name)
        print(f"{name}: {tally}", flush=True)
        total.add(tally)
    print(f"total: {total}")
    for miss in total.misses:
        print(miss)
    return total


if __name__ == "__main__":
    main(sys.argv[1:])
