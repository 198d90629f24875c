"""Limits: what a workload must move, over what the machine can move. The ceilings come from `garner_measure ceilings`, in
the same run. A model is a dict {resource: seconds}; the longest is the limit."""
import math

import numpy as np

from data import cache_bytes

LINE = 64


class Ceilings:
    """Rates at 1 or at all threads."""

    def __init__(self, measured, threads):
        self._rates = measured["one" if threads == 1 else "all"]
        self.read, self.write, self.copy = (self._rates[key] for key in ("read", "write", "copy"))

    def random_read(self, chunk, footprint):
        """Chunks a second."""
        return self._random("random_read", chunk, footprint)

    def random_update(self, chunk, footprint):
        return self._random("random_update", chunk, footprint)

    def _random(self, kind, chunk, footprint):
        """Between measured footprints by their logarithms; chunks beyond the largest by their bytes."""
        table = {int(size): {int(c): rate for c, rate in rates.items()} for size, rates in self._rates[kind].items()}
        sizes = sorted(table)
        rates = [_at_chunk(table[size], chunk) for size in sizes]
        return float(np.interp(math.log2(max(1, footprint)), np.log2(sizes), rates))


def _at_chunk(rates, chunk):
    """Of a chunk between two that were measured: by bytes a second. Below 64 B as 4 B: one line each."""
    known = sorted(rates)
    if chunk < LINE:
        return rates[4]
    known = [c for c in known if c >= LINE]
    return float(np.interp(math.log2(chunk), np.log2(known), [rates[c] * c for c in known])) / chunk


def longest(model):
    """(resource, seconds)"""
    return max(model.items(), key=lambda item: item[1])


# ---- how many places are really read ----

def misses(places, row_bytes, spread):
    """Uniform: every one. Skewed: those outside of the hottest rows that fit the cache, which are read once."""
    if spread not in ("zipf", "hot"):
        return places.size
    counts = np.sort(np.unique(places, return_counts=True)[1])[::-1]
    fits = max(1, cache_bytes() // max(row_bytes, LINE))
    return int(counts[fits:].sum()) + min(fits, counts.size)


def touched_bytes(places, row_bytes):
    """Of the table, each line once: what a sorted or a blocked pass must read."""
    lines = places if row_bytes >= LINE else places * row_bytes // LINE
    seen = np.zeros(int(lines.max(initial=-1)) + 1, bool)
    seen[lines.reshape(-1)] = True
    return int(np.count_nonzero(seen)) * max(row_bytes, LINE)


# ---- models ----

def gather(c, places, row_bytes, table_bytes, spread, streamed):
    """Rows of a table to a result; `streamed` are the bytes of the indices."""
    written = places.size * row_bytes
    read = touched_bytes(places, row_bytes)
    model = {"write": written / c.write, "copy": (read + written + streamed) / c.copy}
    if spread != "sorted":
        chunk = max(4, row_bytes)
        model[f"random read {chunk} B"] = misses(places, row_bytes, spread) / c.random_read(chunk, table_bytes)
    return model


def update(c, places, row_bytes, table_bytes, spread, streamed):
    """Rows added to a table; `streamed` are the bytes of indices and updates."""
    touched = touched_bytes(places, row_bytes)
    model = {"read": streamed / c.read, "copy": (streamed + 2 * touched) / c.copy}
    if spread != "sorted":
        chunk = max(4, row_bytes)
        model[f"random update {chunk} B"] = misses(places, row_bytes, spread) / c.random_update(chunk, table_bytes)
    return model


def stream(c, read, written=0):
    """No access is random."""
    return {"read": read / c.read, "write": written / c.write, "copy": (read + written) / c.copy if written else 0.0}


def search(c, queries, sequence_bytes, read, written):
    """A binary search reads a line a level; the levels above fit a core's cache of 2 MiB."""
    levels = max(0.0, math.log2(max(1, sequence_bytes / (2 << 20))))
    return {"random read 64 B": queries * levels / c.random_read(LINE, sequence_bytes), **stream(c, read, written)}
