"""torch, CuPy and JAX, as the tests need them: an array of NumPy's there and back, a stream, and where memory lies.

These tests are run by scripts/device-test on a machine with a device, one library after the other; python/tests/conftest.py keeps
them from being collected elsewhere."""
import importlib

import numpy as np

import garner


class Torch:
    odd_dtypes = ("bfloat16", "float8_e4m3fn", "float8_e5m2")

    def __init__(self):
        self.torch = importlib.import_module("torch")

    def there(self, array):
        array = np.array(array, order="C")  # torch takes no negative strides, and warns of what cannot be written to
        if array.dtype.name in self.odd_dtypes:
            bits = self.torch.from_numpy(array.view(f"uint{8 * array.itemsize}"))
            return bits.view(getattr(self.torch, array.dtype.name)).cuda()
        return self.torch.from_numpy(array).cuda()

    def back(self, tensor):
        if isinstance(tensor, np.ndarray):  # of a call without arrays
            return tensor
        tensor = tensor.detach().cpu()
        name = str(tensor.dtype).removeprefix("torch.")
        if name not in self.odd_dtypes:
            return tensor.numpy()
        return tensor.view(getattr(self.torch, f"uint{8 * tensor.itemsize}")).numpy().view(garner._arrays.numpy_dtype(
            garner._arrays.dtype_name(name)))


class Cupy:
    def __init__(self):
        self.cupy = importlib.import_module("cupy")

    def there(self, array):
        return self.cupy.array(array)

    def back(self, array):
        return self.cupy.asnumpy(array)


class Jax:
    def __init__(self):
        self.jax = importlib.import_module("jax")
        self.jax.config.update("jax_enable_x64", True)

    def there(self, array):
        return self.jax.numpy.asarray(array)

    def back(self, array):
        return np.asarray(array)


LIBRARIES = {"torch": Torch, "cupy": Cupy, "jax": Jax}
