"""The command `garner call`: results, exit statuses, and that errors leave nothing behind."""
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from command import GARNER  # noqa: E402

GATHER = "lucid.gather(i64[[10, 20, 30], [40, 50, 60]], dim=1, index=i32[[2, 1], [0, 2]])"


@pytest.fixture
def call(tmp_path):
    def run(*arguments):
        return subprocess.run([str(GARNER), "call", *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True,
                              timeout=300)
    return run


def test_prints_as_numpy_does(call):
    done = call(GATHER)
    assert (done.returncode, done.stdout, done.stderr) == (0, "i64 [2,2]\n[[30 20]\n [40 60]]\n", "")


def test_long_results_are_shortened(call):
    assert "..." in call("numpy.take(iota(f32, 5000), iota(i64, 5000))").stdout


def test_json(call):
    out = json.loads(call(GATHER, "--json").stdout)
    assert out["op"] == "lucid.gather" and out["seconds"] >= 0
    assert out["results"] == [{"dtype": "i64", "shape": [2, 2], "values": [[30, 20], [40, 60]]}]


@pytest.mark.parametrize("literal, values", [
    ("f32[nan, inf, -inf, 0.5]", ["nan", "inf", "-inf", 0.5]), ("c64[1+2j, 0, 0, 3j]", [[1, 2], [0, 0], [0, 0], [0, 3]]),
    ("bool[1, 0, 0, 1]", [True, False, False, True]), ("u64[18446744073709551615, 0, 0, 1]", [2**64 - 1, 0, 0, 1]),
    ("bf16[1.5, 0, 0, 1]", [1.5, 0, 0, 1])])
def test_json_values(call, literal, values):
    done = call(f"numpy.take({literal}, [0, 1, 2, 3])", "--json")
    assert json.loads(done.stdout)["results"][0]["values"] == values


def test_names_and_files(call, tmp_path):
    data = np.arange(24, dtype="f4").reshape(2, 3, 4)
    np.save(tmp_path / "my file.npy", data)
    done = call("tensorrt.gather(data, index, mode=ND)", 'data=@"my file.npy"', "index=i32[[1, 0], [0, 2]]", "-o", "out.npy")
    assert (done.returncode, done.stdout) == (0, "f32 [2,4] in out.npy\n"), done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), data[[1, 0], [0, 2]])


def test_later_names_may_use_earlier_ones(call):
    assert "[30 10]" in call("numpy.take(y, [2, 0])", "x=[10, 20, 30]", "y=x").stdout


def test_several_results(call, tmp_path):
    text = "torch.topk(f32[3, 1, 2], 2)"
    assert call(text, "-o", "out.npy").stdout == "f32 [2] in out_0.npy\ni64 [2] in out_1.npy\n"
    assert np.load(tmp_path / "out_1.npy").tolist() == [0, 2]
    assert call(text, "-o", "out.npz").returncode == 0
    with np.load(tmp_path / "out.npz") as file:
        assert {k: file[k].tolist() for k in file.files} == {"arr_0": [3, 2], "arr_1": [0, 2]}
    files = json.loads(call(text, "-o", "out.npy", "--json").stdout)["results"]
    assert [r["file"] for r in files] == ["out_0.npy", "out_1.npy"]


def test_onto_an_input(call, tmp_path):
    np.save(tmp_path / "x.npy", np.arange(5))
    assert call("numpy.take(@x.npy, [4, 3])", "-o", "x.npy").returncode == 0
    assert np.load(tmp_path / "x.npy").tolist() == [4, 3]


@pytest.mark.parametrize("arguments, status, rule", [
    (["nope.gather(1)"], 1, "A1"),
    (["lucid.gather(i64[1])"], 1, "A2"),
    (["lucid.gather(i64[1], 0, i64[7])"], 1, "LU6"),
    (["lucid.gather(i64[1], 0, i64[7])", "-o", "out.npy"], 1, "LU6"),
    (["numpy.take(f32[1], [0])", "--kernel", "nope"], 1, "P18"),
    (["numpy.take(f32[1], [0])", "--kernel", "nope", "-o", "out.npy"], 1, "P18"),
    (["numpy.take(f32[1"], 2, "A4"),
    (["numpy.take(x, [0])", "x=f32["], 2, "A4"),
    (["numpy.take(x, [0])", "x"], 2, "A4"),
    (["numpy.take(@none.npy, [0])"], 3, "F1"),
    (["numpy.take(@none.txt, [0])"], 3, "F2"),
    (["numpy.take(f32[1], [0])", "-o", "none/out.npy"], 3, "F9"),
    (["numpy.take(f32[1], [0])", "-o", "none/out.npz"], 3, "F9"),
    (["numpy.take(c128[1], [0])", "-o", "out.safetensors"], 3, "F10"),
])
def test_errors(call, tmp_path, arguments, status, rule):
    done = call(*arguments)
    assert (done.returncode, done.stdout) == (status, ""), done
    assert done.stderr.startswith("garner: ") and done.stderr.endswith(f"[{rule}]\n") and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["a.b()", "-o", "out.txt"], [GATHER, "--threads", "-1"], [GATHER, "--threads", "x"],
                                       [GATHER, "--nope"]])
def test_usage(call, tmp_path, arguments):
    done = call(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    assert list(tmp_path.iterdir()) == []


def test_an_error_keeps_the_old_file(call, tmp_path):
    (tmp_path / "out.npy").write_bytes(b"old")
    assert call("lucid.gather(i64[1], 0, i64[7])", "-o", "out.npy").returncode == 1
    assert (tmp_path / "out.npy").read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.npy"]


def test_help_says_all(call):
    text = call("--help").stdout
    for word in ("Examples:", "Exit status: 0 done; 1", "@d.npz:name", "--json", "--kernel"):
        assert word in text


def test_threads_and_kernels_change_nothing(call):
    outs = {call(GATHER, *more).stdout for more in ([], ["--threads", 1], ["--threads", 7], ["--kernel", "reference"])}
    assert len(outs) == 1


# ---- in blocks ----

@pytest.mark.parametrize("order", ["C", "F"])
def test_a_large_gather_in_blocks(call, tmp_path, order):
    random = np.random.default_rng(3)
    x = np.asarray(random.integers(0, 255, (40_000, 33), dtype="u1").astype("f8"), order=order)  # 10 MB
    wide = np.zeros((40_000, 300), "f8")  # 96 MB: large enough that blocks are of rows
    wide[:, :33] = x
    rows = random.integers(-40_000, 40_000, (7, 3001))
    np.save(tmp_path / "x.npy", np.asarray(wide, order=order))
    np.save(tmp_path / "i.npy", rows)
    assert call("numpy.take(@x.npy, @i.npy, axis=0)", "-o", "y.npy").returncode == 0
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), wide[rows])


@pytest.mark.parametrize("text", [
    "cutile.gather(@x.npy, (@i.npy, @j.npy), mask=@m.npy, padding_value=-9.0)",
    "tensorrt.gather(f32@f.npy, @i.npy, axis=1)",
    "jax.take(@x.npy, @i.npy, axis=0, mode=fill)",
    "torch.index_select(@x.npy, 1, i64[299, 0, 7, 7])",
    "numpy.take_along_axis(@x.npy, [[0, 299, -1]], axis=1)",
    "numpy.getitem(@x.npy, (@k.npy,))",
])
def test_blocks_are_the_whole(call, tmp_path, text):
    random = np.random.default_rng(5)
    table = random.integers(-100, 100, (40_000, 300)).astype("f8")  # 96 MB
    files = {"x": table, "f": table.astype("f4").reshape(3, -1, 50), "i": random.integers(0, 40_000, (300, 1), dtype="i4"),
             "j": random.integers(0, 300, (300, 7)), "m": random.random((300, 7)) < 0.5,
             "k": random.integers(-40_000, 40_000, (70, 5, 3))}
    for name, values in files.items():
        np.save(tmp_path / f"{name}.npy", values)
    blocks, whole = call(text, "-o", "blocks.npy"), call(text, "-o", "whole.npz", "--kernel", "reference")
    assert (blocks.returncode, whole.returncode) == (0, 0), (blocks.stderr, whole.stderr)
    assert (tmp_path / "blocks.npy").stat().st_size > 1000
    with np.load(tmp_path / "whole.npz") as file:
        assert np.load(tmp_path / "blocks.npy").tobytes() == file["arr_0"].tobytes()


def test_an_error_in_a_late_block_names_its_place(call, tmp_path):
    np.save(tmp_path / "x.npy", np.zeros((40_000, 300), "f8"))
    rows = np.zeros((50, 400), "i4")
    rows[49, 399] = 40_000
    np.save(tmp_path / "i.npy", rows)
    done = call("numpy.take(@x.npy, @i.npy, axis=0)", "-o", "y.npy")
    assert done.returncode == 1 and "[49,399] is 40000" in done.stderr
    assert not (tmp_path / "y.npy").exists()


# ---- on a terminal ----

def on_terminal(arguments, environment, cwd):
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen([str(GARNER), "call", *arguments], cwd=cwd, stdout=theirs, stderr=theirs, env=environment) as process:
            os.close(theirs)
            out = b""
            while True:
                try:
                    piece = os.read(ours, 4096)
                except OSError:
                    break
                if not piece:
                    break
                out += piece
        return process.returncode, out
    finally:
        os.close(ours)


def test_colours_only_on_a_terminal(tmp_path):
    plain = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    assert b"\x1b[" in on_terminal([GATHER], plain, tmp_path)[1]
    assert b"\x1b[" in on_terminal(["nope.x()"], plain, tmp_path)[1]
    for none in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert b"\x1b[" not in on_terminal([GATHER], plain | none, tmp_path)[1]
