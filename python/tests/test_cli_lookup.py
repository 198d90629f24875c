"""The command `garner lookup`: rows against NumPy, exit statuses, and that errors leave nothing behind."""
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

ROWS = np.random.default_rng(1).standard_normal((500, 6)).astype("f4")
IDS = np.random.default_rng(2).integers(0, 500, (40, 3))
PLACES = [("--place", place) for place in ("auto", "memory", "mapped", "disk")] + [
    ("--place", "disk", "--reader", "threads", "--depth", "3"), ("--place", "disk", "--cache", "2KB"),
    ("--place", "disk", "--cache", "0")]


def safetensors(name, array):
    """The bytes of a file with one tensor."""
    header = json.dumps({name: {"dtype": "F32", "shape": list(array.shape), "data_offsets": [0, array.nbytes]}}).encode()
    return len(header).to_bytes(8, "little") + header + array.tobytes()


@pytest.fixture
def lookup(tmp_path):
    np.save(tmp_path / "t.npy", ROWS)
    np.save(tmp_path / "ids.npy", IDS)
    (tmp_path / "t.safetensors").write_bytes(safetensors("emb", ROWS))
    (tmp_path / "rows.bin").write_bytes(b"123" + ROWS.tobytes())

    def run(*arguments):
        return subprocess.run([str(GARNER), "lookup", *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True,
                              timeout=300)
    return run


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
@pytest.mark.parametrize("table", ["t.npy", "t.safetensors:emb", "t.safetensors", "rows.bin"])
def test_rows(lookup, tmp_path, table, place):
    raw = ("--dtype", "f32", "--shape", "500,6", "--offset", "3") if table == "rows.bin" else ()
    done = lookup(table, "ids.npy", "-o", "out.npy", *place, *raw)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("f32 [40,3,6] in out.npy, 0.0 MB in ")
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), ROWS[IDS])


def test_shards(lookup, tmp_path):
    (tmp_path / "m-00001-of-00001.safetensors").write_bytes(safetensors("emb", ROWS))
    index = {"metadata": {"total_size": ROWS.nbytes}, "weight_map": {"emb": "m-00001-of-00001.safetensors"}}
    (tmp_path / "m.safetensors.index.json").write_text(json.dumps(index))
    assert lookup("m.safetensors.index.json:emb", "ids.npy", "-o", "out.npy").returncode == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), ROWS[IDS])


def test_rows_in_several_pieces(lookup, tmp_path):
    wide = np.arange(5 * 3_000_000, dtype="i4").reshape(5, -1)
    np.save(tmp_path / "wide.npy", wide)
    np.save(tmp_path / "many.npy", np.arange(14) % 5)  # 168 MB of rows
    done = lookup("wide.npy", "many.npy", "-o", "out.npy", "--place", "disk")
    assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy", mmap_mode="r"), wide[np.arange(14) % 5])


def test_json(lookup):
    out = json.loads(lookup("t.npy", "ids.npy", "-o", "out.npy", "--place", "disk", "--json").stdout)
    assert (out["dtype"], out["shape"], out["file"], out["place"]) == ("f32", [40, 3, 6], "out.npy", "disk")
    assert (out["lookups"], out["unique"], out["hits"]) == (120, len(np.unique(IDS)), 0)
    assert out["bytes_read"] >= out["bytes_asked"] > 0 and out["seconds"] > 0


@pytest.mark.parametrize("options, rows", [
    (("--out-of-range", "clamp"), [499, 0]), (("--out-of-range", "modulo"), [3, 499]),
    (("--out-of-range", "clamp", "--negative"), [499, 499])], ids=str)
@pytest.mark.parametrize("place", ["memory", "disk"])
def test_policies(lookup, tmp_path, place, options, rows):
    np.save(tmp_path / "odd.npy", np.array([503, -1]))
    assert lookup("t.npy", "odd.npy", "-o", "out.npy", "--place", place, *options).returncode == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), ROWS[rows])


def test_fill(lookup, tmp_path):
    np.save(tmp_path / "odd.npy", np.array([503, 2]))
    assert lookup("t.npy", "odd.npy", "-o", "out.npy", "--out-of-range", "fill", "--fill", "-7.5").returncode == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), [np.full(6, -7.5, "f4"), ROWS[2]])


def test_empty_and_rank_0(lookup, tmp_path):
    for ids in (np.zeros((2, 0), "i4"), np.array(7, "u1")):
        np.save(tmp_path / "odd.npy", ids)
        assert lookup("t.npy", "odd.npy", "-o", "out.npy", "--place", "disk").returncode == 0
        np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), ROWS[ids])


@pytest.mark.parametrize("arguments, status, rule", [
    (("t.npy", "bad.npy", "-o", "out.npy"), 1, "[TB1]"),
    (("t.npy", "bad.npy", "-o", "out.npy", "--place", "disk"), 1, "index[1,0] is 500, allowed [0, 500)"),
    (("t.npy", "t.npy", "-o", "out.npy"), 1, "[TB3]"),
    (("none.npy", "ids.npy", "-o", "out.npy"), 3, "[F1]"),
    (("t.npy", "none.npy", "-o", "out.npy"), 3, "[F1]"),
    (("t.safetensors:other", "ids.npy", "-o", "out.npy"), 3, "[F7]"),
    (("rows.bin", "ids.npy", "-o", "out.npy"), 1, "[TB2]"),
    (("rows.bin", "ids.npy", "-o", "out.npy", "--dtype", "f32", "--shape", "501,6"), 3, "[F6]"),
    (("fortran.npy", "ids.npy", "-o", "out.npy"), 3, "[TB4]"),
    (("t.npy", "ids.npy", "-o", "no/out.npy"), 3, "[F9]"),
    (("t.npy", "ids.npy", "-o", "out.npz"), 2, "allowed an .npy"),
    (("t.npy", "ids.npy", "-o", "out.npy", "--place", "moon"), 2, "--place"),
    (("t.npy", "ids.npy", "-o", "out.npy", "--depth", "0"), 2, "--depth"),
    (("t.npy", "ids.npy"), 2, "--output")], ids=str)
def test_refusals_leave_nothing(lookup, tmp_path, arguments, status, rule):
    np.save(tmp_path / "bad.npy", np.array([[1, 2], [500, 3]]))
    np.save(tmp_path / "fortran.npy", np.asfortranarray(ROWS))
    before = sorted(os.listdir(tmp_path))
    done = lookup(*arguments)
    assert done.returncode == status and rule in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert done.stdout == "" and sorted(os.listdir(tmp_path)) == before


def test_a_bar_on_a_terminal(lookup, tmp_path):
    """Rows of a piece each, of a sparse table; however quick it is, a bar is drawn."""
    with open(tmp_path / "sparse.bin", "wb") as file:
        file.truncate(8 << 24)
    np.save(tmp_path / "many.npy", np.arange(48) % 8)
    master, slave = pty.openpty()
    process = subprocess.Popen([str(GARNER), "lookup", "sparse.bin", "many.npy", "-o", "out.npy", "--dtype", "u8", "--shape",
                                f"8,{1 << 24}", "--place", "disk", "--cache", "0"], cwd=tmp_path, stderr=slave,
                               stdout=subprocess.PIPE, env={**os.environ, "TERM": "xterm", "GARNER_PROGRESS": "0"})
    os.close(slave)
    drawn = b""
    try:
        while piece := os.read(master, 4096):
            drawn += piece
    except OSError:  # how a terminal ends
        pass
    os.close(master)
    assert process.wait(timeout=300) == 0
    assert b"% [" in drawn and b"GB/s" in drawn
