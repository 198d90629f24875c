"""How far the bits of sums of floats are fixed."""
from garner import _core
from garner._errors import raise_status

_LEVELS = ("fast", "repeatable", "exact")  # in the order of garner::Determinism
_INVALID = 1  # garner::Code


class determinism:
    """Calls in the block run at this level, on all threads of the process: "fast" (any order), "repeatable" (the same bits every
    time on one device) or "exact" (the default: the same bits on every device and any number of threads).

    >>> import garner, numpy as np
    >>> with garner.determinism("fast"):
    ...     garner.torch.index_add(np.zeros(2), 0, np.array([1, 1]), np.array([0.5, 0.25]))
    array([0.  , 0.75])
    """

    def __init__(self, level):
        if level not in _LEVELS:
            raise_status(_INVALID, "P18", f"determinism: level is {level!r}, allowed {', '.join(_LEVELS)}", "")
        self._level = _LEVELS.index(level)

    def __enter__(self):
        self._before = _core.set_determinism(self._level)
        return self

    def __exit__(self, *_):
        _core.set_determinism(self._before)
