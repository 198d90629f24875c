"""A table over ranks as a module of torch's. Imported when it is first asked for."""
import torch
from torch.autograd.function import once_differentiable


class _Rows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight, indices, table, sparse):
        ctx.table, ctx.sparse, ctx.shape = table, sparse, weight.shape
        ctx.save_for_backward(indices)
        return table.gather(indices)

    @staticmethod
    @once_differentiable
    def backward(ctx, cotangent):
        indices, = ctx.saved_tensors
        rows, values = ctx.table.row_gradient(indices, cotangent.contiguous())
        gradient = torch.sparse_coo_tensor(rows[None], values, ctx.shape, is_coalesced=True)
        return gradient if ctx.sparse else gradient.to_dense(), None, None, None


class ShardedEmbedding(torch.nn.Module):
    """torch.nn.Embedding whose rows are shared out over the ranks of a table (Table.share, Table.from_shards). `weight` is this
    rank's rows, over the table's own memory: torch's optimisers step on them in place. Every rank calls forward and backward, each
    with indices of its own, also none; the gradient of `weight` has what came back to any rank. sparse: the gradient is a sparse
    tensor of the rows that were read (SGD, Adagrad, SparseAdam)."""

    def __init__(self, table, *, sparse=True):
        super().__init__()
        self.table, self.sparse = table, sparse
        self.weight = torch.nn.Parameter(torch.from_numpy(table.local()))

    def forward(self, indices):
        return _Rows.apply(self.weight, indices, self.table, self.sparse)

    def extra_repr(self):
        return f"{self.table!r}, rows of this rank={self.weight.shape[0]}, sparse={self.sparse}"
