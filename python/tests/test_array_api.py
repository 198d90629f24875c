"""garner.array_api against the standard's own statements and against NumPy."""
import inspect

import array_api_strict as strict
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import garner.array_api as xp

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
REAL = [*INTEGERS, "float32", "float64"]
ALL = ["bool", *REAL, "complex64", "complex128"]
OURS = ["take", "take_along_axis", "argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where", "argsort",
        "sort", "unique_all", "unique_counts", "unique_inverse", "unique_values"]

some = settings(max_examples=60, deadline=None, derandomize=True,
                suppress_health_check=[HealthCheck.large_base_example, HealthCheck.too_slow])


def filled(dtype, shape, seed, nan=True):
    random = np.random.default_rng(seed)
    values = random.integers(0, 4, shape).astype(dtype)
    if values.dtype.kind == "c":
        values = values + random.integers(0, 2, shape).astype(dtype) * 1j
    if nan and values.dtype.kind in "fc":
        values = np.where(random.random(shape) < 0.3, np.array(np.nan, dtype), values)
        values = np.where(random.random(shape) < 0.2, np.array(-0.0, dtype), values)
    return np.asarray(values, dtype)


@st.composite
def arrays(draw, dtypes=ALL, min_rank=0, min_extent=0, nan=True):
    shape = draw(st.lists(st.integers(min_extent, 5), min_size=min_rank, max_size=3))
    x = filled(draw(st.sampled_from(dtypes)), shape, draw(st.integers(0, 99)), nan)
    return draw(st.sampled_from([x, x[..., ::-1] if x.ndim else x])).transpose(draw(st.permutations(range(x.ndim))))


def assert_same(ours, theirs):
    theirs = np.asarray(theirs)
    assert type(ours) is np.ndarray
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    np.testing.assert_array_equal(ours, theirs)


def axis_of(draw, x):
    return draw(st.integers(-x.ndim, x.ndim - 1))


# ---- the namespace ----

def test_version_and_inspection():
    assert xp.__array_api_version__ == "2024.12"
    info = xp.__array_namespace_info__()
    assert info.default_dtypes()["indexing"] == np.int64 and "float32" in info.dtypes()


def test_the_rest_is_numpys():
    assert xp.asarray is np.asarray and xp.float32 is np.float32 and xp.linalg is np.linalg and xp.pi == np.pi
    with pytest.raises(AttributeError, match="garner.array_api"):
        xp.no_such_name
    assert set(OURS) <= set(dir(xp)) and "zeros" in dir(xp)
    assert not hasattr(xp, "__path__")  # a module, not a package


@pytest.mark.parametrize("name", OURS)
def test_ours_are_not_numpys(name):
    assert getattr(xp, name) is not getattr(np, name) and getattr(xp, name).__module__ == "garner.array_api"


STANDARD = {
    "take": "(x, indices, /, *, axis=None)",
    "take_along_axis": "(x, indices, /, *, axis=-1)",
    "argmax": "(x, /, *, axis=None, keepdims=False)",
    "argmin": "(x, /, *, axis=None, keepdims=False)",
    "count_nonzero": "(x, /, *, axis=None, keepdims=False)",
    "nonzero": "(x, /)",
    "searchsorted": "(x1, x2, /, *, side='left', sorter=None)",
    "where": "(condition, x1, x2, /)",
    "argsort": "(x, /, *, axis=-1, descending=False, stable=True)",
    "sort": "(x, /, *, axis=-1, descending=False, stable=True)",
    "unique_all": "(x, /)",
    "unique_counts": "(x, /)",
    "unique_inverse": "(x, /)",
    "unique_values": "(x, /)",
}


def bare_signature(function):
    signature = inspect.signature(function)
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))


@pytest.mark.parametrize("name", STANDARD)
def test_signatures(name):
    assert bare_signature(getattr(xp, name)) == STANDARD[name]


@pytest.mark.parametrize("name", STANDARD)
def test_signatures_of_array_api_strict(name):
    assert bare_signature(getattr(strict, name)) == STANDARD[name]


# ---- indexing ----

@some
@given(st.data())
def test_take(data):
    x = data.draw(arrays(min_rank=1, min_extent=1))
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1)) if x.ndim == 1 else axis_of(data.draw, x)
    extent = x.shape[-1 if axis is None else axis]
    places = data.draw(st.lists(st.integers(0, extent - 1), max_size=4))
    indices = np.array(places, data.draw(st.sampled_from(INTEGERS)))
    assert_same(xp.take(x, indices, axis=axis), np.take(x, indices, axis=axis))


def test_take_refuses():
    x, at = np.zeros((2, 3)), np.array([0])
    for error, call in ((ValueError, lambda: xp.take(x, at)),
                        (ValueError, lambda: xp.take(x, at[None], axis=0)),
                        (TypeError, lambda: xp.take(x, np.array([0.0]), axis=0)),
                        (TypeError, lambda: xp.take(x, np.array([True]), axis=0)),
                        (IndexError, lambda: xp.take(x, at + 2, axis=0)),
                        (IndexError, lambda: xp.take(x, at, axis=2)),
                        (TypeError, lambda: xp.take_along_axis(x, np.zeros((2, 1)), axis=1)),
                        (ValueError, lambda: xp.take_along_axis(x, at))):
        with pytest.raises(error):
            call()


@some
@given(st.data())
def test_take_along_axis(data):
    x = data.draw(arrays(min_rank=1, min_extent=1))
    axis = axis_of(data.draw, x)
    shape = list(x.shape)
    shape[axis] = data.draw(st.integers(0, 4))
    indices = np.random.default_rng(data.draw(st.integers(0, 99))).integers(-x.shape[axis], x.shape[axis], shape)
    assert_same(xp.take_along_axis(x, indices, axis=axis), np.take_along_axis(x, indices, axis=axis))


# ---- searching ----

@pytest.mark.parametrize("name", ["argmax", "argmin"])
@some
@given(st.data())
def test_argmax(name, data):
    x = data.draw(arrays(REAL, min_extent=1))
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1)) if x.ndim > 0 else None
    keepdims = data.draw(st.booleans())
    result = getattr(xp, name)(x, axis=axis, keepdims=keepdims)
    assert_same(result, getattr(np, name)(x, axis=axis, keepdims=keepdims))
    assert result.ndim == (x.ndim if keepdims else 0 if axis is None else x.ndim - 1)


@some
@given(st.data())
def test_count_nonzero(data):
    x = data.draw(arrays())
    subsets = st.lists(st.sampled_from(range(-x.ndim, 0)), unique=True) if x.ndim > 0 else st.just([])
    axis = data.draw(st.none() | subsets.map(tuple) | (st.integers(-x.ndim, x.ndim - 1) if x.ndim > 0 else st.none()))
    keepdims = data.draw(st.booleans())
    assert_same(xp.count_nonzero(x, axis=axis, keepdims=keepdims), np.count_nonzero(x, axis=axis, keepdims=keepdims))


@pytest.mark.parametrize("axis", [2, -3, (0, 2), (0, 0), (0, -2)])
def test_count_nonzero_refuses_axes(axis):
    with pytest.raises(ValueError):
        xp.count_nonzero(np.zeros((2, 3)), axis=axis)


@some
@given(arrays(min_rank=1))
def test_nonzero(x):
    ours, theirs = xp.nonzero(x), np.nonzero(x)
    assert isinstance(ours, tuple) and len(ours) == x.ndim
    for one, other in zip(ours, theirs):
        assert_same(one, other)


def test_nonzero_refuses_rank_0():
    with pytest.raises(ValueError):
        xp.nonzero(np.array(1))


@some
@given(st.data())
def test_searchsorted(data):
    dtype, extent = data.draw(st.sampled_from(REAL)), data.draw(st.integers(0, 9))
    x1 = filled(dtype, (extent,), data.draw(st.integers(0, 99)), nan=False)
    x2 = data.draw(arrays(REAL, nan=False))
    side = data.draw(st.sampled_from(["left", "right"]))
    sorter = np.argsort(x1, stable=True)
    assert_same(xp.searchsorted(x1, x2, side=side, sorter=sorter), np.searchsorted(x1, x2, side=side, sorter=sorter))
    assert_same(xp.searchsorted(x1[sorter], x2, side=side), np.searchsorted(x1[sorter], x2, side=side))


@some
@given(st.data())
def test_where(data):
    x1 = data.draw(arrays())
    x2 = filled(data.draw(st.sampled_from(ALL)), [data.draw(st.sampled_from([1, n])) for n in x1.shape], 5)
    condition = filled("bool", x1.shape[data.draw(st.integers(0, x1.ndim)):], data.draw(st.integers(0, 9)))
    assert_same(xp.where(condition, x1, x2), np.where(condition, x1, x2))
    assert_same(xp.where(condition, x2, x1), np.where(condition, x2, x1))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "float32", "complex64", "bool"])
@pytest.mark.parametrize("number", [1, 0.5, True, 1j])
def test_where_numbers(dtype, number):
    x, condition = np.ones(3, dtype), np.array([True, False, True])
    expected = np.where(condition, x, number)
    assert expected.dtype == np.result_type(x, number)
    assert_same(xp.where(condition, x, number), expected)
    assert_same(xp.where(condition, number, x), np.where(condition, number, x))
    assert_same(xp.where(condition, 1, number), np.where(condition, 1, number))


def test_where_wants_a_bool_condition():
    with pytest.raises(TypeError):
        xp.where(np.array([1, 0]), np.zeros(2), np.zeros(2))


# ---- sorting ----

@some
@given(st.data())
def test_sort(data):
    x = data.draw(arrays(REAL, min_rank=1))
    axis, stable = axis_of(data.draw, x), data.draw(st.booleans())
    assert_same(xp.argsort(x, axis=axis, stable=stable), np.argsort(x, axis=axis, stable=True))
    assert_same(xp.sort(x, axis=axis, stable=stable), np.sort(x, axis=axis, stable=True))


@some
@given(st.data())
def test_descending(data):
    """Equal elements keep their order: argsort of the lane read backwards, with its places counted from the end."""
    x = data.draw(arrays(REAL, min_rank=1, nan=False))
    axis = axis_of(data.draw, x)
    backwards = np.flip(np.argsort(np.flip(x, axis), axis=axis, stable=True), axis)
    assert_same(xp.argsort(x, axis=axis, descending=True), x.shape[axis] - 1 - backwards)
    assert_same(xp.sort(x, axis=axis, descending=True), np.flip(np.sort(x, axis=axis), axis))


def test_descending_nan():
    x = np.array([1.0, np.nan, 2.0, np.nan])
    assert xp.argsort(x, descending=True).tolist() == [1, 3, 2, 0]
    assert xp.argsort(x).tolist() == [0, 2, 1, 3]


# ---- sets ----

@some
@given(arrays())
def test_unique(x):
    found, theirs = xp.unique_all(x), np.unique_all(x)
    assert found._fields == ("values", "indices", "inverse_indices", "counts")
    assert_same(found.values, theirs.values)  # NumPy: also one NaN each
    assert_same(found.counts, theirs.counts)
    assert found.indices.dtype == found.inverse_indices.dtype == found.counts.dtype == np.int64
    assert_same(x.ravel()[found.indices], found.values)
    assert found.inverse_indices.shape == x.shape
    assert_same(np.asarray(found.values[found.inverse_indices]), x)
    first = [np.flatnonzero(x.ravel() == v)[0] for v in found.values if v == v]
    assert found.indices.tolist()[:len(first)] == first


@some
@given(arrays())
def test_unique_forms(x):
    found = xp.unique_all(x)
    counts, inverse = xp.unique_counts(x), xp.unique_inverse(x)
    assert counts._fields == ("values", "counts") and inverse._fields == ("values", "inverse_indices")
    for one, other in ((counts.values, found.values), (counts.counts, found.counts), (inverse.values, found.values),
                       (inverse.inverse_indices, found.inverse_indices), (xp.unique_values(x), found.values)):
        assert_same(one, other)


def test_every_nan_is_a_value():
    found = xp.unique_all(np.array([[np.nan, 1.0], [1.0, np.nan]]))
    assert found.values[0] == 1 and np.isnan(found.values[1:]).all() and found.values.size == 3
    assert found.counts.tolist() == [2, 1, 1] and found.indices.tolist() == [1, 0, 3]
    assert found.inverse_indices.tolist() == [[1, 0], [0, 2]]
    parts = xp.unique_counts(np.array([complex(np.nan, 1), complex(1, np.nan), 2]))
    assert parts.counts.tolist() == [1, 1, 1]
