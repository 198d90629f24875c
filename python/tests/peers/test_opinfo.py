"""PyTorch's own samples: all agree, but for a listed set."""
import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="compares with PyTorch")
pytest.importorskip("expecttest", reason="PyTorch's test tools need it")
sys.path.insert(0, str(Path(__file__).parent))
import opinfo  # noqa: E402

# (function, kind, rule): how many samples, with the reason.
KNOWN = {
    ("embedding_bag", "forward", ""): 1,  # f16: max_norm rounds a row one unit apart, and the weighted sum cancels the rest
}


@pytest.fixture(scope="module")
def total():
    return opinfo.main()


def test_every_function_has_samples(total):
    assert all(opinfo.infos(name) for name in opinfo.NAMES) and len(opinfo.NAMES) == 23
    assert total.tried["forward"] > 6000 and total.tried["backward"] > 600 and total.tried["errors"] > 25


def test_misses_are_the_known_ones(total):
    assert Counter((m.name, m.kind, m.rule) for m in total.misses) == KNOWN, "\n".join(map(str, total.misses))
