"""garner.deepnet: the guide's examples, rules DN0-DN26 and DNM1-DNM2, and everything against plain loops."""
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import garner.deepnet as deepnet

SETTINGS = settings(max_examples=50, deadline=None, derandomize=True)
SRC = np.array([[0.0, 0.1, 0.2, 0.3], [1.0, 1.1, 1.2, 1.3], [2.0, 2.1, 2.2, 2.3]])
A = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])
B = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 3.0]])
T = np.array([[True, False, True, False], [False, True, True, False]])


# ---- the guide's examples ----


def test_guide_all_idx():
    s = deepnet.allIdx(np.zeros((2, 3), int))
    assert not isinstance(s, list)
    assert list(s) == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    assert deepnet.to_string(deepnet.allIdx(np.zeros((1, 2)))) == "seq [[0L; 0L]; [0L; 1L]]"


def test_guide_arg_max():
    assert deepnet.argMax(A) == [1, 3] and deepnet.argMin(A) == [0, 0]
    np.testing.assert_array_equal(deepnet.argMaxAxis(1, A), [3, 3])
    np.testing.assert_array_equal(deepnet.argMinAxis(1, A), [0, 0])
    for f in (deepnet.argMax, deepnet.argMin):
        with pytest.raises(ValueError) as caught:
            f(np.zeros((0, 2)))
        assert caught.value.rule == "DN3"


def test_guide_find():
    assert deepnet.tryFind(3.0, B) == [0, 2] and deepnet.tryFind(9.0, B) is None
    np.testing.assert_array_equal(deepnet.findAxis(3.0, 1, B), [2, 3])
    np.testing.assert_array_equal(deepnet.findAxis(7.0, 1, B), [deepnet.NotFound, 2])
    assert deepnet.NotFound == -2**63 + 4


def test_guide_true_idx():
    np.testing.assert_array_equal(deepnet.trueIdx(T), [[0, 0], [0, 2], [1, 1], [1, 2]])


def test_guide_gather():
    i0, i1 = np.array([1, 2, 0, 0]), np.array([3, 1, 0, 3])
    np.testing.assert_array_equal(deepnet.gather([i0, i1], SRC), [1.3, 2.1, 0.0, 0.3])
    np.testing.assert_array_equal(deepnet.gather([None, np.array([3, 1, 0])], SRC), [0.3, 1.1, 2.0])
    np.testing.assert_array_equal(deepnet.gather([[1, 2, 0, 0], [3, 1, 0, 3]], SRC), [1.3, 2.1, 0.0, 0.3])


def test_guide_scatter():
    i0 = np.array([[0, 0, 0, 0], [2, 2, 2, 2], [1, 1, 1, 1]])
    i1 = np.array([[3, 3, 3, 3], [0, 1, 2, 3], [0, 1, 2, 3]])
    s = deepnet.scatter([i0, i1], [4, 4], SRC)
    assert s[0, 3] == 0.0 + 0.1 + 0.2 + 0.3
    assert deepnet.to_string(s) == ("[[   0.0000    0.0000    0.0000    0.6000]\n"
                                    " [   2.0000    2.1000    2.2000    2.3000]\n"
                                    " [   1.0000    1.1000    1.2000    1.3000]\n"
                                    " [   0.0000    0.0000    0.0000    0.0000]]")


# ---- against plain loops ----


@st.composite
def gathers(draw):
    """(indices, src, common shape): index tensors, None where it may stand, all in range."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    common = [draw(st.integers(0, 3)) for _ in range(draw(st.integers(0, 3)))]
    rank = draw(st.integers(1, 3))
    extents, indices = [], []
    for d in range(rank):
        none = d < len(common) and draw(st.booleans())
        extents.append(draw(st.integers(1, 4)) + (common[d] if none else 0))
        dtype = draw(st.sampled_from(["int8", "int64"]))
        indices.append(None if none else rng.integers(0, extents[d], common).astype(dtype))
    src = rng.integers(-50, 50, extents).astype(draw(st.sampled_from(["float32", "int16", "complex128"])))
    return indices, draw(st.sampled_from([src, np.asfortranarray(src), src[::-1]])), common


def place(indices, at):
    return tuple(at[d] if index is None else int(index[at]) for d, index in enumerate(indices))


@given(gathers())
@SETTINGS
def test_gather_against_loops(call):
    indices, src, common = call
    if all(index is None for index in indices):
        with pytest.raises(ValueError) as caught:
            deepnet.gather(indices, src)
        assert caught.value.rule == "DN12"
        return
    out = deepnet.gather(indices, src)
    assert out.shape == tuple(common) and out.dtype == src.dtype
    assert all(out[at] == src[place(indices, at)] for at in np.ndindex(out.shape))
    target = np.empty_like(out)
    deepnet.FillGather(target, indices, src)
    np.testing.assert_array_equal(target, out)


@given(gathers())
@SETTINGS
def test_scatter_against_loops(call):
    indices, target_like, common = call
    src = np.arange(np.prod(common, dtype=int)).reshape(common).astype(target_like.dtype)
    expected = np.zeros(target_like.shape, src.dtype)
    for at in np.ndindex(src.shape):
        expected[place(indices, at)] += src[at]
    np.testing.assert_array_equal(deepnet.scatter(indices, target_like.shape, src), expected)
    target = np.ones(target_like.shape, src.dtype)
    deepnet.FillScatter(target, indices, src)
    np.testing.assert_array_equal(target, expected)


@st.composite
def tensors(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = [draw(st.integers(0, 4)) for _ in range(draw(st.integers(1, 3)))]
    a = rng.integers(-3, 4, shape).astype(draw(st.sampled_from(["int8", "int64", "float32", "float64"])))
    return draw(st.sampled_from([a, a.T, a[::-1]]))


@given(tensors(), st.integers(-3, 3))
@SETTINGS
def test_index_functions_against_loops(a, value):
    assert list(deepnet.all_idx(a)) == [list(at) for at in itertools.product(*map(range, a.shape))]
    assert list(deepnet.all_elems(a)) == a.ravel().tolist()
    where = [list(at) for at in np.ndindex(a.shape) if a[at] == value]
    assert deepnet.try_find(value, a) == (where[0] if where else None)
    np.testing.assert_array_equal(deepnet.true_idx(a == value), np.array(where, int).reshape(-1, a.ndim))
    assert deepnet.count_true(a == value) == len(where)
    if a.size:
        assert deepnet.arg_max(a) == list(np.unravel_index(a.argmax(), a.shape))
        assert deepnet.arg_min(a) == list(np.unravel_index(a.argmin(), a.shape))
    for ax in range(a.ndim):
        axis_functions(a, value, ax)


def axis_functions(a, value, ax):
    lanes = np.moveaxis(a, ax, -1)
    for f, fill, best in ((deepnet.arg_max_axis, deepnet.FillArgMaxAxis, np.argmax),
                          (deepnet.arg_min_axis, deepnet.FillArgMinAxis, np.argmin)):
        out, target = f(ax, a), np.empty(lanes.shape[:-1], np.int64)
        fill(target, ax, a)
        np.testing.assert_array_equal(out, target)
        for at in np.ndindex(out.shape):
            assert out[at] == (best(lanes[at]) if lanes.shape[-1] else deepnet.NotFound)
    found, target = deepnet.find_axis(value, ax, a), np.empty(lanes.shape[:-1], np.int64)
    deepnet.FillFindAxis(target, value, ax, a)
    np.testing.assert_array_equal(found, target)
    for at in np.ndindex(found.shape):
        hits = np.flatnonzero(lanes[at] == value)
        assert found[at] == (hits[0] if len(hits) else deepnet.NotFound)
    deepnet.FillCountTrueAxis(target, ax, a == value)
    np.testing.assert_array_equal(target, (a == value).sum(ax))
    np.testing.assert_array_equal(deepnet.countTrueAxis(ax, a == value), target)


@given(st.integers(0, 2**32 - 1))
@SETTINGS
def test_masks_against_numpy(seed):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 100, rng.integers(0, 4, 3))
    rows, rest = rng.random(a.shape[0]) < 0.6, rng.random(a.shape[1:]) < 0.6
    expected = a[rows][:, rest]
    np.testing.assert_array_equal(deepnet.M(a, rows, rest), expected)
    np.testing.assert_array_equal(deepnet.masked_get(a, [rows, None, None]), a[rows])
    changed = a.copy()
    deepnet.SetM(changed, rows, rest, expected + 1000)
    np.testing.assert_array_equal(deepnet.M(changed, rows, rest), expected + 1000)
    assert (changed != a).sum() == expected.size


def test_masks():
    a = np.array([[1, 2, 3], [4, 5, 6]])
    m = np.array([[True, True, False], [False, False, True]])
    assert deepnet.M(a, m).tolist() == [1, 2, 6]
    assert deepnet.M(a, np.array([True, False]), np.array([False, False, True])).tolist() == [[3]]
    assert deepnet.M(a, np.array([True, False]), deepnet.NoMask).tolist() == [[1, 2, 3]]
    assert deepnet.M(a, [np.array([True, False]), deepnet.NoMask]).tolist() == [[1, 2, 3]]
    assert deepnet.M(a, [[True, True, False], [False, False, True]]).tolist() == [1, 2, 6]
    deepnet.SetM(a, m, np.array([8, 9, 0]))
    assert a.tolist() == [[8, 9, 3], [4, 5, 0]]
    deepnet.SetM(a, m, 7)
    assert a.tolist() == [[7, 7, 3], [4, 5, 7]]


def test_if_then_else():
    out = deepnet.ifThenElse(np.array([[True], [False]]), np.array([1, 2]), np.array([10, 20]))
    assert out.tolist() == [[1, 2], [10, 20]]


def test_fill_gather_stretches_to_its_target():
    target = np.zeros((2, 3))
    deepnet.fill_gather(target, [np.array([1, 0, 2])], np.array([10.0, 20.0, 30.0]))
    assert target.tolist() == [[20, 10, 30]] * 2
    deepnet.fill_gather(target, [None, None], np.arange(12.0).reshape(3, 4))
    assert target.tolist() == [[0, 1, 2], [4, 5, 6]]


# ---- errors ----

I, Z = np.array([0, 1]), np.zeros((2, 2))


@pytest.mark.parametrize("call, kind, rule", [
    (lambda: deepnet.gather([I.astype(float), I], Z), TypeError, "DN0"),
    (lambda: deepnet.gather([I], Z), ValueError, "DN11"),
    (lambda: deepnet.gather([None, None], Z), ValueError, "DN12"),
    (lambda: deepnet.gather([I, np.arange(3)], Z), ValueError, "DN13"),
    (lambda: deepnet.gather([I, None], Z), ValueError, "DN15"),
    (lambda: deepnet.gather([I + 1, I], Z), IndexError, "DN16"),
    (lambda: deepnet.gather([I - 1, I], Z), IndexError, "DN16"),
    (lambda: deepnet.gather([np.array([2**32])], np.zeros(2)), IndexError, "DN16"),
    (lambda: deepnet.gather([None, np.zeros(5, int)], Z), IndexError, "DN16"),
    (lambda: deepnet.scatter([I], [2, 2], I), ValueError, "DN18"),
    (lambda: deepnet.scatter([None, None], [2, 2], I), ValueError, "DN18"),
    (lambda: deepnet.scatter([I], [1], I), IndexError, "DN21"),
    (lambda: deepnet.scatter([I], [-1], I), ValueError, "V1"),
    (lambda: deepnet.fill_gather(np.zeros(3), [I], np.zeros(2)), ValueError, "DN13"),
    (lambda: deepnet.arg_max(np.array([np.nan])), ValueError, "DN3"),
    (lambda: deepnet.arg_max_axis(-1, Z), ValueError, "DN4"),
    (lambda: deepnet.find_axis(1.0, 2, Z), ValueError, "DN4"),
    (lambda: deepnet.all_idx_of_dim(2, Z), ValueError, "DN4"),
    (lambda: deepnet.find(5.0, Z), ValueError, "DN7"),
    (lambda: deepnet.find(np.float32(0), Z), TypeError, "DN0"),
    (lambda: deepnet.find(0.5, I), TypeError, "DN0"),
    (lambda: deepnet.true_idx(Z), TypeError, "DN0"),
    (lambda: deepnet.count_true(I), TypeError, "DN0"),
    (lambda: deepnet.if_then_else(I, I, I), TypeError, "DN0"),
    (lambda: deepnet.if_then_else(I == 0, I, np.arange(3)), ValueError, "DN13"),
    (lambda: deepnet.masked_get(Z, [I == 0]), ValueError, "DNM1"),
    (lambda: deepnet.masked_set(Z.copy(), [I == 0, I == 0], I.astype(float)), ValueError, "DNM2"),
])
def test_errors(call, kind, rule):
    with pytest.raises(kind) as caught:
        call()
    assert caught.value.rule == rule


def test_a_refused_fill_leaves_the_target_alone():
    target = np.ones(2)
    with pytest.raises(ValueError):
        deepnet.fill_scatter(target, [I, I], I.astype(float))
    assert target.tolist() == [1, 1]


def test_text():
    assert deepnet.to_string(np.arange(12, dtype=np.int32)) == "[   0    1    2    3    4  ...    8    9   10   11]"
    assert deepnet.to_string(np.array([True, False])) == "[true  false]"
    assert deepnet.to_string(np.array([np.nan, -np.inf])) == "[      NaN -Infinity]"
    assert deepnet.to_string(np.uint8([7])) == "[  7]"
    assert deepnet.to_string([1, 3]) == "[1L; 3L]" and deepnet.to_string(None) == "None"
