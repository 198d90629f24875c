"""Files against NumPy and the safetensors package, through the garner command."""
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import safetensors
from safetensors.numpy import load_file, save_file

sys.path.insert(0, str(Path(__file__).parent))
from command import GARNER  # noqa: E402

NATIVE = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
RAW = {"bf16": ml_dtypes.bfloat16, "f8e4m3fn": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2}
SAFE = {"bool": "BOOL", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64", "u1": "U8", "u2": "U16", "u4": "U32", "u8": "U64",
        "f2": "F16", "f4": "F32", "f8": "F64"}


def garner(*arguments, cwd):
    return subprocess.run([str(GARNER), *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=120)


def copy(value, rows, out, cwd):
    """The array of a file, gathered row by row: what comes out is what was read."""
    done = garner("call", f"numpy.take(x, iota(i64, {rows}), axis=0)", f"x={value}", "-o", out, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return cwd / out


def array(dtype, shape=(5, 3, 2), seed=0):
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    dtype = np.dtype(dtype)
    return random.integers(0, 120, shape).astype(dtype) if dtype.kind in "iu" else random.normal(size=shape).astype(dtype)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@pytest.mark.parametrize("dtype", NATIVE)
def test_npy_is_numpys_byte_for_byte(tmp_path, dtype):
    x = array(dtype)
    np.save(tmp_path / "x.npy", x)
    out = copy("@x.npy", 5, "y.npy", tmp_path)
    assert same(np.load(out), x)
    assert out.read_bytes() == (tmp_path / "x.npy").read_bytes()


@pytest.mark.parametrize("dtype", NATIVE)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("byte_order", ["<", ">"])
def test_npy_of_any_order(tmp_path, dtype, order, byte_order):
    x = array(dtype)
    np.save(tmp_path / "x.npy", np.asarray(x.astype(x.dtype.newbyteorder(byte_order)), order=order))
    assert same(np.load(copy("@x.npy", 5, "y.npy", tmp_path)), x)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_npy_of_any_version(tmp_path, version):
    x = array("f4")
    with open(tmp_path / "x.npy", "wb") as file:
        np.lib.format.write_array(file, x, version=version)
    assert same(np.load(copy("@x.npy", 5, "y.npy", tmp_path)), x)


@pytest.mark.parametrize("name", RAW)
def test_npy_of_ml_dtypes(tmp_path, name):
    x = array("f4").astype(RAW[name])
    np.save(tmp_path / "x.npy", x)
    out = copy(f"{name}@x.npy", 5, "y.npy", tmp_path)
    assert same(np.load(out).view(RAW[name]), x)
    refused = garner("call", "numpy.take(@x.npy, [0], axis=0)", cwd=tmp_path)
    assert refused.returncode == 3 and "[F5]" in refused.stderr


@pytest.mark.parametrize("shape", [(1,), (7, 0), (3, 1, 1, 1, 2), (2, 300)])
def test_npy_shapes(tmp_path, shape):
    x = array("f8", shape)
    np.save(tmp_path / "x.npy", x)
    assert same(np.load(copy("@x.npy", shape[0], "y.npy", tmp_path)), x)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz_of_numpy(tmp_path, save):
    arrays = {f"n{i}": array(d, seed=i) for i, d in enumerate(NATIVE)} | {"a b": array("f4"), "F": np.asfortranarray(array("f4"))}
    save(tmp_path / "x.npz", **arrays)
    for name, x in arrays.items():
        assert same(np.load(copy(f'@x.npz:"{name}"', 5, "y.npy", tmp_path)), x), name


@pytest.mark.parametrize("dtype", NATIVE)
def test_npz_for_numpy(tmp_path, dtype):
    x = array(dtype)
    np.save(tmp_path / "x.npy", x)
    with np.load(copy("@x.npy", 5, "y.npz", tmp_path)) as file:
        assert file.files == ["arr_0"]
        assert same(file["arr_0"], x)


def test_safetensors_of_the_package(tmp_path):
    tensors = {f"layer.{i}": array(d, seed=i) for i, d in enumerate(SAFE)}
    save_file(tensors, tmp_path / "x.safetensors", metadata={"format": "np", "odd": 'ä"\n'})
    for name, x in tensors.items():
        assert same(np.load(copy(f"@x.safetensors:{name}", 5, "y.npy", tmp_path)), x), name


@pytest.mark.parametrize("dtype", SAFE)
def test_safetensors_for_the_package(tmp_path, dtype):
    x = array(dtype)
    np.save(tmp_path / "x.npy", x)
    assert same(load_file(copy("@x.npy", 5, "y.safetensors", tmp_path))["arr_0"], x)


@pytest.mark.parametrize("name", RAW)
def test_safetensors_of_ml_dtypes(tmp_path, name):
    x = array("f4").astype(RAW[name])
    np.save(tmp_path / "x.npy", x)
    copy(f"{name}@x.npy", 5, "y.safetensors", tmp_path)
    with safetensors.safe_open(tmp_path / "y.safetensors", framework="np") as file:
        stored = file.get_slice("arr_0")
        assert stored.get_dtype() == {"bf16": "BF16", "f8e4m3fn": "F8_E4M3", "f8e5m2": "F8_E5M2"}[name]
        assert stored.get_shape() == list(x.shape)
    assert same(np.load(copy("@y.safetensors", 5, "z.npy", tmp_path)).view(RAW[name]), x)


def test_both_refuse_what_lies(tmp_path):
    """The safetensors package and Garner agree on which mutations of a header are files."""
    save_file({"a": array("i4"), "b": array("f8")}, tmp_path / "x.safetensors")
    whole = (tmp_path / "x.safetensors").read_bytes()
    head = int.from_bytes(whole[:8], "little")
    random = np.random.default_rng(7)
    for seed in range(60):
        bytes_ = bytearray(whole)
        bytes_[8 + random.integers(head)] = random.choice(list(b'0123456789[]{},"F'))
        path = tmp_path / "y.safetensors"
        path.write_bytes(bytes_)
        try:
            theirs = load_file(path)
        except Exception:
            theirs = {}
        ours = garner("call", "numpy.take(@y.safetensors:a, [0], axis=0)", cwd=tmp_path)
        assert ours.returncode in (0, 3), (seed, ours.stderr)
        assert (ours.returncode == 0) == ("a" in theirs), (seed, bytes(bytes_[8:8 + head]), ours.stderr)
