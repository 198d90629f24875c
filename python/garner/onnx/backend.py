"""ONNX's backend interface (`onnx.backend.base`) for models made of the operators of `garner.onnx`.

A model may also have Constant and Identity nodes, initialisers, optional inputs and outputs, and any number of nodes.
Anything else is refused by `prepare`, with NotImplementedError and the name of what it was. Needs the package onnx.

>>> import numpy as np
>>> from onnx import TensorProto, helper
>>> X, I, Y = (helper.make_tensor_value_info(name, kind, ["n"])
...            for name, kind in (("X", TensorProto.FLOAT), ("I", TensorProto.INT64), ("Y", TensorProto.FLOAT)))
>>> graph = helper.make_graph([helper.make_node("Gather", ["X", "I"], ["Y"])], "g", [X, I], [Y])
>>> model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
>>> prepare(model).run([np.array([1, 2, 3], np.float32), np.array([-1, 0])])["Y"]
array([3., 1.], dtype=float32)
"""
from __future__ import annotations

import numpy as np
from onnx import TensorProto, checker, defs, helper, numpy_helper
from onnx.backend import base

from garner import _errors
from garner import onnx as _operators

_NEWEST_OPSET = 28
_DOMAINS = ("", "ai.onnx")
_NAMES = ("ArgMax", "ArgMin", "Compress", "Gather", "GatherElements", "GatherND", "NonZero", "OneHot", "Scatter",
          "ScatterElements", "ScatterND", "TensorScatter", "TopK", "Unique", "Where")
_FUNCTIONS = {name: getattr(_operators, name) for name in _NAMES}
_CONSTANTS = {"value_int": np.int64, "value_ints": np.int64, "value_float": np.float32, "value_floats": np.float32}
_TYPES = ("BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "FLOAT16", "FLOAT",
          "DOUBLE", "COMPLEX64", "COMPLEX128", "BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E5M2")
_DTYPES = {getattr(TensorProto, name): np.dtype(helper.tensor_dtype_to_np_dtype(getattr(TensorProto, name)))
           for name in _TYPES}


def _refuse(what, found, allowed):
    raise _errors.NotImplementedError(f"onnx.backend: {what} is {found}, allowed {allowed}")


def _title(node):
    return f"node '{node.name or node.output[0]}'"


# ---- what a model holds ----


def _array(tensor, what):
    if tensor.data_type not in _DTYPES:
        _refuse(f"type of {what}", TensorProto.DataType.Name(tensor.data_type), " ".join(_TYPES))
    return numpy_helper.to_array(tensor)


def _constant(node):
    (attribute,) = node.attribute
    if attribute.name == "value":
        return _array(attribute.t, _title(node))
    if attribute.name not in _CONSTANTS:
        _refuse(f"attribute of {_title(node)}", attribute.name, " ".join(["value", *_CONSTANTS]))
    return np.array(helper.get_attribute_value(attribute), _CONSTANTS[attribute.name])


def _dtype(info):
    """Of a graph's input."""
    kind = info.type.WhichOneof("value")
    if kind != "tensor_type":
        _refuse(f"kind of input '{info.name}'", kind, "tensor_type")
    found = info.type.tensor_type.elem_type
    if found not in _DTYPES:
        _refuse(f"type of input '{info.name}'", TensorProto.DataType.Name(found), " ".join(_TYPES))
    return _DTYPES[found]


def _extents(info):
    """Of a graph's input: a number, or None where any will do. None when the model says nothing."""
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        return None
    return [dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim]


def _opset(model):
    found = max((entry.version for entry in model.opset_import if entry.domain in _DOMAINS), default=1)
    if found > _NEWEST_OPSET:
        _refuse("opset of the model", found, f"[1, {_NEWEST_OPSET}]")
    return found


def _check_functions(model):
    """A function of the model in ONNX's own domain would stand for an operator of that name."""
    for function in model.functions:
        if function.domain in _DOMAINS:
            _refuse(f"domain of function '{function.name}'", "ai.onnx", "one of its own")


# ---- one node ----


class _Step:
    """A node, ready to be called."""

    def __init__(self, node, opset):
        self.inputs, self.outputs = list(node.input), list(node.output)
        if node.domain not in _DOMAINS:
            _refuse(f"domain of {_title(node)}", node.domain, "ai.onnx")
        if node.op_type == "Identity":
            self._function, self._attributes = np.copy, {}
        elif node.op_type in _FUNCTIONS:
            self._function, self._attributes = _FUNCTIONS[node.op_type], {**_attributes(node), "opset": opset}
        else:
            _refuse(_title(node), node.op_type, " ".join(["Constant", "Identity", *_NAMES]))

    def __call__(self, values):
        """Reads its inputs from values, and adds its outputs."""
        found = self._function(*(values[name] if name else None for name in self.inputs), **self._attributes)
        results = found if isinstance(found, tuple) else (found,)
        values.update((name, result) for name, result in zip(self.outputs, results) if name)


def _attributes(node):
    """Numbers and words: the checker has seen to names and types."""
    found = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in found.items()}


# ---- the interface ----


class BackendRep(base.BackendRep):
    """A model that is ready to run: as often as you like, on any thread."""

    def __init__(self, model):
        graph, opset = model.graph, _opset(model)
        _check_functions(model)
        if graph.sparse_initializer:
            _refuse(f"initialiser '{graph.sparse_initializer[0].values.name}'", "sparse", "dense")
        self._held = {tensor.name: _array(tensor, f"initialiser '{tensor.name}'") for tensor in graph.initializer}
        self._inputs = {info.name: (_dtype(info), _extents(info)) for info in graph.input}
        self._needed = [name for name in self._inputs if name not in self._held]
        self._steps = []
        for node in graph.node:
            self._add(node, opset)
        self._outputs = [info.name for info in graph.output]
        self._made = {name for step in self._steps for name in step.outputs}
        self._results = base.namedtupledict("Outputs", self._outputs)

    def run(self, inputs, **kwargs):
        """The outputs, by position and by name.

        inputs: a list in the order of the graph's inputs (those with an initialiser may be left out, all together), a
        dict by name, or one array for a model with one input.
        """
        if kwargs:
            _refuse("an option of run", sorted(kwargs)[0], "none")
        values = {**self._held, **self._given(inputs)}
        for step in self._steps:
            step(values)
        return self._results(*(self._owned(name, values[name]) for name in self._outputs))

    def _add(self, node, opset):
        if node.op_type == "Constant" and node.domain in _DOMAINS:
            self._held[node.output[0]] = _constant(node)
        else:
            self._steps.append(_Step(node, opset))

    def _owned(self, name, value):
        """An output is the caller's to change, also where it is an input or a constant."""
        return value if name in self._made else np.copy(value)

    def _given(self, inputs):
        named = self._named(inputs)
        for name in self._needed:
            if name not in named:
                raise _errors.ValueError(f"onnx.backend: input '{name}' is missing")
        return {name: self._checked(name, value) for name, value in named.items()}

    def _named(self, inputs):
        if isinstance(inputs, dict):
            return inputs
        inputs = _sequence(inputs)
        names = self._needed if len(inputs) == len(self._needed) else list(self._inputs)
        if len(inputs) != len(names):
            raise _errors.ValueError(f"onnx.backend: number of inputs is {len(inputs)}, allowed {len(self._needed)}")
        return dict(zip(names, inputs))

    def _checked(self, name, value):
        if name not in self._inputs:
            raise _errors.ValueError(f"onnx.backend: input is '{name}', allowed {' '.join(self._inputs)}")
        array, (dtype, extents) = np.asarray(value), self._inputs[name]
        if array.dtype != dtype:
            raise _errors.TypeError(f"onnx.backend: dtype of input '{name}' is {array.dtype}, allowed {dtype}")
        if extents is not None and not _fits(array.shape, extents):
            shown = [extent if extent is not None else "?" for extent in extents]
            raise _errors.ValueError(f"onnx.backend: shape of input '{name}' is {list(array.shape)}, allowed {shown}")
        return array


def _fits(shape, extents):
    return len(shape) == len(extents) and all(want in (None, have) for have, want in zip(shape, extents))


class Backend(base.Backend):
    """Prepares models, and runs a model or a node once. The device is the CPU."""

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Only the CPU.

        >>> supports_device("CPU"), supports_device("CUDA:1")
        (True, False)
        """
        return device.partition(":")[0] == "CPU"

    @classmethod
    def is_compatible(cls, model, device: str = "CPU", **kwargs) -> bool:
        """Would `prepare` take the model?"""
        try:
            cls.prepare(model, device, **kwargs)
        except (_errors.Error, checker.ValidationError):
            return False
        return True

    @classmethod
    def prepare(cls, model, device: str = "CPU", **kwargs) -> BackendRep:
        """A model that is ready to run. Raises onnx's ValidationError for what is no model, NotImplementedError for
        what is not offered."""
        cls._check_options(device, kwargs)
        super().prepare(model, device)
        return BackendRep(model)

    @classmethod
    def run_node(cls, node, inputs, device: str = "CPU", outputs_info=None, *, opset_version: int | None = None,
                 **kwargs):
        """The outputs of one node, by position and by name. inputs: a list with an array for each name among the node's
        inputs, or a dict. opset_version: the newest when left out. outputs_info: not needed.

        >>> from onnx import helper
        >>> run_node(helper.make_node("NonZero", ["X"], ["Y"]), [np.array([0, 5, 6])])["Y"]
        array([[1, 2]])
        """
        cls._check_options(device, kwargs)
        opset = min(defs.onnx_opset_version(), _NEWEST_OPSET) if opset_version is None else opset_version
        super().run_node(node, inputs, device, outputs_info, opset_version=opset)
        return _run_node(node, inputs, opset)

    @classmethod
    def _check_options(cls, device, kwargs):
        if not cls.supports_device(device):
            _refuse("device", device, "CPU")
        if kwargs:
            _refuse("an option", sorted(kwargs)[0], "none")


def _sequence(inputs):
    return [inputs] if isinstance(inputs, np.ndarray) else inputs


def _run_node(node, inputs, opset):
    names = [name for name in node.output if name]
    results = base.namedtupledict("Outputs", names)
    if node.op_type == "Constant":
        return results(_constant(node))
    step, inputs = _Step(node, opset), _sequence(inputs)
    wanted = list(dict.fromkeys(name for name in node.input if name))
    values = dict(inputs) if isinstance(inputs, dict) else dict(zip(wanted, inputs))
    if sorted(values) != sorted(wanted) or len(inputs) != len(wanted):
        raise _errors.ValueError(f"onnx.backend: number of inputs is {len(inputs)}, allowed {len(wanted)}: "
                                 + " ".join(wanted))
    step(values)
    return results(*(values[name] for name in names))


is_compatible = Backend.is_compatible
prepare = Backend.prepare
run_model = Backend.run_model
run_node = Backend.run_node
supports_device = Backend.supports_device

__all__ = ["Backend", "BackendRep", "is_compatible", "prepare", "run_model", "run_node", "supports_device"]
