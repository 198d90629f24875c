"""Tables of rows that need not fit memory: in memory, on disk, or over the ranks of an MPI job. The same gather, the same words
for a bad index and the same bits, wherever the rows lie.

>>> import numpy as np, os, tempfile
>>> import garner
>>> file = os.path.join(tempfile.mkdtemp(), "rows.npy")
>>> np.save(file, np.arange(12, dtype=np.float32).reshape(4, 3))
>>> table = garner.Table(file, place="disk")
>>> table
Table(f32 [4, 3] on disk)
>>> table.gather([2, 0, 2])
array([[6., 7., 8.],
       [0., 1., 2.],
       [6., 7., 8.]], dtype=float32)
>>> table.gather([4])
Traceback (most recent call last):
garner.IndexError: gather: index[0] is 4, allowed [0, 4) on axis 0 of operand [4,3]
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from garner import _core
from garner._arrays import dtype_name
from garner._errors import raise_status

__all__ = ["ShardedEmbedding", "Table", "Ticket"]

_INVALID = 1  # garner::Code
# In the order of the enumerators of garner/table.h and garner/sharding.h.
_PLACES = ("auto", "memory", "mapped", "disk", "ranks")
_WHERE = {"memory": "in memory", "mapped": "mapped", "disk": "on disk", "ranks": "over ranks"}
_READERS = ("auto", "uring", "threads")
_POLICIES = ("trap", "clamp", "modulo", "fill")
_SHARDS = ("block", "cyclic", "hashed")


def _number(what, word, words):
    if word not in words:
        raise_status(_INVALID, "TB2", f"table: {what} is {word!r}, allowed {', '.join(words)}", "")
    return words.index(word)


def _lookup(out_of_range, negative, fill):
    return _core.Lookup(_number("out_of_range", out_of_range, _POLICIES), negative, fill)


class Ticket:
    """Rows under way to memory; see Table.prefetch. One that is dropped is called off."""

    def __init__(self, held):
        self._held = held

    ready = property(lambda self: self._held.ready, doc="Would wait() return at once?")

    def wait(self) -> Any:
        """What gather would give."""
        return self._held.wait()


class Table:
    """Rows of one dtype and shape, read from a file: `rows.npy`, `model.safetensors:name`, `model.safetensors.index.json:name` (the
    shard that the index names), or any other file with its dtype, shape and offset.

    place: "memory" (read once), "mapped" (the file's own pages), "disk" (read by every call, around the page cache, with a cache of
    `cache_bytes` of rows), or "auto": mapped where it fits half of the free memory, else disk. A table is never written to, but for
    the rows of ranks.
    """

    def __init__(self, path: str | os.PathLike, *, place: str = "auto", cache_bytes: int = 64 << 20, queue_depth: int = 128,
                 reader: str = "auto", dtype: Any = None, shape: Sequence[int] = (), offset: int = 0):
        how = (_number("place", place, _PLACES[:4]), cache_bytes, queue_depth, _number("reader", reader, _READERS))
        name = None if dtype is None else dtype_name(dtype)
        self._held = _core.open_table(os.fspath(path), how, name, list(shape), offset)
        self._group = None

    @classmethod
    def _of(cls, held, group=None):
        table = cls.__new__(cls)
        table._held, table._group = held, group
        return table

    @classmethod
    def of(cls, rows: Any) -> Table:
        """A table over an array in memory, which is looked at, not copied, where it is row-major.

        >>> Table.of([[1.0, 2.0], [3.0, 4.0]]).gather([[1], [0]])
        array([[[3., 4.]],
        <BLANKLINE>
               [[1., 2.]]])
        """
        return cls._of(_core.table_of(rows))

    dtype = property(lambda self: self._held.dtype, doc="Garner's name of it: 'f32'.")
    shape = property(lambda self: self._held.shape, doc="(rows, *row shape) of the whole table.")
    place = property(lambda self: _PLACES[self._held.place], doc="Where the rows lie; never 'auto'.")

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return f"Table({self.dtype} {list(self.shape)} {_WHERE[self.place]})"

    def gather(self, indices: Any, *, out: Any = None, out_of_range: str = "trap", negative: bool = False, fill: float = 0) -> Any:
        """The rows of these indices, of any shape and integer dtype: result[i..., r...] = table[indices[i...], r...], as an array of
        the same library (NumPy's for lists). On ranks every process calls, each with indices of its own.

        out_of_range: "trap" raises IndexError (TB1), "clamp" takes the nearest row, "modulo" counts around, "fill" gives rows of
        `fill`. negative: indices below 0 count from the end first.

        >>> Table.of([10, 20, 30]).gather([-1, 5], negative=True, out_of_range="fill", fill=-1)
        array([30, -1])
        """
        return self._held.gather(indices, out, _lookup(out_of_range, negative, fill))

    def prefetch(self, indices: Any, *, out_of_range: str = "trap", negative: bool = False, fill: float = 0) -> Ticket:
        """Begins a gather on a thread of its own: `ticket.wait()` gives its rows.

        >>> ticket = Table.of([10, 20, 30]).prefetch([2, 2, 0])
        >>> ticket.wait()
        array([30, 30, 10])
        """
        return Ticket(self._held.prefetch(indices, _lookup(out_of_range, negative, fill)))

    def stats(self) -> dict[str, Any]:
        """Counts since the table was opened: lookups, unique, hits, reads, bytes_asked, bytes_read, amplification, and the
        bytes_sent and bytes_received of this rank."""
        return self._held.stats()

    # ---- over ranks ----

    def share(self, comm: Any, *, shards: str = "block", unique: bool = True, timeout: float = 300) -> Table:
        """This table over the ranks of an mpi4py communicator: each process keeps its own rows in memory. All ranks call it.

        shards: "block" (neighbours together), "cyclic" or "hashed". unique: a row that a rank asks for several times in a call is
        sent once. timeout: seconds without an answer after which another rank counts as gone (OSError); 0: never.
        """
        from garner import _mpi

        group = _mpi.Group(comm, timeout)
        return self._of(_core.share(group, self._held, _number("shards", shards, _SHARDS), unique), group)

    @classmethod
    def from_shards(cls, comm: Any, rows: Any, *, shards: str = "block", unique: bool = True, timeout: float = 300) -> Table:
        """A table of which this rank has `rows`: an array that gathers read, and scatter_add writes, in place."""
        from garner import _mpi

        group = _mpi.Group(comm, timeout)
        return cls._of(_core.share_rows(group, rows, _number("shards", shards, _SHARDS), unique), group)

    def local(self) -> Any:
        """This rank's rows, as a NumPy array over the table's own memory: what is written there, every rank reads."""
        return self._held.local()

    def local_ids(self) -> Any:
        """Which rows of the table local() has, in their order."""
        return self._held.local_ids(self._group.rank if self._group else 0)

    def scatter_add(self, indices: Any, updates: Any, *, out_of_range: str = "trap", negative: bool = False) -> None:
        """table[indices] += updates, on whichever ranks the rows lie. At level exact the bits are those of one process that has the
        ranks' indices one behind another."""
        self._held.scatter_add(indices, updates, _lookup(out_of_range, negative, 0))

    def row_gradient(self, indices: Any, cotangent: Any, *, out_of_range: str = "trap", negative: bool = False) -> tuple[Any, Any]:
        """The gradient of this rank's rows, given what came back to each rank's gather: (rows of local(), rising; their sums)."""
        return self._held.row_gradient(indices, cotangent, _lookup(out_of_range, negative, 0))


def __getattr__(name):
    """Torch is imported when it is first asked for."""
    if name == "ShardedEmbedding":
        from garner._embedding import ShardedEmbedding

        return ShardedEmbedding
    raise AttributeError(f"module 'garner.table' has no attribute '{name}'")
