"""Started by test_ranks.py: the last rank does not take part. The others hear of it in time, and the job ends."""
import os
import sys
import time


def main():
    import numpy as np
    from mpi4py import MPI

    import garner

    comm = MPI.COMM_WORLD
    table = garner.Table.of(np.zeros((100, 4))).share(comm, timeout=1)
    comm.Barrier()
    if comm.rank == comm.size - 1:
        time.sleep(4)
        return
    began = time.monotonic()
    try:
        table.gather([99])
    except garner.OSError as error:
        if 1 <= time.monotonic() - began < 10:
            print(f"{error.rule}: {error}")


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # without MPI_Finalize, which waits for messages that nobody takes
