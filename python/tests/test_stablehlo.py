"""garner.stablehlo: the golden cases, with the interpreter's own tests, and the specification's rules as loops."""
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import garner
import garner.stablehlo as hlo

sys.path.insert(0, str(Path(__file__).parent))
import cases  # noqa: E402

SETTINGS = settings(max_examples=60, deadline=None, derandomize=True)

# As the text form names them: there update_computation is called computation.
TEXT = SimpleNamespace(**{name: getattr(hlo, name) for name in hlo.__all__})
TEXT.scatter = lambda *a, computation="replace", **k: hlo.scatter(*a, update_computation=computation, **k)


@pytest.mark.parametrize("case", cases.load("stablehlo"))
def test_case(case):
    case.check(TEXT)


# ---- the specification's value rules ----

def without(axes, rank):
    return [a for a in range(rank) if a not in axes]


def index_vector(indices, batch, d):
    """The components at a batch position; a vector of one when index_vector_dim is the rank."""
    batch = list(batch)
    return [indices[tuple(batch)]] if d["index_vector_dim"] == indices.ndim else \
        indices[(*batch[:d["index_vector_dim"]], slice(None), *batch[d["index_vector_dim"]:])]


def batching(batch, d, operand_dims, indices_dims, rank):
    out = [0] * rank
    for o, s in zip(d[operand_dims], d[indices_dims]):
        out[o] = batch[s if s < d["index_vector_dim"] else s - 1]
    return np.array(out, int)


def spread(coordinates, removed, rank):
    """Window coordinates over the operand dimensions that are neither removed nor batching."""
    out = np.zeros(rank, int)
    out[without(removed, rank)] = coordinates
    return out


def loop_gather(operand, indices, shape, d, sizes):
    out, rank = np.empty(shape, operand.dtype), operand.ndim
    batch_dims = without(d["offset_dims"], len(shape))
    for at in np.ndindex(*shape):
        batch = [at[b] for b in batch_dims]
        start = np.zeros(rank, int)
        for component, axis in zip(index_vector(indices, batch, d), d["start_index_map"]):
            start[axis] = np.clip(component, 0, operand.shape[axis] - sizes[axis])
        start += batching(batch, d, "operand_batching_dims", "start_indices_batching_dims", rank)
        removed = [*d["collapsed_slice_dims"], *d["operand_batching_dims"]]
        out[at] = operand[tuple(start + spread([at[o] for o in d["offset_dims"]], removed, rank))]
    return out


def fits(start, window, shape):
    return all(0 <= s and s + w <= n for s, w, n in zip(start, window, shape))


def loop_scatter(operand, indices, updates, d, join, whole_windows):
    out, rank = operand.copy(), operand.ndim
    removed = [*d["inserted_window_dims"], *d["input_batching_dims"]]
    window = np.ones(rank, int)
    window[without(removed, rank)] = [updates.shape[u] for u in d["update_window_dims"]]
    for at in np.ndindex(*updates.shape):
        batch = [at[b] for b in without(d["update_window_dims"], updates.ndim)]
        start = np.zeros(rank, int)
        start[list(d["scatter_dims_to_operand_dims"])] = index_vector(indices, batch, d)
        start += batching(batch, d, "input_batching_dims", "scatter_indices_batching_dims", rank)
        target = start + spread([at[u] for u in d["update_window_dims"]], removed, rank)
        if fits(start, window, out.shape) if whole_windows else fits(target, np.ones(rank), out.shape):
            out[tuple(target)] = join(out[tuple(target)], updates[at])
    return out


@st.composite
def dimensions(draw):
    """An operand's shape and what each of its axes is, the shape of an index array, and where its parts go."""
    shape = tuple(draw(st.lists(st.integers(1, 4), max_size=3)))
    roles = [draw(st.sampled_from("window removed batching".split())) for _ in shape]
    axes = {role: [a for a, r in enumerate(roles) if r == role] for role in ("window", "removed", "batching")}
    free = [a for a in range(len(shape)) if a not in axes["batching"]]
    index_map = draw(st.permutations(free))[:draw(st.integers(0, len(free)))]
    batch = [*(shape[a] for a in axes["batching"]), *draw(st.lists(st.integers(0, 3), max_size=2))]
    order = draw(st.permutations(range(len(batch))))
    placed = [batch[i] for i in order]
    paired = [order.index(i) for i in range(len(axes["batching"]))]
    vector_dim = draw(st.integers(0, len(batch)))
    virtual = len(index_map) == 1 and vector_dim == len(batch) and draw(st.booleans())
    indices_shape = placed if virtual else [*placed[:vector_dim], len(index_map), *placed[vector_dim:]]
    paired = [p if virtual or p < vector_dim else p + 1 for p in paired]
    rank = len(batch) + len(axes["window"])
    window_dims = sorted(draw(st.permutations(range(rank)))[:len(axes["window"])])
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    operand = rng.integers(0, 50, shape).astype(draw(st.sampled_from([np.int32, np.float64, np.uint8])))
    indices = rng.integers(-2, 6, indices_shape).astype(draw(st.sampled_from([np.int8, np.int32, np.int64])))
    sizes = [draw(st.integers(0, n)) if r == "window" else 1 for n, r in zip(shape, roles)]
    return operand, indices, axes, tuple(index_map), paired, vector_dim, window_dims, placed, sizes


def result_shape(placed, window_dims, axes, sizes):
    shape, batch = [], iter(placed)
    window = iter([sizes[a] for a in axes["window"]])
    for d in range(len(placed) + len(window_dims)):
        shape.append(next(window) if d in window_dims else next(batch))
    return tuple(shape)


@SETTINGS
@given(dimensions(), st.booleans())
def test_gather(drawn, dynamic):
    operand, indices, axes, index_map, paired, vector_dim, window_dims, placed, sizes = drawn
    d = {"offset_dims": window_dims, "collapsed_slice_dims": axes["removed"], "operand_batching_dims": axes["batching"],
         "start_indices_batching_dims": paired, "start_index_map": index_map, "index_vector_dim": vector_dim}
    expected = loop_gather(operand, indices, result_shape(placed, window_dims, axes, sizes), d, sizes)
    if dynamic:
        result = hlo.dynamic_gather(operand, indices, np.array(sizes, np.int64), **d)
    else:
        result = hlo.gather(operand, indices, slice_sizes=sizes, **d)
    np.testing.assert_array_equal(result, expected, strict=True)


@SETTINGS
@given(dimensions(), st.sampled_from(["element", "window"]), st.sampled_from(["replace", "add", "mul", "min", "max"]))
def test_scatter(drawn, out_of_bounds, computation):
    operand, indices, axes, index_map, paired, vector_dim, window_dims, placed, sizes = drawn
    d = {"update_window_dims": window_dims, "inserted_window_dims": axes["removed"],
         "input_batching_dims": axes["batching"], "scatter_indices_batching_dims": paired,
         "scatter_dims_to_operand_dims": index_map, "index_vector_dim": vector_dim}
    shape = result_shape(placed, window_dims, axes, sizes)
    updates = np.random.default_rng(3).integers(0, 9, shape).astype(operand.dtype)
    join = {"replace": lambda old, new: new, "add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}
    result = hlo.scatter(operand, indices, updates, update_computation=computation, out_of_bounds=out_of_bounds, **d)
    expected = loop_scatter(operand, indices, updates, d, join[computation], out_of_bounds == "window")
    np.testing.assert_array_equal(result, expected, strict=True)


@SETTINGS
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-3, 7)), max_size=3))
def test_dynamic_slices(axes):
    shape, starts = [max(n, s) for n, s, _ in axes], [start for *_, start in axes]
    sizes = [min(n, s) for n, s, _ in axes]
    operand = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    there = tuple(slice(c := max(0, min(start, n - s)), c + s) for n, s, start in zip(shape, sizes, starts))
    np.testing.assert_array_equal(hlo.dynamic_slice(operand, starts, sizes), operand[there], strict=True)
    expected, update = operand.copy(), -1 - np.arange(np.prod(sizes, dtype=int)).reshape(sizes)
    expected[there] = update
    np.testing.assert_array_equal(hlo.dynamic_update_slice(operand, update, starts), expected, strict=True)


# ---- what is Python's own ----

def test_scatter_of_a_tuple_gives_a_tuple():
    d = {"inserted_window_dims": [0], "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1}
    index = np.array([[1], [1]])
    one, two = np.zeros(3), np.zeros(3, np.int32)
    updates = np.array([1.0, 2.0]), np.array([3, 4], np.int32)
    result = hlo.scatter((one, two), index, updates, update_computation="add", **d)
    assert [r.tolist() for r in result] == [[0, 3, 0], [0, 7, 0]]
    alone = hlo.scatter([one], index, [np.array([1.0, 2.0])], **d)
    assert isinstance(alone, tuple) and alone[0].tolist() == [0, 2, 0]
    assert one.tolist() == [0, 0, 0]


def test_functions_are_not_offered():
    with pytest.raises(NotImplementedError, match="update_computation"):
        hlo.scatter(np.zeros(3), np.array([[0]]), np.zeros(1), inserted_window_dims=[0],
                    scatter_dims_to_operand_dims=[0], index_vector_dim=1, update_computation=lambda a, b: a - b)


def test_errors_name_the_constraint():
    with pytest.raises(ValueError, match="offset_dims") as caught:
        hlo.gather(np.zeros((2, 3)), np.zeros((1, 1), int), offset_dims=[1, 0], start_index_map=[0], index_vector_dim=1,
                   slice_sizes=[1, 3])
    assert isinstance(caught.value, garner.Error) and caught.value.rule == "gather_C4"
    with pytest.raises(TypeError) as caught:
        hlo.dynamic_slice(np.zeros(3), [0.5], [1])
    assert caught.value.rule == "dynamic_slice_I2"
