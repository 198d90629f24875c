"""The levels of determinism: their sums by NumPy, in the order docs/determinism.md gives."""
import numpy as np
import pytest

import garner

BLOCK = 16384
UPDATES = np.random.default_rng(1).normal(size=3 * BLOCK + 100).astype(np.float32)
ZEROS = np.zeros(len(UPDATES), np.int64)


def one_after_another(values, start=0):
    """np.add.accumulate has no second accumulator, unlike np.sum."""
    return np.add.accumulate(np.concatenate([np.array([start], np.float32), values]), dtype=np.float32)[-1]


def in_blocks(values, start):
    sum_ = one_after_another(values[:BLOCK], start)
    for k in range(BLOCK, len(values), BLOCK):
        sum_ = np.float32(sum_ + one_after_another(values[k:k + BLOCK]))
    return sum_


def sum_at(level, start=3.5):
    with garner.determinism(level):
        return garner.torch.index_add(np.array([start, 1], np.float32), 0, ZEROS, UPDATES)[0]


def test_exact_is_in_blocks_and_the_default():
    expected = in_blocks(UPDATES, 3.5)
    assert sum_at("exact") == expected
    assert garner.torch.index_add(np.array([3.5, 1], np.float32), 0, ZEROS, UPDATES)[0] == expected


@pytest.mark.parametrize("level", ["fast", "repeatable"])
def test_the_others_are_in_index_order_here(level):
    expected = one_after_another(UPDATES, 3.5)
    assert sum_at(level) == expected != sum_at("exact")


def test_the_level_before_comes_back():
    with garner.determinism("fast"):
        with pytest.raises(ZeroDivisionError), garner.determinism("exact"):
            1 / 0
        assert garner.torch.index_add(np.zeros(1, np.float32), 0, ZEROS, UPDATES)[0] == one_after_another(UPDATES)
    assert garner.torch.index_add(np.zeros(1, np.float32), 0, ZEROS, UPDATES)[0] == in_blocks(UPDATES, 0)


@pytest.mark.parametrize("level", ["Exact", "", None, 2])
def test_unknown_levels(level):
    with pytest.raises(ValueError, match="allowed fast, repeatable, exact") as caught:
        garner.determinism(level)
    assert caught.value.rule == "P18"
