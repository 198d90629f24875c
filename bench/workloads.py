"""The workloads: each a function that yields its cases, with arrays, goal and the model of its limit. Sizes are for 2 cores
and 24 GiB; `size` makes them smaller for a quick run."""
import dataclasses
import math
from typing import Callable

import numpy as np

import data
import limits
from data import BF16, F32, I64, arrays, empty, floats, index, poison, small_integers, turns

ALL_SPREADS = ("uniform", "zipf", "sorted")


@dataclasses.dataclass
class Goal:
    """×P into a given output and allocating, share of the limit in %; `against` are goals against one peer."""
    given: float = 1.0
    alloc: float = 1.0
    limit: float | None = None
    against: dict = dataclasses.field(default_factory=dict)


NOT_SLOWER = Goal()  # of a variant that has no goal of its own


@dataclasses.dataclass
class Case:
    workload: str
    variant: str
    op: str
    turns: list  # namespaces of arrays, used in turn
    goal: Goal
    model: Callable[[limits.Ceilings], dict]


@dataclasses.dataclass
class Size:
    """1 is the whole size. Counts shrink with it, sides of squares with its root."""
    scale: float = 1.0

    def count(self, n, at_least=64):
        return max(at_least, int(n * self.scale))

    def side(self, n, at_least=64):
        return max(at_least, int(n * math.sqrt(self.scale)))


def _bytes(*things):
    return sum(thing.nbytes for thing in things)


# ---- rows and elements ----

def _take_turns(x, spread, count, places=None):
    """Sets of indices with a poisoned result each."""
    extent, rest = x.shape[0], x.shape[1:]
    one = count * (int(np.prod(rest, dtype=np.int64)) * x.itemsize + 8)
    make = places or (lambda seed: index(spread, (count,), extent, seed))
    return [arrays(x=x, axis=0, index=make(seed), out=poison(empty((count, *rest), x.dtype)))
            for seed in range(turns(one))]


def _take_case(name, variant, x, spread, count, goal, places=None):
    sets = _take_turns(x, spread, count, places)
    row, first = x.nbytes // x.shape[0], sets[0].index
    return Case(name, variant, "take", sets, goal,
                lambda c: limits.gather(c, first, row, x.nbytes, spread, first.nbytes))


def _rows(name, shape, count, dtype, goals):
    """goals: {spread: Goal}; the other spreads must not be slower than a peer."""
    def cases(size):
        x = floats((size.count(shape[0]), shape[1]), dtype)
        for spread in ALL_SPREADS:
            yield _take_case(name, spread, x, spread, size.count(count), goals.get(spread, NOT_SLOWER))
    return cases


row256 = _rows("row256", (16_000_000, 64), 2_000_000, F32, {"uniform": Goal(1.3, 3, 88)})
row64 = _rows("row64", (64_000_000, 16), 8_000_000, F32, {"uniform": Goal(1.15, 2.5, 92)})
row512_zipf = _rows("row512_zipf", (8_000_000, 128), 1_000_000, F32, {"zipf": Goal(1.3, 3, 75)})
tok_embed = _rows("tok_embed", (128_256, 4096), 8192, BF16, {"zipf": Goal(1.2, 3, 88)})
kv_pages = _rows("kv_pages", (65_536, 16_384), 4096, BF16, {"uniform": Goal(1.2, 3, 85)})


def moe_permute(size):
    tokens, top = size.count(4096), 8
    x = floats((tokens, 2048), BF16)

    def by_expert(seed):
        """Each token for each of its 8 experts of 64, in the order of the experts."""
        experts = np.random.default_rng(seed).integers(0, 64, tokens * top)
        out = empty((tokens * top,), I64)
        out[:] = np.argsort(experts, kind="stable") // top
        return out
    yield _take_case("moe_permute", "top-8", x, "sorted", tokens * top, Goal(1.3, 3, 75), by_expert)


def elem(size):
    count = size.count(32 << 20)
    for millions, spreads in ((256, ("uniform",)), (1024, ALL_SPREADS)):
        x = floats((size.count(millions << 20),))
        for spread in spreads:
            goal = Goal(1.2, 1.5, 95) if spread == "uniform" else NOT_SLOWER
            yield _take_case("elem", f"{millions} M {spread}", x, spread, count, goal)
        del x


def dict_decode(size):
    x, count = floats((4096,)), size.count(256 << 20)
    for dtype, op in ((np.uint16, "decode"), (np.int32, "take")):
        codes = empty((count,), dtype)
        codes[:] = data.uniform(count, 4096, 1)
        sets = [arrays(x=x, axis=0, index=codes, out=poison(empty((count,), F32)))]
        yield Case("dict_decode", np.dtype(dtype).name, op, sets, Goal(3, 4, 70),
                   lambda c, n=codes.nbytes: limits.stream(c, n, count * 4))


# ---- one index per element, pairs, columns ----

def take_along_last(size):
    rows, width, picked = size.count(65_536), 1024, 64
    sets = [arrays(x=floats((rows, width)), axis=1, index=index("uniform", (rows, picked), width, seed),
                   out=poison(empty((rows, picked), F32))) for seed in range(turns(rows * (width * 4 + picked * 12)))]
    places = (np.arange(rows)[:, None] * width + sets[0].index).reshape(-1)
    yield Case("take_along_last", "uniform", "gather", sets, Goal(2, 3, 80),
               lambda c: limits.gather(c, places, 4, sets[0].x.nbytes, "sorted", sets[0].index.nbytes))


def _axis_gather(side, axis):
    sets = [arrays(x=floats((side, side)), axis=axis, index=index("uniform", (side, side), side, seed),
                   out=poison(empty((side, side), F32))) for seed in range(turns(side * side * 16))]
    first = sets[0]
    return Case("axes", f"gather axis {axis}", "gather", sets, Goal(2, 3, 60),
                lambda c: limits.stream(c, _bytes(first.x, first.index), first.out.nbytes))


def _axis_scatter(side, axis):
    sets = [arrays(axis=axis, index=index("uniform", (side, side), side, seed), src=small_integers((side, side)),
                   out=small_integers((side, side))) for seed in range(turns(side * side * 16))]
    first = sets[0]
    return Case("axes", f"scatter_add axis {axis}", "scatter_add", sets, Goal(2, 3, 60),
                lambda c: limits.stream(c, _bytes(first.src, first.index, first.out), first.out.nbytes))


def axes(size):
    """Full gathers and scatter-adds along each axis; whatever the order, all of both matrices moves."""
    for axis in (0, 1):
        yield _axis_gather(size.side(4096), axis)
        yield _axis_scatter(size.side(4096), axis)


def gather_nd_2(size):
    side, count = size.side(512), size.count(1_000_000)
    x = floats((side, side, 64))

    def one(seed):
        pairs = index("uniform", (count, 2), side, seed)
        return arrays(x=x, index=pairs, i=pairs[:, 0].copy(), j=pairs[:, 1].copy(), out=poison(empty((count, 64), F32)))
    sets = [one(seed) for seed in range(turns(count * (256 + 16)))]
    rows = sets[0].i * side + sets[0].j
    yield Case("gather_nd_2", "uniform", "gather_nd", sets, Goal(2, 3, 60),
               lambda c: limits.gather(c, rows, 256, x.nbytes, "uniform", sets[0].index.nbytes))


def select_dim1(size):
    rows, columns, picked = size.side(4096), size.side(65_536), size.side(4096)
    x = floats((rows, columns))

    def one(seed):
        chosen = empty((picked,), I64)
        chosen[:] = np.sort(np.random.default_rng(seed).choice(columns, picked, replace=False))
        return arrays(x=x, axis=1, index=chosen, out=poison(empty((rows, picked), F32)))
    sets = [one(seed) for seed in range(turns(rows * picked * 4))]
    read = limits.touched_bytes(sets[0].index, 4) * rows
    yield Case("select_dim1", "sorted", "take", sets, Goal(2, 3, 80),
               lambda c: limits.stream(c, read, sets[0].out.nbytes))


# ---- sums ----

def _add_case(name, spread, shape, count, goal):
    """Rows (or elements, for a shape of rank 1) of small integers added to others."""
    row = int(np.prod(shape[1:], dtype=np.int64)) * 4
    one = shape[0] * row + count * (row + 8)
    sets = [arrays(out=small_integers(shape), index=index(spread, (count,), shape[0], seed),
                   src=small_integers((count, *shape[1:]))) for seed in range(turns(one, at_most=4))]
    first = sets[0]
    return Case(name, spread, "add", sets, goal, lambda c: limits.update(
        c, first.index, row, first.out.nbytes, spread, _bytes(first.index, first.src)))


def _graph(size):
    return (size.count(400_000), 128), size.count(1_200_000)


def sadd_rows(size):
    shape, count = _graph(size)
    for spread in ALL_SPREADS:
        yield _add_case("sadd_rows", spread, shape, count, Goal(2, 1, 65) if spread == "uniform" else NOT_SLOWER)


def sadd_hot(size):
    yield _add_case("sadd_hot", "hot", *_graph(size), Goal(2, 1, 75))


def sadd_exact(size):
    for spread in ("uniform", "hot", "zipf"):
        yield _add_case("sadd_exact", spread, *_graph(size), Goal(1, 1))


def emb_bwd(size):
    rows, width, count = size.count(128_256), 4096, size.count(16_384)
    out = poison(empty((rows, width), BF16))
    # ±1: a row of the commonest token sums some 1,300 of them, and bf16 holds integers to 256.
    sets = [arrays(out=out, rows=rows, index=index("zipf", (count,), rows, seed),
                   src=small_integers((count, width), BF16, 1)) for seed in range(turns(count * width * 2, at_most=4))]
    yield Case("emb_bwd", "zipf", "sum_rows", sets, Goal(2, 1),
               lambda c: limits.stream(c, _bytes(sets[0].src, sets[0].index), out.nbytes))


def sadd_elem(size):
    for spread in ("uniform", "zipf"):
        yield _add_case("sadd_elem", spread, (size.count(256 << 20),), size.count(32 << 20), Goal(2, 1, 85))


# ---- functions that return indices ----

def _copies(x, count):
    """x and others with the same values elsewhere."""
    return [x] + [data.copy_of(x) for _ in range(count - 1)]


def _nonzero_case(shape, dtype, percent):
    x = data.sparse(shape, dtype, percent / 100)
    found = int(np.count_nonzero(x))
    sets = [arrays(x=copy, out=poison(empty((found, 2), I64)))
            for copy in _copies(x, turns(x.nbytes + found * 16, at_most=3))]
    return Case("nonzero", f"{x.dtype.name} {percent} %", "nonzero", sets, Goal(1, 1, 70, {"torch": 5, "numpy": 10}),
                lambda c, read=x.nbytes: limits.stream(c, read, found * 16))


def nonzero(size):
    for dtype in (np.float32, np.bool_):
        for percent in (1, 10, 50):
            yield _nonzero_case((size.count(8192), 16_384), dtype, percent)


def _argmax_case(variant, shape, dtype, axis, times):
    x = floats(shape, dtype)
    result = () if axis is None else (shape[1 - axis],)
    enough = 1 if x.nbytes > 4 * data.cache_bytes() else turns(x.nbytes)
    sets = [arrays(x=copy, axis=axis, out=poison(empty(result, I64))) for copy in _copies(x, enough)]
    return Case("argmax", variant, "argmax", sets, Goal(times, times, 95), lambda c, n=x.nbytes: limits.stream(c, n))


def argmax(size):
    yield _argmax_case("flat", (size.count(512 << 20),), F32, None, 1.5)
    yield _argmax_case("last axis bf16", (size.count(16_384), 128_256), BF16, 1, 1.5)
    yield _argmax_case("axis 0", (size.count(131_072), 1024), F32, 0, 10)


def _search_case(variant, length, count):
    x = empty((length,), F32)
    x[:] = np.sort(floats((length,)))
    sets = [arrays(x=x, v=data.queries((count,), seed), out=poison(empty((count,), I64)))
            for seed in range(turns(count * 12, at_most=4))]
    return Case("searchsorted", variant, "search", sets, Goal(1, 1, 80, {"torch": 3, "numpy": 10}),
                lambda c, n=x.nbytes: limits.search(c, count, n, count * 4, count * 8))


def searchsorted(size):
    yield _search_case("64 M", size.count(64 << 20), size.count(4 << 20))
    yield _search_case("1000 bins", 1000, size.count(32 << 20))


# In the order of the table in docs/performance; `tiny` (bench/tiny.py) comes behind them.
WORKLOADS = {
    "row256": row256, "row64": row64, "row512_zipf": row512_zipf, "tok_embed": tok_embed, "moe_permute": moe_permute,
    "kv_pages": kv_pages, "elem": elem, "dict_decode": dict_decode, "take_along_last": take_along_last, "axes": axes,
    "gather_nd_2": gather_nd_2, "select_dim1": select_dim1, "sadd_rows": sadd_rows, "sadd_hot": sadd_hot,
    "sadd_exact": sadd_exact, "emb_bwd": emb_bwd, "sadd_elem": sadd_elem, "nonzero": nonzero, "argmax": argmax,
    "searchsorted": searchsorted}
