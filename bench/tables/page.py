"""docs/performance/tables.md, and the same on the terminal."""
import machine
from table import aligned, markdown

CONTENDERS = ["ours", "ours by threads", "ours, 1 GiB cache", "ours, mapped", "64 threads, mmap", "np.memmap"]
GOAL_SHARE, GOAL_MEMMAP = 0.9, 8


def verdict(case):
    missed = []
    if case["share"] < GOAL_SHARE:
        missed.append(f"{case['share']:.0%} of fio, goal {GOAL_SHARE:.0%}")
    if case["against_memmap"] < GOAL_MEMMAP:
        missed.append(f"x{case['against_memmap']:.1f} of np.memmap, goal x{GOAL_MEMMAP}")
    return "; ".join(missed) or "met"


def case_rows(cases):
    yield ["ids", "row", "reads", "reads/s", "fio reads/s", "share", "rows/s", "x np.memmap", "verdict"]
    for c in cases:
        cold = c["times"]["ours"]["cold"]
        yield [c["ids"], f"{c['row_bytes']} B", f"{c['stats']['reads']}", f"{c['iops']:.0f}", f"{c['fio_iops']:.0f}",
               f"{c['share']:.0%}", f"{c['count'] / cold:.0f}", f"{c['against_memmap']:.1f}", verdict(c)]


def time_rows(cases):
    yield ["ids", "row", *(f"{name}" for name in CONTENDERS)]
    for c in cases:
        times = (f"{c['times'][name]['cold']:.3f} / {c['times'][name]['warm']:.3f}" for name in CONTENDERS)
        yield [c["ids"], f"{c['row_bytes']} B", *times]


def cache_rows(caches):
    names = list(caches[0]["caches"])
    yield ["ids", "row", *names, *(f"hits, {name}" for name in names[1:]), "gain"]
    for c in caches:
        each = [c["caches"][name] for name in names]
        yield [c["ids"], f"{c['row_bytes']} B", *(f"{e['seconds']:.3f}" for e in each), *(f"{e['hits']:.0%}" for e in each[1:]),
               f"x{each[0]['seconds'] / each[-1]['seconds']:.2f}"]


def disk_text(record):
    parts = [list(case_rows(record["cases"])), list(time_rows(record["cases"])), list(cache_rows(record["caches"]))]
    return "\n\n".join("\n".join(aligned(rows)) for rows in parts)


def disk_page(record):
    first = record["cases"][0]
    return f"""## Disk

{machine.sentence(record["machine"])}. A raw file of {record["size"] / 2**30:g} GiB, {first["count"]} ids a call, {record["depth"]} reads under way, medians. {record["note"]}

Reads a second against what `fio` gets of the same file in the same run, turn by turn: random reads of {record["block"]} B, as many under way, around the
page cache, registered file and buffers. Goals: {GOAL_SHARE:.0%} of fio, x{GOAL_MEMMAP} of `np.memmap`, both cold.

{markdown(list(case_rows(record["cases"])))}

Seconds of a call, cold / warm. Cold: nothing of the file is in this system's page cache. Warm: the same call again, which finds what the first has left: in the
cache of rows, in the page cache for what is mapped, nowhere for a disk table without a cache, which reads around both.

{markdown(list(time_rows(record["cases"])))}

What a cache of rows saves: {record["caches"][0]["calls"]} calls of {record["caches"][0]["batch"]} ids, one after the other, from an empty cache. Seconds, share of the different rows of
each call that were found, and the time without a cache to that with the largest.

{markdown(list(cache_rows(record["caches"])))}
"""


PARTS = {"disk": disk_page}


def markdown_page(whole):
    head = "# Tables\n\n`make bench-tables` measures this and writes `tables.json` beside it. What a table is: [tables.md](../tables.md).\n\n"
    return head + "\n".join(PARTS[part](record) for part, record in whole.items() if part in PARTS)
