"""Calls that JAX follows: under jax.jit, jax.vmap and jax.grad.

The operation runs on the host, through jax.pure_callback: once for every row of a jax.vmap. Its gradient is the
operation's own vjp; JAX refuses a second derivative, and forward mode. An error that only the values show is raised
when the compiled function runs, and then by JAX: a ValueError or JaxRuntimeError with Garner's line in it.

Only what JAX follows is a variable of the call. All else, arrays with known values too, stays as it is.
"""
import jax
import numpy as np
from jax import numpy as jnp

from garner import _errors


def _is_followed(value):
    return isinstance(value, jax.core.Tracer)


def _constant(value):
    """No JAX array goes to the callback: JAX may be waiting for it there."""
    return np.asarray(value) if isinstance(value, jax.Array) else value


def _is_smooth(value):
    return jnp.issubdtype(value.dtype, jnp.inexact)


def _conjugate(array):
    return np.conj(array) if np.iscomplexobj(array) else array


def _aligned(results, shapes):
    """In JAX's dtypes, which are 32 bits wide unless x64 is enabled."""
    return tuple(np.asarray(r, s.dtype) for r, s in zip(results, shapes, strict=True))


class _Call:
    """An operation with its constant arguments filled in: a function of the arrays that JAX follows."""

    def __init__(self, operation, arguments):
        self.operation = operation
        leaves, self._tree = jax.tree.flatten(arguments, is_leaf=lambda value: value is None)
        self._places = [i for i, leaf in enumerate(leaves) if _is_followed(leaf)]
        self.variables = [leaves[i] for i in self._places]
        self._leaves = [None if _is_followed(leaf) else _constant(leaf) for leaf in leaves]

    def _arguments(self, values):
        leaves = list(self._leaves)
        for place, value in zip(self._places, values, strict=True):
            leaves[place] = value
        return jax.tree.unflatten(self._tree, leaves)

    def results(self, values):
        """A tuple, also of one."""
        results = self.operation(*self._arguments(values))
        return results if isinstance(results, tuple) else (results,)

    def gradients(self, values, cotangents):
        """What flows to each value that is no integer; zeros where nothing does. A complex gradient is here the
        conjugate of what JAX means by it."""
        arguments = self._arguments(values)
        flat = _flat_like(arguments, self.operation.vjp([_conjugate(c) for c in cotangents], *arguments))
        found = (flat[place] for place in self._places)
        return tuple(np.zeros(v.shape, v.dtype) if g is None else _conjugate(g)
                     for v, g in zip(values, found, strict=True) if _is_smooth(v))


def _leaves(tree):
    return jax.tree.leaves(tree, is_leaf=lambda value: value is None)


def _flat_like(arguments, gradients):
    """The gradients by leaf: None may stand for a whole list."""
    flat = []
    for argument, gradient in zip(arguments, gradients, strict=True):
        flat += [None] * len(_leaves(argument)) if gradient is None else _leaves(gradient)
    return flat


# The shape of a result, from the shapes of the arguments. A rule for every operation would say what the operation says
# already, so it is asked: it runs on made-up values, which costs three calls while JAX traces and nothing afterwards.
# Index 0 is inside every axis that has a place, 1 where positions count from 1; and where a result's shape hangs on
# values (masks, counts, ids, sizes, what is equal) the three fillings give different shapes, and the call is refused.
# A filling that the operation refuses says nothing, unless all are refused: then the call is wrong whatever the values.
def _fillings(shape, dtype):
    one_first = np.zeros(shape, dtype)
    one_first.reshape(-1)[:1] = 1
    return np.broadcast_to(np.zeros((), dtype), shape), np.broadcast_to(np.ones((), dtype), shape), one_first


def _tried(call, values):
    try:
        return [(np.shape(r), np.asarray(r).dtype) for r in call.results(values)]
    except _errors.Error as error:
        return error


def _unknown(call, values):
    for value in values:
        if value.dtype == bool and _is_followed(value):
            return jax.errors.NonConcreteBooleanIndexError(value)
    return jax.errors.ConcretizationTypeError(
        next(filter(_is_followed, values)),
        f"{call.operation.name}: the shape of the result is in the values, which are not known here")


def _result_shapes(call, values):
    fillings = zip(*(_fillings(v.shape, v.dtype) for v in values))
    tried = [_tried(call, arrays) for arrays in fillings]
    shapes = [t for t in tried if not isinstance(t, Exception)]
    if not shapes:
        raise tried[0]
    if any(s != shapes[0] for s in shapes):
        raise _unknown(call, values)
    return tuple(jax.ShapeDtypeStruct(shape, jax.dtypes.canonicalize_dtype(dtype)) for shape, dtype in shapes[0])


def _on_host(function, shapes, *arguments):
    """function(*arguments), which takes and gives NumPy arrays: now when the values are known (jax.grad alone), or when
    the compiled code runs. shapes() says what to expect then."""
    if not any(map(_is_followed, jax.tree.leaves(arguments))):
        return tuple(map(jnp.asarray, function(*jax.tree.map(np.asarray, arguments))))
    expected = shapes()

    def callback(*arrays):
        return _aligned(function(*jax.tree.map(np.asarray, arrays)), expected)

    return jax.pure_callback(callback, expected, *arguments, vmap_method="sequential")


def _differentiable(call):
    @jax.custom_vjp
    def run(*values):
        return _on_host(lambda *arrays: call.results(arrays), lambda: _result_shapes(call, values), *values)

    def forward(*values):
        results = run(*values)
        return results, (values, tuple(None if _is_smooth(r) else jnp.zeros_like(r) for r in results))

    def backward(kept, cotangents):
        values, still = kept
        seeds = tuple(c if zero is None else zero for c, zero in zip(cotangents, still, strict=True))
        smooth = tuple(jax.ShapeDtypeStruct(v.shape, v.dtype) for v in values if _is_smooth(v))
        gradients = iter(_on_host(call.gradients, lambda: smooth, values, seeds))
        return tuple(next(gradients) if _is_smooth(v) else None for v in values)

    run.defvjp(forward, backward)
    return run


def traced(operation, arguments):
    """operation(*arguments) where JAX follows some of them. Called by garner._core."""
    call = _Call(operation, arguments)
    results = _differentiable(call)(*call.variables)
    return results[0] if len(results) == 1 else results
