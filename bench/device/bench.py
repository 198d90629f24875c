"""The workloads on a CUDA device: Garner beside PyTorch, JAX and CuPy, on the same arrays, in one run.

  python3 bench/device/bench.py --library build/device/libgarner_device.so [--only row256,elem] [--json FILE]

Into a given output where the peer can; medians of 20 by events, after a warm-up; values compared first, those of sums too
(of numbers whose sums are exact in any order). All read the same 64-bit indices. %L is the share of the limit: bytes that must
move over the copy speed that this run measured, what is only read over the speed of a sum, single elements over the rate of
random sectors. %M is the share of what the memory alone takes, where that is known better: random rows at the rate at which
this run reads such rows, and then all that is streamed at the speed of a copy, since both go over the same wires; DRAM is read
64 B at a time. A goal that would take less time than the limit is said to be past it.
"""
import argparse
import ctypes
import json
import os
import statistics
import sys
import time

import torch

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX would take most of the memory at its first call

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
          "float64", "complex64", "complex128"]
REPEAT = 20
PAUSE = 4_000_000  # cycles, about 2 ms: calls are queued meanwhile, so that the device never waits for the host


class Argument(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("dtype", ctypes.c_int), ("data", ctypes.c_void_p), ("rank", ctypes.c_int),
                ("shape", ctypes.c_int64 * 8), ("stride", ctypes.c_int64 * 8), ("integer", ctypes.c_int64),
                ("word", ctypes.c_char_p)]


def argument(value):
    a = Argument()
    if isinstance(value, torch.Tensor):
        a.kind, a.dtype, a.data, a.rank = 0, DTYPES.index(str(value.dtype)[6:]), value.data_ptr(), value.dim()
        a.shape[:value.dim()], a.stride[:value.dim()] = value.shape, value.stride()
    elif isinstance(value, int):
        a.kind, a.integer = 1, value
    else:
        a.kind, a.word = 2, value.encode()
    return a


class Garner:
    """Operations by name; a call is made ready once and then timed."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.garner_error.restype = ctypes.c_char_p
        self.library.garner_operation.restype = ctypes.c_void_p

    def call(self, name, *arguments, out, level="exact"):
        dialect, op = name.split(".")
        operation = ctypes.c_void_p(self.library.garner_operation(dialect.encode(), op.encode()))
        packed = (Argument * len(arguments))(*map(argument, arguments))
        target, count = argument(out), len(arguments)
        number = ["fast", "repeatable", "exact"].index(level)

        def run():
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            if self.library.garner_call(operation, packed, count, ctypes.byref(target), stream, number):
                sys.exit(f"{name}: {self.library.garner_error().decode()}")
            return out

        run.kept = arguments
        return run

    def index(self, name, *arguments, out, wait=False):
        """Functions that return indices, which no dialect has in this form."""
        packed, target, count = (Argument * len(arguments))(*map(argument, arguments)), argument(out), len(arguments)

        def run():
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            if self.library.garner_index(name.encode(), packed, count, ctypes.byref(target), stream, int(wait)):
                sys.exit(f"{name}: {self.library.garner_error().decode()}")
            return out

        run.kept = arguments
        return run

    def check(self):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        return None if self.library.garner_check(stream) == 0 else self.library.garner_error().decode()


def times(run):
    for _ in range(3):
        run()
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(REPEAT)]
    torch.cuda._sleep(PAUSE)
    for begin, end in events:
        begin.record()
        run()
        end.record()
    torch.cuda.synchronize()
    return sorted(begin.elapsed_time(end) * 1e3 for begin, end in events)  # us


def jax_times(run):
    import jax
    jax.block_until_ready(run())
    found = []
    for _ in range(REPEAT):
        began = time.perf_counter()
        jax.block_until_ready([run() for _ in range(4)][-1])
        found.append((time.perf_counter() - began) / 4 * 1e6)
    return sorted(found)


def to_jax(t):
    import jax
    return jax.dlpack.from_dlpack(t.contiguous())


def jax_call(function, *arrays):
    """A function of JAX's, compiled once; nothing where JAX is missing."""
    try:
        import jax
    except ImportError:
        return {}
    jax.config.update("jax_enable_x64", True)
    compiled, given = jax.jit(function), [to_jax(a) for a in arrays]
    return {"jax": lambda: compiled(*given)}


def jax_take(table, index):
    return jax_call(lambda a, i: a.at[i].get(mode="fill", fill_value=0), table, index)  # checked as ours is


def cupy_call(function, *arrays):
    """On torch's stream; nothing where CuPy is missing, or has no such dtype."""
    try:
        import cupy
        given = [cupy.from_dlpack(a) for a in arrays]
    except Exception:
        return {}

    def run():
        with cupy.cuda.Stream.from_external(torch.cuda.current_stream()):
            return function(cupy, *given)

    return {"cupy": run}


def cupy_add(into, index, source):
    import cupyx
    return cupy_call(lambda cupy, a, i, u: cupyx.scatter_add(a, i, u), into, index, source)


def zipf(n, extent, exponent=1.05):
    """Ranks by the inverse of the continuous distribution, spread over the table."""
    u = torch.rand(n, device="cuda", dtype=torch.float64)
    e = 1 - exponent
    rank = ((u * (float(extent) ** e - 1) + 1) ** (1 / e)).floor().clamp_(1, extent).long() - 1
    return rank * 2654435761 % extent


def uniform(n, extent):
    return torch.randint(0, extent, (n,), device="cuda")


def floats(*shape, dtype=torch.float32):
    return torch.randn(shape, device="cuda", dtype=torch.float32).to(dtype) if dtype != torch.float32 else torch.randn(
        shape, device="cuda")


def small_integers(*shape, dtype=torch.float32):
    """Sums of them are exact in any order."""
    return torch.randint(-1, 2, shape, device="cuda").to(dtype)


class Memory:
    """What the memory has to do: `count` random chunks of so many bytes out of `footprint`, and bytes in streams."""

    def __init__(self, streamed, count=0, chunk=0, footprint=0):
        self.streamed, self.count, self.chunk, self.footprint = streamed, count, chunk, footprint

    def microseconds(self, ceilings):
        random = self.count / ceilings["random"][self.footprint >= 1 << 31][self.chunk] if self.count else 0
        return random + self.streamed / ceilings["copy"] / 1e3


class Case:
    """`sectors`: random ones that it reads. `reads`: it writes next to nothing. `same`: for peers that update their own memory,
    whether both have the same there. `check`: whether values can be compared."""

    def __init__(self, name, ours, peers, limit_bytes, goal, sectors=0, same=None, reads=False, check=True, memory=None):
        self.name, self.ours, self.peers, self.limit_bytes, self.goal = name, ours, peers, limit_bytes, goal
        self.sectors, self.same, self.reads, self.check, self.memory = sectors, same, reads, check, memory


def rows(g, name, extent, width, n, dtype, distribution, goal):
    table, index = floats(extent, width, dtype=dtype), distribution(n, extent)
    out, other = torch.empty(n, width, device="cuda", dtype=dtype), torch.empty(n, width, device="cuda", dtype=dtype)
    size = width * table.element_size()

    peers = {"torch": lambda: torch.index_select(table, 0, index, out=other), **jax_take(table, index),
             **cupy_call(lambda cupy, a, i, o: cupy.take(a, i, axis=0, out=o), table, index, other)}
    # Rows of more than 512 B are as good as a stream; skewed ones come out of the cache more often than not.
    memory = Memory(n * (size + 8), n, size, table.nbytes) if size <= 512 and distribution is uniform else None
    return Case(name, g.call("torch.index_select", table, 0, index, out=out), peers, n * (-(-size // 32) * 32 + size + 8), goal,
                memory=memory)


def ledger(g, extent, width, n):
    """One kernel, with a ledger and without: what reports cost."""
    table, index = floats(extent, width), uniform(n, extent)
    out = torch.empty(n, width, device="cuda")
    others = {"filling": g.call("jax.take", table, index, 0, "fill", out=out)}
    return Case("ledger, row256", g.call("torch.index_select", table, 0, index, out=out), others, n * (2 * width * 4 + 8), (0, 0))


def elements(g, name, extent, n, goal):
    table, index = floats(extent), uniform(n, extent)
    out, other = torch.empty(n, device="cuda"), torch.empty(n, device="cuda")
    return Case(name, g.call("torch.index_select", table, 0, index, out=out),
                {"torch": lambda: torch.index_select(table, 0, index, out=other), "torch.take": lambda: torch.take(table, index),
                 **jax_take(table, index), **cupy_call(lambda cupy, a, i, o: cupy.take(a, i, out=o), table, index, other)},
                n * 12 + extent * 4 if extent < n else n * 12, goal, sectors=0 if extent < 1 << 20 else n,
                memory=Memory(n * 12, n, 32, extent * 4) if extent >= 1 << 20 else None)


def fetched(places):
    """Bytes of DRAM that single f32 at these places take, 64 at a time."""
    return torch.unique(places // 16).numel() * 64


def along(g, name, shape, index_shape, dim, goal):
    x, index = floats(*shape), torch.randint(0, shape[dim], index_shape, device="cuda")
    out, other = torch.empty(index_shape, device="cuda"), torch.empty(index_shape, device="cuda")
    peers = {"torch": lambda: torch.gather(x, dim, index, out=other),
             **jax_call(lambda a, i: sys.modules["jax"].numpy.take_along_axis(a, i, dim), x, index),
             **cupy_call(lambda cupy, a, i: cupy.take_along_axis(a, i, dim), x, index)}
    return Case(name, g.call("torch.gather", x, dim, index, out=out), peers,
                min(x.numel() * 4, index.numel() * 32) + index.numel() * 12, goal,
                memory=Memory(fetched(index + torch.arange(shape[0], device="cuda")[:, None] * shape[1]) + index.numel() * 12)
                if dim == 1 and index_shape != shape else None)


def pairs(g, name, shape, n, goal):
    x, index = floats(*shape), torch.stack([uniform(n, shape[0]), uniform(n, shape[1])], 1)
    first, second = index[:, 0].contiguous(), index[:, 1].contiguous()
    out, size = torch.empty(n, shape[2], device="cuda"), shape[2] * 4
    peers = {"torch": lambda: x[first, second],
             **jax_call(lambda a, i, j: a.at[i, j].get(mode="fill", fill_value=0), x, first, second),
             **cupy_call(lambda cupy, a, i, j: a[i, j], x, first, second)}
    return Case(name, g.call("tensorflow.gather_nd", x, index, out=out), peers, n * (2 * size + 16), goal)


def columns(g, name, shape, n, goal):
    x, index = floats(*shape), torch.randperm(shape[1], device="cuda")[:n].sort().values
    out, other = torch.empty(shape[0], n, device="cuda"), torch.empty(shape[0], n, device="cuda")
    peers = {"torch": lambda: torch.index_select(x, 1, index, out=other),
             **jax_call(lambda a, i: a.at[:, i].get(mode="fill", fill_value=0), x, index),
             **cupy_call(lambda cupy, a, i, o: cupy.take(a, i, axis=1, out=o), x, index, other)}
    sectors = torch.unique(index // 8).numel() * shape[0]
    return Case(name, g.call("torch.index_select", x, 1, index, out=out), peers, sectors * 32 + shape[0] * n * 4, goal,
                memory=Memory(fetched(index) * shape[0] + shape[0] * n * 4))


def add_along(g, name, shape, dim, goal):
    into, source = small_integers(*shape), small_integers(*shape)
    index = torch.randint(0, shape[dim], shape, device="cuda")
    ours, other = into.clone(), into.clone()
    return Case(name, g.call("torch.scatter_add", ours, dim, index, source, out=ours),
                {"torch": lambda: other.scatter_add_(dim, index, source)}, into.numel() * (8 + 4 + 8), goal,
                same=lambda: torch.equal(ours, other))


def row_sums(g, name, extent, width, index, goal, dtype=torch.float32, level="exact"):
    n = index.numel()
    source, ours = small_integers(n, width, dtype=dtype), torch.zeros(extent, width, device="cuda", dtype=dtype)
    other, size = torch.zeros_like(ours), width * ours.element_size()
    peers = {"torch": lambda: other.index_add_(0, index, source),
             "torch put": lambda: other.index_put_((index,), source, accumulate=True), **cupy_add(other, index, source)}
    touched = torch.unique(index).numel()
    return Case(name, g.call("torch.index_add", ours, 0, index, source, out=ours, level=level), peers,
                n * (size + 8) + 2 * touched * max(size, 32), goal, same=lambda: torch.equal(ours, other))


def largest(g, name, x, axis, goal):
    """Every element of a lane is another one, or ties go to the first: torch takes any of equal ones."""
    shape = [] if axis is None else [n for a, n in enumerate(x.shape) if a != axis]
    out = torch.empty(shape, device="cuda", dtype=torch.int64)
    arguments = (x,) if axis is None else (x, axis)
    peers = {"torch": lambda: torch.argmax(x, axis)}
    if x.dtype == torch.float32:
        peers |= cupy_call(lambda cupy, a: cupy.argmax(a, axis), x)
        peers |= jax_call(lambda a: sys.modules["jax"].numpy.argmax(a, axis), x)
    return Case(name, g.index("argmax", *arguments, out=out), peers, x.numel() * x.element_size(), goal, reads=True,
                check=x.dtype == torch.float32)


def positions(g, name, x, wait, goal):
    found = torch.nonzero(x)
    out = torch.empty_like(found)
    peers = {"torch": lambda: torch.nonzero(x)}
    if not wait:
        n = found.shape[0]
        peers["torch static"] = lambda: torch.nonzero_static(x, size=n)
    peers |= cupy_call(lambda cupy, a: cupy.nonzero(a)[0][:, None], x.view(torch.uint8) if x.dtype == torch.bool else x)
    return Case(name, g.index("nonzero", x, out=out, wait=wait), peers, x.numel() * x.element_size() + found.numel() * 8, goal)


def places(g, name, extent, n, goal):
    sequence = torch.sort(torch.rand(extent, device="cuda")).values
    values, out = torch.rand(n, device="cuda"), torch.empty(n, device="cuda", dtype=torch.int64)
    other = torch.empty_like(out)
    peers = {"torch": lambda: torch.searchsorted(sequence, values, out=other)}
    peers |= cupy_call(lambda cupy, a, v: cupy.searchsorted(a, v), sequence, values)
    return Case(name, g.index("searchsorted", sequence, values, out=out), peers, n * 12 + min(extent * 4, n * 32), goal)


def mask_of(n, share, dtype):
    """In pieces: a number for each element would not fit beside it."""
    x = torch.empty(n, device="cuda", dtype=dtype)
    for piece in x.split(1 << 28):
        piece.copy_(torch.rand(piece.shape, device="cuda") < share)
    return x


def workloads(g):
    bf16 = torch.bfloat16
    yield "row256", lambda: rows(g, "row256", 16 << 20, 64, 32 << 20, torch.float32, uniform, (2, 92))
    yield "row64", lambda: rows(g, "row64", 64 << 20, 16, 128 << 20, torch.float32, uniform, (1.1, 90))
    yield "row512_zipf", lambda: rows(g, "row512_zipf", 8 << 20, 128, 16 << 20, torch.float32, zipf, (2, 88))
    yield "tok_embed", lambda: rows(g, "tok_embed", 128256, 4096, 8192, bf16, zipf, (1.1, 92))
    yield "moe_permute", lambda: rows(g, "moe_permute", 16384, 7168, 16384 * 8, bf16, uniform, (1.1, 92))
    yield "kv_pages", lambda: rows(g, "kv_pages", 65536, 16384, 4096, bf16, uniform, (1.0, 93))
    yield "elem", lambda: elements(g, "elem", 100_000_000, 64 << 20, (1.2, 85))
    yield "dict_decode", lambda: elements(g, "dict_decode", 4096, 256 << 20, (1.1, 92))
    yield "take_along_last", lambda: along(g, "take_along_last", (65536, 1024), (65536, 64), 1, (1.3, 85))
    yield "axis0", lambda: along(g, "gather axis0", (16384, 16384), (16384, 16384), 0, (5, 70))
    yield "axis1", lambda: along(g, "gather axis1", (16384, 16384), (16384, 16384), 1, (1.8, 70))
    yield "sadd_axis0", lambda: add_along(g, "scatter_add axis0", (16384, 16384), 0, (5, 70))
    yield "sadd_axis1", lambda: add_along(g, "scatter_add axis1", (16384, 16384), 1, (1.8, 70))
    n, extent = 5_080_000, 1_630_000
    hot = lambda: torch.where(torch.rand(n, device="cuda") < 0.5, 7, uniform(n, extent))
    for level in ("fast", "exact"):
        yield "sadd_rows", lambda l=level: row_sums(g, f"sadd_rows {l}", extent, 128, uniform(n, extent), (1.5, 80), level=l)
        yield "sadd_hot", lambda l=level: row_sums(g, f"sadd_hot {l}", extent, 128, hot(), (8, 60), level=l)
        yield "sadd_zipf", lambda l=level: row_sums(g, f"sadd_zipf {l}", extent, 128, zipf(n, extent), (1, 0), level=l)
    yield "emb_bwd", lambda: row_sums(g, "emb_bwd", 128256, 4096, zipf(16384, 128256), (1.5, 85), dtype=bf16)
    for level in ("fast", "exact"):
        yield "sadd_elem", lambda l=level: row_sums(g, f"sadd_elem {l}", 256 << 20, 1, uniform(32 << 20, 256 << 20), (1.2, 85),
                                                    level=l)
        yield "sadd_elem", lambda l=level: row_sums(g, f"sadd_elem zipf {l}", 256 << 20, 1, zipf(32 << 20, 256 << 20), (3, 0),
                                                    level=l)
    yield "gather_nd_2", lambda: pairs(g, "gather_nd_2", (512, 512, 64), 1 << 20, (1.3, 88))
    yield "select_dim1", lambda: columns(g, "select_dim1", (4096, 65536), 4096, (1.5, 85))
    yield "ledger", lambda: ledger(g, 16 << 20, 64, 32 << 20)
    yield "argmax", lambda: largest(g, "argmax flat", floats(512 << 20), None, (1.1, 93))
    yield "argmax", lambda: largest(g, "argmax axis1 16384", floats(16384, 16384), 1, (1.1, 93))
    yield "argmax", lambda: largest(g, "argmax axis0 16384", floats(16384, 16384), 0, (1.1, 93))
    yield "argmax", lambda: largest(g, "argmax vocab bf16", floats(16384, 128256, dtype=bf16), 1, (1.1, 93))
    yield "argmax", lambda: largest(g, "argmax axis0 tall", floats(131072, 1024), 0, (1.1, 93))
    for kind, dtype in (("f32", torch.float32), ("bool", torch.bool)):
        for percent in (1, 10, 50):
            for wait in (False, True):
                yield "nonzero", lambda k=kind, d=dtype, p=percent, w=wait: positions(
                    g, f"nonzero {k} {p}%{' count' if w else ''}", mask_of(2 << 30, p / 100, d), w, (2, 85))
    yield "searchsorted", lambda: places(g, "searchsorted 64M", 64 << 20, 4 << 20, (1.2, 80))
    yield "searchsorted", lambda: places(g, "searchsorted 1000", 1000, 64 << 20, (1.2, 80))


def copy_speed():
    a = torch.empty(1 << 30, device="cuda", dtype=torch.float32).normal_()
    b = torch.empty_like(a)
    return 2 * a.numel() * 4 / statistics.median(times(lambda: b.copy_(a))) / 1e3  # GB/s


def read_speed():
    """The fastest read there is to compare with: torch's sum of 4 GiB."""
    a = torch.ones(1 << 30, device="cuda", dtype=torch.float32)
    return a.numel() * 4 / statistics.median(times(lambda: a.sum())) / 1e3  # GB/s


CHUNKS = r"""
extern "C" __global__ void chunks(const WORD* table, long long extent, WORD* out) {
  unsigned long long thread = blockIdx.x * 256ull + threadIdx.x, group = thread / LANES;
  WORD v[8];
  for (int j = 0; j < 8; ++j) {
    unsigned long long x = group * 8 + j;  // spread over the table by a hash
    x ^= x >> 33; x *= 0xff51afd7ed558ccdull; x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ull; x ^= x >> 33;
    v[j] = __ldg(table + x % extent * LANES + thread % LANES);
  }
  int same = 0;  // never, but the compiler does not know
  for (int j = 0; j < 8; ++j) same += FIRST(v[j]) == 0x7fc12345;
  if (same == 8) *out = v[0];
}"""


def random_rate(chunk, footprint, lanes, word):
    """Random chunks a microsecond that the device reads, writing nothing; none where CuPy is missing."""
    try:
        import cupy
    except ImportError:
        return None
    table, n = cupy.arange(footprint // 4, dtype=cupy.int32), min(64 << 20, (4 << 30) // chunk)
    source = CHUNKS.replace("LANES", str(lanes)).replace("WORD", word).replace("FIRST(v[j])", "v[j]" if word == "int" else "v[j].x")
    kernel = cupy.RawKernel(source, "chunks")

    def run():
        with cupy.cuda.Stream.from_external(torch.cuda.current_stream()):
            kernel((n // 8 * lanes // 256,), (256,), (table, footprint // chunk, table))

    found = n / statistics.median(times(run))
    del table
    cupy.get_default_memory_pool().free_all_blocks()
    return found


def random_rates():
    """{large: {bytes: chunks a microsecond}}, of 400 MB and of 4 GiB."""
    return {large: {chunk: random_rate(chunk, 4 << 30 if large else 400_000_000 // 512 * 512, max(1, chunk // 16), "int4")
                    for chunk in (32, 64, 128, 256, 512)} for large in (False, True)}


def agrees(case, name, run):
    if case.same is not None:
        if name == "torch":
            case.ours(), run()
        return case.same() if name == "torch" else True
    if not case.check:
        return True
    wanted = run()
    return bool(torch.equal(wanted if isinstance(wanted, torch.Tensor) else torch.from_dlpack(wanted), case.ours()))


def limit_of(case, ceilings):
    """Microseconds."""
    by_bytes = case.limit_bytes / ceilings["read" if case.reads else "copy"] / 1e3
    return max(by_bytes, case.sectors / ceilings["sectors"] if ceilings["sectors"] else 0)


def measure(case, ceilings):
    equal = {}
    for name, run in case.peers.items():  # before the timed runs, which add to what is there
        try:
            equal[name] = agrees(case, name, run)
        except Exception as error:  # a peer that cannot is named, not counted
            print(f"  {case.name}: {name}: {str(error).splitlines()[0][:100]}")
    ours = times(case.ours)
    result = {"name": case.name, "us": statistics.median(ours), "spread": ours[-2] - ours[1], "peers": {},
              "equal": all(equal.values())}
    for name, run in case.peers.items():
        try:
            result["peers"][name] = statistics.median(jax_times(run) if name == "jax" else times(run)) if name in equal else None
        except Exception as error:  # a peer that cannot is named, not counted
            result["peers"][name] = None
            print(f"  {case.name}: {name}: {str(error).splitlines()[0][:100]}")
    limit = limit_of(case, ceilings)
    result["limit_us"], result["share"], result["goal"] = limit, 100 * limit / result["us"], case.goal
    if case.memory and ceilings["sectors"]:
        result["memory_us"] = case.memory.microseconds(ceilings)
    return result


def verdict(r):
    """As on the CPU: a goal that would take less time than the limit is past it."""
    peers = [v for v in r["peers"].values() if v]
    wanted, share = r["goal"]
    missed, beyond = [], []
    if peers and min(peers) / r["us"] < wanted:
        (beyond if min(peers) / wanted < r["limit_us"] else missed).append(f"x {min(peers) / r['us']:.2f} of {wanted}")
    if r["share"] < share:
        missed.append(f"%L {r['share']:.1f} of {share}")
    said = "missed: " + ", ".join(missed) if missed else "met"
    return said + ("; past the limit: " + ", ".join(beyond) if beyond else "")


def line(r):
    peers = {k: v for k, v in r["peers"].items() if v}
    best = min(peers, key=peers.get) if peers else None
    ratio = f"{peers[best] / r['us']:.2f}x {best}" if best else "-"
    others = ", ".join(f"{k} {v:.0f}" for k, v in peers.items())
    return (f"{r['name']:20} {r['us']:9.1f} us (+-{r['spread']:.1f})  {ratio:16} (goal {r['goal'][0]})  {r['share']:5.1f} %L "
            f"(goal {r['goal'][1]})" + (f"  {100 * r['memory_us'] / r['us']:.0f} %M" if "memory_us" in r else "") +
            f"  {others}  {verdict(r)}{'' if r.get('equal', True) else ' VALUES DIFFER'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--json")
    options = parser.parse_args()
    g = Garner(options.library)
    ceilings = {"copy": copy_speed(), "read": read_speed(), "sectors": random_rate(4, 400_000_000, 1, "int"),
                "random": random_rates()}
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}; copy {ceilings['copy']:.0f} GB/s, "
          f"read {ceilings['read']:.0f} GB/s" + (f", {ceilings['sectors'] / 1e3:.1f} G random sectors/s" if ceilings["sectors"] else ""))
    for large, rates in ceilings["random"].items() if ceilings["sectors"] else []:
        print(f"random reads of {'4 GiB' if large else '400 MB'}, G/s: " + ", ".join(f"{k} B {v / 1e3:.1f}" for k, v in rates.items()))
    results = []
    for name, make in workloads(g):
        if options.only and name not in options.only.split(","):
            continue
        results.append(measure(make(), ceilings))
        print(line(results[-1]), flush=True)
        if found := g.check():
            print("  a bad index:", found)
        torch.cuda.empty_cache()
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"ceilings": ceilings, "results": results}, file, indent=1)


main()
