"""One call as text, `dialect.op(args, key=value)`, and what can be done with it. Names in the text are keyword arguments.

Arrays are what a translation takes as its inputs; numbers and lists are constants of it. Values in the text are written as on
the command line (docs/cli.md): `3`, `[1, 2]`, `f32[[1, 2], [3, 4]]`, `iota(f32, 2, 3)`, `@d.npy`.
"""
from garner import _core


def call(text, /, **names):
    """The call's result, or a tuple of several.

    >>> import numpy as np
    >>> call("torch.gather(x, 1, [[2, 1], [0, 2]])", x=np.array([[10, 20, 30], [40, 50, 60]]))
    array([[30, 20],
           [40, 60]])
    """
    return _core.call(text, names)


def explain(text, /, **names):
    """What the call does and what it costs: its index equation, its plan, the kernels, the bytes, the time.

    >>> print(explain("torch.gather(x, 1, i64[[2, 1], [0, 2]])", x=[[10, 20, 30], [40, 50, 60]]))
    torch.gather(input, dim, index, ...)
    ...
      result[i, j] = input[i, index[i, j]]
        index[i, j] in [0, 3), otherwise an error (TO8)
    ...
    """
    return _core.explain(text, names)


class Picture(str):
    """An SVG, which notebooks show."""

    def _repr_svg_(self):
        return str(self)


def draw(text, /, **names):
    """Which element comes from where, as an SVG picture; at most 400 elements and 4 axes a tensor.

    >>> draw("torch.gather(x, 1, i64[[2, 1], [0, 2]])", x=[[10, 20, 30], [40, 50, 60]])[:4]
    '<svg'
    """
    return Picture(_core.draw(text, names))


def translate(text, to, /, **names):
    """The same call in another library's words: its source code, which gives the same result for every value of the
    call's tensors. NotImplementedError, with the reason and an input that would differ, when there is none (docs/translate.md).

    >>> print(translate("tensorflow.gather(x, [2, 0])", "numpy", x=[1.5, 2.5, 3.5]))
    import numpy as np
    ...
    """
    return _core.translate(text, to, names)


def to_stablehlo(text, /, **names):
    """The call as a StableHLO module; its tensors are the arguments of @main.

    >>> import numpy as np
    >>> module = to_stablehlo("numpy.take(x, i, mode=clip)", x=np.array([1.5, 2.5, 3.5]), i=np.array([0, 9]))
    >>> run_stablehlo(module, [1.5, 2.5, 3.5], [1, -7])
    array([2.5, 1.5])
    """
    return _core.to_stablehlo(text, names)


def to_onnx(text, /, **names):
    """The call as the bytes of an ONNX model; its tensors are the inputs.

    >>> import numpy as np
    >>> import onnx
    >>> bytes = to_onnx("numpy.take(x, i, mode=clip)", x=np.array([1.5, 2.5, 3.5]), i=np.array([0, 9]))
    >>> [value.name for value in onnx.load_from_string(bytes).graph.input]
    ['a', 'indices']
    """
    return _core.to_onnx(text, names)


def run_stablehlo(module, /, *arguments, function="main"):
    """Runs a function of a StableHLO module, as JAX and the StableHLO project print it (docs/mlir.md).

    >>> run_stablehlo('''
    ... func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
    ...   %0 = stablehlo.reverse %x, dims = [0] : tensor<3xf64>
    ...   return %0 : tensor<3xf64>
    ... }''', [1.0, 2.0, 3.0])
    array([3., 2., 1.])
    """
    return _core.run_stablehlo(module, arguments, function)
