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


def _current_streams(device):
    """Where torch and CuPy work now, and the default stream, where JAX's calls go."""
    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    streams = {0}
    if torch is not None and torch.cuda.is_initialized():
        streams.add(torch.cuda.current_stream(device).cuda_stream)
    if cupy is not None and cupy.cuda.is_available():
        streams.add(cupy.cuda.get_current_stream(device).ptr)
    return sorted(streams)


def check(stream=None, device=0):
    """Waits for a stream (a number; without one, the default stream and the current ones of torch and CuPy) and raises the first
    bad index of the calls since the last check, in the words the CPU has for it. The device goes on working."""
    for one in _current_streams(device) if stream is None else (stream,):
        _core.cuda_check(one, device)
