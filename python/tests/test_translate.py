"""Every conformance case in the words of every target that can be executed here; and what a refusal says."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import garner

sys.path.insert(0, str(Path(__file__).parent))
from command import GARNER, ROOT  # noqa: E402


def test_every_case_executed():
    targets = [f"--python={target}={sys.executable}" for target in ("numpy", "lucid", "stablehlo", "onnx")]
    done = subprocess.run([sys.executable, ROOT / "conformance/translations", "--tool", GARNER, "--samples", "1", *targets],
                          capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert ", 0 different, 0 failed" in done.stdout


def test_refusal_names_the_reason_and_an_input():
    with pytest.raises(NotImplementedError, match="depends on the values of key_0; for example key_0 = ") as caught:
        garner.translate("numpy.getitem(x, [m])", "jax", x=np.arange(3.0), m=np.array([True, False, True]))
    assert caught.value.rule == "T3"


def test_no_such_target():
    with pytest.raises(ValueError, match="target is cobol, allowed garner jax") as caught:
        garner.translate("numpy.take(x, [0])", "cobol", x=[1.0])
    assert caught.value.rule == "T1"


def test_text_takes_arrays_of_any_layout():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::-2]
    assert np.array_equal(garner.call("numpy.take(x, i, axis=1)", x=x, i=np.array([1], np.int8)), x[:, [1]])


def test_picture_shows_itself_in_notebooks():
    picture = garner.draw("numpy.take(x, [1, 0])", x=[1.0, 2.0])
    assert picture._repr_svg_() == str(picture) and picture.startswith("<svg")
