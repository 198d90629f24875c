"""lucid 2.12: tensors that remember how they came about, and `gather` along one axis.

>>> import garner.lucid as lucid
>>> x = lucid.tensor([[10, 20, 30],
...                   [40, 50, 60]], requires_grad=True)
>>> idx = lucid.tensor([[2, 1],
...                     [0, 2]], dtype=lucid.Int32)
>>> out = lucid.gather(x, dim=1, index=idx)
>>> print(out)
[[30 20]
 [40 60]]
>>> out.sum().backward()
>>> print(x.grad)
[[0 1 1]
 [1 0 1]]

| function | negative index | out of range      |
|----------|----------------|-------------------|
| gather   | refused        | IndexError (LU6)  |

Integer tensors may require gradients, and their gradients are integers (LU12). An index that requires them gets zeros
(LU14). Operands of different dtypes meet at NumPy's common one; TypeError (G6) when a tensor that requires gradients
would have to be converted.
"""
import operator

import numpy as np

from garner import _errors
from garner._core import Variable as _Variable

__all__ = ["Complex", "Complex64", "Float", "Float16", "Float32", "Float64", "Int", "Int8", "Int16", "Int32", "Int64",
           "Numeric", "Tensor", "gather", "gather_flops", "tensor"]


class Numeric:
    """A dtype of lucid: a Python type and a width in bits, None for any width.

    >>> print(Int32, Int32.bits, Int32.cpu)
    int32 32 int32
    """

    def __init__(self, base_dtype: type, bits: int | None = None):
        self.base_dtype, self.bits = base_dtype, bits
        self.cpu = None if bits is None else np.dtype(f"{base_dtype.__name__}{bits}")

    @property
    def is_bit_free(self) -> bool:
        """Does it name a kind of number without a width?"""
        return self.bits is None

    def __str__(self):
        return f"{self.base_dtype.__name__}{self.bits}"

    __repr__ = __str__


Int, Float, Complex = Numeric(int), Numeric(float), Numeric(complex)
Int8, Int16, Int32, Int64 = (Numeric(int, bits) for bits in (8, 16, 32, 64))
Float16, Float32, Float64 = (Numeric(float, bits) for bits in (16, 32, 64))
Complex64 = Numeric(complex, 64)

_BY_NUMPY = {n.cpu: n for n in (Int8, Int16, Int32, Int64, Float16, Float32, Float64, Complex64)}
_BY_NUMPY[np.dtype(bool)] = bool
_BUILTIN = {int: Int64, float: Float64, complex: Complex64}


def _numpy_dtype(dtype):
    """NumPy's dtype for one of lucid's, for a Python type or for one of NumPy's own."""
    dtype = _BUILTIN.get(dtype, dtype)
    if not isinstance(dtype, Numeric):
        return None if dtype is None else np.dtype(dtype)
    if dtype.is_bit_free:
        raise _errors.TypeError(f"lucid.tensor: dtype is {dtype.base_dtype.__name__}, allowed one with a width")
    return dtype.cpu


def _kept(array):
    """The array as a Tensor hands it out: a change to it would not be seen by the graph."""
    array.flags.writeable = False
    return array


def _operator(name):
    """tensor + other, and its like."""
    return lambda self, other: _binary(name, self, other)


def _swapped(name):
    """other + tensor, where other is a number or an array."""
    return lambda self, other: _binary(name, other, self)


def _comparison(compare):
    """Elementwise, as bool, without a history."""
    return lambda self, other: Tensor(np.asarray(compare(self.data, _plain(other))))


class Tensor:
    """An array in a graph that can be differentiated.

    `data` is the NumPy array (read-only: `numpy()` gives a copy to write to), `grad` what backward() has added up.
    """

    __array_ufunc__ = None  # array * tensor is ours to compute

    def __init__(self, data, requires_grad: bool = False, keep_grad: bool = False, dtype=None, device: str = "cpu"):
        if keep_grad:
            raise _errors.NotImplementedError("lucid.tensor: keep_grad is True, allowed False")
        if device != "cpu":
            raise _errors.NotImplementedError(f"lucid.tensor: device is {device}, allowed cpu")
        array = np.asarray(data, dtype=_numpy_dtype(dtype))
        self._adopt(_Variable(array, bool(requires_grad), True))

    def _adopt(self, variable, indices=()):
        self._variable, self._data = variable, None
        self._indices = indices  # those with a say in this tensor that require gradients

    # ---- what it is ----

    @property
    def data(self) -> np.ndarray:
        """The elements, read-only."""
        if self._data is None:
            self._data = _kept(self._variable.value)
        return self._data

    @property
    def grad(self):
        """What backward() has added up for this leaf: a NumPy array of its dtype; None before."""
        return self._variable.grad

    @grad.setter
    def grad(self, value):
        if value is not None:
            raise _errors.NotImplementedError("lucid.Tensor: grad can be set to None only")
        self._variable.zero_grad()

    @property
    def requires_grad(self) -> bool:
        """Do gradients reach it?"""
        return self._variable.requires_grad or bool(self._indices)

    @property
    def is_leaf(self) -> bool:
        """Does it require gradients without coming from an operation?"""
        return self.requires_grad and self._variable.is_leaf

    @property
    def shape(self) -> tuple:
        """The extents."""
        return self.data.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.data.ndim

    @property
    def dtype(self):
        """One of lucid's dtypes; bool for bool, and NumPy's own where lucid has none."""
        return _BY_NUMPY.get(self.data.dtype, self.data.dtype)

    @property
    def device(self) -> str:
        """Always "cpu"."""
        return "cpu"

    def size(self, axis: int | None = None) -> int:
        """The number of elements, or the extent of one axis."""
        return self.data.size if axis is None else self.data.shape[axis]

    def item(self):
        """The number of a tensor without axes."""
        if self.ndim != 0:
            raise _errors.ValueError(f"lucid.Tensor.item: rank is {self.ndim}, allowed 0")
        return self.data.item()

    def numpy(self) -> np.ndarray:
        """A copy of the elements."""
        return self.data.copy()

    def tolist(self):
        """The elements as nested lists."""
        return self.data.tolist()

    def __array__(self, dtype=None, copy=None):
        return np.array(self.data, dtype) if copy else np.asarray(self.data, dtype)

    def __len__(self):
        return 1 if self.ndim == 0 else self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(self.shape[0]))

    def __str__(self):
        return str(self.data)

    def __repr__(self):
        return f"Tensor({self.data}, grad={self.grad})"

    # ---- gradients ----

    def backward(self, keep_grad: bool = False, retain_graph: bool = False) -> None:
        """Adds the gradients of the sum of the elements to the grad of every leaf they depend on (LU15)."""
        if keep_grad:
            raise _errors.NotImplementedError("lucid.Tensor.backward: keep_grad is True, allowed False")
        for index in self._indices:  # LU14
            if index._variable.requires_grad:
                index._variable.backward(_Variable(np.zeros_like(index.data)), True)
        if self._variable.requires_grad or not self._indices:
            self._variable.backward(None, retain_graph)

    def zero_grad(self) -> None:
        """Forgets grad."""
        self._variable.zero_grad()

    def detach(self) -> "Tensor":
        """The same elements without their history."""
        return _made(self._variable.detach())

    def astype(self, dtype) -> "Tensor":
        """The elements converted, without history.

        >>> print(tensor([1.5, 2.5]).astype(Int32))
        [1 2]
        """
        if isinstance(dtype, Numeric) and dtype.is_bit_free:
            dtype = Numeric(dtype.base_dtype, 8 * self.data.itemsize)
        return Tensor(self.data.astype(_numpy_dtype(dtype)))

    # ---- gather and indexing ----

    def gather(self, dim: int, index) -> "Tensor":
        """`gather` with this tensor as input_."""
        return gather(self, dim, index)

    def __getitem__(self, key) -> "Tensor":
        positions = np.arange(self.size()).reshape(self.shape)[_plain(key)]
        flat = self._variable.reshape([-1]).lucid_gather(0, _Variable(np.ravel(positions)))
        return _made(flat.reshape(list(np.shape(positions))), self)

    def __setitem__(self, key, value):
        if self.requires_grad:
            raise _errors.RuntimeError("lucid.Tensor: a tensor that requires gradients cannot be changed in place")
        changed = self.numpy()
        changed[_plain(key)] = _plain(value)
        self._adopt(_Variable(changed))

    # ---- arithmetic ----

    __add__, __radd__ = _operator("add"), _swapped("add")
    __sub__, __rsub__ = _operator("sub"), _swapped("sub")
    __mul__, __rmul__ = _operator("mul"), _swapped("mul")
    __truediv__, __rtruediv__ = _operator("div"), _swapped("div")
    __pow__, __rpow__ = _operator("pow"), _swapped("pow")
    __matmul__, __rmatmul__ = _operator("matmul"), _swapped("matmul")
    __eq__, __ne__ = _comparison(operator.eq), _comparison(operator.ne)
    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)
    __hash__ = object.__hash__

    def __neg__(self):
        return _made(self._variable.neg(), self)

    def exp(self) -> "Tensor":
        """e to the power of each element."""
        return _made(self._variable.exp(), self)

    def log(self) -> "Tensor":
        """The natural logarithm of each element."""
        return _made(self._variable.log(), self)

    def sqrt(self) -> "Tensor":
        """The square root of each element."""
        return _made(self._variable.sqrt(), self)

    def tanh(self) -> "Tensor":
        """The hyperbolic tangent of each element."""
        return _made(self._variable.tanh(), self)

    def sigmoid(self) -> "Tensor":
        """1 / (1 + exp(-x)) of each element."""
        return _made(self._variable.sigmoid(), self)

    def relu(self) -> "Tensor":
        """Each element, or 0 where it is negative."""
        return _made(self._variable.relu(), self)

    def matmul(self, other) -> "Tensor":
        """The matrix product."""
        return _binary("matmul", self, other)

    def sum(self, axis=None, keepdims: bool = False) -> "Tensor":
        """The sum over all axes, one, or several."""
        return _reduced("sum", self, axis, keepdims)

    def mean(self, axis=None, keepdims: bool = False) -> "Tensor":
        """The mean over all axes, one, or several."""
        return _reduced("mean", self, axis, keepdims)

    def max(self, axis=None, keepdims: bool = False) -> "Tensor":
        """The largest element over all axes, one, or several; the first of equal ones gets the gradient."""
        return _reduced("max", self, axis, keepdims)

    def min(self, axis=None, keepdims: bool = False) -> "Tensor":
        """The smallest element over all axes, one, or several; the first of equal ones gets the gradient."""
        return _reduced("min", self, axis, keepdims)

    def reshape(self, *shape) -> "Tensor":
        """The same elements in another shape; one extent may be -1."""
        return _made(self._variable.reshape(_integers(shape)), self)

    def transpose(self, *axes) -> "Tensor":
        """The axes in another order, reversed when none is given."""
        return _made(self._variable.transpose(_integers(axes)), self)

    @property
    def T(self) -> "Tensor":
        """The axes reversed."""
        return self.transpose()


def _plain(key):
    """A key or value with NumPy arrays in place of tensors."""
    if isinstance(key, tuple):
        return tuple(_plain(k) for k in key)
    return key.data if isinstance(key, Tensor) else key


def _integers(arguments):
    """(2, 3) for both reshape(2, 3) and reshape((2, 3))."""
    inner = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)) else arguments
    return [] if inner == (None,) else [operator.index(i) for i in inner]


def _made(variable, *parents):
    """The tensor of a variable that came from these."""
    tensor = Tensor.__new__(Tensor)
    tensor._adopt(variable, tuple(index for parent in parents for index in parent._indices))
    return tensor


def _as_tensor(thing, like):
    """A tensor; a number takes the dtype of the tensor beside it."""
    if isinstance(thing, Tensor):
        return thing
    if isinstance(thing, (int, float, complex)) and np.can_cast(np.result_type(like.data, thing), like.data.dtype):
        return Tensor(np.asarray(thing, like.data.dtype))
    return Tensor(thing)


def _converted(tensor, dtype):
    if tensor.data.dtype == dtype or tensor.requires_grad:  # the latter is refused by the operation (G6)
        return tensor
    return Tensor(tensor.data.astype(dtype))


def _binary(name, a, b):
    """Both of NumPy's common dtype; who requires gradients is never converted."""
    a, b = (_as_tensor(a, b), b) if isinstance(b, Tensor) else (a, _as_tensor(b, a))
    dtype = np.result_type(a.data, b.data)
    a, b = _converted(a, dtype), _converted(b, dtype)
    return _made(getattr(a._variable, name)(b._variable), a, b)


def _reduced(name, a, axis, keepdims):
    axes = axis if axis is None else [operator.index(i) for i in np.atleast_1d(axis)]
    return _made(getattr(a._variable, name)(axes, keepdims), a)


def tensor(data, requires_grad: bool = False, keep_grad: bool = False, dtype=None, device: str = "cpu") -> Tensor:
    """A tensor with a copy of data: a number, nested lists, an array or a tensor.

    >>> tensor([1, 2], dtype=Int8).dtype
    int8
    """
    return Tensor(_plain(data), requires_grad, keep_grad, dtype, device)


def gather(input_: Tensor, dim: int, index: Tensor) -> Tensor:
    """Elements of input_ chosen along one axis.

    result[i, j] = input_[index[i, j], j] for dim 0, input_[i, index[i, j]] for dim 1; the result has index's shape.
    Bad index: IndexError (LU6); negative: refused. Also ValueError LU3 (dim), LU4 (rank), LU5 (extents off dim), and
    TypeError LU7 (index is not of an integer dtype).

    >>> print(gather(tensor([[1, 2, 3], [4, 5, 6]]), -1, tensor([[2], [0]])))
    [[3]
     [4]]
    """
    input_ = input_ if isinstance(input_, Tensor) else Tensor(input_)
    index = index if isinstance(index, Tensor) else Tensor(index)
    out = _made(input_._variable.lucid_gather(operator.index(dim), index._variable), input_, index)
    if index.requires_grad:
        out._indices += (index,)
    return out


def gather_flops(index: Tensor) -> int:
    """What lucid's operation counter adds for one gather: one per element of index (LU20).

    >>> gather_flops(tensor([[2, 1], [0, 2]]))
    4
    """
    return index.size()
