"""The one table, on the terminal and as Markdown."""
import machine
import verdict
from limits import UNSTEADY
from peers import LIBRARIES, LOOPS
from columns import aligned, markdown  # noqa: F401

PEERS = [*LIBRARIES, *LOOPS]
HEADER = ["workload", "variant", "ours", "i32", "fast", *PEERS, "xP given", "xP alloc", "%L", "limit by", "copy GB/s", "verdict"]


def number(value, digits=3):
    """Three digits are all that repeats."""
    if value is None:
        return "-"
    return f"{value:.{max(0, digits - len(str(int(value))))}f}"


def pair(record, name):
    """given/alloc in ms."""
    if name not in record["times"]:
        return "-"
    return "/".join(number(verdict.ms(record, name, mode)) for mode in ("given", "alloc"))


def against(record, mode):
    found, peer = verdict.best(record, mode)
    return "-" if found is None else f"{found:.2f} {peer} ({record['goal'][mode]:g})"


def cells(record):
    share, goal = verdict.share(record), record["goal"]["limit"]
    return [record["workload"], record["variant"], pair(record, verdict.OURS), pair(record, "ours_i32"), pair(record, "ours_fast"),
            *(pair(record, peer) for peer in PEERS), against(record, "given"), against(record, "alloc"),
            "-" if share is None else f"{share:.0f}" + (f" ({goal:g})" if goal else ""),
            record.get("limit", {}).get("resource", "-"), copies(record), verdict.text(record)]


def copies(record):
    """What a plain copy moved while the calls were timed."""
    rates = record.get("ceilings")
    return "-" if rates is None else number(rates["copy"] / 1e9) + ("" if rates["moved"] < UNSTEADY else " unsteady")


def terminal(records):
    return "\n".join(aligned([HEADER, *map(cells, records)]))


def brief(record):
    """One line while it runs."""
    repetitions = record["times"].get(verdict.OURS, {}).get("given", {}).get("repetitions", 0)
    spread = record["times"].get(verdict.OURS, {}).get("given", {}).get("spread_ms")
    return (f"  {record['workload']} {record['variant']}: ours {pair(record, verdict.OURS)} ms "
            f"(±{number(spread)}, {repetitions} times), xP {against(record, 'given')} / {against(record, 'alloc')}, "
            f"{verdict.text(record)}")


# ---- tiny ----

def tiny_rows(rows):
    """Microseconds a call from Python, given/alloc."""
    head = ["op", "elements", "ours", *LIBRARIES, "ours <= 1.5 us"]
    body = [[row["op"], str(row["elements"]),
             *("/".join(number(row["times"].get(name, {}).get(mode)) for mode in ("given", "alloc"))
               for name in ("ours", *LIBRARIES)), "met" if verdict.tiny_goal(row) else "missed"] for row in rows]
    return [head, *body]


def tiny_cpp_rows(rows):
    """Microseconds a call in C++."""
    head = ["op", "elements", "prepared", "looked up", "given", "called", "prepared <= 0.5 us"]
    body = []
    for row in rows:
        found = [row.get(f"{key}_ns") for key in ("prepared", "looked_up", "given", "called")]
        met = found[0] is not None and found[0] <= 500
        body.append([row["op"], str(row["elements"]), *(number(ns and ns / 1e3) for ns in found),
                     "met" if met else "not kept ready" if found[0] is None else "missed"])
    return [head, *body]


# ---- ceilings ----

def ceiling_rows(ceilings):
    head = ["threads", "read", "write", "copy (read + written)", "random read, chunks/s in the largest table"]
    body = []
    for name in ("one", "all"):
        rates = ceilings[name]
        chunks = rates["random_read"][max(rates["random_read"], key=int)]
        body.append([name, *(f"{rates[key] / 1e9:.1f} GB/s" for key in ("read", "write", "copy")),
                     ", ".join(f"{size} B {rate / 1e6:.3g} M" for size, rate in chunks.items())])
    return [head, *body]


def page(run):
    """docs/performance/cpu.md"""
    all_threads = [r for r in run["records"] if r["threads"] == run["machine"]["cores"]]
    one_thread = [r for r in run["records"] if r not in all_threads]
    failed = [r for r in all_threads if verdict.missed(r)]
    parts = ["# CPU", "Written by `make bench`; how to read it: [README.md](README.md).", machine.sentence(run["machine"]) + ".",
             "Versions: " + ", ".join(f"{k} {v}" for k, v in sorted(run["versions"].items())) + ".",
             *([f"Left out: {', '.join(f'{k} ({v})' for k, v in run['missing'].items())}."] if run["missing"] else []),
             f"{len(all_threads) - len(failed)} of {len(all_threads)} goals met.", "![speed against the best peer](cpu.svg)",
             "## Ceilings", markdown(ceiling_rows(run["ceilings"])),
             "## All threads", "Milliseconds, into a given output / allocating; goals in brackets.",
             markdown([HEADER, *map(cells, all_threads)])]
    if one_thread:
        parts += ["## One thread", markdown([HEADER, *map(cells, one_thread)])]
    if run.get("tiny"):
        parts += ["## Small calls", "Microseconds a call from Python, into a given output / allocating.",
                  markdown(tiny_rows(run["tiny"]))]
    if run.get("tiny_cpp"):
        parts += ["Microseconds a call in C++: `prepared` runs a plan that is kept, `looked up` finds it first, `given` "
                  "writes to memory at hand, `called` allocates the result too.", markdown(tiny_cpp_rows(run["tiny_cpp"]))]
    return "\n\n".join(parts) + "\n"
