"""The array layer: which arrays go in and come out, whose memory they have, and what happens beside a call."""
import array
import concurrent.futures
import gc
import os
import pathlib
import pickle
import re
import subprocess
import sys
import threading
import time
import warnings

import ml_dtypes
import numpy as np
import pytest

import garner
from garner import _arrays
from garner._core import Operation

gather = Operation("torch", "gather")
scatter = Operation("cutile", "scatter")

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
          "float64", "complex64", "complex128", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2]
INDEX = np.array([[2, 0], [1, 1]])


def taken(x):
    """What a gather along axis 1 by INDEX must give."""
    return np.stack([x[0, [2, 0]], x[1, [1, 1]]])


def check(x, expected=None):
    out = gather(x, 1, INDEX)
    expected = taken(np.asarray(x)) if expected is None else expected
    assert isinstance(out, np.ndarray) and out.dtype == expected.dtype.newbyteorder("=")
    np.testing.assert_array_equal(out.astype(complex), expected.astype(complex))
    return out


def memory_of(values, dtype):
    return np.asarray(values).astype(dtype)


# ---- dtypes ----


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize("width", [3, 2000])  # results that are copied, and results whose memory is handed over
def test_every_dtype_in_and_out(dtype, width):
    x = memory_of(np.arange(2 * width).reshape(2, width) % 8, dtype)
    index = np.tile(np.arange(width)[::-1], (2, 1))
    out = gather(x, 1, index)
    assert out.dtype == np.dtype(dtype) and out.shape == (2, width)
    assert out.tobytes() == np.ascontiguousarray(x[:, ::-1]).tobytes()
    assert out.flags.writeable and out.flags.aligned and out.flags.c_contiguous


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: np.dtype(d).name)
def test_every_dtype_into_memory_of_the_caller(dtype):
    x, out = memory_of([[1, 2, 3], [4, 5, 6]], dtype), np.zeros((2, 2), dtype)
    assert gather.into(out, x, 1, INDEX) is out
    np.testing.assert_array_equal(out.astype(complex), taken(x).astype(complex))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_every_index_dtype(dtype):
    x = np.arange(6.0)
    np.testing.assert_array_equal(garner.tile.gather(x, np.array([5, 0], dtype)), [5, 0])


def test_the_names_of_dtypes():
    for dtype in DTYPES:
        name = _arrays.dtype_name(dtype)
        assert _arrays.numpy_dtype(name) == np.dtype(dtype) and _arrays.dtype_name(name) == name
    assert (_arrays.dtype_name(int), _arrays.dtype_name(float), _arrays.dtype_name(bool)) == ("i64", "f64", "bool")


@pytest.mark.parametrize("thing", [
    np.array([["a", "b", "c"]] * 2), np.array([[None] * 3] * 2), np.zeros((2, 3), "datetime64[s]"),
    np.zeros((2, 3), "V8"), np.zeros((2, 3), [("a", "i4")]), np.zeros((2, 3), np.longdouble), object(), {1: 2}, object],
    ids=lambda t: str(getattr(t, "dtype", type(t).__name__)))
def test_what_is_no_array_of_numbers_is_refused(thing):
    with pytest.raises(TypeError):
        gather(thing, 1, INDEX)


# ---- strides ----


def structured(values):
    """A field whose stride is no multiple of its size."""
    records = np.zeros(values.shape, [("pad", "i1"), ("x", values.dtype)])
    records["x"] = values
    return records["x"]


def unaligned(values):
    memory = np.zeros(values.nbytes + 1, np.uint8)[1:].view(values.dtype).reshape(values.shape)
    memory[...] = values
    return memory


def aligned_field(values):
    """A field whose stride is a multiple of its size."""
    records = np.zeros(values.shape, [("x", values.dtype), ("y", values.dtype)])
    records["x"], records["y"] = values, -values
    return records["x"]


LAYOUTS = {
    "contiguous": lambda v: v,
    "fortran": np.asfortranarray,
    "transposed": lambda v: v.T.copy().T,
    "reversed": lambda v: v[::-1, ::-1].copy()[::-1, ::-1],
    "stepped": lambda v: np.repeat(v, 3, axis=1)[:, ::3],
    "offset": lambda v: np.pad(v, 1)[1:-1, 1:-1],
    "field with padding": structured,
    "aligned field": aligned_field,
    "unaligned": unaligned,
    "big-endian": lambda v: v.astype(v.dtype.newbyteorder(">")),
    "big-endian field": lambda v: structured(v.astype(v.dtype.newbyteorder(">"))),
    "subclass": lambda v: v.view(type("Own", (np.ndarray,), {})),
    "read-only": lambda v: _read_only(v.copy()),
}


def _read_only(x):
    x.flags.writeable = False
    return x


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["int16", "int64", "float32", "complex128"])
def test_layouts(layout, dtype):
    x = LAYOUTS[layout](np.array([[1, 2, 3], [4, 5, 6]], dtype))
    assert x.shape == (2, 3)
    check(x)
    index = LAYOUTS[layout](INDEX)
    np.testing.assert_array_equal(gather(np.asarray(x), 1, index), taken(np.asarray(x)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_memory_to_write_to(layout):
    target = LAYOUTS[layout](np.zeros((2, 3)))
    refused = layout in ("field with padding", "unaligned", "big-endian", "big-endian field", "read-only")
    if refused:
        with pytest.raises(ValueError):
            scatter.into(target, target, (np.array([1]), np.array([2])), 7.0)
        assert not np.asarray(target).any()
    else:
        scatter.into(target, target, (np.array([1]), np.array([2])), 7.0)
        assert np.asarray(target).tolist() == [[0, 0, 0], [0, 0, 7]]


def test_stride_zero():
    x = np.broadcast_to(np.array([[1, 2, 3]]), (2, 3))
    assert x.strides[0] == 0
    check(x)
    index = np.broadcast_to(1, (2, 2))
    assert gather(x, 1, index).tolist() == [[2, 2], [2, 2]]
    target = np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,))
    with pytest.raises(garner.Error):
        gather.into(target, np.arange(3.0), 0, np.arange(3))


def test_empty_arrays():
    assert gather(np.zeros((2, 0)), 1, np.zeros((2, 0), int)).shape == (2, 0)
    assert gather(np.zeros((0, 3))[:, ::-1], 1, np.zeros((0, 2), int)).shape == (0, 2)


# ---- scalars, lists, buffers ----


def test_rank_0_and_scalars():
    assert gather(np.array(5.0), 0, np.array(0)) == 5
    assert garner.tile.gather(np.arange(3), np.int8(2)) == 2
    assert garner.tile.gather(np.arange(3), 2) == 2
    for scalar in (np.float32(1.5), np.bool_(True), np.int64(3), np.complex64(1j)):
        out = garner.deepnet.if_then_else(np.True_, scalar, scalar)
        assert out.shape == () and out.dtype == scalar.dtype and out == scalar
    out = gather(np.array(5.0), 0, np.array(0))
    assert isinstance(out, np.ndarray) and out.ndim == 0


def test_lists():
    """A list is a list of numbers to an operation; dialect modules decide where one stands for an array."""
    assert garner.lucid.gather([[10, 20, 30]], 1, [[2, 0]]).tolist() == [[30, 10]]
    assert garner.deepnet.gather([[1, 0]], np.array([5, 6])).tolist() == [6, 5]
    with pytest.raises(TypeError):
        gather(np.arange(3), 0, ["a"])


@pytest.mark.parametrize("letter", "bBhHiIlLqQfd")
def test_array_array(letter):
    values = array.array(letter, [1, 2, 3])
    out = gather(values, 0, np.array([2, 0]))
    assert out.tolist() == [3, 1] and out.dtype == np.asarray(values).dtype
    scatter.into(values, values, np.array([0]), np.asarray(values)[:1] * 0)
    assert values[0] == 0


def test_memoryview():
    values = np.arange(6.0).reshape(2, 3)
    check(memoryview(values), taken(values))
    flat = memoryview(array.array("i", range(6)))[::2]
    assert gather(flat, 0, np.array([2, 0])).tolist() == [4, 0]
    with pytest.raises(ValueError):
        scatter.into(memoryview(b"abc"), memoryview(b"abc"), np.array([0]), np.uint8(1))


class Exported:
    """Somebody's array that speaks DLPack and nothing else."""

    def __init__(self, held):
        self.held = held

    def __dlpack__(self, **options):
        return self.held.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.held.__dlpack_device__()


def test_dlpack():
    held = np.arange(6, dtype=np.float32).reshape(2, 3)
    check(Exported(held), taken(held))
    before = sys.getrefcount(held)
    for _ in range(100):
        gather(Exported(held), 1, INDEX)
    gc.collect()
    assert sys.getrefcount(held) == before


class Converted:
    def __array__(self, dtype=None, copy=None):
        return np.arange(6).reshape(2, 3)


def test_the_array_protocol():
    check(Converted(), taken(np.arange(6).reshape(2, 3)))


@pytest.mark.parametrize("thing", [[0, 0, 0], (0, 0, 0), Converted()], ids=["list", "tuple", "__array__"])
def test_what_has_no_memory_to_write_to_is_refused(thing):
    with pytest.raises((ValueError, TypeError)):
        scatter.into(thing, np.zeros(np.shape(np.asarray(thing)), int), (np.array([0]),) * np.asarray(thing).ndim, 1)


# ---- results ----


# On both sides of what is copied (16 KiB) and of what is written straight to NumPy's memory (64 KiB).
RESULT_LENGTHS = [4, 2048, 2050, 8192, 8194, 20000]


@pytest.mark.parametrize("n", RESULT_LENGTHS)
def test_a_result_owns_its_memory(n):
    x, index = np.arange(float(n)), np.arange(n)[::-1].copy()
    out = gather(x, 0, index)
    expected = x[::-1].copy()
    assert not np.shares_memory(out, x)
    x[:] = -1
    del x, index
    gc.collect()
    clutter = [np.full(n, 7.0) for _ in range(20)]
    np.testing.assert_array_equal(out, expected)
    out[:] = 3
    part = out[1:3]
    del out
    gc.collect()
    assert part.tolist() == [3, 3] and len(clutter) == 20


@pytest.mark.parametrize("n", RESULT_LENGTHS)
def test_a_result_without_a_plan(n):
    x = np.arange(n) % 2
    expected = np.flatnonzero(x)
    np.testing.assert_array_equal(garner.index.flatnonzero(x), expected)
    np.testing.assert_array_equal(Operation("torch", "nonzero")(x)[:, 0], expected)


@pytest.mark.parametrize("n", RESULT_LENGTHS)
def test_a_result_can_be_pickled_and_resized(n):
    out = gather(np.arange(n), 0, np.arange(n))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(out)), out)
    assert out.reshape(2, -1).shape == (2, n // 2) and out.view("u1").size == 8 * n


def test_no_reference_is_left_behind():
    x, index, out = np.arange(6.0).reshape(2, 3), INDEX.copy(), np.zeros((2, 2))
    words = [x, index, out]
    before = [sys.getrefcount(w) for w in words]
    for _ in range(1000):
        gather(x, 1, index)
        gather.into(out, x, 1, index)
        gather.vjp([out], x, 1, index)
        for bad in (9, "one"):
            with pytest.raises((ValueError, IndexError, TypeError)):
                gather(x, bad, index)
    gc.collect()
    assert [sys.getrefcount(w) for w in words] == before


def test_no_memory_is_left_behind():
    """Resident memory after many large results: one of them at most."""
    x, index = np.zeros(1 << 20), np.arange(1 << 20)
    for _ in range(3):
        gather(x, 0, index)
    before = resident()
    for _ in range(30):
        gather(x, 0, index)
    assert resident() - before < 3 * x.nbytes


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# ---- errors ----


def test_errors_are_both_ours_and_pythons():
    with pytest.raises(garner.Error) as caught:
        garner.tile.gather(np.arange(3), np.array([0.5]))
    assert isinstance(caught.value, TypeError) and caught.value.rule == "CT5"
    with pytest.raises(garner.Error) as caught:
        Operation("torch", "no_such_operation")
    assert isinstance(caught.value, ValueError) and caught.value.rule == "A1"
    with pytest.raises(TypeError):
        gather(np.arange(3))
    with pytest.raises(ValueError):
        gather(np.arange(3), 2**63, np.arange(3))


# ---- threads and processes ----


def big_call(n=3_000_000):
    rng = np.random.default_rng(0)
    return rng.random(n), rng.integers(0, n, n)


def slices_with_a_stamp(call, workers=2, slices=20):
    """While threads make a call three times each, another one writes down the time. How many of the twentieths of the
    calls did it get to, out of how many? One that waits for a lock until a call ends sees only their ends."""
    stamps, spans, stop = [], [], threading.Event()

    def count():
        while not stop.is_set():
            stamps.append(time.perf_counter())
            time.sleep(0)

    def work(worker):
        for _ in range(3):
            first = time.perf_counter()
            call(worker)
            spans.append((first, time.perf_counter()))

    counter = threading.Thread(target=count)
    threads = [threading.Thread(target=work, args=(w,)) for w in range(workers)]
    for thread in (counter, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    counter.join()
    filled = [np.histogram(stamps, slices, span)[0].astype(bool).sum() for span in spans]
    return sum(filled), slices * len(spans)


def assert_others_run_during(call):
    seen = []
    while len(seen) < 5 and not any(reached > total / 8 for reached, total in seen):  # a busy machine may try again
        seen.append(slices_with_a_stamp(call))
    assert seen[-1][0] > seen[-1][1] / 8, seen


def test_other_threads_run_during_a_call():
    x, index = big_call()
    out = [np.empty(len(x)) for _ in range(2)]
    assert_others_run_during(lambda worker: gather.into(out[worker], x, 0, index))
    for target in out:
        np.testing.assert_array_equal(target, x[index])


def test_other_threads_run_where_a_small_result_takes_long():
    x, index = big_call()
    add, few, into = Operation("torch", "scatter_add"), index % 4, np.zeros(4)
    assert_others_run_during(lambda worker: add(into, 0, few, x))


def test_the_measure_of_the_test_above():
    numbers = list(range(3_000_000))
    reached, all_slices = slices_with_a_stamp(lambda worker: sum(numbers))  # holds the lock until it is done
    assert reached <= all_slices / 8, (reached, all_slices)


def test_many_threads_at_once():
    def one(seed):
        rng = np.random.default_rng(seed)
        x, index = rng.integers(0, 1000, 5000), rng.integers(0, 5000, 7000)
        return all(np.array_equal(gather(x, 0, index), x[index]) for _ in range(10))

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        assert all(pool.map(one, range(64)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_computes():
    x, index = big_call(500_000)
    expected = x[index]
    np.testing.assert_array_equal(gather(x, 0, index), expected)  # whatever threads there are have been started
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads are running: that is the point
        child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(gather(x, 0, index), expected) else 1)
    deadline = time.monotonic() + 20
    while (done := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < deadline:
        time.sleep(0.01)
    if done == (0, 0):
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert done != (0, 0), "the child hangs"
    assert os.waitstatus_to_exitcode(done[1]) == 0
    np.testing.assert_array_equal(gather(x, 0, index), expected)


# ---- importing ----


def in_python(code):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def test_importing_imports_no_framework():
    loaded = in_python("import sys, garner, garner.lucid, garner.tile, garner.deepnet, garner.anvil, garner.torch\n"
                       "print([m for m in ('torch', 'jax', 'onnx', 'tensorflow', 'cupy') if m in sys.modules])")
    assert loaded.strip() == "[]"


def test_importing_is_quick():
    code = "import numpy, time; t = time.perf_counter(); import garner; print(time.perf_counter() - t)"
    seconds = min(float(in_python(code)) for _ in range(3))
    print(f"import garner beyond numpy: {1000 * seconds:.1f} ms")
    assert seconds < 2


def test_every_dialect_is_an_attribute():
    assert "deepnet" in dir(garner) and garner.deepnet.NotFound < 0
    with pytest.raises(AttributeError):
        garner.no_such_dialect


# ---- docs/migrate.md ----

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "migrate.md"


def rows_of_the_page():
    """The Python cell of every row of its tables."""
    text = PAGE.read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [row[1].strip(" `") for row in rows if row[1] != "Python"]


def test_the_page_has_rows():
    assert len(rows_of_the_page()) > 80


@pytest.mark.parametrize("cell", rows_of_the_page())
def test_what_the_page_says_runs(cell):
    names = {}
    exec(re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL).group(1), names)
    eval(cell, names)


def test_as_many_axes_as_numpy_has():
    """NumPy 2 has 64; small results are arrays that NumPy makes."""
    most = 64 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 32
    deep = np.arange(3, dtype=np.float32).reshape((1,) * (most - 1) + (3,))
    found = garner.numpy.take(deep, np.array([2, 0]), -1)
    assert found.shape == deep.shape[:-1] + (2,) and found.ravel().tolist() == [2, 0]
