"""garner.tile: the page's examples, rules CT1-CT22, CTS1-CTS3, CTA1-CTA9, and everything against plain loops."""
import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import garner.tile as ct

SETTINGS = settings(max_examples=50, deadline=None, derandomize=True)


# ---- plain loops ----


def places(array, indices, mask):
    """For every position of the common shape: itself, and the place it names, or None."""
    tiles = np.broadcast_arrays(*indices) if indices else []
    shape = tiles[0].shape if tiles else ()
    allowed = np.broadcast_to(True if mask is None else mask, shape)
    for p in np.ndindex(shape):
        place = tuple(int(tile[p]) for tile in tiles)
        inside = all(0 <= i < n for i, n in zip(place, array.shape))
        yield p, place if inside and allowed[p] else None


def loop_gather(array, indices, mask, padding):
    shape = np.broadcast_shapes(*(np.shape(i) for i in indices))
    padding = np.broadcast_to(padding, shape)
    out = np.empty(shape, array.dtype)
    for p, place in places(array, indices, mask):
        out[p] = padding[p] if place is None else array[place]
    return out


def loop_scatter(array, indices, value, mask):
    out = array.copy()
    shape = np.broadcast_shapes(*(np.shape(i) for i in indices))
    value = np.broadcast_to(value, shape)
    for p, place in places(array, indices, mask):
        if place is not None:
            out[place] = value[p]
    return out


def loop_atomic(f, array, indices, update):
    out = array.copy()
    shape = np.broadcast_shapes(*(np.shape(i) for i in indices))
    update, before = np.broadcast_to(update, shape), np.zeros(shape, array.dtype)
    for p, place in places(array, indices, None):
        if place is not None:
            before[p] = out[place]
            out[place] = f(out[place], update[p])
    return before, out


@st.composite
def calls(draw, dtypes):
    """(array, indices, mask) of any rank, strides and shapes, with indices inside and outside."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rank = draw(st.integers(0, 3))
    array = rng.integers(0, 50, [draw(st.integers(0, 4)) for _ in range(rank)]).astype(draw(st.sampled_from(dtypes)))
    array = np.asarray(draw(st.sampled_from([array, array.T, array[tuple([slice(None, None, -1)] * rank)]])))
    shape = [draw(st.integers(0, 3)) for _ in range(draw(st.integers(0, 3)))]
    indices = tuple(index_tile(draw, rng, shape, n) for n in array.shape)
    common = np.broadcast_shapes(*(np.shape(i) for i in indices))
    mask = rng.random(shrunk(draw, common)) < 0.7 if draw(st.booleans()) else None
    return array, indices, mask


def shrunk(draw, shape):
    """A shape that broadcasts to this one."""
    cut = draw(st.integers(0, len(shape)))
    return [1 if draw(st.booleans()) else n for n in shape[cut:]]


def index_tile(draw, rng, shape, extent):
    values = rng.integers(-2, extent + 2, shrunk(draw, shape))
    return np.asarray(values).astype(draw(st.sampled_from(["int8", "int32", "int64"])))


@given(calls(["int8", "int32", "uint64", "float16", "float64", "complex64", "bool"]), st.integers(0, 1))
@SETTINGS
def test_gather_against_loops(call, padding):
    array, indices, mask = call
    out = ct.gather(array, indices, mask=mask, padding_value=padding)
    expected = loop_gather(array, indices, mask, padding)
    assert out.dtype == array.dtype and out.shape == expected.shape
    np.testing.assert_array_equal(out, expected)


@given(calls(["int8", "int32", "uint64", "float16", "float64", "bool"]), st.integers(0, 1))
@SETTINGS
def test_scatter_against_loops(call, value):
    array, indices, mask = call
    array = array.copy(order="K")
    expected = loop_scatter(array, indices, value, mask)
    assert ct.scatter(array, indices, value, mask=mask) is None
    np.testing.assert_array_equal(array, expected)


ATOMICS = [(ct.atomic_add, operator.add), (ct.atomic_max, max), (ct.atomic_min, min), (ct.atomic_and, operator.and_),
           (ct.atomic_or, operator.or_), (ct.atomic_xor, operator.xor), (ct.atomic_xchg, lambda old, new: new)]


@pytest.mark.parametrize("atomic, f", ATOMICS)
@given(calls(["int32", "int64", "uint32", "uint64"]), st.integers(0, 2**31 - 1))
@settings(SETTINGS, max_examples=25)
def test_atomics_against_loops(atomic, f, call, update):
    array, indices, _ = call
    array, update = array.copy(order="K"), np.asarray(update % 100, array.dtype)
    expected, after = loop_atomic(f, array, indices, update)
    before = atomic(array, indices, update)
    np.testing.assert_array_equal(before, expected)
    np.testing.assert_array_equal(array, after)
    assert before.dtype == array.dtype


# ---- the page's examples ----


def test_the_pages_formula():
    array = np.arange(30).reshape(5, 6)
    ind0, ind1 = np.array([[[0], [4], [2]], [[1], [3], [0]]]), np.array([[[5, 0, 1, 2]], [[3, 3, 4, 5]]])
    t = ct.gather(array, (ind0, ind1))
    assert t.shape == (2, 3, 4)
    assert all(t[i, j, k] == array[ind0[i, j, 0], ind1[i, 0, k]] for i, j, k in np.ndindex(t.shape))


def test_a_tile_alone_is_a_tuple_of_one():
    array, ind0 = np.arange(100, 106), np.array([[0, 5], [3, 3]])
    np.testing.assert_array_equal(ct.gather(array, ind0), ct.gather(array, (ind0,)))


def test_padding_and_negative_indices():
    x = np.arange(100.0, 106.0)
    for padding in (7, 7.0, np.inf, -np.inf, True):
        np.testing.assert_array_equal(ct.gather(x, np.array([0, 5, 6, -1]), padding_value=padding),
                                      [100, 105, padding, padding])
    np.testing.assert_array_equal(ct.gather(x, np.arange(8), padding_value=np.arange(8.0)), [*range(100, 106), 6, 7])


def test_mask_and_bounds():
    x, ind = np.arange(10), np.array([0, 1, 15, 3, 4, 20, 6, 7])
    mask = np.array([True, True, True, False, True, True, False, True])
    np.testing.assert_array_equal(ct.gather(x, ind, mask=mask, padding_value=-1), [0, 1, -1, -1, 4, -1, -1, 7])
    np.testing.assert_array_equal(ct.gather(x, np.array([1, 2]), mask=False, padding_value=-1), [-1, -1])
    inside = np.array([0, 1, 2])
    np.testing.assert_array_equal(ct.gather(x, inside, check_bounds=False, latency=10), inside)


def test_scatter_through_a_view():
    y = np.arange(100, 108)
    ct.scatter(y[:5], np.arange(8), np.arange(10, 18))
    np.testing.assert_array_equal(y, [10, 11, 12, 13, 14, 105, 106, 107])
    z = np.zeros(8, np.int32)
    ct.scatter(z, np.arange(8), np.arange(100, 108, dtype=np.int32), mask=np.arange(8) % 2 == 0)
    np.testing.assert_array_equal(z, [100, 0, 102, 0, 104, 0, 106, 0])


def test_atomic_cas():
    array = np.array([0.0, 1.0, -0.0])
    before = ct.atomic_cas(array, np.array([0, 0, 1, 2, 9]), 0.0, np.array([5.0, 6.0, 7.0, 8.0, 9.0]))
    np.testing.assert_array_equal(before, [0, 5, 1, 0, 0])
    np.testing.assert_array_equal(array, [5, 1, 0])


def test_rank_0():
    array = np.array(7.0)
    assert ct.gather(array, ()) == 7
    ct.scatter(array, (), 3.0)
    assert array == 3


def test_text():
    assert ct.to_string(np.array([[0, 1], [4, 5]])) == "[[0, 1], [4, 5]]"
    assert ct.to_string(ct.gather(np.float32([1, 2]), np.array([1, 2]), padding_value=-0.5)) == "[2.0, -0.5]"
    assert ct.to_string(np.zeros((2, 0))) == "[[], []]"
    assert ct.to_string(np.array(True)) == "True"


# ---- errors ----

X = np.arange(6, dtype=np.int32).reshape(2, 3)
I = np.array([0, 1])


@pytest.mark.parametrize("call, kind, rule", [
    (lambda: ct.gather(X, (I,)), TypeError, "CT3"),
    (lambda: ct.gather(X, I), TypeError, "CT3"),
    (lambda: ct.gather(X, (I, I.astype(float))), TypeError, "CT5"),
    (lambda: ct.gather(X, (I, I == 0)), TypeError, "CT5"),
    (lambda: ct.gather(X, (I, np.arange(3))), TypeError, "CT6"),
    (lambda: ct.gather(X, (I, I), mask=I), TypeError, "CT10"),
    (lambda: ct.gather(X, (I, I), mask=np.ones((2, 2), bool)), TypeError, "CT10"),
    (lambda: ct.gather(X, (I, I), padding_value=np.zeros(3, np.int32)), TypeError, "CT12"),
    (lambda: ct.gather(X.astype(np.int8), (I, I), padding_value=128), ValueError, "CT13"),
    (lambda: ct.gather(X, (I, I), padding_value=0.5), TypeError, "CT13"),
    (lambda: ct.gather(X, (I, I), padding_value=np.int64(1)), TypeError, "CT13"),
    (lambda: ct.gather(X, (I, I), check_bounds=1), TypeError, "CT18"),
    (lambda: ct.gather(X, (I, I), latency=11), ValueError, "CT19"),
    (lambda: ct.scatter(X.copy(), (I, I), np.zeros(3, np.int32)), TypeError, "CTS1"),
    (lambda: ct.scatter(X.copy(), (I, I), np.zeros(2, np.float32)), TypeError, "CTS2"),
    (lambda: ct.atomic_add(X.astype(np.int8), (I, I), 1), TypeError, "CTA1"),
    (lambda: ct.atomic_max(X.astype(np.float32), (I, I), 1), TypeError, "CTA1"),
    (lambda: ct.atomic_add(X.copy(), (I, I), np.zeros(3, np.int32)), TypeError, "CTA2"),
    (lambda: ct.atomic_add(X.copy(), (I, I), 0.5), TypeError, "CTA3"),
    (lambda: ct.atomic_add(X.copy(), (I, I), 2**31), ValueError, "CTA3"),
    (lambda: ct.atomic_or(X.astype(np.int64), (I, I), 1), TypeError, "CTA4"),
    (lambda: ct.atomic_add(X.copy(), (I, I), 1, memory_order=ct.MemoryOrder.WEAK), TypeError, "CTA5"),
    (lambda: ct.atomic_add(X.copy(), (I, I), 1, memory_scope=ct.MemoryScope.NONE), TypeError, "CTA6"),
])
def test_errors(call, kind, rule):
    with pytest.raises(kind) as caught:
        call()
    assert caught.value.rule == rule


@pytest.mark.parametrize("call", [
    lambda: ct.gather(array=X, indices=(I, I)),
    lambda: ct.gather(X, (I, I), None),
    lambda: ct.atomic_add(X.copy(), (I, I), 1, mask=None),
    lambda: ct.atomic_add(X.copy(), (I, I), 1, memory_order="ACQ_REL"),
])
def test_the_signature_is_the_sources(call):
    with pytest.raises(TypeError):
        call()


def test_orders_and_scopes():
    array = np.zeros(1, np.int32)
    for order in list(ct.MemoryOrder)[1:]:
        for scope in list(ct.MemoryScope)[1:]:
            ct.atomic_add(array, 0, 1, memory_order=order, memory_scope=scope)
    assert array == 4 * 3


def test_what_cannot_be_written_is_refused():
    fixed = np.zeros(3)
    fixed.flags.writeable = False
    with pytest.raises(ValueError):
        ct.scatter(fixed, np.array([0]), 1.0)
    with pytest.raises(ValueError):
        ct.scatter(np.zeros(3, ">f8"), np.array([0]), 1.0)
    assert not fixed.any()


def test_a_refused_call_leaves_the_array_alone():
    array = np.arange(4, dtype=np.int32)
    with pytest.raises(ValueError):
        ct.scatter(array, np.array([0, 1]), 2**31)
    np.testing.assert_array_equal(array, range(4))
