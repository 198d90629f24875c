"""Taking turns: every contender once a round, so that what else the machine does hits all of them alike."""
import random
import statistics
import time

REPETITIONS, FEWEST, LONG, HOPELESS = 20, 5, 0.5, 3.0
PAUSE = 0.003  # thread pools that wait by spinning give the cores back


def repetitions(seconds, best, wanted):
    """Five of calls over half a second, and of those that take three times the fastest one's time: they decide nothing."""
    return wanted if seconds <= min(LONG, HOPELESS * best) else min(FEWEST, wanted)


def timed(call, *arguments):
    start = time.perf_counter()
    result = call(*arguments)
    return time.perf_counter() - start, result


def take_turns(calls, wanted=REPETITIONS):
    """{name: call(turn)} to {name: [seconds]}. A call's result is dropped, untimed, before the next one starts. `turn` counts
    on with every call, so that nobody finds in the caches what the one before him has just read; every round has
    an order of its own, so that nobody always follows the same one (whose threads may still spin)."""
    first = {name: timed(call, turn)[0] for turn, (name, call) in enumerate(calls.items())}
    best = min(first.values(), default=0)
    counts = {name: repetitions(seconds, best, wanted) for name, seconds in first.items()}
    names, found, turn = list(calls), {name: [] for name in calls}, len(calls)
    for round_ in range(wanted):
        for name in random.Random(round_).sample(names, len(names)):
            if round_ * counts[name] // wanted == (round_ - 1) * counts[name] // wanted and round_ > 0:
                continue  # its few repetitions are spread over all rounds
            time.sleep(PAUSE)
            found[name].append(timed(calls[name], turn)[0])
            turn += 1
    return found


def summary(seconds):
    """Median and spread (half the distance of the quartiles to each other), in ms."""
    ordered = sorted(seconds)
    quarter = len(ordered) // 4
    return {"ms": statistics.median(ordered) * 1e3, "spread_ms": (ordered[-1 - quarter] - ordered[quarter]) / 2 * 1e3,
            "repetitions": len(ordered)}
