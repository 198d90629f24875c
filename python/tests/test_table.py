"""Tables from Python: every place gives what NumPy gives, in the caller's kind of array, and one line for what is wrong."""
import json
import time

import numpy as np
import pytest
from safetensors.numpy import save_file

import garner

ROWS = np.random.default_rng(7).standard_normal((300, 5)).astype(np.float32)
IDS = np.random.default_rng(8).integers(0, 300, (4, 25))
PLACES = ("memory", "mapped", "disk")


@pytest.fixture
def npy(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    return tmp_path / "rows.npy"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_gather(npy, place, dtype):
    table = garner.Table(npy, place=place)
    ids = (IDS % 100).astype(dtype)
    assert table.place == place and table.shape == (300, 5) and table.dtype == "f32" and len(table) == 300
    assert table.gather(ids).tobytes() == ROWS[ids].tobytes()
    assert table.gather(ids[::-1, ::3]).tobytes() == ROWS[ids[::-1, ::3]].tobytes()
    assert table.gather(ids[:0]).shape == (0, 25, 5)
    assert table.gather(ids[0, 0]).shape == (5,)


@pytest.mark.parametrize("reader", ["auto", "threads"])
@pytest.mark.parametrize("cache", [0, 100, 1 << 20])
def test_readers_and_caches(npy, reader, cache):
    table = garner.Table(npy, place="disk", reader=reader, cache_bytes=cache, queue_depth=3)
    for _ in range(3):
        assert table.gather(IDS).tobytes() == ROWS[IDS].tobytes()
    stats = table.stats()
    assert stats["lookups"] == 300 and stats["unique"] == 3 * len(np.unique(IDS))
    assert (stats["hits"] > 0) == (cache == 1 << 20)  # 100 bytes are full before a row comes again
    assert stats["bytes_read"] > 0 and stats["amplification"] >= 1


def test_out(npy):
    out = np.full((4, 25, 10), 9, np.float32)
    assert garner.Table(npy).gather(IDS, out=out[..., ::2]) is not None
    assert (out[..., ::2] == ROWS[IDS]).all() and (out[..., 1::2] == 9).all()
    with pytest.raises(ValueError):
        garner.Table(npy).gather(IDS, out=np.zeros((4, 25, 4), np.float32))


@pytest.mark.parametrize("place", PLACES)
def test_policies(npy, place):
    table, ids = garner.Table(npy, place=place), np.array([-1, 0, 299, 300, 1000])
    assert (table.gather(ids, out_of_range="clamp") == ROWS[[0, 0, 299, 299, 299]]).all()
    assert (table.gather(ids, out_of_range="modulo") == ROWS[[299, 0, 299, 0, 100]]).all()
    assert (table.gather(ids, out_of_range="fill", fill=2.5)[[0, 3, 4]] == 2.5).all()
    assert (table.gather(ids[:3], negative=True) == ROWS[[-1, 0, 299]]).all()
    with pytest.raises(IndexError, match=r"index\[0\] is -1, allowed \[0, 300\)") as caught:
        table.gather(ids)
    assert caught.value.rule == "TB1"


def test_prefetch(npy):
    table = garner.Table(npy, place="disk")
    ticket = table.prefetch(IDS)
    assert ticket.wait().tobytes() == ROWS[IDS].tobytes()
    assert ticket.ready and ticket.wait().tobytes() == ROWS[IDS].tobytes()
    bad = table.prefetch([5, 300])
    with pytest.raises(IndexError, match=r"index\[1\] is 300"):
        bad.wait()
    for _ in range(50):  # dropped
        table.prefetch(IDS)
    another, until = table.prefetch(IDS), time.monotonic() + 60
    while not another.ready and time.monotonic() < until:
        time.sleep(0.001)
    assert another.ready


def test_of_array():
    table = garner.Table.of(ROWS)
    assert repr(table) == "Table(f32 [300, 5] in memory)"
    assert table.gather(IDS).tobytes() == ROWS[IDS].tobytes()
    assert garner.Table.of(ROWS[::-1, ::2]).gather(IDS).tobytes() == ROWS[::-1, ::2][IDS].tobytes()
    kept = garner.Table.of(np.arange(1000.0))  # nobody else holds that array
    assert (kept.gather([999, 0]) == [999, 0]).all()


@pytest.mark.parametrize("place", PLACES)
def test_safetensors_and_index(tmp_path, place):
    save_file({"emb": ROWS, "other": IDS}, tmp_path / "a.safetensors")
    save_file({"last": ROWS[:7].astype(np.float16)}, tmp_path / "b.safetensors")
    index = {"metadata": {}, "weight_map": {"emb": "a.safetensors", "other": "a.safetensors", "last": "b.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    for name in (f"{tmp_path}/a.safetensors:emb", f"{tmp_path}/model.safetensors.index.json:emb"):
        assert garner.Table(name, place=place).gather(IDS).tobytes() == ROWS[IDS].tobytes()
    last = garner.Table(f"{tmp_path}/model.safetensors.index.json:last", place=place)
    assert last.gather([6, 0]).tobytes() == ROWS[[6, 0]].astype(np.float16).tobytes()
    with pytest.raises(ValueError, match="none"):
        garner.Table(f"{tmp_path}/model.safetensors.index.json:none", place=place)


@pytest.mark.parametrize("place", PLACES)
def test_raw(tmp_path, place):
    (tmp_path / "rows.bin").write_bytes(b"head" * 5 + ROWS.tobytes())
    table = garner.Table(tmp_path / "rows.bin", dtype="float32", shape=ROWS.shape, offset=20, place=place)
    assert table.gather(IDS).tobytes() == ROWS[IDS].tobytes()
    with pytest.raises((OSError, ValueError), match="rows.bin"):
        garner.Table(tmp_path / "rows.bin", dtype="float32", shape=(301, 5), offset=20, place=place)


@pytest.mark.parametrize("place", PLACES)
def test_no_such_file(tmp_path, place):
    with pytest.raises(OSError, match="none.npy: cannot be opened") as caught:
        garner.Table(tmp_path / "none.npy", place=place)
    assert caught.value.rule == "F1"


def test_words(npy):
    for bad in ({"place": "ranks"}, {"place": "x"}, {"reader": "x"}, {"queue_depth": 0}, {"cache_bytes": -1}):
        with pytest.raises(ValueError) as caught:
            garner.Table(npy, **bad)
        assert caught.value.rule == "TB2"
    with pytest.raises(ValueError) as caught:
        garner.Table(npy).gather(IDS, out_of_range="drop")
    assert caught.value.rule == "TB2"
    with pytest.raises(TypeError):
        garner.Table(npy).gather([0.5])


def test_shrunk_while_open(tmp_path):
    rows = np.zeros((100_000, 16), np.float32)
    np.save(tmp_path / "rows.npy", rows)
    table = garner.Table(tmp_path / "rows.npy", place="disk", cache_bytes=0)
    with open(tmp_path / "rows.npy", "r+b") as file:
        file.truncate(1 << 20)
    assert (table.gather([0, 100]) == 0).all()
    with pytest.raises(OSError, match="rows.npy"):
        table.gather([0, 99_999])
    assert (table.gather([1]) == 0).all()


def test_only_on_ranks(npy):
    table = garner.Table(npy)
    for call in (table.local, table.local_ids, lambda: table.scatter_add([0], ROWS[:1]), lambda: table.row_gradient([0], ROWS[:1])):
        with pytest.raises(ValueError, match="allowed on ranks") as caught:
            call()
        assert caught.value.rule == "RK4"
