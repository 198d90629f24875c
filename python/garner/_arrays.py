"""Arrays of other libraries as NumPy's, without a copy, and back. No library but NumPy is imported here: whoever calls
with a torch or JAX array has imported theirs."""
import importlib
import sys

import numpy as np

try:
    import ml_dtypes
except ImportError:  # bf16 and the 8-bit floats are then not to be had as NumPy arrays
    ml_dtypes = None

_NUMPY = {"bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
          "u32": "uint32", "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
          "c128": "complex128"}
_ML = {"bf16": "bfloat16", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}
_NAMES = {numpy: ours for ours, numpy in {**_NUMPY, **_ML}.items()}
_BITS = {"bf16": "uint16", "f8e4m3fn": "uint8", "f8e5m2": "uint8"}


def needs_ml_dtypes(name):
    """Is it a dtype NumPy itself does not have?"""
    return name not in _NUMPY


def numpy_dtype(name):
    """NumPy's dtype for one of Garner's names; None when it takes ml_dtypes and that is missing."""
    if name in _NUMPY:
        return np.dtype(_NUMPY[name])
    return np.dtype(getattr(ml_dtypes, _ML[name])) if ml_dtypes and name in _ML else None


def dtype_name(dtype):
    """Garner's name ("f32") for a dtype of NumPy, torch or JAX, for its name, or for a Python type.

    >>> dtype_name(np.float32), dtype_name("bfloat16"), dtype_name(int)
    ('f32', 'bf16', 'i64')
    """
    text = dtype if isinstance(dtype, str) else str(dtype)
    text = text.removeprefix("torch.")
    if text in _NUMPY or text in _ML:
        return text
    if text in _NAMES:
        return _NAMES[text]
    return _NAMES[np.dtype(dtype).name]


class Kind:
    """Whose arrays: how to look at one as NumPy's, how to make one of NumPy's, and the module whose `traced(operation,
    arguments)` makes a call that the framework follows (for gradients, or while it compiles)."""

    def __init__(self, to_numpy, from_numpy, glue):
        self.to_numpy, self.from_numpy, self._glue = to_numpy, from_numpy, glue

    def traced(self, operation, arguments):
        return importlib.import_module(self._glue).traced(operation, arguments)


class DeviceKind:
    """Whose arrays, on a CUDA device: they come and go through DLPack. `capsule(array)` is (a DLPack capsule, may it not be
    written to?), `stream(device)` where that library's work on a device goes now; `from_device` and `from_numpy` make an array of
    theirs, the latter of a result that no argument on the device had a part in. `waits`: that library may use the memory of
    an argument again as soon as the call returns, so that the call has to wait for its end."""

    def __init__(self, stream, capsule, from_device, from_numpy, glue=None, waits=False):
        self.stream, self.capsule, self.from_device = stream, capsule, from_device
        self.from_numpy, self._glue, self.waits = from_numpy, glue, waits

    def traced(self, operation, arguments):
        return importlib.import_module(self._glue).traced(operation, arguments)

    def hand_over(self, array):
        """As as_numpy: a capsule in place of an array; the dtype is in it."""
        capsule, read_only = self.capsule(array)
        return capsule, "", self, read_only


class Traced(Exception):
    """Raised for an array whose framework must make the call itself."""

    def __init__(self, kind):
        super().__init__("garner: an array that its framework follows")
        self.kind = kind


_exchanged = set()  # types whose tensors garner._core looks at by itself


def _exchange(kind):
    """From now on plain tensors are exchanged by calls in C, where PyTorch offers that (2.10 and later)."""
    torch = sys.modules["torch"]
    if kind in _exchanged or kind not in (torch.Tensor, torch.nn.Parameter):
        return
    _exchanged.add(kind)
    if hasattr(kind, "__dlpack_c_exchange_api__"):
        from garner._core import remember_exchange
        remember_exchange(kind, kind.__dlpack_c_exchange_api__, _TORCH_CUDA, _TORCH, torch.is_grad_enabled)


def _from_torch(tensor):
    """(array, dtype name, is it a copy?)"""
    torch = sys.modules["torch"]
    _exchange(type(tensor))
    if tensor.requires_grad and torch.is_grad_enabled():
        raise Traced(_TORCH)
    if tensor.device.type != "cpu":
        raise TypeError(f"garner: the tensor is on {tensor.device}, allowed cpu and cuda")
    name = dtype_name(tensor.dtype)
    plain = tensor.detach().resolve_conj().resolve_neg()
    copied = plain.data_ptr() != tensor.data_ptr()
    if name in _BITS:
        plain = plain.view(getattr(torch, _BITS[name]))
    return plain.numpy(), name, copied


def _to_torch(array, name):
    torch = sys.modules["torch"]
    tensor = torch.from_numpy(array)
    return tensor.view(getattr(torch, _ML[name])) if name in _BITS else tensor


def _from_jax(array):
    if isinstance(array, sys.modules["jax"].core.Tracer):
        raise Traced(_JAX)
    plain = np.asarray(array)
    name = dtype_name(plain.dtype)
    return (plain.view(_BITS[name]) if name in _BITS else plain), name, True  # immutable


def _to_jax(array, name):
    jax = sys.modules["jax"]
    return jax.numpy.asarray(array.view(numpy_dtype(name)) if name in _BITS else array)


def _torch_capsule(tensor):
    """The work goes to torch's own stream, so nothing has to wait for anything (-1)."""
    _exchange(type(tensor))
    plain = tensor.detach().resolve_conj().resolve_neg()
    with sys.modules["torch"].cuda.device(tensor.device):
        return plain.__dlpack__(stream=-1), plain.data_ptr() != tensor.data_ptr()


def _torch_stream(device):
    return sys.modules["torch"].cuda.current_stream(device).cuda_stream


_cupy_streams: dict = {}  # kept: a result goes back to the pool in the order of the stream that made it


def _cupy_stream(device):
    stream = sys.modules["cupy"].cuda.get_current_stream(device)
    return _cupy_streams.setdefault(stream.ptr, stream).ptr


_TORCH = Kind(_from_torch, _to_torch, "garner._torch")
_JAX = Kind(_from_jax, _to_jax, "garner._jax")
_TORCH_CUDA = DeviceKind(_torch_stream, _torch_capsule, lambda memory: sys.modules["torch"].from_dlpack(memory),
                         lambda array, name: _to_torch(array, name).cuda(), "garner._torch")
# JAX has no current stream: its arrays wait for the device's default one (1), and are immutable.
_JAX_CUDA = DeviceKind(lambda device: 0, lambda array: (array.__dlpack__(stream=1), True),
                       lambda memory: sys.modules["jax"].dlpack.from_dlpack(memory), _to_jax, "garner._jax", waits=True)
_CUPY = DeviceKind(_cupy_stream, lambda array: (array.__dlpack__(stream=-1), False),
                   lambda memory: sys.modules["cupy"].from_dlpack(memory), lambda array, name: sys.modules["cupy"].array(array))


def _on_device(thing, kind):
    """The kind of an array that lies on a CUDA device, and is not followed by its framework; None for any other."""
    if kind is _CUPY:
        return kind
    if kind is _TORCH and thing.device.type == "cuda":
        if thing.requires_grad and sys.modules["torch"].is_grad_enabled():
            raise Traced(_TORCH_CUDA)
        return _TORCH_CUDA
    if kind is _JAX and not isinstance(thing, sys.modules["jax"].core.Tracer):
        return _JAX_CUDA if next(iter(thing.devices())).platform in ("gpu", "cuda") else None
    return None


def _kind_of(thing):
    for base in type(thing).__mro__:
        top = base.__module__.partition(".")[0]
        if top == "torch":
            return _TORCH
        if top in ("jax", "jaxlib"):
            return _JAX
        if top == "cupy":
            return _CUPY
    return getattr(type(thing), "__garner_kind__", None)


def is_on_device(thing):
    """Does it lie on a CUDA device?"""
    return isinstance(_on_device(thing, _kind_of(thing)), DeviceKind)


def namespace(thing):
    """The module with the functions on such arrays: NumPy's for all that is neither torch's, JAX's nor CuPy's."""
    kind = _kind_of(thing)
    if kind is _JAX:
        return sys.modules["jax"].numpy
    return sys.modules["torch"] if kind is _TORCH else sys.modules["cupy"] if kind is _CUPY else np


def copied(array):
    """The same elements in memory of their own."""
    return array.clone() if _kind_of(array) is _TORCH else array.copy()


def _from_numpy(array):
    """In this machine's byte order, on whole elements: what the buffer protocol can hand over. (array, dtype name, is it
    a copy?)"""
    plain = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    if plain.dtype.name not in _NAMES:
        raise TypeError(f"garner: dtype is {array.dtype}, allowed {', '.join(_NAMES)}")
    if any(s % plain.itemsize for s in plain.strides) or not plain.flags.aligned:
        plain = plain.copy()
    copied, name = plain is not array, _NAMES[plain.dtype.name]
    return (plain.view(_BITS[name]) if name in _BITS else plain), name, copied


def _has_buffer(thing):
    try:
        memoryview(thing)
    except TypeError:
        return False
    return True


def _general(thing):
    """(array, is it a copy?). An array made of a list, or by an object that does not say whose memory it shows, is one."""
    if isinstance(thing, np.ndarray):
        return thing, False
    if hasattr(thing, "__dlpack__") and not hasattr(thing, "__array__"):
        return np.from_dlpack(thing), False
    array = np.asarray(thing)
    if array.dtype == object:
        raise TypeError(f"garner: an argument is {type(thing).__name__}, allowed an array, a number or a list of those")
    return array, not _has_buffer(thing)


def as_numpy(thing):
    """(array, dtype name, kind, may it not be written to?). Called by garner._core for what is no plain NumPy array. On a
    device the array is a DLPack capsule."""
    kind = _kind_of(thing)
    if there := _on_device(thing, kind):
        return there.hand_over(thing)
    if kind is not None:
        array, name, copied = kind.to_numpy(thing)
        return array, name, kind, copied
    given, made = _general(thing)
    array, name, copied = _from_numpy(given)
    return array, name, None, made or copied


def from_numpy(memory, shape, name, kind):
    """An array of a kind over a result's memory. Called by garner._core."""
    bits = np.dtype(_BITS.get(name) or _NUMPY[name])
    return kind.from_numpy(np.ndarray(shape, bits, memory), name)
