"""garner.anvil: the page's example, rules AN1-AN19 and AS1-AS11, and everything against plain loops. Counted from 1."""
import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import garner.anvil as anvil
from garner.anvil import Each, nv_seq

SETTINGS = settings(max_examples=50, deadline=None, derandomize=True)


def clamped(position, extent):
    return min(max(int(position), 1), extent)


def test_the_pages_example():
    def block():
        operand = anvil.nv_tensor(anvil.nv_matrix(range(1, 10), nrow=3))
        indices = anvil.nv_tensor(anvil.nv_matrix([1, 3], ncol=1))
        return anvil.nvl_gather(
            operand, indices,
            slice_sizes=[1, 3],
            offset_dims=2,
            collapsed_slice_dims=1,
            operand_batching_dims=[],
            start_indices_batching_dims=[],
            start_index_map=1,
            index_vector_dim=2,
        )
    out = anvil.jit_eval(block)
    assert out.tolist() == [[1, 4, 7], [3, 6, 9]] and out.dtype == np.int32
    assert anvil.to_string(out) == "AnvilTensor\n 1 4 7\n 3 6 9\n[ CPUi32{2,3} ] "


# ---- gather and scatter against loops ----


@st.composite
def windows(draw):
    """(operand, starts [n, rank], slice sizes), starts also outside."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rank = draw(st.integers(1, 3))
    shape = [draw(st.integers(1, 5)) for _ in range(rank)]
    sizes = [draw(st.integers(0, n)) for n in shape]
    operand = rng.integers(-50, 50, shape).astype(draw(st.sampled_from(["int32", "float64", "uint8"])))
    starts = rng.integers(-2, 9, (draw(st.integers(0, 4)), rank)).astype(draw(st.sampled_from(["int8", "int64"])))
    return draw(st.sampled_from([operand, np.asfortranarray(operand), operand[::-1]])), starts, sizes


@given(windows())
@SETTINGS
def test_gather_against_loops(call):
    operand, starts, sizes = call
    rank = operand.ndim
    out = anvil.nvl_gather(operand, starts, sizes, range(2, rank + 2), [], [], [], range(1, rank + 1), 2)
    assert out.shape == (len(starts), *sizes) and out.dtype == operand.dtype
    for row, start in zip(out, starts):
        first = [clamped(s, n - k + 1) - 1 for s, n, k in zip(start, operand.shape, sizes)]
        np.testing.assert_array_equal(row, operand[tuple(slice(f, f + k) for f, k in zip(first, sizes))])


@pytest.mark.parametrize("computation, f", [(None, lambda old, new: new), (operator.add, operator.add), ("max", max),
                                            (min, min), (operator.mul, operator.mul), (operator.xor, operator.xor)])
@given(windows())
@settings(SETTINGS, max_examples=20)
def test_scatter_against_loops(computation, f, call):
    operand, starts, sizes = call
    operand, rank = operand.astype(np.int64), operand.ndim
    update = np.arange(len(starts) * int(np.prod(sizes))).reshape(len(starts), *sizes)
    out = anvil.nvl_scatter(operand, starts, update, range(2, rank + 2), [], [], [], range(1, rank + 1), 2,
                            update_computation=computation)
    expected = operand.copy()
    for at in np.ndindex(update.shape):
        place = tuple(int(s) - 1 + w for s, w in zip(starts[at[0]], at[1:]))
        if all(0 <= p < n for p, n in zip(place, operand.shape)):
            expected[place] = f(expected[place], update[at])
    np.testing.assert_array_equal(out, expected)


def test_batching_dims():
    operand, starts = np.arange(12).reshape(3, 4), np.array([4, 1, 9])
    out = anvil.nvl_gather(operand, starts, [1, 1], [], 2, 1, 1, 2, 2, True, True)
    assert out.tolist() == [3, 4, 11]


def test_the_first_position_is_before_an_unsigned_zero():
    x, zero = np.array([10, 20, 30]), np.array([0, 3, 255], np.uint8)
    assert anvil.nv_subset(x, zero).tolist() == [10, 30, 30]
    assert anvil.nv_subset_assign(x, zero, value=np.array([1, 2, 3])).tolist() == [10, 20, 2]


# ---- subsetting against loops ----


@st.composite
def subsets(draw, operand_rank=3):
    """(operand, specs, positions per dimension or one position)"""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    operand = rng.integers(0, 100, [draw(st.integers(1, 4)) for _ in range(operand_rank)])
    specs, chosen = [], []
    for extent in operand.shape[:draw(st.integers(0, operand_rank))]:
        spec, positions = draw(st.sampled_from(SPECS))(draw, rng, extent)
        specs.append(spec)
        chosen.append(positions)
    return operand, specs, chosen + [range(1, n + 1) for n in operand.shape[len(chosen):]]


def whole(draw, rng, extent):
    return None, range(1, extent + 1)


def ascending(draw, rng, extent):
    first = draw(st.integers(1, extent))
    last = draw(st.integers(first, extent))
    return nv_seq(first, last), range(first, last + 1)


def single(draw, rng, extent):
    position = draw(st.integers(1, extent))
    return position, position


def listed(draw, rng, extent):
    positions = rng.integers(1, extent + 1, draw(st.integers(0, 4))).tolist()
    return Each(positions), positions


def tensor(draw, rng, extent):
    positions = rng.integers(-2, extent + 3, draw(st.integers(0, 4))).astype(draw(st.sampled_from(["int8", "int64"])))
    return positions, positions.tolist()


def scalar(draw, rng, extent):
    position = draw(st.integers(-2, extent + 3))
    return np.int32(position), position


SPECS = [whole, ascending, single, listed, tensor, scalar]


def places(chosen):
    """Result position and place in the operand, counted from 1, for every combination."""
    kept = [c for c in chosen if not isinstance(c, int)]
    for at in np.ndindex(*(len(c) for c in kept)):
        numbers = iter(at)
        yield at, [c if isinstance(c, int) else c[next(numbers)] for c in chosen]


@given(subsets())
@SETTINGS
def test_subset_against_loops(call):
    operand, specs, chosen = call
    out = anvil.nv_subset(operand, *specs)
    assert out.shape == tuple(len(c) for c in chosen if not isinstance(c, int))
    for at, place in places(chosen):
        assert out[at] == operand[tuple(clamped(p, n) - 1 for p, n in zip(place, operand.shape))]


@given(subsets())
@SETTINGS
def test_subset_assign_against_loops(call):
    operand, specs, chosen = call
    value = 1000 + np.arange(np.prod([len(c) for c in chosen if not isinstance(c, int)], dtype=int))
    value = value.reshape([len(c) for c in chosen if not isinstance(c, int)])
    expected, before = operand.copy(), operand.copy()
    for at, place in places(chosen):
        if all(1 <= p <= n for p, n in zip(place, operand.shape)):
            expected[tuple(p - 1 for p in place)] = value[at]
    np.testing.assert_array_equal(anvil.nv_subset_assign(operand, *specs, value=value), expected)
    np.testing.assert_array_equal(operand, before)


def test_select():
    x = np.arange(12).reshape(3, 4)
    assert anvil.nv_select(x, 2, np.array([0, 9])).tolist() == [[0, 3], [4, 7], [8, 11]]
    assert anvil.nv_select(x, 1, 2).tolist() == [4, 5, 6, 7]
    assert anvil.nv_select(x, 2, nv_seq(2, 3)).tolist() == [[1, 2], [5, 6], [9, 10]]
    assert anvil.nv_select(x, 1, Each([3, 3])).tolist() == [[8, 9, 10, 11]] * 2


def test_one_value_everywhere():
    x = np.arange(4, dtype=np.int32)
    out = anvil.nv_subset_assign(x, nv_seq(2, 3), value=9)
    assert out.tolist() == [0, 9, 9, 3] and out.dtype == np.int32
    assert anvil.nv_subset_assign(np.zeros(2, np.float32), 1, value=0.5).tolist() == [0.5, 0]


# ---- errors ----

X = np.arange(12, dtype=np.int32).reshape(3, 4)
ROWS = dict(slice_sizes=[1, 4], offset_dims=2, collapsed_slice_dims=1, operand_batching_dims=[],
            start_indices_batching_dims=[], start_index_map=1, index_vector_dim=2)


def rows(indices=np.array([[1]]), **changed):
    return lambda: anvil.nvl_gather(X, indices, **{**ROWS, **changed})


@pytest.mark.parametrize("call, kind, rule", [
    (rows(np.array([[1.0]])), TypeError, "AN3"),
    (rows(slice_sizes=[1]), ValueError, "AN4"),
    (rows(slice_sizes=[1, 5]), ValueError, "gather_C21"),
    (rows(offset_dims=3), ValueError, "AN5"),
    (rows(slice_sizes=[0, 4]), ValueError, "AN6"),
    (rows(collapsed_slice_dims=[], operand_batching_dims=1), ValueError, "AN7"),
    (rows(collapsed_slice_dims=[]), ValueError, "AN8"),
    (rows(start_index_map=[1, 2]), ValueError, "AN9"),
    (rows(index_vector_dim=4), ValueError, "AN10"),
    (lambda: anvil.nv_matrix([1, 2, 3], 2), ValueError, "AN16"),
    (lambda: anvil.nv_matrix([1, 2, 3], ncol=2), ValueError, "AN16"),
    (lambda: anvil.nv_array([1, 2, 3], [2, 2]), ValueError, "AN16"),
    (lambda: anvil.nv_subset(X, [1, 2]), ValueError, "AS1"),
    (lambda: anvil.nv_subset(X, 1, 1, None), ValueError, "AS2"),
    (lambda: anvil.nv_subset(X, 1, 1, Each([1])), ValueError, "AS2"),
    (lambda: anvil.nv_subset(X, nv_seq(2, 4)), IndexError, "AS3"),
    (lambda: anvil.nv_subset(X, nv_seq(3, 1)), IndexError, "AS3"),
    (lambda: anvil.nv_subset(X, 0), IndexError, "AS4"),
    (lambda: anvil.nv_subset(X, None, Each([1, 5])), IndexError, "AS4"),
    (lambda: anvil.nv_subset(X, -1), IndexError, "AS4"),
    (lambda: anvil.nv_subset(X, np.array([[1]])), ValueError, "AS5"),
    (lambda: anvil.nv_subset(X, np.array([1.0])), TypeError, "AS6"),
    (lambda: anvil.nv_subset(np.zeros(0), np.array([1])), IndexError, "AS7"),
    (lambda: anvil.nv_subset_assign(X, 1, value=np.zeros(3, np.int32)), ValueError, "AS8"),
    (lambda: anvil.nv_subset_assign(X, 1, value=0.5), TypeError, "AS9"),
    (lambda: anvil.nv_select(X, 0, 1), ValueError, "AS10"),
    (lambda: anvil.nv_select(X, 3, Each([1])), ValueError, "AS10"),
    (lambda: anvil.nv_select(X, 1, Each([4])), IndexError, "AS4"),
    (lambda: anvil.nv_subset(X, np.array([True, False, True])), NotImplementedError, "AS11"),
    (lambda: anvil.nvl_scatter(np.zeros(2), np.array([[1]]), np.zeros(1), [], 1, [], [], 1, 2, False, False, "mean"),
     ValueError, "scatter_C23"),
])
def test_errors(call, kind, rule):
    with pytest.raises(kind) as caught:
        call()
    assert caught.value.rule == rule


def test_another_function_is_refused():
    with pytest.raises(NotImplementedError):
        anvil.nvl_scatter(np.zeros(2), np.array([[1]]), np.zeros(1), [], 1, [], [], 1, 2,
                          update_computation=lambda old, new: old - new)


# ---- the surface ----


def test_arrays_are_filled_column_by_column():
    assert anvil.nv_array(range(12), [2, 3, 2]).tolist() == np.arange(12).reshape([2, 3, 2], order="F").tolist()
    assert anvil.nv_matrix(np.arange(6.0), nrow=2, ncol=3).tolist() == [[0, 2, 4], [1, 3, 5]]
    assert anvil.nv_matrix([1, 2]).tolist() == [[1], [2]]
    assert anvil.nv_tensor([True]).dtype == bool and anvil.nv_tensor(3).dtype == np.int32


def test_text():
    text = anvil.to_string
    assert text(np.array([1, -10])) == "AnvilTensor\n   1\n -10\n[ CPUi64{2} ] "
    assert text(np.array([True])) == "AnvilTensor\n 1\n[ CPUpred{1} ] "
    assert text(np.uint8(3)) == "AnvilTensor\n 3\n[ CPUui8{} ] "
    assert text(np.array([1e7, 1.0])) == "AnvilTensor\n 1.0000e+07\n 1.0000e+00\n[ CPUf64{2} ] "
    assert text(np.zeros((0, 2))) == "AnvilTensor\n[ CPUf64{0,2} ] "
    assert text(np.array([1 + 2j, 3.5 - 1j])) == "AnvilTensor\n 1.0000+2i\n 3.5000-1i\n[ CPUc128{2} ] "
    assert text(np.arange(4).reshape(1, 2, 2)) == "AnvilTensor\n(1,.,.) =\n 0 1\n 2 3\n[ CPUi64{1,2,2} ] "
