"""Who takes part, and how each spells an operation best. A spelling is a function of a namespace `a` of arrays: x, index,
src, out and so on, already in the peer's own type. Several spellings of one operation compete before the timing, and the
fastest stands for the peer; one that a peer refuses is left out.

    take         out = x[index] along `axis`                 decode       the same with unsigned 16-bit indices
    gather       one index per element along `axis`          gather_nd    x[i, j]
    scatter_add  out += src, one index per element           add          out[index] += src, by rows
    sum_rows     out = 0; out[index] += src
    nonzero, argmax, search

`given` writes to a.out, `alloc` returns a fresh result. Operations in IN_PLACE add to what a.out holds."""
import contextlib
import ctypes
import functools
import os
import types

import numpy as np

IN_PLACE = ("scatter_add", "add")
COPIES = ("take", "decode", "gather", "gather_nd")  # bits are moved, whatever they mean


class NotOffered(Exception):
    """This peer has no such operation, or not for this dtype."""


def is_bf16(array):
    return array.dtype.name == "bfloat16"


def bits(array):
    return array.view(np.uint16) if is_bf16(array) else array


class Peer:
    """A library. `spellings` is {operation: {"given": [...], "alloc": [...]}}."""

    name, version, spellings = "", "", {}

    def __init__(self, threads):
        self.threads = threads

    def wrap(self, op, a):
        """The arrays in this peer's type, sharing memory where it can."""
        own = {key: self.array(op, value) if isinstance(value, np.ndarray) else value for key, value in vars(a).items()}
        return types.SimpleNamespace(**own)

    def array(self, op, array):
        return array

    def unwrap(self, op, result):
        """As NumPy's; positions of nonzero as (n, rank)."""
        return result

    def given_result(self, op, a):
        return self.unwrap(op, a.out)

    def calls(self, op, mode):
        return self.spellings.get(op, {}).get(mode, [])


# ---- ours ----

SUMS = ("scatter_add", "add", "sum_rows")  # what a level of determinism is about


class Ours(Peer):
    def __init__(self, threads, index_dtype=None, level=None):
        super().__init__(threads)
        import garner
        from garner._core import Operation
        self.version = garner.__version__
        self.name = "ours" + ("_i32" if index_dtype else "") + (f"_{level}" if level else "")
        self._index_dtype = index_dtype
        gt, gnp = garner.torch, garner.numpy
        gather_nd, segment_sum = Operation("tensorflow", "gather_nd"), Operation("jax", "segment_sum")
        self.spellings = {
            "take": {"given": [lambda a: gt.index_select(a.x, a.axis, a.index, out=a.out)],
                     "alloc": [lambda a: gt.index_select(a.x, a.axis, a.index)]},
            "decode": {"given": [lambda a: gnp.take(a.x, a.index, a.axis, out=a.out)],
                       "alloc": [lambda a: gnp.take(a.x, a.index, a.axis)]},
            "gather": {"given": [lambda a: gt.gather(a.x, a.axis, a.index, out=a.out)],
                       "alloc": [lambda a: gt.gather(a.x, a.axis, a.index)]},
            "gather_nd": {"given": [lambda a: gather_nd.into(a.out, a.x, a.index)],
                          "alloc": [lambda a: gather_nd(a.x, a.index)]},
            "scatter_add": {"given": [lambda a: gt.scatter_add_(a.out, a.axis, a.index, a.src)],
                            "alloc": [lambda a: gt.scatter_add(a.out, a.axis, a.index, a.src)]},
            "add": {"given": [lambda a: gt.index_add_(a.out, 0, a.index, a.src)],
                    "alloc": [lambda a: gt.index_add(a.out, 0, a.index, a.src)]},
            "sum_rows": {"given": [lambda a: segment_sum.into(a.out, a.src, a.index, a.rows)],
                         "alloc": [lambda a: segment_sum(a.src, a.index, a.rows)]},
            "nonzero": {"given": [lambda a: gt.nonzero(a.x, out=a.out)], "alloc": [lambda a: gt.nonzero(a.x)]},
            "argmax": {"given": [lambda a: gt.argmax(a.x, a.axis, out=a.out)],
                       "alloc": [lambda a: gt.argmax(a.x, a.axis)]},
            "search": {"given": [lambda a: gt.searchsorted(a.x, a.v, out=a.out)],
                       "alloc": [lambda a: gt.searchsorted(a.x, a.v)]},
        }
        if level:
            self.spellings = {op: {mode: [self._at_level(garner.determinism(level), call) for call in calls]
                                   for mode, calls in self.spellings[op].items()} for op in SUMS}

    @staticmethod
    def _at_level(level, call):
        def at_level(a):
            with level:
                return call(a)
        return at_level

    def wrap(self, op, a):
        own = super().wrap(op, a)
        if self._index_dtype is None:
            return own
        if getattr(own, "index", None) is None or own.index.dtype != np.int64:
            raise NotOffered("no int64 index to narrow")
        own.index = own.index.astype(self._index_dtype)
        return own


# ---- NumPy ----

class Numpy(Peer):
    name = "numpy"

    def __init__(self, threads):
        super().__init__(threads)
        self.version = np.__version__
        self.spellings = {
            # mode="clip" spares the copy that "raise" makes of `out`.
            "take": {"given": [lambda a: np.take(a.x, a.index, a.axis, a.out, "clip")],
                     "alloc": [lambda a: np.take(a.x, a.index, a.axis, mode="clip"),
                               lambda a: np.take(a.x, a.index, a.axis)]},
            "gather": {"alloc": [lambda a: np.take_along_axis(a.x, a.index, a.axis)]},
            "gather_nd": {"given": [lambda a: np.take(_rows(a.x), _row_of_pair(a), 0, a.out, "clip")],
                          "alloc": [lambda a: a.x[a.i, a.j], lambda a: np.take(_rows(a.x), _row_of_pair(a), 0)]},
            "scatter_add": {"given": [lambda a: np.add.at(a.out, _grid(np, a), a.src)],
                            "alloc": [lambda a: _numpy_added(a.out, _grid(np, a), a.src)]},
            "add": {"given": [lambda a: np.add.at(a.out, a.index, a.src),
                              lambda a: np.add(a.out, np.bincount(a.index, a.src, a.out.size), a.out, casting="unsafe")],
                    "alloc": [lambda a: _numpy_added(a.out, a.index, a.src)]},
            "nonzero": {"alloc": [lambda a: np.nonzero(a.x), lambda a: np.argwhere(a.x)]},
            "argmax": {"given": [lambda a: np.argmax(a.x, a.axis, a.out)], "alloc": [lambda a: np.argmax(a.x, a.axis)]},
            "search": {"alloc": [lambda a: np.searchsorted(a.x, a.v)]},
        }
        self.spellings["decode"] = self.spellings["take"]

    def array(self, op, array):
        return bits(array) if op in COPIES else array

    def unwrap(self, op, result):
        return np.stack(result, 1) if op == "nonzero" and isinstance(result, tuple) else np.asarray(result)


def _rows(x):
    return x.reshape(-1, x.shape[-1])


def _row_of_pair(a):
    return a.i * a.x.shape[1] + a.j


def _numpy_added(target, key, src):
    out = target.copy()
    np.add.at(out, key, src)
    return out


def _grid(module, a):
    """The index of every axis but a.axis counts; for matrices."""
    if a.axis == 0:
        return a.index, module.arange(a.index.shape[1])[None, :]
    return module.arange(a.index.shape[0])[:, None], a.index


# ---- PyTorch ----

class Torch(Peer):
    name = "torch"

    def __init__(self, threads):
        super().__init__(threads)
        import torch
        from torch.nn.functional import embedding
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
        self.version, self._torch = torch.__version__, torch
        select, aten = torch.index_select, torch.ops.aten
        self.spellings = {
            "take": {"given": [lambda a: select(a.x, a.axis, a.index, out=a.out),
                               lambda a: torch.take(_flat(a), a.index, out=a.out)],
                     "alloc": [lambda a: select(a.x, a.axis, a.index), lambda a: torch.take(_flat(a), a.index),
                               lambda a: embedding(a.index, _first_axis(a)), lambda a: _first_axis(a)[a.index]]},
            # Its indices are int32 or int64.
            "decode": {"given": [lambda a: select(a.x, 0, a.index.to(torch.int32), out=a.out)],
                       "alloc": [lambda a: select(a.x, 0, a.index.to(torch.int32))]},
            "gather": {"given": [lambda a: torch.gather(a.x, a.axis, a.index, out=a.out)],
                       "alloc": [lambda a: torch.gather(a.x, a.axis, a.index),
                                 lambda a: torch.take_along_dim(a.x, a.index, a.axis)]},
            "gather_nd": {"given": [lambda a: select(_rows(a.x), 0, _row_of_pair(a), out=a.out)],
                          "alloc": [lambda a: a.x[a.i, a.j], lambda a: select(_rows(a.x), 0, _row_of_pair(a))]},
            "scatter_add": {"given": [lambda a: a.out.scatter_add_(a.axis, a.index, a.src)],
                            "alloc": [lambda a: torch.scatter_add(a.out, a.axis, a.index, a.src)]},
            "add": {"given": [lambda a: a.out.index_add_(0, a.index, a.src),
                              lambda a: a.out.scatter_add_(0, _spread(a), a.src),
                              lambda a: a.out.index_put_((a.index,), a.src, accumulate=True)],
                    "alloc": [lambda a: torch.index_add(a.out, 0, a.index, a.src),
                              lambda a: torch.scatter_add(a.out, 0, _spread(a), a.src)]},
            "sum_rows": {"given": [lambda a: a.out.zero_().index_add_(0, a.index, a.src)],
                         "alloc": [lambda a: a.src.new_zeros(a.rows, a.src.shape[1]).index_add_(0, a.index, a.src),
                                   lambda a: aten.embedding_dense_backward(a.src, a.index, a.rows, -1, False)]},
            "nonzero": {"given": [lambda a: torch.nonzero(a.x, out=a.out)], "alloc": [lambda a: torch.nonzero(a.x)]},
            "argmax": {"given": [lambda a: torch.argmax(a.x, a.axis, out=a.out)],
                       "alloc": [lambda a: torch.argmax(a.x, a.axis)]},
            "search": {"given": [lambda a: torch.searchsorted(a.x, a.v, out=a.out),
                                 lambda a: torch.bucketize(a.v, a.x, out=a.out)],
                       "alloc": [lambda a: torch.searchsorted(a.x, a.v), lambda a: torch.bucketize(a.v, a.x)]},
        }

    def array(self, op, array):
        tensor = self._torch.from_numpy(bits(array))
        return tensor.view(self._torch.bfloat16) if is_bf16(array) else tensor

    def unwrap(self, op, result):
        return (result.view(self._torch.uint16) if result.dtype == self._torch.bfloat16 else result).numpy()


def _flat(a):
    if a.x.ndim != 1:
        raise NotOffered("take counts through all elements")
    return a.x


def _first_axis(a):
    if a.axis != 0:
        raise NotOffered("rows only")
    return a.x


def _spread(a):
    """A row's index once for each of its elements, without memory for it."""
    return a.index if a.src.ndim == 1 else a.index[:, None].expand(-1, a.src.shape[1])


# ---- ONNX Runtime ----

class OnnxRuntime(Peer):
    """One session per operation, shapes and dtypes; inputs and outputs are bound by address, so that nothing is copied."""

    name = "ort"
    NODES = {"take": ("Gather", ("x", "index")), "decode": ("Gather", ("x", "index")),
             "gather": ("GatherElements", ("x", "index")), "gather_nd": ("GatherND", ("x", "index")),
             "scatter_add": ("ScatterElements", ("start", "index", "src")),
             "add": ("ScatterElements", ("start", "index", "src")), "nonzero": ("NonZero", ("x",)),
             "argmax": ("ArgMax", ("x",))}

    def __init__(self, threads):
        super().__init__(threads)
        import onnx
        import onnxruntime
        self._onnx, self._ort, self.version = onnx, onnxruntime, onnxruntime.__version__
        self._sessions = {}
        both = {"given": [self._run_bound], "alloc": [self._run_allocating]}
        self.spellings = {op: both for op in self.NODES}

    def wrap(self, op, a):
        own = super().wrap(op, a)
        if op in ("add", "scatter_add"):
            own.start = own.out  # output and input in one place: it works in place
        if op == "add":
            own.axis = 0
            if own.src.ndim > 1:
                # Found by this bench with 1.31: threads race where an index occurs twice, and sums are lost.
                raise NotOffered("ScatterND's sums of rows are wrong on several threads")
        if op == "argmax" and own.axis is None:
            own.x, own.axis = own.x.reshape(-1), 0
        own.session = self._session(op, own)
        own.bound, own.allocating = self._binding(op, own), self._binding(op, own)
        own.bound.bind_output("out", "cpu", 0, own.out.dtype.type, self._out_shape(op, own), own.out.ctypes.data)
        return own

    def array(self, op, array):
        if is_bf16(array) and op not in COPIES:
            raise NotOffered("no bf16")
        return bits(array)

    def _out_shape(self, op, a):
        return list(a.out.shape[::-1]) if op == "nonzero" else list(a.out.shape)

    def _binding(self, op, a):
        binding = a.session.io_binding()
        for name in self.NODES[op][1]:
            array = getattr(a, name)
            binding.bind_input(name, "cpu", 0, array.dtype.type, list(array.shape), array.ctypes.data)
        return binding

    def _session(self, op, a):
        inputs = [(name, getattr(a, name)) for name in self.NODES[op][1]]
        key = (op, getattr(a, "axis", None), tuple((v.dtype.str, v.shape) for _, v in inputs))
        if key not in self._sessions:
            options = self._ort.SessionOptions()
            options.intra_op_num_threads, options.log_severity_level = self.threads, 4
            # Threads that spin after a call would slow down whoever is next.
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            model = self._model(op, a, inputs).SerializeToString()
            self._sessions[key] = self._ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        return self._sessions[key]

    def _model(self, op, a, inputs):
        helper, kind = self._onnx.helper, self._onnx.helper.np_dtype_to_tensor_dtype
        values = [helper.make_tensor_value_info(name, kind(v.dtype), v.shape) for name, v in inputs]
        result = helper.make_tensor_value_info("out", kind(a.out.dtype), None)
        graph = helper.make_graph(self._nodes(op, a), op, values, [result])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)

    def _nodes(self, op, a):
        make, (operator, inputs) = self._onnx.helper.make_node, self.NODES[op]
        attributes = {"axis": a.axis} if op in ("take", "decode", "gather", "scatter_add", "add", "argmax") else {}
        if op in IN_PLACE:
            attributes["reduction"] = "add"
        if op == "argmax":
            attributes["keepdims"] = 0
        if op != "decode":
            return [make(operator, inputs, ["out"], **attributes)]
        cast = make("Cast", ["index"], ["wide"], to=self._onnx.TensorProto.INT32)
        return [cast, make(operator, ["x", "wide"], ["out"], **attributes)]

    @staticmethod
    def _run_bound(a):
        a.session.run_with_iobinding(a.bound)

    @staticmethod
    def _run_allocating(a):
        a.allocating.clear_binding_outputs()
        a.allocating.bind_output("out", "cpu")
        a.session.run_with_iobinding(a.allocating)
        return a.allocating.get_outputs()[0]

    def unwrap(self, op, result):
        array = result if isinstance(result, np.ndarray) else result.numpy()
        return array.T if op == "nonzero" else array

    def given_result(self, op, a):
        return a.out.reshape(self._out_shape(op, a)).T if op == "nonzero" else a.out


# ---- JAX ----

class Jax(Peer):
    """Jitted, on the CPU, with 64-bit indices as the others have. It writes to no memory but its own; what adds in place
    donates its operand."""

    name = "jax"

    def __init__(self, threads):
        super().__init__(threads)
        import jax
        import jax.numpy as jnp
        jax.config.update("jax_platforms", "cpu")
        jax.config.update("jax_enable_x64", True)
        self.version, self._jax, self._jnp = jax.__version__, jax, jnp
        sure = "promise_in_bounds"

        def jit(function, *fields, static=(), donate=()):
            """function(*fields of a), compiled; waits for the result."""
            compiled = jax.jit(function, static_argnums=static, donate_argnums=donate)
            return lambda a: compiled(*(getattr(a, field) for field in fields)).block_until_ready()

        def in_place(function, *fields, static=()):
            call = jit(function, "out", *fields, static=static, donate=(0,))

            def update(a):
                a.out = call(a)
            return update

        def take(x, i, axis):
            return x.at[i].get(mode=sure) if axis == 0 else x.at[:, i].get(mode=sure)

        def scatter_add(out, index, src, axis):
            return out.at[_grid(jnp, types.SimpleNamespace(index=index, axis=axis))].add(src, mode=sure)

        def add(out, index, src):
            return out.at[index].add(src, mode=sure)

        def sum_rows(index, src, rows):
            return jnp.zeros((rows, src.shape[1]), src.dtype).at[index].add(src, mode=sure)

        self.spellings = {
            "take": {"alloc": [jit(take, "x", "index", "axis", static=(2,)),
                               jit(lambda x, i, axis: jnp.take(x, i, axis, mode="clip"), "x", "index", "axis", static=(2,))]},
            "gather": {"alloc": [jit(lambda x, i, axis: jnp.take_along_axis(x, i, axis, mode=sure), "x", "index", "axis",
                                     static=(2,))]},
            "gather_nd": {"alloc": [jit(lambda x, i, j: x.at[i, j].get(mode=sure), "x", "i", "j")]},
            "scatter_add": {"given": [in_place(scatter_add, "index", "src", "axis", static=(3,))],
                            "alloc": [jit(scatter_add, "out", "index", "src", "axis", static=(3,))]},
            "add": {"given": [in_place(add, "index", "src")], "alloc": [jit(add, "out", "index", "src")]},
            "sum_rows": {"alloc": [jit(sum_rows, "index", "src", "rows", static=(2,))]},
            "nonzero": {"alloc": [lambda a: jnp.argwhere(a.x).block_until_ready()]},
            "argmax": {"alloc": [jit(jnp.argmax, "x", "axis", static=(1,))]},
            "search": {"alloc": [jit(lambda x, v, how=how: jnp.searchsorted(x, v, method=how), "x", "v")
                                 for how in ("scan_unrolled", "scan", "sort")]},
        }
        self.spellings["decode"] = self.spellings["take"]

    def wrap(self, op, a):
        """Without what it cannot use: a copy of a given output would only take memory."""
        fields = {key: value for key, value in vars(a).items() if key != "out" or op in IN_PLACE}
        own = super().wrap(op, types.SimpleNamespace(**fields))
        if op in IN_PLACE:
            own.out = self._jnp.array(a.out, copy=True)
        return own

    def array(self, op, array):
        if is_bf16(array):
            return self.array(op, bits(array)).view(self._jnp.bfloat16)
        try:
            return self._jax.dlpack.from_dlpack(array)
        except Exception:  # a dtype the exchange does not know
            return self._jnp.asarray(array)

    def unwrap(self, op, result):
        return np.asarray(result)


# ---- plain C++ ----

@functools.cache
def plain_library():
    """None when the bench's C++ part is not built."""
    path = os.environ.get("GARNER_PLAIN", "build/release/bin/libgarner_plain.so")
    with contextlib.suppress(OSError):
        return ctypes.CDLL(os.path.abspath(path))
    return None


def _address(array):
    return ctypes.c_void_p(array.ctypes.data)


def _i64(number):
    return ctypes.c_int64(int(number))


class Plain(Peer):
    """Loops as one writes them (bench/plain.cc)."""

    name = "plain"

    def __init__(self, threads):
        super().__init__(threads)
        self._c = plain_library()
        if self._c is None:
            raise ImportError("libgarner_plain.so is not built")
        self._c.plain_argmax_f32.restype = ctypes.c_int64
        self.spellings = {
            "take": {"given": [lambda a: self._take(a, a.out)]},
            "add": {"given": [self._add]},
            "argmax": {"given": [self._argmax]},
            "nonzero": {"given": [self._nonzero]},
        }

    def array(self, op, array):
        return bits(array)

    def wrap(self, op, a):
        own = super().wrap(op, a)
        floats = own.x.dtype == np.float32 if hasattr(own, "x") else own.out.dtype == np.float32
        flat_only = op == "argmax" and own.axis is not None
        other_index = hasattr(own, "index") and own.index.dtype != np.int64
        if getattr(own, "axis", 0) not in (0, None) or flat_only or other_index or (op != "take" and not floats):
            raise NotOffered("not written")
        return own

    def _take(self, a, out):
        width = a.x.dtype.itemsize * (a.x.shape[1] if a.x.ndim == 2 else 1)
        if a.x.ndim == 1:
            self._c.plain_gather_f32(_address(a.x), _address(a.index), _i64(a.index.size), _address(out), self.threads)
        else:
            self._c.plain_gather_rows(_address(a.x), _address(a.index), _i64(a.index.size), _i64(width), _address(out),
                                      self.threads)
        return out

    def _add(self, a):
        fixed = (_address(a.out), _address(a.index), _i64(a.index.size))
        if a.src.ndim == 1:
            self._c.plain_add_f32(*fixed, _address(a.src))
        else:
            self._c.plain_add_rows_f32(*fixed, _i64(a.src.shape[1]), _address(a.src))

    def _argmax(self, a):
        a.out[...] = self._c.plain_argmax_f32(_address(a.x), _i64(a.x.size))

    def _nonzero(self, a):
        self._c.plain_nonzero_f32(_address(a.x), _i64(a.x.size), _i64(a.x.shape[1]), _address(a.out))


class Kept:
    """An index in xtensor's form, given back with the last who uses it."""

    def __init__(self, library, index):
        self._library, self.address = library, ctypes.c_void_p(library.plain_xtensor_index(_address(index), _i64(index.size)))

    def __del__(self):
        self._library.plain_xtensor_free(self.address)


class Xtensor(Peer):
    """view(table, keep(rows), all()) of xtensor, one thread."""

    name = "xtensor"

    def __init__(self, threads):
        super().__init__(threads)
        self._c = plain_library()
        if self._c is None or not self._c.plain_has_xtensor():
            raise ImportError("built without xtensor")
        self._c.plain_xtensor_index.restype = ctypes.c_void_p
        self.spellings = {"take": {"given": [lambda a: self._take(a, a.out)]}}

    def wrap(self, op, a):
        if a.x.ndim != 2 or a.axis != 0 or a.x.dtype != np.float32:
            raise NotOffered("rows of f32 only")
        own = super().wrap(op, a)
        own.keep = Kept(self._c, a.index)
        return own

    def _take(self, a, out):
        self._c.plain_xtensor_rows_f32(_address(a.x), _i64(a.x.shape[0]), _i64(a.x.shape[1]), a.keep.address,
                                       _i64(a.index.size), _address(out))
        return out


# ---- all of them ----

LIBRARIES = {"numpy": Numpy, "torch": Torch, "ort": OnnxRuntime, "jax": Jax}  # ×P is against the best of these
LOOPS = {"plain": Plain, "xtensor": Xtensor}


def ours(threads):
    """At level exact, the default, with both widths of indices; and what another level would save."""
    return [Ours(threads), Ours(threads, np.int32), Ours(threads, level="fast")]


def present(threads, names=None):
    """(peers, {name: why it is missing}), ours first."""
    found, missing = ours(threads), {}
    for name, make in {**LIBRARIES, **LOOPS}.items():
        if names is not None and name not in names:
            continue
        try:
            found.append(make(threads))
        except ImportError as error:
            missing[name] = str(error)
    return found, missing
