"""Started by test_ranks.py under an MPI launcher: rank 0 prints, as JSON, what every number of ranks must give alike.

All ranks together ask for the same ids, cut into as many unequal pieces as there are ranks."""
import hashlib
import json
import sys

import numpy as np
from mpi4py import MPI

import garner

COMM = MPI.COMM_WORLD
RANDOM = np.random.default_rng(5)
ROWS = RANDOM.standard_normal((1001, 7)).astype(np.float32)
IDS = RANDOM.zipf(1.3, 40_000) % 1001
BACK = RANDOM.standard_normal((40_000, 7)).astype(np.float32)


SHARES = np.array([3, 0, 1, 2, 5])[:COMM.size]  # of the ids; rank 1 has none


def mine(array):
    """This rank's piece."""
    ends = [0, *(len(array) * np.cumsum(SHARES) // SHARES.sum())]
    return array[ends[COMM.rank]:ends[COMM.rank + 1]]


def together(array):
    """All ranks' pieces, one behind the other, as a hash."""
    pieces = COMM.allgather(np.ascontiguousarray(array))
    return hashlib.sha256(b"".join(piece.tobytes() for piece in pieces)).hexdigest()[:16]


def whole(table):
    """The rows of all ranks in the order of their ids."""
    out = np.zeros(table.shape, table.local().dtype)
    for ids, rows in COMM.allgather((table.local_ids(), np.array(table.local()))):
        out[ids] = rows
    return hashlib.sha256(out.tobytes()).hexdigest()[:16]


def gradient(table):
    rows, values = table.row_gradient(mine(IDS), mine(BACK))
    dense = np.zeros_like(table.local())
    dense[rows] = values
    out = np.zeros(table.shape, np.float32)
    for ids, part in COMM.allgather((table.local_ids(), dense)):
        out[ids] = part
    return hashlib.sha256(out.tobytes()).hexdigest()[:16]


def refusal(table):
    """One rank alone asks for what is not there; all hear of it."""
    ids = np.array([3, 1001]) if COMM.rank == COMM.size - 1 else np.array([1])
    try:
        table.gather(ids)
    except garner.IndexError as error:
        heard = COMM.allgather(error.rule)
        return heard == ["TB1"] * COMM.size
    return False


def outcome(shards):
    table = garner.Table.of(ROWS).share(COMM, shards=shards, timeout=20)
    found = {"place": table.place, "gather": together(table.gather(mine(IDS))), "gradient": gradient(table), "refused": refusal(table)}
    table.scatter_add(mine(IDS), mine(BACK))
    return found | {"added": whole(table), "after": together(table.gather(mine(IDS)))}


def given_rows():
    """Every rank brings an array, which is then written in place."""
    rows = np.full((COMM.rank + 1, 2), COMM.rank, np.float64)
    table = garner.Table.from_shards(COMM, rows)
    table.scatter_add(np.arange(len(table)), np.ones((len(table), 2)))
    added = (rows == COMM.rank + COMM.size).all() and len(table) == COMM.size * (COMM.size + 1) // 2
    table.local()[:] = 100 + COMM.rank  # every rank sees what is written there
    COMM.Barrier()
    return bool(added and (rows == 100 + COMM.rank).all() and (table.gather([len(table) - 1]) == 99 + COMM.size).all())


def refused_communicator():
    try:
        garner.Table.of(ROWS).share("world")
    except TypeError as error:
        return f"{error.rule} {error}"


if __name__ == "__main__":
    results = {shards: outcome(shards) for shards in ("block", "cyclic", "hashed")}
    results["no communicator"] = refused_communicator()
    results["given"] = all(COMM.allgather(given_rows()))
    if COMM.rank == 0:
        json.dump(results, sys.stdout)
