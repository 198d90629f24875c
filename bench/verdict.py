"""A case's record read against its goal: ratios, share of the limit, what is met and what is missed."""
from peers import LIBRARIES


def ms(record, name, mode):
    found = record["times"].get(name, {}).get(mode)
    return found and found["ms"]


OURS = "ours"  # the contender the goals are for: as users call it, at level exact


def ratio(record, peer, mode):
    """How many times the peer's time ours is contained in; None when one of them is missing."""
    mine, theirs = ms(record, OURS, mode), ms(record, peer, mode)
    return theirs / mine if mine and theirs else None


def best(record, mode):
    """(ratio to the fastest library, its name). One that cannot write to a given output stands with its allocating call:
    that is what its user does."""
    found = []
    for peer in LIBRARIES:
        one = ratio(record, peer, mode)
        if one is None and mode == "given" and ms(record, peer, "alloc") and ms(record, OURS, "given"):
            one = ms(record, peer, "alloc") / ms(record, OURS, "given")
        if one is not None:
            found.append((one, peer))
    return min(found) if found else (None, None)


def share(record):
    """Of the limit, in %."""
    mine = ms(record, OURS, "given") or ms(record, OURS, "alloc")
    return record["limit"]["ms"] / mine * 100 if mine and "limit" in record else None


def wanted(record):
    """[(what, found, goal)]"""
    goal, rows = record["goal"], []
    for mode in ("given", "alloc"):
        rows.append((f"x {mode}", best(record, mode)[0], goal[mode]))
    rows += [(f"x {peer}", ratio(record, peer, "alloc"), times) for peer, times in goal["against"].items()]
    rows.append(("% of the limit", share(record), goal["limit"]))
    return [(what, found, aim) for what, found, aim in rows if found is not None and aim]


def past_limit(record, what, found, aim):
    """Would the goal take less time than the limit? Where a peer is close to it, so many times faster is nowhere."""
    mode = what.removeprefix("x ")
    mine = ms(record, OURS, mode)
    return bool(mine and "limit" in record and mine * found / aim < record["limit"]["ms"])


def misses(record):
    """[(what, found, aim)]"""
    return [(what, found, aim) for what, found, aim in wanted(record) if found < aim]


def missed(record):
    """['x given 1.10 of 1.3', …] of what can be reached; a result that disagrees is the worst of misses."""
    if any(name.startswith("ours") for name in record["disagree"]):
        return ["the values disagree"]
    if OURS not in record["times"]:
        return ["ours did not run"]
    return [f"{what} {found:.2f} of {aim:g}" for what, found, aim in misses(record)
            if not past_limit(record, what, found, aim)]


def text(record):
    """Met, or what is missed; goals that lie past the limit are named, and are not counted."""
    beyond = [f"{what} {found:.2f} of {aim:g}" for what, found, aim in misses(record)
              if past_limit(record, what, found, aim)]
    said = ["missed: " + ", ".join(missed(record)) if missed(record) else "met"]
    return "; ".join(said + (["past the limit: " + ", ".join(beyond)] if beyond else []))


def tiny_goal(row):
    """Python: 1.5 us; allocating, as users call."""
    found = row["times"].get("ours", {}).get("alloc")
    return found is not None and found <= 1.5
