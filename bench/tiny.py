"""What a call costs before any byte moves: every operation at 16…1,024 elements, microseconds a call from Python."""
import statistics
import time

import numpy as np

import data
from data import F32, I64, arrays, empty, floats, small_integers
from peers import Peer

SIZES = (16, 128, 1024)
BATCH = 200


def cases(n):
    """{operation: arrays} with n elements in the result or the input."""
    side = max(4, n // 4)
    matrix, index = floats((4, side)), data.index("uniform", (4, side), side, 1)
    rows = data.index("uniform", (4,), 4, 2)
    pairs = data.index("uniform", (n // 4, 2), 4, 3)
    found = empty((4 * side, 2), I64)
    return {
        "take": arrays(x=matrix, axis=0, index=rows, out=empty((4, side), F32)),
        "gather": arrays(x=matrix, axis=1, index=index, out=empty((4, side), F32)),
        "gather_nd": arrays(x=floats((4, 4, 4)), index=pairs, i=pairs[:, 0].copy(), j=pairs[:, 1].copy(),
                            out=empty((n // 4, 4), F32)),
        "scatter_add": arrays(axis=1, index=index, src=small_integers((4, side)), out=small_integers((4, side))),
        "add": arrays(index=rows, src=small_integers((4, side)), out=small_integers((4, side))),
        "nonzero": arrays(x=matrix, out=found),
        "argmax": arrays(x=matrix, axis=1, out=empty((4,), I64)),
        "search": arrays(x=np.sort(floats((n,))), v=floats((n,)), out=empty((n,), I64)),
    }


def batch_microseconds(call, a):
    start = time.perf_counter()
    for _ in range(BATCH):
        call(a)
    return (time.perf_counter() - start) / BATCH * 1e6


def offered(peer: Peer, op, a):
    """[(name, mode, call, arrays)] of what works."""
    found = []
    for mode in ("given", "alloc"):
        for call in peer.calls(op, mode)[:1]:
            try:
                own = peer.wrap(op, a)
                call(own)
                found.append((peer.name, mode, call, own))
            except Exception:  # not offered
                continue
    return found


def measured(peers, repetitions):
    """[{op, elements, times: {peer: {mode: us}}}]"""
    rows = []
    for n in SIZES:
        for op, a in cases(n).items():
            calls = [one for peer in peers if not peer.name.endswith("_i32") for one in offered(peer, op, a)]
            found = [[batch_microseconds(call, own) for _, _, call, own in calls] for _ in range(max(3, repetitions))]
            times = {}
            for (name, mode, _, _), column in zip(calls, zip(*found)):
                times.setdefault(name, {})[mode] = statistics.median(column)
            rows.append({"op": op, "elements": n, "times": times})
    return rows
