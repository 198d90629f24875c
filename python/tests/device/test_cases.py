"""Every golden call of every dialect on arrays of torch, CuPy and JAX that lie on a device: what the CPU gives, or its error, or a
refusal that says what runs on the CPU alone."""
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import garner

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
import cases  # noqa: E402
import libraries  # noqa: E402

DIALECTS = sorted(path.name for path in cases.FOLDER.iterdir())
REFUSALS = {"V9", "P23", "P24"}  # looks at elements on the CPU; makes arrays there on the way; more than the kernels take
LITERAL = re.compile(rf"\b(?:(?:{'|'.join(cases.DTYPES)})[\[{{]|(?:iota|zeros|full)\()")
CLOSING = {"[": "]", "{": "}", "(": ")"}


def end_of_literal(text, opening):
    """Past the bracket that closes the one at `opening`."""
    depth, left = 0, text[opening]
    for at in range(opening, len(text)):
        depth += (text[at] == left) - (text[at] == CLOSING[left])
        if depth == 0:
            return at + 1
    raise ValueError(text)


def with_names(call, scope):
    """The call with a name in place of each array that is written in it, and those arrays."""
    arrays, out, at = {}, "", 0
    while found := LITERAL.search(call, at):
        end = end_of_literal(call, found.end() - 1)
        name = f"literal{len(arrays)}"
        arrays[name] = cases.value(call[found.start():end], scope)
        out, at = f"{out}{call[at:found.start()]}{name}", end
    return out + call[at:], arrays


def outcome(text, arrays):
    """The results, or the rule and the words of the error."""
    try:
        results = garner.call(text, **arrays)
        garner.cuda.check()
    except garner.Error as error:
        return error.rule, str(error)
    return results if isinstance(results, tuple) else (results,)


def is_error(found):
    return isinstance(found[0], str)


def same(ours, wanted):
    if ours.dtype != wanted.dtype or ours.shape != wanted.shape:
        return False
    if ours.tobytes() == wanted.tobytes():
        return True
    wide = (lambda a: a.astype(np.float64)) if ours.dtype.kind == "V" else (lambda a: a)
    return ours.dtype.kind in "fcV" and np.array_equal(wide(ours), wide(wanted), equal_nan=True)


def verdict(case, library):
    scope = cases.names()
    for line in case.lines:
        if bound := re.match(r"(\w+) *= *(.*)", line, re.DOTALL):
            scope[bound[1]] = cases.value(bound[2], scope)
    known = set(cases.names())
    text, arrays = with_names(case.call(), scope)
    arrays |= {name: value for name, value in scope.items() if name not in known and isinstance(value, np.ndarray)}
    wanted = outcome(text, arrays)
    try:
        there = {name: library.there(array) for name, array in arrays.items()}
    except (TypeError, ValueError, KeyError):
        return "a dtype the library has not"
    try:
        found = outcome(text, there)
    except BufferError:  # of the library: it does not take or give such an array
        return "a dtype its DLPack has not"
    if is_error(found):
        if is_error(wanted) and found == wanted:
            return "equal"
        refused = found[0] in REFUSALS and "out lies on" not in found[1]  # nobody gave an out
        return found[0] if refused else f"{case.name}: {found}, CPU {wanted}"
    if is_error(wanted):
        return f"{case.name}: no error, CPU {wanted}"
    back = [library.back(result) for result in found]
    equal = len(back) == len(wanted) and all(map(same, back, wanted))
    return "equal" if equal else f"{case.name}: {back}, CPU {wanted}"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", libraries.LIBRARIES)
def test_calls(name, dialect, capsys):
    library = libraries.LIBRARIES[name]()
    verdicts = Counter(verdict(parameter.values[0], library) for parameter in cases.load(dialect))
    failures = [v for v in verdicts if ": " in v]
    others = {v: n for v, n in verdicts.items() if v != "equal" and v not in failures}
    with capsys.disabled():
        print(f"\n{name}: {verdicts['equal']} calls equal of {dialect}, {len(failures)} not, left out {others}")
    assert not failures, "\n".join(failures[:20])
