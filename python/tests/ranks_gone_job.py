"""Started by test_ranks.py: the last rank does not take part. The others hear of it in time, and the job ends."""
import os
import sys
import time

import numpy as np
from mpi4py import MPI

import garner

COMM = MPI.COMM_WORLD
table = garner.Table.of(np.zeros((100, 4))).share(COMM, timeout=1)
COMM.Barrier()
if COMM.rank < COMM.size - 1:
    began = time.monotonic()
    try:
        table.gather([99])
    except garner.OSError as error:
        if 1 <= time.monotonic() - began < 10:
            print(f"{error.rule}: {error}", flush=True)
else:
    time.sleep(4)
sys.stdout.flush()
os._exit(0)  # without MPI_Finalize, which waits for messages that nobody takes
