"""Rows over ranks: starts ranks_bench under mpirun, prints a table, saves docs/performance/ranks.json and ranks.md.

  scripts/bench_ranks [--rows N] [--ids N] [--repeat N] [--out DIR | --no-save]
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "bench")]
import machine  # noqa: E402
from columns import aligned, markdown  # noqa: E402

RANKS, ROW_BYTES = 4, 256
GOALS = {"uniform": ("garner, every row", 1.0), "zipf": ("garner, unique rows", 2.0)}
FORWARDS = ["alltoallv alone", "alltoallv by hand", "PetscSF", "garner, every row", "garner, unique rows"]
WITH_PLAN = ["PetscSF, with its plan", "garner, every row, with its plan", "garner, unique rows, with its plan"]
BACKWARDS = ["alltoallv alone", "alltoallv by hand", "PetscSF", "garner, exact", "garner, fast, unique rows"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default=4_000_000, type=int)
    parser.add_argument("--ids", default=1_000_000, type=int, help="a rank")
    parser.add_argument("--repeat", default=7, type=int)
    parser.add_argument("--program", default=ROOT / "build/release/bin/ranks_bench", type=Path)
    parser.add_argument("--out", default=ROOT / "docs/performance", type=Path)
    parser.add_argument("--no-save", action="store_true")
    return parser.parse_args()


def run(options, ranks, repeat):
    command = ["mpirun.openmpi", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks), str(options.program),
               str(options.rows), str(options.ids), str(repeat)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench_ranks: {' '.join(command)} ended with {done.returncode}\n{done.stderr}")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {"times": [x for x in lines if "ms" in x], "traffic": [x for x in lines if "bytes_a_rank" in x]}


def time_of(record, spread, direction, way):
    found = [t for t in record["times"] if (t["spread"], t["direction"], t["way"]) == (spread, direction, way)]
    return found[0]["ms"] if found else None


def way_rows(record, direction, ways, against):
    yield ["ids", *ways, f"best of garner against {against}"]
    for spread in GOALS:
        times = [time_of(record, spread, direction, way) for way in ways]
        ours = min(t for way, t in zip(ways, times) if way.startswith("garner"))
        theirs = time_of(record, spread, direction, against)
        ratio = f"x{theirs / ours:.2f}" if theirs else "not there"
        yield [spread, *(f"{t:.0f} ms" if t else "-" for t in times), ratio]


def goal_rows(record):
    yield ["ids", "way", "against PetscSF", "goal", "verdict"]
    for spread, (way, goal) in GOALS.items():
        theirs = time_of(record, spread, "forwards", "PetscSF")
        ratio = theirs / time_of(record, spread, "forwards", way) if theirs else 0
        yield [spread, way, f"x{ratio:.2f}", f"x{goal}", "met" if ratio >= goal else "missed"]


def traffic_rows(record):
    yield ["ids", "way", "rows a rank", "MB sent a rank"]
    for t in record["traffic"]:
        yield [t["spread"], t["way"], str(t["rows_a_rank"]), f"{t['bytes_a_rank'] / 1e6:.1f}"]


def scale_rows(scale):
    yield ["ranks", "ids", "MB sent a rank, every row", "unique rows", "ms, every row, with its plan", "unique rows"]
    for ranks, record in scale.items():
        for spread in GOALS:
            sent = {t["way"]: t["bytes_a_rank"] / 1e6 for t in record["traffic"] if t["spread"] == spread}
            ms = [time_of(record, spread, "forwards", f"garner, {way}, with its plan") for way in ("every row", "unique rows")]
            yield [ranks, spread, f"{sent['every row']:.1f}", f"{sent['unique rows']:.1f}", *(f"{t:.0f}" for t in ms)]


def parts(record):
    return {"Forwards, the plan made before": list(way_rows(record, "forwards", FORWARDS, "PetscSF")),
            "Goals": list(goal_rows(record)),
            "Forwards, the plan made in the call": list(way_rows(record, "forwards", WITH_PLAN, "PetscSF, with its plan")),
            "Backwards (scatter_add; PetscSFReduce), the plan made before": list(way_rows(record, "backwards", BACKWARDS, "PetscSF")),
            "What is sent": list(traffic_rows(record)),
            "On 1 to 5 ranks (docs/scale.md)": list(scale_rows(record["scale"]))}


def page(record):
    o = record["options"]
    sections = "\n\n".join(f"## {title}\n\n{markdown(rows)}" for title, rows in parts(record).items())
    return f"""# Rows over ranks

Written by `make bench-tables` (`scripts/bench_ranks`, `bench/tables/ranks_bench.cc`).

{machine.sentence(record["machine"])}. {RANKS} ranks under Open MPI on {record["machine"]["cores"]} cores, so they take turns: a wait for a rank is often a wait for a core.
A table of {o["rows"]} rows of {ROW_BYTES} B (64 f32), block sharding, {o["ids"]} ids a rank, one thread a rank; zipf as in bench/data.py. From the moment all ranks are there to
the moment the last is done, medians of {o["repeat"]} taken in turn.

"alltoallv alone" moves the bytes of every row, packed before, and nothing else: the ceiling of whoever sends every row. PETSc adds numbers of its own type only, so
PetscSFReduce adds 32 f64 a row, as many bytes and half the additions. "Exact" sends every contribution and has the bits of one process; "fast" adds on each rank first.

{sections}
"""


def main():
    options = arguments()
    record = {"machine": machine.facts(), "options": {"rows": options.rows, "ids": options.ids, "repeat": options.repeat}}
    record |= run(options, RANKS, options.repeat)
    record["scale"] = {str(n): run(options, n, 3) for n in range(1, 6)}
    for title, rows in parts(record).items():
        print(f"\n{title}\n" + "\n".join(aligned(rows)))
    if not options.no_save:
        (options.out / "ranks.json").write_text(json.dumps(record, indent=1) + "\n")
        (options.out / "ranks.md").write_text(page(record))


main()
