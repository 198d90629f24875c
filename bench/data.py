"""Arrays for the workloads: the same in every run, none of them zeros, all pages there, and enough of them in turn that
nothing is found in a cache by chance."""
import os
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np

try:
    import ml_dtypes
    BF16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:  # the workloads in bf16 are then left out
    BF16 = None

F32, I64, I32 = np.dtype(np.float32), np.dtype(np.int64), np.dtype(np.int32)
PAGE = 2 << 20
POISON = 0xAB


def cache_bytes():
    """The last level's size; 64 MiB where the system does not say."""
    try:
        with open("/sys/devices/system/cpu/cpu0/cache/index3/size") as file:
            return int(file.read().rstrip("K\n")) << 10
    except (OSError, ValueError):
        return 64 << 20


def empty(shape, dtype):
    """Aligned to 2 MiB (JAX shares only aligned memory); NumPy asks for large pages by itself from 4 MiB on."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    raw = np.empty(size + PAGE, np.uint8)
    start = -raw.ctypes.data % PAGE
    return raw[start:start + size].view(dtype).reshape(shape)


def copy_of(array):
    out = empty(array.shape, array.dtype)
    out[...] = array
    return out


def poison(array):
    """What nobody's result looks like; it also brings all the pages."""
    array.reshape(-1).view(np.uint8)[:] = POISON  # reshape first: rank 0 has no bytes to look at
    return array


def _fill(flat, make):
    """make(part, generator) for every 16 M elements, several parts at a time; the values do not depend on how many."""
    parts = range(0, flat.size, 1 << 24)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda at: make(flat[at:at + (1 << 24)], np.random.default_rng(at + 1)), parts))
    return flat


def floats(shape, dtype=F32):
    """In (0, 1]: 16 M random numbers, multiplied by another factor in every further 16 M, so that it is made at the speed of
    memory. bf16: bit patterns of numbers in [2^-64, 2)."""
    array = empty(shape, dtype)
    flat, size = array.reshape(-1), 1 << 24
    first = 1 - np.random.default_rng(1).random(min(flat.size, size), np.float32) if dtype == F32 else None

    def make(part, random):
        if dtype == F32:
            k = (part.ctypes.data - flat.ctypes.data) // (4 * size)
            np.multiply(first[:part.size], np.float32(1 - (k * 37 + 11) % 64 / 256), out=part)
        else:
            part.view(np.uint16)[:] = random.integers(0x2000, 0x4000, part.size, np.uint16)
    _fill(flat, make)
    return array


def queries(shape, seed):
    """Floats in [0, 1) that are not those of floats()."""
    array = empty(shape, F32)
    np.random.default_rng(1000 + seed).random(dtype=np.float32, out=array)
    return array


def small_integers(shape, dtype=F32, largest=4):
    """-largest…largest without 0, as floats: their sums are exact in every order, so that all must agree in every bit."""
    array = empty(shape, dtype)

    def make(part, random):
        values = random.integers(1, largest + 1, part.size, np.int8)
        values *= random.integers(0, 2, part.size, np.int8) * 2 - 1
        part[:] = values.astype(dtype)
    _fill(array.reshape(-1), make)
    return array


def sparse(shape, dtype, share):
    """That share of the elements is not zero."""
    array = empty(shape, dtype)

    def make(part, random):
        part[:] = random.random(part.size, np.float32) < share
    _fill(array.reshape(-1), make)
    return array


# ---- indices ----

def uniform(count, extent, seed):
    return np.random.default_rng(seed).integers(0, extent, count, np.int64)


def zipf(count, extent, seed, exponent=1.05):
    """Rank r with probability ~ r^-1.05 among `extent`; ranks are shuffled over the table by a fixed multiplication."""
    random = np.random.default_rng(seed)
    power = 1 - exponent
    top = (extent + 1.0) ** power
    ranks = np.floor((1 + random.random(count) * (top - 1)) ** (1 / power)).astype(np.int64) - 1
    return np.clip(ranks, 0, extent - 1) * 2654435761 % extent


def sorted_uniform(count, extent, seed):
    return np.sort(uniform(count, extent, seed))


def hot(count, extent, seed):
    """Half of all name one place."""
    places = uniform(count, extent, seed)
    places[::2] = extent // 2
    return places


SPREADS = {"uniform": uniform, "zipf": zipf, "sorted": sorted_uniform, "hot": hot}


def index(spread, shape, extent, seed):
    """int64 indices of any shape, in memory of their own."""
    array = empty(shape, I64)
    array.reshape(-1)[:] = SPREADS[spread](array.size, extent, seed)
    return array


# ---- turns ----

def turns(bytes_of_one, at_most=16):
    """How many sets of arrays, used in turn, are together more than four times the cache."""
    return max(2, min(at_most, -(-4 * cache_bytes() // max(1, bytes_of_one))))


def arrays(**named):
    return types.SimpleNamespace(**named)
