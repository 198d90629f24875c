"""Torch's side of a call: gradients for any operation, and the torch dialect as operators `torch.ops.garner.*`, which
autograd and torch.compile know. Imported when a tensor comes along."""
import numpy as np
import torch
from torch.autograd.function import once_differentiable

from garner import _errors
from garner._core import Operation, Quick

# ---- any operation, of any dialect, under autograd ----

_LEAF = object()  # stands where a tensor is saved elsewhere


def _map(function, arguments):
    """The arguments with a function applied to each, also to those in lists."""
    return [_map(function, a) if isinstance(a, (list, tuple)) else function(a) for a in arguments]


def _leaves(arguments):
    """The tensors among the arguments, also those in lists."""
    for argument in arguments:
        if isinstance(argument, torch.Tensor):
            yield argument
        elif isinstance(argument, (list, tuple)):
            yield from _leaves(argument)


def _save(ctx, arguments):
    ctx.arguments = _map(lambda a: _LEAF if isinstance(a, torch.Tensor) else a, arguments)
    ctx.save_for_backward(*_leaves(arguments))


def _saved(ctx):
    leaves = iter(ctx.saved_tensors)
    return _map(lambda a: next(leaves) if a is _LEAF else a, ctx.arguments)


def _flows(argument):
    """Can it have a gradient?"""
    return isinstance(argument, torch.Tensor) and (argument.is_floating_point() or argument.is_complex())


def _at_leaves(arguments, gradients):
    """The gradients of the tensors, in the order of _leaves."""
    for argument, gradient in zip(arguments, gradients):
        if isinstance(argument, torch.Tensor):
            yield gradient if _flows(argument) else None
        elif isinstance(argument, (list, tuple)):
            yield from _at_leaves(argument, gradient or [None] * len(argument))


class _Traced(torch.autograd.Function):
    @staticmethod
    def forward(ctx, operation, arguments, *leaves):
        ctx.operation = operation
        _save(ctx, arguments)
        return operation(*arguments)

    @staticmethod
    @once_differentiable
    def backward(ctx, *cotangents):
        arguments = _saved(ctx)
        return None, None, *_at_leaves(arguments, ctx.operation.vjp(cotangents, *arguments))


def traced(operation, arguments):
    """A call with a tensor that requires gradients. Called by garner._core."""
    return _Traced.apply(operation, arguments, *_leaves(arguments))


# ---- the torch dialect as torch's operators ----

# Arguments in the order of garner's operations. A number to fill with comes as a tensor of rank 0.
_SCHEMAS = {
    "gather": "Tensor input, int dim, Tensor index, bool sparse_grad=False",
    "take_along_dim": "Tensor input, Tensor indices, int? dim=None",
    "scatter": "Tensor input, int dim, Tensor index, Tensor? src=None, Tensor? value=None, str? reduce=None",
    "scatter_add": "Tensor input, int dim, Tensor index, Tensor src",
    "scatter_reduce": "Tensor input, int dim, Tensor index, Tensor src, str reduce, bool include_self=True",
    "index_select": "Tensor input, int dim, Tensor index",
    "index_add": "Tensor input, int dim, Tensor index, Tensor source, Scalar alpha=1",
    "index_copy": "Tensor input, int dim, Tensor index, Tensor source",
    "index_fill": "Tensor input, int dim, Tensor index, Tensor value",
    "index_reduce": "Tensor input, int dim, Tensor index, Tensor source, str reduce, bool include_self=True",
    "take": "Tensor input, Tensor index",
    "put": "Tensor input, Tensor index, Tensor source, bool accumulate=False",
    "index_put": "Tensor input, Tensor?[] indices, Tensor values, bool accumulate=False",
    "masked_fill": "Tensor input, Tensor mask, Tensor value",
    "masked_select": "Tensor input, Tensor mask",
    "masked_scatter": "Tensor input, Tensor mask, Tensor source",
    "embedding": "Tensor input, Tensor weight, int? padding_idx=None, float? max_norm=None, float norm_type=2., "
                 "bool scale_grad_by_freq=False, bool sparse=False",
    "embedding_bag": "Tensor input, Tensor weight, Tensor? offsets=None, float? max_norm=None, float norm_type=2., "
                     "bool scale_grad_by_freq=False, str mode='mean', bool sparse=False, "
                     "Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None",
    "nonzero": "Tensor input",
    "argmax": "Tensor input, int? dim=None, bool keepdim=False",
    "argmin": "Tensor input, int? dim=None, bool keepdim=False",
    "topk": "Tensor input, SymInt k, int dim=-1, bool largest=True, bool sorted=True",
    "searchsorted": "Tensor sorted_sequence, Tensor input, bool out_int32=False, bool right=False, str? side=None, "
                    "Tensor? sorter=None",
}
_NUMBERS = {"scatter": (4,), "index_fill": (3,), "masked_fill": (2,), "searchsorted": (1,)}
_NO_GRADIENT = ("nonzero", "argmax", "argmin", "searchsorted")
_FILLS = ("index_fill", "masked_fill")
# What would make another gradient.
_REFUSED = {"gather": {3: "sparse_grad"}, "embedding": {5: "scale_grad_by_freq", 6: "sparse"},
            "embedding_bag": {5: "scale_grad_by_freq", 7: "sparse"}}

_OPERATIONS = {name: Operation("torch", name) for name in _SCHEMAS}
# Looked up once, not at each call.
_CALLS = {name: operation.__call__ for name, operation in _OPERATIONS.items()}
_INTO = {name: operation.into for name, operation in _OPERATIONS.items()}


# What a call may hold that goes past torch's operators: types that need no conversion, and that torch would not refuse.
TENSORS = (torch.Tensor, torch.nn.Parameter)
_TYPES = {"Tensor": TENSORS, "int": (int,), "SymInt": (int,), "bool": (bool,), "str": (str,), "float": (float, int),
          "Scalar": (int, float, bool)}


def _types(schema, numbers):
    """Those of each argument; none fits a list."""
    for k, parameter in enumerate(schema.split(", ")):
        word = parameter.split()[0]
        optional = (type(None),) if word.endswith("?") else ()
        yield (*_TYPES.get(word.rstrip("?"), ()), *optional, *((int, float, bool) if k in numbers else ()))


_FORMS = {name: tuple(_types(schema, _NUMBERS.get(name, ()))) for name, schema in _SCHEMAS.items()}


is_compiling = torch.compiler.is_compiling
is_dynamo_compiling = getattr(torch.compiler, "is_dynamo_compiling", is_compiling)  # asked first, at every call
# How many modes there are, what traces, what transforms functions; none in a version that has no such thing.
_modes = getattr(torch._C, "_len_torch_dispatch_stack", int)
_tracing = getattr(torch._C, "_get_tracing_state", type(None))
_transformed = getattr(getattr(torch._C, "_functorch", None), "peek_interpreter_stack", type(None))
_SIGNS = (_modes, _tracing, _transformed)  # each says something true while torch looks at every call


def _is_followed():
    """Does torch look at every call?"""
    return is_compiling() or any(sign() for sign in _SIGNS)


# Calls that return NotImplemented where torch must know of them. garner.torch asks them first, unless torch compiles.
_written = getattr(torch._C, "_increment_version", torch.autograd.graph.increment_version)
_calls = {name: Quick(operation, _FORMS[name], _SIGNS, _written)
          for name, operation in _OPERATIONS.items()}
QUICK = {name: call.__call__ for name, call in _calls.items()}
QUICK_INTO = {name: call.into for name, call in _calls.items()}


# Results as torch.compile sees them: shapes without contents.

def _unknown(*trailing):
    """The shape of a result that has as many elements as are found."""
    return (torch.library.get_ctx().new_dynamic_size(), *trailing)


def _new(input, shape, dtype=None):
    return input.new_empty(shape, dtype=dtype)


def _same(function):
    """The shape torch's own function gives."""
    def shaped(input, *arguments):
        results = function(input, *arguments)
        return tuple(map(_contiguous, results)) if isinstance(results, tuple) else _contiguous(results)
    return shaped


def _contiguous(result):
    return _new(result, result.shape)


def _broadcast(input, mask, *_):
    return _new(input, torch.broadcast_shapes(input.shape, mask.shape))


def _bags(input, weight, offsets=None, *options):
    last_is_end = options[6] if len(options) > 6 else False
    bags = input.shape[0] if offsets is None else offsets.shape[0] - bool(last_is_end)
    return _new(weight, (bags, weight.shape[1]))


def _found(sequence, input, out_int32=False, *_):
    return _new(input, input.shape, torch.int32 if out_int32 else torch.int64)


_FAKES = {
    "gather": lambda input, dim, index, *_: _new(input, index.shape),
    "take": lambda input, index: _new(input, index.shape),
    "take_along_dim": _same(torch.take_along_dim), "index_select": _same(torch.index_select),
    "argmax": _same(torch.argmax), "argmin": _same(torch.argmin), "topk": _same(torch.topk),
    "masked_fill": _broadcast, "masked_scatter": _broadcast,
    "masked_select": lambda input, mask: _new(input, _unknown()),
    "nonzero": lambda input: _new(input, _unknown(input.ndim), torch.int64),
    "embedding": lambda input, weight, *_: _new(weight, (*input.shape, weight.shape[1])),
    "embedding_bag": _bags, "searchsorted": _found,
}


def _like_input(input, *_):
    return _new(input, input.shape)


# Gradients.

def _wanted(arguments):
    """Which arguments have one."""
    return [k for k, argument in enumerate(arguments) if _flows(argument)]


def _vjp(name, cotangents, arguments):
    """A gradient (or None) per argument."""
    operation = _OPERATIONS[name]
    if name == "scatter":
        arguments = [a.item() if k == 4 and a is not None else a for k, a in enumerate(arguments)]
    if name not in _FILLS:
        return operation.vjp(cotangents, *arguments)
    *places, value = arguments
    filled = operation(torch.zeros_like(places[0], dtype=torch.bool), *places[1:], True)
    gradients = operation.vjp(cotangents, *places, 0)  # whatever the value
    return *gradients[:-1], cotangents[0][filled].sum().to(value)


def _setup(name):
    def setup_context(ctx, inputs, output):
        for position, word in _REFUSED.get(name, {}).items():
            if inputs[position]:
                raise _errors.NotImplementedError(f"torch.{name}: {word} is True, allowed False for a gradient")
        _save(ctx, inputs)
    return setup_context


def _nothing(argument):
    """No gradient, in the form autograd wants it: a list for what it takes for a list of tensors."""
    whole = isinstance(argument, list) and all(isinstance(a, torch.Tensor) for a in argument)
    return [None] * len(argument) if whole else None


def _backward(name):
    def backward(ctx, *cotangents):
        arguments = _saved(ctx)
        gradients = iter(getattr(torch.ops.garner, name + "_vjp")(cotangents, *arguments))
        wanted = _wanted(arguments)
        return tuple(next(gradients) if k in wanted else _nothing(a) for k, a in enumerate(arguments))
    return backward


# Definitions.

_LIBRARY = torch.library.Library("garner", "DEF")


def _define_operator(name, schema, kernel, fake):
    _LIBRARY.define(f"{name}{schema}", tags=(torch.Tag.pt2_compliant_tag,))
    _LIBRARY.impl(name, torch.no_grad()(kernel), "CompositeExplicitAutograd")
    torch.library.register_fake(f"garner::{name}", fake, lib=_LIBRARY)


def _define(name):
    def vjp(cotangents, *arguments):
        gradients = _vjp(name, cotangents, arguments)
        return [torch.zeros_like(arguments[k]) if gradients[k] is None else gradients[k] for k in _wanted(arguments)]

    def vjp_fake(cotangents, *arguments):
        return [_like_input(arguments[k]) for k in _wanted(arguments)]

    results = "(Tensor values, Tensor indices)" if name == "topk" else "Tensor"
    fake = _FAKES.get(name, _like_input)
    _define_operator(name, f"({_SCHEMAS[name]}) -> {results}", _OPERATIONS[name].__call__, fake)
    if name not in _NO_GRADIENT:
        _define_operator(name + "_vjp", f"(Tensor[] cotangents, {_SCHEMAS[name]}) -> Tensor[]", vjp, vjp_fake)
        torch.library.register_autograd(f"garner::{name}", _backward(name), setup_context=_setup(name), lib=_LIBRARY)


for _name in _SCHEMAS:
    _define(_name)


# ---- what garner.torch calls ----

def _number(value):
    """A tensor for a number: of a dtype that holds it whatever torch's default is."""
    if value is None or isinstance(value, torch.Tensor):
        return value
    if isinstance(value, (bool, torch.SymBool)):
        return torch.scalar_tensor(value, dtype=torch.bool)
    if isinstance(value, (int, torch.SymInt)):
        return torch.scalar_tensor(value, dtype=torch.int64)
    return torch.scalar_tensor(value, dtype=torch.complex128 if isinstance(value, complex) else torch.float64)


def _operator(name, arguments):
    numbers = _NUMBERS.get(name, ())
    arguments = [_number(a) if k in numbers else _tensor(a) for k, a in enumerate(arguments)]
    try:
        return getattr(torch.ops.garner, name)(*arguments)
    except RuntimeError as error:
        if "Expected a value of type" not in str(error):
            raise
        raise _errors.TypeError(f"torch.{name}: {str(error).splitlines()[0]}") from None


def _tensor(argument):
    """NumPy's arrays may stand beside tensors."""
    return torch.from_numpy(argument) if isinstance(argument, np.ndarray) else argument


def _scatter_arguments(input, dim, index, src, value, reduce):
    """A number may stand for src."""
    if src is None or value is not None or isinstance(src, torch.Tensor):
        return input, dim, index, src, value, reduce
    return input, dim, index, None, src, reduce


def _needs_gradient(arguments):
    return torch.is_grad_enabled() and any(leaf.requires_grad for leaf in _leaves(arguments))


def _are_plain(arguments, gradients):
    """No fake tensors, and nothing autograd must follow."""
    for argument in arguments:
        kind = type(argument)
        if kind is torch.Tensor or kind is torch.nn.Parameter:
            if gradients and argument.requires_grad:
                return False
        elif kind is list or kind is tuple:
            if not _are_plain(argument, gradients):
                return False
        elif isinstance(argument, torch.Tensor):
            return False
    return True


def _fits(name, arguments):
    """Are these arguments that torch's operator would take as they are, with nothing that autograd must follow?"""
    forms, gradients = _FORMS[name], torch.is_grad_enabled()
    for k, argument in enumerate(arguments):
        kind = type(argument)
        if k >= len(forms) or kind not in forms[k]:
            return False
        if gradients and kind in TENSORS and argument.requires_grad:
            return False
    return True


def _is_plain(arguments):
    """Memory that can be read and written here, without torch."""
    return not _is_followed() and _are_plain(arguments, torch.is_grad_enabled())


def _write(name, target, arguments):
    _INTO[name](target, *arguments)
    for tensor in (target,) if isinstance(target, torch.Tensor) else _leaves(target):
        if not tensor.is_inference():
            torch.autograd.graph.increment_version(tensor)
    return target


def _copy(target, result):
    if isinstance(target, torch.Tensor):
        return target.copy_(result)
    return tuple(one.copy_(other) for one, other in zip(target, result, strict=True))


def call(name, out, arguments):
    """A call of the torch dialect on tensors. Through torch's operators only where torch must know of it: they take tens of
    microseconds."""
    if out is None:
        if name == "scatter":
            arguments = _scatter_arguments(*arguments)
        return _CALLS[name](*arguments) if _fits(name, arguments) and not _is_followed() else _operator(name, arguments)
    if _needs_gradient([out, *arguments]):
        raise _errors.RuntimeError(f"torch.{name}: out is given, allowed where nothing requires a gradient")
    if _is_plain([out, *arguments]):
        return _write(name, out, arguments)
    return _copy(out, _operator(name, _scatter_arguments(*arguments) if name == "scatter" else arguments))


def update(name, input, arguments):
    """The same in place of a tensor."""
    if _is_plain([input, *arguments]):
        return _write(name, input, (input, *arguments))
    arguments = (input.clone(), *arguments)
    return input.copy_(_operator(name, _scatter_arguments(*arguments) if name == "scatter" else arguments))


def shorten(input, weight, max_norm, norm_type):
    """max_norm of the embeddings, in place. Returns what is left to do: nothing, or all of it while torch compiles."""
    if torch.compiler.is_compiling():
        return max_norm
    with torch.no_grad():
        rows = torch.unique(input)
        if len(rows) and rows[0] >= 0 and rows[-1] < len(weight):  # otherwise the call refuses the index
            norms = weight[rows].norm(norm_type, dim=1).double()
            long = norms > max_norm
            scale = max_norm / (norms[long, None] + 1e-7)
            weight[rows[long]] = (weight[rows[long]] * scale).to(weight.dtype)  # rounded once
    return None
