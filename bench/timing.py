"""Taking turns: every contender in every round, so that what else the machine does hits all of them alike."""
import itertools
import random
import statistics
import time

REPETITIONS, FEWEST, LONG, HOPELESS = 20, 5, 0.5, 3.0
ROUNDS = 5
PAUSE = 0.015  # thread pools that wait by spinning give the cores back: libgomp's after 3 to 10 ms
QUICK = 0.1    # seconds of a call whose time depends on whether its threads are awake


def repetitions(seconds, best, wanted):
    """Five of calls over half a second, and of those that take three times the fastest one's time: they decide nothing."""
    return wanted if seconds <= min(LONG, HOPELESS * best) else min(FEWEST, wanted)


def timed(call, *arguments):
    start = time.perf_counter()
    result = call(*arguments)
    return time.perf_counter() - start, result


def take_turns(calls, wanted=REPETITIONS):
    """{name: call(turn)} to {name: [seconds]}. A call's result is dropped, untimed, before the next one starts. `turn` counts
    on with every call, so that nobody finds in the caches what the one before him has just read. Five rounds, each in
    an order of its own, so that nobody always follows the same one; in a round everybody makes a few calls in a row, as
    loops do. The first of them, which wakes his threads (on a virtual machine that may take milliseconds), is untimed."""
    first = {name: timed(call, turn)[0] for turn, (name, call) in enumerate(calls.items())}
    best = min(first.values(), default=0)
    counts = {name: repetitions(seconds, best, wanted) for name, seconds in first.items()}
    names, found, turns = list(calls), {name: [] for name in calls}, itertools.count(len(calls))
    for round_ in range(ROUNDS):
        for name in random.Random(round_).sample(names, len(names)):
            timed_ones = counts[name] * (round_ + 1) // ROUNDS - counts[name] * round_ // ROUNDS
            if timed_ones == 0:
                continue
            time.sleep(PAUSE)
            if first[name] < QUICK:
                calls[name](next(turns))
            found[name] += [timed(calls[name], next(turns))[0] for _ in range(timed_ones)]
    return found


def summary(seconds):
    """Median and spread (half the distance of the quartiles to each other), in ms."""
    ordered = sorted(seconds)
    quarter = len(ordered) // 4
    return {"ms": statistics.median(ordered) * 1e3, "spread_ms": (ordered[-1 - quarter] - ordered[quarter]) / 2 * 1e3,
            "repetitions": len(ordered)}
