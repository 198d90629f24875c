"""What a small call on a CUDA device costs: every operation at 16…1,024 elements, from Python, on PyTorch's tensors, Garner
beside PyTorch. Microseconds a call of 200 in a row, until the device has done them all; medians of rounds in turn.

  PYTHONPATH=build/device/python python3 bench/device/tiny.py
"""
import statistics
import time

import torch

import garner

SIZES = (16, 128, 1024)
BATCH, ROUNDS = 200, 9
gt = garner.torch


def integers(*shape, high):
    return torch.randint(0, high, shape, device="cuda")


def cases(n):
    """{operation: (ours, PyTorch's)}"""
    side = max(4, n // 4)
    x, index, rows = torch.randn(4, side, device="cuda"), integers(4, side, high=side), integers(4, high=4)
    cube, pairs = torch.randn(4, 4, 4, device="cuda"), integers(n // 4, 2, high=4)
    i, j = pairs[:, 0].contiguous(), pairs[:, 1].contiguous()
    a, b = torch.zeros(4, side, device="cuda"), torch.zeros(4, side, device="cuda")
    order, values = torch.sort(torch.randn(n, device="cuda")).values, torch.randn(n, device="cuda")
    return {
        "index_select": (lambda: gt.index_select(x, 0, rows), lambda: torch.index_select(x, 0, rows)),
        "gather": (lambda: gt.gather(x, 1, index), lambda: torch.gather(x, 1, index)),
        "gather_nd": (lambda: garner.tensorflow.gather_nd(cube, pairs), lambda: cube[i, j]),
        "scatter_add_": (lambda: gt.scatter_add_(a, 1, index, x), lambda: b.scatter_add_(1, index, x)),
        "index_add_": (lambda: gt.index_add_(a, 0, rows, x), lambda: b.index_add_(0, rows, x)),
        "scatter_": (lambda: gt.scatter_(a, 1, index, x), lambda: b.scatter_(1, index, x)),
        "nonzero": (lambda: gt.nonzero(x), lambda: torch.nonzero(x)),
        "argmax": (lambda: gt.argmax(x, 1), lambda: torch.argmax(x, 1)),
        "searchsorted": (lambda: gt.searchsorted(order, values), lambda: torch.searchsorted(order, values)),
    }


def batch(call):
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(BATCH):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - began) / BATCH * 1e6


def main():
    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    print(f"{'operation':<14}{'elements':>9}{'ours us':>9}{'torch us':>9}{'xP':>6}")
    for n in SIZES:
        for name, calls in cases(n).items():
            for call in calls:
                call()
            ours, theirs = (statistics.median(column) for column in zip(*[[batch(c) for c in calls] for _ in range(ROUNDS)]))
            print(f"{name:<14}{n:>9}{ours:>9.1f}{theirs:>9.1f}{theirs / ours:>6.2f}")


if __name__ == "__main__":
    main()
