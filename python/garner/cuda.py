"""CUDA devices. Calls on torch, JAX and CuPy arrays that lie on a device run there, on their library's current stream, and return
at once; a bad index is an ordinary exception at the next check.

>>> import garner
>>> garner.cuda.device_count() >= 0
True
"""
import sys

from garner import _core


def device_count():
    """How many devices there are; 0 where Garner was built without CUDA."""
    return _core.cuda_device_count()


def _current_stream():
    for name in ("torch", "cupy"):
        module = sys.modules.get(name)
        if module is None or not module.cuda.is_available():
            continue
        return module.cuda.current_stream().cuda_stream if name == "torch" else module.cuda.get_current_stream().ptr
    return 0


def check(stream=None, device=0):
    """Waits for a stream (a number; without one, the current stream of torch or CuPy) and raises the first bad index of the calls
    since the last check, in the words the CPU has for it. The device goes on working."""
    _core.cuda_check(_current_stream() if stream is None else stream, device)
