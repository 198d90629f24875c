"""An mpi4py communicator as a group of ranks (garner/ranks.h): messages of bytes, started and asked for. Works with whichever MPI
mpi4py was built for, because Garner itself links none."""
from mpi4py import MPI

from garner._errors import raise_status

_TYPE = 2  # garner::Code
_PIECE = 1 << 30  # bytes of one message: MPI counts in 32 bits


def _pieces(memory):
    return [] if memory is None else [memory[at:at + _PIECE] for at in range(0, len(memory), _PIECE)]


class Transfer:
    """One message to each rank and one from each, under way."""

    def __init__(self, comm, sends, receives):
        parts = [(peer, piece, comm.Irecv) for peer, memory in enumerate(receives) for piece in _pieces(memory)]
        parts += [(peer, piece, comm.Isend) for peer, memory in enumerate(sends) for piece in _pieces(memory)]
        self._peers = [peer for peer, _, _ in parts]
        self._receives = [begin == comm.Irecv for _, _, begin in parts]
        self._requests = [begin([piece, MPI.BYTE], peer) for peer, piece, begin in parts]

    def poll(self):
        """How many messages are left."""
        if self._requests:
            done = set(MPI.Request.Testsome(self._requests) or ())
            left = [i for i in range(len(self._requests)) if i not in done]
            for name in ("_peers", "_receives", "_requests"):
                setattr(self, name, [getattr(self, name)[i] for i in left])
        return len(self._requests)

    def waits_for(self):
        """A rank that a message is left from or to; -1: none."""
        return self._peers[0] if self._peers else -1

    def cancel(self):
        """What is left is called off. Is it over? If not, MPI may still look at the memory: a message to a rank that has gone can
        neither end nor be called off."""
        over = True
        for request, receives in zip(self._requests, self._receives):
            if receives:
                request.Cancel()
            if not request.Test():
                request.Free()
                over = False
        self._requests = []
        return over


class Group:
    """What garner._core asks of a group of processes."""

    def __init__(self, comm, timeout):
        if not isinstance(comm, MPI.Intracomm):
            raise_status(_TYPE, "RK7", f"share: comm is of type {type(comm).__name__}, allowed mpi4py.MPI.Intracomm", "")
        self._comm = comm.Dup()  # messages of the caller's do not meet ours
        self.rank, self.size, self.timeout = comm.Get_rank(), comm.Get_size(), timeout

    def start(self, sends, receives):
        """Called by garner._core with a list of memories each, None where there is nothing to send."""
        return Transfer(self._comm, sends, receives)
