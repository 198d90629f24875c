"""Every gather, scatter and index call as one plan, on the arrays you hold.

>>> import numpy as np
>>> import garner
>>> x = np.array([[10, 20, 30], [40, 50, 60]])
>>> garner.torch.gather(x, 1, np.array([[2, 1], [0, 2]]))
array([[30, 20],
       [40, 60]])

One module per dialect, each with the names, defaults and exceptions of its source: `garner.torch`, `garner.numpy`,
`garner.jax`, `garner.tensorflow`, `garner.onnx`, `garner.stablehlo`, `garner.tensorrt`, `garner.tile`, `garner.deepnet`,
`garner.anvil`, `garner.lucid`. `garner.index` has the functions that return indices; `garner.array_api` is the namespace of
the Python array API standard. A call as text can be run, explained, drawn, translated and exported: `garner.call`,
`garner.explain`, `garner.draw`, `garner.translate`, `garner.to_stablehlo`, `garner.to_onnx`. `garner.determinism` says how far
the bits of sums are fixed; `garner.cuda` checks what ran on a device. `garner.Table` has rows that need not fit memory.
"""
import importlib

from garner._core import __version__
from garner._determinism import determinism
from garner._text import call, draw, explain, run_stablehlo, to_onnx, to_stablehlo, translate
from garner._errors import (Error, IndexError, MemoryError, NotImplementedError, OSError, RuntimeError, TypeError,
                            ValueError)

_MODULES = ("anvil", "array_api", "cuda", "deepnet", "index", "jax", "lucid", "numpy", "onnx", "stablehlo", "table",
            "tensorflow", "tensorrt", "tile", "torch")
_OF_TABLE = ("ShardedEmbedding", "Table")

__all__ = ["Error", "__version__", "call", "determinism", "draw", "explain", "run_stablehlo", "to_onnx", "to_stablehlo",
           "translate", *_MODULES, *_OF_TABLE]


def __getattr__(name):
    """Dialects are imported when they are first used."""
    if name in _MODULES:
        return importlib.import_module(f"garner.{name}")
    if name in _OF_TABLE:
        return getattr(importlib.import_module("garner.table"), name)
    raise AttributeError(f"module 'garner' has no attribute '{name}'")


def __dir__():
    return sorted(__all__)
