"""Each code of the library is an exception of Python's own kind."""
import builtins

import pytest

import garner
from garner import _errors


@pytest.mark.parametrize("code, name", list(enumerate(
    ["ValueError", "TypeError", "IndexError", "NotImplementedError", "MemoryError", "OSError"], start=1)))
def test_class_of_each_code(code, name):
    with pytest.raises(getattr(builtins, name)) as raised:
        _errors.raise_status(code, "XY7", "op: a line", "")
    assert isinstance(raised.value, garner.Error) and raised.value.rule == "XY7" and str(raised.value) == "op: a line"
