"""One workload in a process of its own: makes its arrays, lets all contenders show that they agree, times them in turn, and
prints JSON lines, one per case."""
import argparse
import json
import os


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workload")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--peers", help="names, by commas; all without")
    parser.add_argument("--goals-only", action="store_true", help="leaves out the variants without a goal of their own")
    parser.add_argument("--measure", help="garner_measure; without it there is no limit")
    parser.add_argument("--measure-option", action="append", default=[])
    return parser.parse_args()


def use_threads(threads):
    """Before any library starts its own: all of them count the cores they may run on."""
    if threads < os.cpu_count():
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(threads)


class Contender:
    """A peer with the arrays of one case in its own type."""

    def __init__(self, peer, case):
        self.peer, self.op, self.name = peer, case.op, peer.name
        self.turns = [peer.wrap(case.op, a) for a in case.turns]
        self.spellings = {mode: list(peer.calls(case.op, mode)) for mode in ("given", "alloc")}

    def call(self, mode, spelling=None):
        spelling = spelling or self.spellings[mode][0]
        return lambda turn: spelling(self.turns[turn % len(self.turns)])

    def result(self, mode, spelling, raw):
        """What a call on the first arrays says; of sums, what was added. As bits, so that every one counts."""
        a, peer, in_place = self.turns[0], self.peer, self.op in IN_PLACE
        before = np.array(peer.given_result(self.op, a)) if in_place else None
        if mode == "given":
            if not in_place:
                poison(raw.out)
            spelling(a)
            after = peer.given_result(self.op, a)
        else:
            after = peer.unwrap(self.op, spelling(a))
        return after - before if in_place else bits(np.asarray(after))


def check(contender, raw, reference):
    """Keeps the spellings that work; (reference, names of those that disagree)."""
    wrong = []
    for mode, spellings in contender.spellings.items():
        for spelling in list(spellings):
            try:
                found = contender.result(mode, spelling, raw)
            except Exception as error:  # refused: not offered for these dtypes and shapes
                spellings.remove(spelling)
                contender.refusal = f"{type(error).__name__}: {error}".splitlines()[0][:160]
                continue
            reference = found.copy() if reference is None else reference
            if not np.array_equal(np.asarray(found).reshape(reference.shape), reference):
                wrong.append(mode)
    return reference, wrong


def choose(contender):
    """The fastest spelling of each mode; all of them have been called before."""
    for mode, spellings in contender.spellings.items():
        if len(spellings) > 1:
            seconds = {s: timed(contender.call(mode, s), 1)[0] for s in spellings}
            contender.spellings[mode] = [min(seconds, key=seconds.get)]


def contenders_of(case, peers, record):
    """Those that have the operation and agree with NumPy (or the first who has it)."""
    found = []
    for peer in peers:
        if case.op not in peer.spellings:
            record["left_out"][peer.name] = "no such operation"
            continue
        if peer.name in LOOPS and case.goal is NOT_SLOWER:
            record["left_out"][peer.name] = "beside goals only"
            continue
        try:
            found.append(Contender(peer, case))
        except Exception as error:
            record["left_out"][peer.name] = str(error).splitlines()[0][:160] if str(error) else type(error).__name__
    reference = None
    for contender in sorted(found, key=lambda c: (c.name.startswith("ours"), found.index(c))):
        reference, wrong = check(contender, case.turns[0], reference)
        if wrong:
            record["disagree"][contender.name] = wrong
        if not any(contender.spellings.values()):
            record["left_out"][contender.name] = getattr(contender, "refusal", "no such operation")
    return [c for c in found if any(c.spellings.values()) and c.name not in record["disagree"]]


TRIES = 3


def timed_beside(probe, calls, repetitions):
    """({name: seconds}, the ceilings meanwhile). Once more where the machine was another before than after."""
    for _ in range(TRIES):
        before, found, after = probe(), take_turns(calls, repetitions), probe()
        if moved(before, after) < UNSTEADY:
            break
    return found, {**between(before, after), "moved": moved(before, after)}


def measured(case, peers, options):
    record = {"workload": case.workload, "variant": case.variant, "op": case.op, "threads": options.threads,
              "goal": vars(case.goal), "turns": len(case.turns), "left_out": {}, "disagree": {}}
    contenders = contenders_of(case, peers, record)
    for contender in contenders:
        choose(contender)
    calls = {(c.name, mode): c.call(mode) for c in contenders for mode, s in c.spellings.items() if s}
    if options.measure:
        probe = Probe(options.measure, options.threads, case.model, options.measure_option)
        found, record["ceilings"] = timed_beside(probe, calls, options.repetitions)
        resource, seconds = longest(case.model(Ceilings(record["ceilings"])))
        record["limit"] = {"resource": resource, "ms": seconds * 1e3}
    else:
        found = take_turns(calls, options.repetitions)
    record["times"] = {}
    for (name, mode), seconds in found.items():
        record["times"].setdefault(name, {})[mode] = summary(seconds)
    return record


def main():
    options = arguments()
    if options.workload == "tiny":
        peers, missing = present(options.threads, options.peers and options.peers.split(","))
        print(json.dumps({"workload": "tiny", "missing": missing, "calls": tiny.measured(peers, options.repetitions)}))
        return
    peers, missing = present(options.threads, options.peers and options.peers.split(","))
    print(json.dumps({"versions": {p.name: p.version for p in peers if p.version}, "missing": missing}), flush=True)
    for case in WORKLOADS[options.workload](Size(options.scale)):
        if not options.goals_only or case.goal is not NOT_SLOWER:
            print(json.dumps(measured(case, peers, options)), flush=True)
        case = None  # its memory, before the next one's is made


use_threads(arguments().threads)
import numpy as np  # noqa: E402  (behind use_threads, as all that starts threads)

import tiny  # noqa: E402
from data import poison  # noqa: E402
from limits import UNSTEADY, Ceilings, Probe, between, longest, moved  # noqa: E402
from peers import IN_PLACE, LOOPS, bits, present  # noqa: E402
from timing import summary, take_turns, timed  # noqa: E402
from workloads import NOT_SLOWER, WORKLOADS, Size  # noqa: E402

main()
