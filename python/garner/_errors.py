"""Exceptions: what the dialect's own library raises, with Garner's one line and the id of the rule."""
import builtins


class Error(Exception):
    """Every error of Garner. `rule` names the rule that was broken (docs/rules.md)."""

    rule = ""


class ValueError(Error, builtins.ValueError):
    """A value, rank or shape."""


class TypeError(Error, builtins.TypeError):
    """A dtype, or the kind of an argument."""


class IndexError(Error, builtins.IndexError):
    """An index outside its range."""


class NotImplementedError(Error, builtins.NotImplementedError):
    """Well-formed, but not offered."""


class MemoryError(Error, builtins.MemoryError):
    """No memory for the result."""


class OSError(Error, builtins.OSError):
    """The system failed: a read, a device."""


class RuntimeError(Error, builtins.RuntimeError):
    """What PyTorch raises for most bad calls."""


for _class in (Error, ValueError, TypeError, IndexError, NotImplementedError, MemoryError, OSError, RuntimeError):
    _class.__module__ = "garner"  # where they are to be found

# In the order of garner::Code, which begins with kOk.
_BY_CODE = (None, ValueError, TypeError, IndexError, NotImplementedError, MemoryError, OSError)

# Per dialect: rule, or the name of a code's class, to the class its own library raises.
_BY_DIALECT: dict = {}


def raises(dialect, **classes):
    """A dialect module says which rules raise another class than the code's own."""
    _BY_DIALECT[dialect] = classes


def raise_status(code, rule, message, dialect):
    """Called by garner._core."""
    usual = _BY_CODE[code]
    special = _BY_DIALECT.get(dialect, {})
    error = special.get(rule, special.get(usual.__name__, usual))(message)
    error.rule = rule
    raise error
