"""Limits: what a workload must move, over what the machine can move. The ceilings are measured right before a case's calls
and right after them (`garner_measure rates`). A model is a dict {resource: seconds}; the longest is the limit."""
import json
import math
import subprocess

import numpy as np

from data import cache_bytes

LINE = 64


STREAMS = ("read", "write", "copy")
UNSTEADY = 0.15  # of streams that differ by more, before and after, nothing much can be said


class Ceilings:
    """Rates as garner_measure prints them."""

    def __init__(self, rates):
        self._rates = rates
        self.read, self.write, self.copy = (rates[key] for key in STREAMS)

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


class Needs:
    """Stands for the ceilings when a model is asked which of them it needs."""
    read = write = copy = 1.0

    def __init__(self):
        self.footprint, self.read_chunks, self.update_chunks = 0, set(), set()

    def random_read(self, chunk, footprint):
        return self._note(self.read_chunks, chunk, footprint)

    def random_update(self, chunk, footprint):
        return self._note(self.update_chunks, chunk, footprint)

    def _note(self, chunks, chunk, footprint):
        chunks.add(chunk if chunk >= LINE else 4)
        self.footprint = max(self.footprint, footprint)
        return 1.0


class Probe:
    """Measures what a model needs, as often as it is asked. On a shared machine the memory's speed changes by the minute
    (copies at 97 and at 57 GB/s within the same run), so a limit is of the moment the calls were timed in."""
    LEAST, MOST = 512, 4096  # MiB

    def __init__(self, program, threads, model, options=()):
        needs = Needs()
        model(needs)
        mib = min(max(needs.footprint >> 20, self.LEAST), self.MOST)
        self.words = [program, "rates", "--threads", threads, "--seconds", 0.15, "--table-mib", mib, *options]
        for option, chunks in (("--read-chunk", needs.read_chunks), ("--update-chunk", needs.update_chunks)):
            for chunk in sorted(chunks):
                self.words += [option, chunk]

    def __call__(self):
        return json.loads(subprocess.run([str(word) for word in self.words], capture_output=True, text=True, check=True).stdout)


def between(before, after):
    """The mean of two measurements, entry by entry."""
    if isinstance(before, dict):
        return {key: between(before[key], after[key]) for key in before}
    return (before + after) / 2


def moved(before, after):
    """By how much the streams differ, as a share of the slower."""
    return max(abs(before[key] - after[key]) / min(before[key], after[key]) for key in STREAMS)


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
