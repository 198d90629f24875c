"""Started by test_embedding.py under an MPI launcher: ShardedEmbedding against torch's own Embedding with all ranks' batches."""
import sys

import numpy as np
import torch
from mpi4py import MPI

import garner

COMM = MPI.COMM_WORLD
ROWS = torch.randn(50, 6, generator=torch.Generator().manual_seed(1))
OPTIMISERS = {"sgd": lambda p: torch.optim.SGD(p, lr=0.1), "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.1),
              "adam": lambda p: torch.optim.SparseAdam(p, lr=0.01)}


def batch(step, rank):
    """Ids and what their rows are to be; rank 1 has none in every other step."""
    generator = torch.Generator().manual_seed(100 * step + rank)
    count = 0 if rank == 1 and step % 2 else 30
    return torch.randint(0, 50, (count,), generator=generator), torch.randn(count, 6, generator=generator)


def step(module, optimiser, ids, wanted):
    optimiser.zero_grad()
    ((module(ids) - wanted) ** 2).sum().backward()
    optimiser.step()


def trained_by_torch(make):
    module = torch.nn.Embedding(50, 6, sparse=True)
    module.weight.data.copy_(ROWS)
    optimiser = make(module.parameters())
    for number in range(5):
        parts = [batch(number, rank) for rank in range(COMM.size)]
        step(module, optimiser, *map(torch.cat, zip(*parts)))
    return module.weight.data


def trained_on_ranks(make, shards):
    module = garner.ShardedEmbedding(garner.Table.of(ROWS.numpy()).share(COMM, shards=shards))
    optimiser = make(module.parameters())
    for number in range(5):
        step(module, optimiser, *batch(number, COMM.rank))
    return module.table


for name, make in OPTIMISERS.items():
    wanted = trained_by_torch(make)
    for shards in ("block", "cyclic", "hashed"):
        table = trained_on_ranks(make, shards)
        np.testing.assert_allclose(table.local(), wanted[table.local_ids()], rtol=1e-5, atol=1e-6, err_msg=f"{name} {shards}")
dense = garner.ShardedEmbedding(garner.Table.of(ROWS.numpy()).share(COMM), sparse=False)
dense(torch.tensor([0, 49, 0])).sum().backward()
assert not dense.weight.grad.is_sparse and COMM.allreduce(float(dense.weight.grad.sum())) == 18.0 * COMM.size
print(f"rank {COMM.rank} equal", file=sys.stdout)
