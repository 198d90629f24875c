"""The command `garner run` on ONNX models, against garner.onnx and garner.onnx.backend."""
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import garner.onnx
from garner._arrays import numpy_dtype
from garner.onnx import backend

sys.path.insert(0, str(Path(__file__).parent))
from command import GARNER  # noqa: E402

DTYPES = "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128 bf16".split()  # those of Gather


def array(dtype, values):
    return np.array(values).astype(numpy_dtype(dtype))


def info(name, value):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)


def model_of(nodes, inputs, outputs, initializers=(), opset=18):
    graph = helper.make_graph(nodes, "g", inputs, outputs, initializer=list(initializers))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def any_output(name):
    """An output of which the model says nothing but the name."""
    out = onnx.ValueInfoProto()
    out.name = name
    return out


@pytest.fixture
def run(tmp_path):
    """run(model, *arguments): the model is saved as m.onnx; arrays among the arguments go to files."""
    def call(model, *arguments, **named):
        if model is not None:
            (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
        words = ["m.onnx"]
        for i, argument in enumerate(arguments):
            if isinstance(argument, np.ndarray):
                np.save(tmp_path / f"a{i}.npy", argument)
                argument = f"@a{i}.npy"
            words.append(argument)
        for name, value in named.items():
            np.save(tmp_path / f"{name}.npy", value)
            words.append(f"{name}=@{name}.npy")
        return subprocess.run([GARNER, "run", *words], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    return call


def check(run, tmp_path, model, inputs, expected):
    done = run(model, "-o", "out.npz", **inputs)
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "out.npz") as saved:
        assert sorted(saved) == sorted(expected)
        for name, want in expected.items():
            got = saved[name].view(want.dtype)  # NumPy's files know no bf16
            assert got.shape == want.shape and got.tobytes() == np.ascontiguousarray(want).tobytes(), name


def results(found):
    return found if isinstance(found, tuple) else (found,)


X = np.arange(12).reshape(3, 4)
# operator, inputs, attributes, opset
CASES = [
    ("Gather", {"data": X.astype("f4"), "indices": np.array([[2, -1]])}, {"axis": 1}, 18),
    ("Gather", {"data": X.astype("f8"), "indices": np.array([2, 0], "i4")}, {}, 1),
    ("GatherElements", {"data": X.astype("i2"), "indices": np.array([[0, 1], [2, -1]])}, {"axis": 1}, 13),
    ("GatherND", {"data": X.astype("f2"), "indices": np.array([[0, 1], [2, -1]])}, {}, 18),
    ("GatherND", {"data": X.astype("c8"), "indices": np.array([[0], [2], [1]])}, {"batch_dims": 1}, 12),
    ("Scatter", {"data": X.astype("f4"), "indices": np.array([[1, 0]]), "updates": np.array([[7, 8]], "f4")}, {}, 9),
    ("ScatterElements", {"data": X.astype("f4"), "indices": np.array([[1, 1]]), "updates": np.array([[7, 8]], "f4")},
     {"axis": 1, "reduction": "add"}, 18),
    ("ScatterElements", {"data": X, "indices": np.array([[1, 1]], "i4"), "updates": np.array([[7, 8]])},
     {"axis": 1, "reduction": "min"}, 18),
    ("ScatterND", {"data": X.astype("u1"), "indices": np.array([[1, 1], [0, -1]]), "updates": np.array([7, 8], "u1")},
     {"reduction": "mul"}, 18),
    ("TensorScatter", {"past_cache": np.zeros((2, 3, 1), "f4"), "update": np.ones((2, 1, 1), "f4"),
                       "write_indices": np.array([0, 5])}, {"mode": "circular"}, 24),
    ("OneHot", {"indices": np.array([0, -1, 7]), "depth": np.array(3), "values": np.array([0, 1], "f4")}, {}, 11),
    ("Compress", {"input": X.astype("f4"), "condition": np.array([False, True, True])}, {"axis": 0}, 11),
    ("Compress", {"input": X.astype("f4"), "condition": np.array([True, False, True])}, {}, 9),
    ("Where", {"condition": np.array([[True], [False], [True]]), "X": X, "Y": np.array(-1)}, {}, 16),
    ("NonZero", {"X": np.array([[1, 0], [2, 3]], "f4")}, {}, 13),
    ("ArgMax", {"data": X.astype("f4") % 5}, {"axis": 1, "keepdims": 0, "select_last_index": 1}, 13),
    ("ArgMin", {"data": X.astype("i4") % 5}, {"axis": -1}, 11),
    ("TopK", {"X": X.astype("f4") % 5, "K": np.array([2])}, {"axis": 1, "largest": 0}, 18),
    ("TopK", {"X": X.astype("f4") % 5}, {"axis": 0, "k": 2}, 1),
    ("Unique", {"X": np.array([2, 1, 1, 3, 2], "f4")}, {"sorted": 0}, 11),
    ("Unique", {"X": X % 2}, {"axis": 1}, 11),
]


@pytest.mark.parametrize("operator, inputs, attributes, opset", CASES,
                         ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)])
def test_operators(run, tmp_path, operator, inputs, attributes, opset):
    want = results(getattr(garner.onnx, operator)(*inputs.values(), **attributes, opset=opset))
    names = [f"out{i}" for i in range(len(want))]
    model = model_of([helper.make_node(operator, list(inputs), names, **attributes)],
                     [info(name, value) for name, value in inputs.items()], [any_output(n) for n in names], opset=opset)
    check(run, tmp_path, model, inputs, dict(zip(names, want)))


def test_every_operator_is_in_the_table():
    assert {case[0] for case in CASES} == {name for name in garner.onnx.__all__ if name[0].isupper()}


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(run, tmp_path, dtype):
    data = array(dtype, [0, 1, 2, 3])
    indices = numpy_helper.from_array(np.array([3, -4, 1]), "indices")
    model = model_of([helper.make_node("Gather", ["data", "indices"], ["y"])], [info("data", data)], [any_output("y")],
                     [indices])
    check(run, tmp_path, model, {"data": data}, {"y": data[[3, 0, 1]]})


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("dtype", [*DTYPES, "f8e4m3fn", "f8e5m2"])
def test_initialisers_as_onnx_writes_them(run, tmp_path, dtype, raw):
    value = array(dtype, [0, 1, 1, 0])
    kind = helper.np_dtype_to_tensor_dtype(value.dtype)
    tensor = helper.make_tensor("c", kind, [2, 2], value.tobytes() if raw else value.astype(value.dtype), raw=raw)
    model = model_of([helper.make_node("Identity", ["c"], ["y"])], [], [any_output("y")], [tensor])
    check(run, tmp_path, model, {}, {"y": value.reshape(2, 2)})


def chain():
    """Rows of the two largest scores, and these."""
    nodes = [helper.make_node("Constant", [], ["k"], value=numpy_helper.from_array(np.array([2]))),
             helper.make_node("TopK", ["scores", "k"], ["best", "where"], name="choose"),
             helper.make_node("Gather", ["table", "where"], ["rows"], name="rows"),
             helper.make_node("Identity", ["rows"], ["out"])]
    table = numpy_helper.from_array(np.arange(12, dtype="f4").reshape(4, 3), "table")
    inputs = [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n"]),
              helper.make_tensor_value_info("table", TensorProto.FLOAT, ["n", 3])]
    return model_of(nodes, inputs, [any_output("out"), any_output("best")], [table])


def test_chain_as_the_backend_runs_it(run, tmp_path):
    scores, table = np.array([5, 9, 1, 7], "f4"), np.arange(8, 20, dtype="f4").reshape(4, 3)
    for inputs in ({"scores": scores}, {"scores": scores, "table": table}):
        want = backend.prepare(with_types(chain())).run(inputs)
        check(run, tmp_path, chain(), inputs, {"out": want["out"], "best": want["best"]})


def with_types(model):
    """ONNX's checker wants to know the outputs' types."""
    for output, shape in zip(model.graph.output, ([2, 3], [2])):
        output.CopyFrom(helper.make_tensor_value_info(output.name, TensorProto.FLOAT, shape))
    return model


# ---- the command ----


def test_prints_results_with_their_names(run):
    done = run(chain(), "[5, 9, 1, 7]")
    assert done.stdout == "out: f32 [2,3]\n[[ 3.  4.  5.]\n [ 9. 10. 11.]]\nbest: f32 [2]\n[9. 7.]\n", done.stderr


def test_json(run):
    out = json.loads(run(chain(), "scores=[5, 9, 1, 7]", "--json").stdout)
    assert out["results"][1] == {"name": "best", "dtype": "f32", "shape": [2], "values": [9, 7]}


def test_by_position(run):
    scores, table = np.array([5, 9, 1, 7], "f4"), np.zeros((4, 3), "f4")
    assert "[[0. 0. 0.]" in run(chain(), scores, table).stdout
    assert "[[ 3." in run(chain(), scores).stdout


def test_npy_output(run, tmp_path):
    done = run(chain(), "[5, 9, 1, 7]", "-o", "out.npy")
    assert done.stdout == "out: f32 [2,3] in out_0.npy\nbest: f32 [2] in out_1.npy\n", done.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "out_1.npy"), np.array([9, 7], "f4"))


@pytest.mark.parametrize("arguments, status, rule", [
    ([], 1, "R1"), (["[1]", "[[1, 2, 3]]", "[2]"], 1, "R1"), (["other=[1]"], 1, "R1"),
    (["[1, 2]", "scores=[1, 2]", "table=[[1, 2, 3]]"], 1, "R1"), (["scores=f64[1, 2]"], 1, "OM9"),
    (["[[1, 2]]"], 1, "OM9"), (["[1]"], 1, "OX15"), (["@none.npy"], 3, "F1"), (["[1, ]]"], 2, "A4"),
    (["[1, x]"], 2, "A4"), (["[1, 2]", "table=[[1, 2, 3]]"], 1, "OX6")])
def test_bad_arguments(run, tmp_path, arguments, status, rule):
    done = run(chain(), *arguments, "-o", "out.npz")
    assert (done.returncode, done.stdout) == (status, ""), done.stderr
    assert done.stderr.count("\n") == 1 and f"[{rule}]" in done.stderr, done.stderr
    assert not list(tmp_path.glob("out*"))


def test_unknown_options(run):
    for option in ("--jsn", "-x"):
        done = run(chain(), "[1, 2]", option)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"garner: run: there is no option {option}\n")


def test_bad_index_names_the_node(run):
    done = run(chain(), "[1, 2]", "table=[[1, 2, 3]]")
    assert done.stderr.startswith("garner: node 'rows': onnx.Gather: "), done.stderr


def bad_models():
    unknown = chain()
    unknown.graph.node[2].op_type = "Conv"
    yield "OM3", unknown
    external = chain()
    external.graph.initializer[0].data_location = TensorProto.EXTERNAL
    yield "OM6", external
    short = chain()
    short.graph.initializer[0].raw_data = short.graph.initializer[0].raw_data[:-1]
    yield "OM5", short
    unordered = chain()
    first = onnx.NodeProto()
    first.CopyFrom(unordered.graph.node[1])
    del unordered.graph.node[1]
    unordered.graph.node.append(first)
    yield "OM7", unordered
    newer = chain()
    newer.opset_import[0].version = 99
    yield "OM2", newer


@pytest.mark.parametrize("rule, model", list(bad_models()))
def test_bad_models(run, rule, model):
    done = run(model, "[1, 2]")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert f"[{rule}]" in done.stderr and "m.onnx" in done.stderr


def test_damaged_files(run, tmp_path):
    whole = chain().SerializeToString()
    for size in range(0, len(whole), 7):
        (tmp_path / "m.onnx").write_bytes(whole[:size])
        done = run(None, "[1, 2]")
        assert done.returncode in (1, 3) and done.stderr.count("\n") == 1, (size, done.stderr)
