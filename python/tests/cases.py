"""The golden calls of conformance/cases, read as Python, which their text nearly is."""
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from garner import Error
from garner._arrays import numpy_dtype

FOLDER = Path(__file__).parents[2] / "conformance" / "cases"
CLASSES = {"argument": ValueError, "type": TypeError, "index": IndexError, "unsupported": NotImplementedError}
DTYPES = "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128 bf16 f8e4m3fn f8e5m2".split()


class DType:
    """f32[[1, 2], [3, 4]], f32(7), and f32{0, 5} as f32.none(0, 5)."""

    def __init__(self, name):
        self.dtype = numpy_dtype(name)

    def __getitem__(self, items):
        return np.array(list(items) if isinstance(items, tuple) else [items], self.dtype)

    def __call__(self, value):
        return np.array(value, self.dtype)

    def none(self, *shape):
        return np.empty(shape, self.dtype)


class Names(dict):
    def __missing__(self, word):
        return word


def names(**more):
    return Names({name: DType(name) for name in DTYPES}, true=True, false=False, nan=np.nan, inf=np.inf,
                 iota=lambda d, *shape: np.arange(np.prod(shape, dtype=int)).astype(d.dtype).reshape(shape),
                 zeros=lambda d, *shape: np.zeros(shape, d.dtype),
                 full=lambda d, value, *shape: np.full(shape, value, d.dtype), **more)


def value(text, scope):
    text = re.sub(r"\b(\w+)\{([^}]*)\}", r"\1.none(\2)", text)
    text = re.sub(r"=(and|or|raise)\b", r"='\1'", text)
    return eval(text, {"__builtins__": {}}, scope)  # the text is ours


class Case(NamedTuple):
    name: str
    lines: list

    def check(self, dialect):
        """dialect: has the operations, as the text calls them."""
        scope = names(**{self.dialect(): dialect})
        expected = [line[2:].strip() for line in self.lines if line.startswith("->")]
        for line in self.lines:
            if bound := re.match(r"(\w+) *= *(.*)", line, re.DOTALL):
                scope[bound[1]] = value(bound[2], scope)
        call = self.call()
        if expected[0].startswith("error"):
            check_error(lambda: value(call, scope), *expected[0].split()[1:])
        else:
            results = value(call, scope)
            check_results(results if isinstance(results, tuple) else (results,), [value(e, scope) for e in expected])

    def call(self):
        return next(line for line in self.lines if re.match(r"\w+\.\w+\(", line))

    def dialect(self):
        return self.call().partition(".")[0]


def check_error(call, rule, code):
    with pytest.raises(CLASSES[code]) as caught:
        call()
    assert isinstance(caught.value, Error)
    assert caught.value.rule == rule


def check_results(results, expected):
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected):
        assert result.dtype == wanted.dtype and result.shape == wanted.shape
        assert result.tobytes() == wanted.tobytes(), (result, wanted)


def statements(text):
    """Lines that begin with two spaces, each with the deeper lines that continue it; plans are left out."""
    out = []
    for line in text.splitlines():
        if line.startswith("   "):
            out[-1] += " " + line.strip()
        elif line.strip() == "plan" or line.startswith("  |"):
            continue
        elif line.startswith("  "):
            out.append(line.strip())
    return out


def load(dialect):
    """pytest parameters, one per case."""
    out = []
    for path in sorted((FOLDER / dialect).glob("*.case")):
        text = re.sub(r"^ *#.*\n", "", path.read_text(), flags=re.MULTILINE)
        for name, body in re.findall(r"^case (\w+).*\n((?: .*\n?)*)", text, flags=re.MULTILINE):
            out.append(pytest.param(Case(name, statements(body)), id=f"{path.stem}-{name}"))
    return out
