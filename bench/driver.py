"""The whole bench: ceilings, then each workload in a process of its own, then the table. Started by scripts/bench.

    --quick             small sizes, few repetitions; 5 minutes
    --only row256,elem  these workloads (`tiny` is one)
    --out DIR           where cpu.json, cpu.md and cpu.svg go; docs/performance for a whole run, nowhere for any other
    --peers numpy,torch only these
    --force-kernel NAME, --simd TARGET   for ours: GARNER_KERNEL and GARNER_SIMD in its environment
"""
import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import chart
import machine
import table
import verdict
from workloads import WORKLOADS

HERE = pathlib.Path(__file__).resolve().parent
TINY = "tiny"
BESIDE_ONE_THREAD = "torch"  # what is shown at one thread, beside ours


@dataclasses.dataclass
class Pace:
    """How large and how often."""
    scale: float = 1.0
    repetitions: int = 20


PACES = {"whole": Pace(), "quick": Pace(1 / 24, 5), "smoke": Pace(1 / 2048, 3)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_const", const="quick", dest="pace", default="whole")
    parser.add_argument("--smoke", action="store_const", const="smoke", dest="pace", help="as small as it works: no figures")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, help="instead of 20; then not at one thread as well")
    parser.add_argument("--peers")
    parser.add_argument("--force-kernel")
    parser.add_argument("--simd")
    parser.add_argument("--measure", default="build/release/bin/garner_measure", help="the program")
    options = parser.parse_args()
    unknown = set(options.only) - {*WORKLOADS, TINY}
    if unknown:
        parser.error(f"--only is {','.join(sorted(unknown))}, allowed {','.join([*WORKLOADS, TINY])}")
    return options


class Bench:
    def __init__(self, options):
        self.o, self.pace = options, PACES[options.pace]
        if options.repetitions:
            self.pace = dataclasses.replace(self.pace, repetitions=options.repetitions)
        self.started = time.monotonic()
        self.run = {"machine": machine.facts(), "pace": options.pace, "repetitions": self.pace.repetitions, "versions": {}, "missing": {}, "failed": {},
                    "forced": {"kernel": options.force_kernel, "simd": options.simd}, "records": []}
        self.environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        for name, value in (("GARNER_KERNEL", options.force_kernel), ("GARNER_SIMD", options.simd)):
            if value:
                self.environment[name] = value

    def say(self, text):
        print(f"[{time.monotonic() - self.started:6.0f} s] {text}", flush=True)

    def measure_options(self):
        if self.o.pace == "smoke":
            return ["--quick", "--table-mib", "16", "--seconds", "0.001"]
        return ["--quick"] if self.o.pace == "quick" else []

    def measure(self, command):
        """What garner_measure prints."""
        words = [self.o.measure, command, *self.measure_options()]
        done = subprocess.run(words, capture_output=True, text=True, env=self.environment)
        if done.returncode:
            raise SystemExit(f"bench: {' '.join(words)} failed: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def worker(self, workload, threads, peers, more=()):
        """JSON lines of one workload, as they come."""
        words = [sys.executable, HERE / "worker.py", workload, "--scale", self.pace.scale, "--repetitions",
                 self.pace.repetitions, "--threads", threads, "--measure", self.o.measure,
                 *(f"--measure-option={word}" for word in self.measure_options()), *more]
        words += ["--peers", peers] if peers else []
        with tempfile.TemporaryFile("w+") as errors, subprocess.Popen(
                [str(word) for word in words], stdout=subprocess.PIPE, stderr=errors, text=True,
                env=self.environment) as process:
            yield from map(json.loads, process.stdout)
            if process.wait():
                errors.seek(0)
                self.failed(f"{workload} at {threads} threads", process.returncode, errors.read())

    def failed(self, what, code, errors):
        """One workload that breaks (no memory, say) does not end the run."""
        last = (errors.strip().splitlines() or ["no message"])[-1]
        self.run["failed"][what] = f"exit {code}: {last}"
        self.say(f"  FAILED {what}, exit {code}: {last}")

    def take(self, workload, threads, peers=None, more=()):
        for line in self.worker(workload, threads, peers, more):
            if "versions" in line:
                self.run["versions"].update(line["versions"])
                self.run["missing"].update(line["missing"])
            else:
                self.run["records"].append(line)
                self.say(table.brief(line))

    def tiny(self):
        for line in self.worker(TINY, self.run["machine"]["cores"], self.o.peers):
            self.run["tiny"] = line["calls"]
        self.run["tiny_cpp"] = self.measure("tiny")["calls"]

    def whole(self):
        cores = self.run["machine"]["cores"]
        self.say("ceilings")
        self.run["ceilings"] = self.measure("ceilings")
        print("\n".join(table.aligned(table.ceiling_rows(self.run["ceilings"]))), flush=True)
        chosen = [name for name in [*WORKLOADS, TINY] if not self.o.only or name in self.o.only]
        for k, name in enumerate(chosen, 1):
            self.say(f"{name}, workload {k} of {len(chosen)}")
            if name == TINY:
                self.tiny()
                continue
            self.take(name, cores, self.o.peers)
            if self.o.pace == "whole" and cores > 1 and not self.o.repetitions:
                self.take(name, 1, BESIDE_ONE_THREAD, ["--goals-only"])

    def show(self):
        records = [r for r in self.run["records"] if r["threads"] == self.run["machine"]["cores"]]
        print("\n" + table.terminal(records))
        for rows in ("tiny", "tiny_cpp"):
            if rows in self.run:
                print("\n" + "\n".join(table.aligned(getattr(table, f"{rows}_rows")(self.run[rows]))))
        missed = [r for r in records if verdict.missed(r)]
        for r in records:
            if r["disagree"]:
                print(f"left out, values differ: {r['workload']} {r['variant']}: {', '.join(r['disagree'])}")
        for what, why in self.run["failed"].items():
            print(f"failed: {what}: {why}")
        print(f"\nbench: {len(records) - len(missed)} of {len(records)} goals met, {len(self.run['failed'])} failed, "
              f"{time.monotonic() - self.started:.0f} s")

    def save(self):
        """A partial run says nothing of the whole: it goes only where it is told to."""
        partial = self.o.pace != "whole" or self.o.only or self.o.peers or any(self.run["forced"].values())
        folder = self.o.out or (None if partial else pathlib.Path("docs/performance"))
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        records = [r for r in self.run["records"] if r["threads"] == self.run["machine"]["cores"]]
        (folder / "cpu.json").write_text(json.dumps(self.run, indent=1) + "\n")
        (folder / "cpu.md").write_text(table.page(self.run))
        (folder / "cpu.svg").write_text(chart.svg(records, f"Garner against the best peer, {self.run['machine']['cores']} cores"))
        print(f"bench: {folder}/cpu.json, cpu.md, cpu.svg")


def main():
    bench = Bench(arguments())
    try:
        bench.whole()
    except KeyboardInterrupt:
        print("\nbench: stopped; what is there so far:")
    bench.show()
    bench.save()
    ours_wrong = any(name.startswith("ours") for r in bench.run["records"] for name in r["disagree"])
    sys.exit(1 if bench.run["failed"] or ours_wrong else 0)


main()
