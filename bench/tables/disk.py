"""Tables on disk: rows of two sizes, uniform and zipf ids, against fio's random reads, np.memmap and threads over a mapping."""
import json
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
DEPTH = 128
BLOCK = 4096
BATCH, CALLS = 4000, 250  # ids of a call, and calls, where calls follow one another
CACHES = {"no cache": 0, "64 MiB": 64 << 20, "256 MiB": 256 << 20}


def zipf(random, rows, count):
    """Exponent 1, over rows that do not lie side by side."""
    ranks = np.floor(rows ** random.random(count)).astype(np.int64) - 1
    return ranks * 2_654_435_761 % rows


IDS = {"uniform": lambda random, rows, count: random.integers(0, rows, count), "zipf": zipf}


class Disk:
    def __init__(self, program, folder, size, count, repeat):
        self.program, self.folder, self.size, self.count, self.repeat = program, Path(folder), size, count, repeat
        self.file = self.folder / "rows.bin"

    def run(self, *command):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"bench_tables: {' '.join(map(str, command))}: {done.stderr.strip()}")
        return json.loads(done.stdout) if done.stdout.strip() else None

    def make(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.run(self.program, "make", self.file, self.size)

    def fio(self):
        """Random reads of a block, around the page cache, as many under way as ours: the ceiling."""
        out = self.run("fio", "--name=ceiling", f"--filename={self.file}", "--rw=randread", f"--bs={BLOCK}", "--direct=1",
                       "--ioengine=io_uring", f"--iodepth={DEPTH}", "--registerfiles", "--fixedbufs", "--time_based",
                       "--runtime=4", "--norandommap", "--randrepeat=0", "--output-format=json")
        return out["jobs"][0]["read"]["iops"]

    def gather(self, row_bytes, ids, place="disk", reader="uring", cache=0, batch=None):
        return self.run(self.program, "gather", self.file, row_bytes, ids, place, reader, DEPTH, cache, batch or self.count)

    def mmap(self, row_bytes, ids, threads):
        return self.run(self.program, "mmap", self.file, row_bytes, ids, threads)

    def memmap(self, row_bytes, ids):
        return self.run(sys.executable, HERE / "memmap.py", self.file, row_bytes, ids)

    def ids(self, kind, row_bytes, count):
        path = self.folder / f"{kind}_{row_bytes}_{count}.npy"
        np.save(path, IDS[kind](np.random.default_rng(row_bytes), self.size // row_bytes, count))
        return path


def cold_and_warm(results):
    """Medians of each round."""
    rounds = [r["seconds"] for r in results]
    return {"cold": statistics.median(s[0] for s in rounds), "warm": statistics.median(s[1] for s in rounds)}


def against_ceiling(disk, row_bytes, ids):
    """Turn by turn, so that both see the same disk: reads a second of ours and of fio."""
    ours, ceiling = [], []
    for _ in range(disk.repeat):
        ceiling.append(disk.fio())
        ours.append(disk.gather(row_bytes, ids))
    iops = [r["stats"][0]["reads"] / r["seconds"][0] for r in ours]
    return ours, {"iops": statistics.median(iops), "fio_iops": statistics.median(ceiling), "all_iops": iops,
                  "all_fio_iops": ceiling}


def case(disk, kind, row_bytes):
    ids = disk.ids(kind, row_bytes, disk.count)
    ours, record = against_ceiling(disk, row_bytes, ids)
    repeat = range(disk.repeat)
    times = {"ours": cold_and_warm(ours),
             "ours by threads": cold_and_warm([disk.gather(row_bytes, ids, reader="threads") for _ in repeat]),
             "ours, 1 GiB cache": cold_and_warm([disk.gather(row_bytes, ids, cache=1 << 30) for _ in repeat]),
             "ours, mapped": cold_and_warm([disk.gather(row_bytes, ids, place="mapped") for _ in repeat]),
             "64 threads, mmap": cold_and_warm([disk.mmap(row_bytes, ids, 64) for _ in repeat]),
             "np.memmap": cold_and_warm([disk.memmap(row_bytes, ids) for _ in range(min(disk.repeat, 2))])}
    stats = ours[0]["stats"][0]
    record |= {"ids": kind, "row_bytes": row_bytes, "count": disk.count, "times": times, "stats": stats,
               "share": record["iops"] / record["fio_iops"],
               "against_memmap": times["np.memmap"]["cold"] / times["ours"]["cold"]}
    return record


def caches(disk, kind, row_bytes):
    """Calls one after the other, as a training loop makes them: what a cache saves."""
    ids, out = disk.ids(kind, row_bytes, BATCH * CALLS), {}
    for name, size in CACHES.items():
        run = disk.gather(row_bytes, ids, cache=size, batch=BATCH)
        stats = run["stats"][0]
        out[name] = {"seconds": run["seconds"][0], "reads": stats["reads"], "hits": stats["hits"] / stats["unique"]}
    return {"ids": kind, "row_bytes": row_bytes, "batch": BATCH, "calls": CALLS, "caches": out}


def measure(disk, say):
    """Everything; `say` gets a line for each case."""
    say(f"a file of {disk.size / 2**30:g} GiB in {disk.folder}")
    disk.make()
    kinds = [(kind, row_bytes) for row_bytes in (256, 4096) for kind in IDS]
    cases, gains = [], []
    for kind, row_bytes in kinds:
        cases.append(case(disk, kind, row_bytes))
        say("  {ids} ids, rows of {row_bytes} B: {iops:.0f} reads/s, fio {fio_iops:.0f} ({share:.0%}); "
            "np.memmap x{against_memmap:.1f}".format(**cases[-1]))
        gains.append(caches(disk, kind, row_bytes))
    return {"size": disk.size, "depth": DEPTH, "block": BLOCK, "cases": cases, "caches": gains}
