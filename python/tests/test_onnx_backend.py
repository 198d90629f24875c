"""ONNX's own node tests, and the backend's interface around them."""
import functools
import pathlib

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.loader import load_model_tests

import garner
from garner.onnx import backend

# Cases per operator in onnx 1.23.2. A newer release may have more: they are run, too.
CASES = {"ArgMax": 16, "ArgMin": 16, "Compress": 5, "Gather": 4, "GatherElements": 3, "GatherND": 3, "NonZero": 1,
         "OneHot": 6, "Scatter": 2, "ScatterElements": 7, "ScatterND": 7, "TensorScatter": 3, "TopK": 7, "Unique": 7,
         "Where": 2}
PLAIN = {"Constant", "Identity"}


@functools.cache
def node_cases():
    """Every node test of the installed onnx; it computes their data as it loads them."""
    with np.errstate(all="ignore"):
        return load_model_tests(kind="node")


def operators(case):
    return {node.op_type for node in case.model.graph.node}


def expanded(case):
    """Where a function's body stands for the operator."""
    return "_expanded" in case.name


def cases_of(operator):
    return [case for case in node_cases() if operator in operators(case) and not expanded(case)]


def array(value):
    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else np.asarray(value)


def same(got, want, name):
    want = array(want)
    assert got.dtype == want.dtype and got.shape == want.shape, name
    np.testing.assert_array_equal(got, want, err_msg=name, strict=True)


def run_case(case):
    prepared = backend.prepare(case.model)
    assert case.data_sets
    for inputs, outputs in case.data_sets:
        got = prepared.run([array(value) for value in inputs])
        assert len(got) == len(outputs) > 0
        for have, want in zip(got, outputs):
            same(have, want, case.name)


# ---- ONNX's node tests ----


@pytest.mark.parametrize("operator", CASES)
def test_node_cases(operator):
    """Bit by bit: the values are small enough for one answer."""
    cases = cases_of(operator)
    for case in cases:
        run_case(case)
    print(f"{operator}: {len(cases)} of {len(cases)} node tests")
    assert len(cases) >= CASES[operator]


def test_no_node_case_is_left_out():
    wanted = {case.name for operator in CASES for case in cases_of(operator)}
    compatible = {case.name for case in node_cases() if operators(case) & set(CASES) and not expanded(case)
                  and backend.is_compatible(case.model)}
    assert wanted == compatible
    assert len(wanted) >= sum(CASES.values()) == 89


def test_expanded_cases_need_other_operators():
    """The bodies of ONNX's functions use Where, Gather and so on among arithmetic that is not offered: all of them have
    at least one such node. One that has none would have to run."""
    found = [case for case in node_cases() if expanded(case) and operators(case) & set(CASES)]
    ours = [case for case in found if operators(case) <= set(CASES) | PLAIN]
    for case in ours:
        run_case(case)
    print(f"expanded: {len(ours)} of {len(found)} node tests; {len(found) - len(ours)} need other operators")
    assert len(found) >= 150
    refused = next(case for case in found if case not in ours)
    with pytest.raises(NotImplementedError, match="allowed Constant Identity ArgMax"):
        backend.prepare(refused.model)


@pytest.mark.parametrize("operator", CASES)
def test_run_node_gives_what_run_model_gives(operator):
    case = cases_of(operator)[0]
    inputs = [array(value) for value in case.data_sets[0][0]]
    (node,), opset = case.model.graph.node, case.model.opset_import[0].version
    assert node.op_type == operator
    for have, want in zip(backend.run_node(node, inputs, opset_version=opset), case.data_sets[0][1]):
        same(have, want, case.name)


def stored_cases():
    """Models with their data in files of the package, of our operators alone."""
    for kind in ("simple", "pytorch-operator", "pytorch-converted"):
        for case in load_model_tests(kind=kind):
            folder = pathlib.Path(case.model_dir)
            model = onnx.load(folder / "model.onnx")
            if {node.op_type for node in model.graph.node} <= set(CASES):
                yield case.name, folder, model


def read(path):
    tensor = TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(tensor)


def test_stored_cases():
    names = []
    for name, folder, model in stored_cases():
        data = folder / "test_data_set_0"
        inputs = [read(data / f"input_{i}.pb") for i in range(len(list(data.glob("input_*.pb"))))]
        same(backend.run_model(model, inputs)[0], read(data / "output_0.pb"), name)
        names.append(name)
    print(f"stored: {len(names)} of {len(names)} models")
    assert set(names) >= {"test_Embedding", "test_Embedding_sparse"}


# ---- models of our own ----


def info(name, kind=TensorProto.FLOAT, shape=("n",)):
    return helper.make_tensor_value_info(name, kind, shape)


def model_of(nodes, inputs, outputs, initializers=(), opset=18, **graph):
    made = helper.make_graph(nodes, "graph", inputs, outputs, list(initializers), **graph)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def gather_model(kind=TensorProto.FLOAT, opset=18, **options):
    nodes = [helper.make_node("Gather", ["X", "I"], ["Y"])]
    return model_of(nodes, [info("X", kind), info("I", TensorProto.INT64)], [info("Y", kind)], opset=opset, **options)


def test_several_nodes():
    """The two largest of each row, put back into a table of zeros."""
    nodes = [helper.make_node("Constant", [], ["K"], value_ints=[2]),
             helper.make_node("TopK", ["X", "K"], ["V", "P"], axis=1),
             helper.make_node("Identity", ["V"], ["W"]),
             helper.make_node("ScatterElements", ["zeros", "P", "W"], ["Y"], axis=1)]
    zeros = numpy_helper.from_array(np.zeros((2, 3), np.float32), "zeros")
    model = model_of(nodes, [info("X", shape=(2, 3))], [info("Y", shape=(2, 3)), info("P", TensorProto.INT64, (2, 2))],
                     [zeros])
    x = np.array([[1, 3, 2], [6, 5, 4]], np.float32)
    for inputs in ([x], x, {"X": x}):
        got = backend.run_model(model, inputs)
        np.testing.assert_array_equal(got["Y"], [[0, 3, 2], [6, 5, 0]])
        np.testing.assert_array_equal(got[1], [[1, 2], [0, 1]])


@pytest.mark.parametrize("kind", ["BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64",
                                  "FLOAT16", "FLOAT", "DOUBLE", "COMPLEX64", "COMPLEX128", "BFLOAT16"])
def test_types_of_data(kind):
    kind = getattr(TensorProto, kind)
    x = np.array([1, 0, 3], helper.tensor_dtype_to_np_dtype(kind))
    same(backend.run_model(gather_model(kind), [x, np.array([2, 0])])["Y"], x[[2, 0]], kind)


@pytest.mark.parametrize("kind", ["FLOAT8E4M3FN", "FLOAT8E5M2"])
def test_small_floats_in_a_cache(kind):
    kind = getattr(TensorProto, kind)
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    update = numpy_helper.from_array(np.array([[[1.5]]], dtype), "U")
    model = model_of([helper.make_node("TensorScatter", ["C", "U"], ["Y"])], [info("C", kind, (1, 2, 1))],
                     [info("Y", kind, (1, 2, 1))], [update], opset=24)
    same(backend.run_model(model, [np.zeros((1, 2, 1), dtype)])["Y"], np.array([[[1.5], [0]]], dtype), kind)


@pytest.mark.parametrize("attribute, want", [({"value_int": 3}, np.int64(3)), ({"value_ints": [3]}, np.array([3])),
                                             ({"value_float": 0.5}, np.float32(0.5)),
                                             ({"value_floats": [0.5]}, np.array([0.5], np.float32)),
                                             ({"value": numpy_helper.from_array(np.array([True]))}, np.array([True]))])
def test_constants(attribute, want):
    node = helper.make_node("Constant", [], ["Y"], **attribute)
    same(backend.run_node(node, [])["Y"], want, node)
    kind = helper.np_dtype_to_tensor_dtype(np.asarray(want).dtype)
    same(backend.run_model(model_of([node], [], [info("Y", kind, np.shape(want))]), [])[0], want, node)


def test_an_optional_input_and_optional_outputs():
    node = helper.make_node("TensorScatter", ["C", "U", ""], ["Y"])
    cache, update = np.zeros((1, 2, 1), np.float32), np.ones((1, 1, 1), np.float32)
    np.testing.assert_array_equal(backend.run_node(node, [cache, update]).Y, [[[1], [0]]])
    node = helper.make_node("Unique", ["X"], ["Y", "", "", "counts"])
    np.testing.assert_array_equal(backend.run_node(node, [np.array([5, 5, 7])])["counts"], [2, 1])


def test_one_name_for_two_inputs():
    node = helper.make_node("Where", ["c", "x", "x"], ["y"])
    np.testing.assert_array_equal(backend.run_node(node, [np.array([True]), np.array([4])]).y, [4])


def test_an_initialiser_may_be_given():
    index = numpy_helper.from_array(np.array([0]), "I")
    model, x = gather_model(initializers=[index]), np.array([5, 6], np.float32)
    assert backend.run_model(model, [x])["Y"] == 5
    assert backend.run_model(model, [x, np.array([1])])["Y"] == 6
    assert backend.run_model(model, {"X": x, "I": np.array([1])})["Y"] == 6


def test_outputs_are_the_callers():
    """A model whose outputs are its input, a constant and an initialiser: changing them changes no further run."""
    nodes = [helper.make_node("Constant", [], ["C"], value_ints=[1]), helper.make_node("Identity", ["X"], ["Z"])]
    held = numpy_helper.from_array(np.array([7]), "H")
    outputs = [info("Z"), info("C", TensorProto.INT64), info("H", TensorProto.INT64)]
    model = model_of(nodes, [info("X")], outputs, [held])
    prepared, x = backend.prepare(model), np.array([3], np.float32)
    for output in prepared.run([x]):
        output[...] = 0
    assert x == 3
    assert [int(output[0]) for output in prepared.run([x])] == [3, 1, 7]


def test_the_opset_of_the_model_holds():
    x, index = np.array([5, 6], np.float32), np.array([-1])
    assert backend.run_model(gather_model(opset=11), [x, index])["Y"] == 6
    with pytest.raises(IndexError) as error:
        backend.run_model(gather_model(opset=10), [x, index])
    assert error.value.rule == "OX6"
    with pytest.raises(IndexError):
        backend.run_node(gather_model().graph.node[0], [x, index], opset_version=1)


# ---- refusals ----


def refused(model, words):
    onnx.checker.check_model(model)
    with pytest.raises(NotImplementedError, match=words) as error:
        backend.prepare(model)
    assert isinstance(error.value, garner.Error)
    assert not backend.is_compatible(model)


def test_other_operators_are_refused():
    refused(model_of([helper.make_node("Relu", ["X"], ["Y"], name="r")], [info("X")], [info("Y")]), "node 'r' is Relu")
    with pytest.raises(NotImplementedError, match="Relu"):
        backend.run_node(helper.make_node("Relu", ["X"], ["Y"]), [np.zeros(1, np.float32)])


def test_other_domains_are_refused():
    model = model_of([helper.make_node("Gather", ["X", "I"], ["Y"], domain="mine")],
                     [info("X"), info("I", TensorProto.INT64)], [info("Y")])
    model.opset_import.append(helper.make_opsetid("mine", 1))
    refused(model, "domain of node 'Y' is mine")


def test_other_types_are_refused():
    refused(gather_model(TensorProto.STRING), "type of input 'X' is STRING")
    words = helper.make_tensor("X", TensorProto.STRING, [1], [b"a"])
    model = gather_model(TensorProto.STRING, initializers=[words])
    del model.graph.input[0]
    refused(model, "type of initialiser 'X' is STRING")
    node = helper.make_node("Constant", [], ["Y"], value_string="a")
    refused(model_of([node], [], [info("Y", TensorProto.STRING, ())]), "attribute of node 'Y' is value_string")


def test_sequences_and_sparse_initialisers_are_refused():
    sequence = helper.make_tensor_sequence_value_info("X", TensorProto.FLOAT, None)
    refused(model_of([helper.make_node("Identity", ["X"], ["Y"])], [sequence],
                     [helper.make_tensor_sequence_value_info("Y", TensorProto.FLOAT, None)]), "sequence_type")
    values = helper.make_tensor("X", TensorProto.FLOAT, [1], [1.0])
    sparse = helper.make_sparse_tensor(values, helper.make_tensor("X_i", TensorProto.INT64, [1], [0]), [3])
    model = gather_model(sparse_initializer=[sparse])
    del model.graph.input[0]
    refused(model, "initialiser 'X' is sparse")


def test_newer_opsets_are_refused():
    model = gather_model()
    model.opset_import[0].version = backend._NEWEST_OPSET + 1
    with pytest.raises(NotImplementedError, match="opset of the model is 29"):
        backend.BackendRep(model)


def test_a_function_may_not_stand_for_an_operator():
    model = gather_model()
    body = [helper.make_node("Identity", ["a"], ["b"])]
    model.functions.append(helper.make_function("", "Gather", ["a"], ["b"], body, [helper.make_opsetid("", 18)]))
    with pytest.raises(NotImplementedError, match="function 'Gather'"):
        backend.BackendRep(model)


def test_what_is_no_model_is_onnx_s_to_refuse():
    model = gather_model()
    model.graph.node[0].op_type = "Gathre"
    with pytest.raises(onnx.checker.ValidationError):
        backend.prepare(model)
    assert not backend.is_compatible(model)


def test_devices_and_options():
    assert backend.supports_device("CPU") and backend.supports_device("CPU:0")
    assert not backend.supports_device("CUDA")
    assert not backend.is_compatible(gather_model(), "CUDA")
    with pytest.raises(NotImplementedError, match="device is CUDA"):
        backend.prepare(gather_model(), "CUDA")
    with pytest.raises(NotImplementedError, match="an option is fast"):
        backend.prepare(gather_model(), fast=True)


@pytest.mark.parametrize("inputs, error, words", [
    ([np.zeros(2, np.float32)], ValueError, "number of inputs is 1, allowed 2"),
    ({"X": np.zeros(2, np.float32)}, ValueError, "input 'I' is missing"),
    ({"X": np.zeros(2, np.float32), "I": np.array([0]), "Z": 0}, ValueError, "input is 'Z', allowed X I"),
    ([np.zeros(2), np.array([0])], TypeError, "dtype of input 'X' is float64, allowed float32"),
    ([np.zeros((2, 2), np.float32), np.array([0])], ValueError, r"shape of input 'X' is \[2, 2\]"),
    ([np.zeros(2, np.float32), np.array([2])], IndexError, r"allowed \[-2, 2\)"),
])
def test_bad_inputs(inputs, error, words):
    with pytest.raises(error, match=words):
        backend.run_model(gather_model(), inputs)


def test_extents_the_model_declares():
    model = model_of([helper.make_node("NonZero", ["X"], ["Y"])], [info("X", shape=(2, "n"))],
                     [info("Y", TensorProto.INT64, (2, "m"))])
    assert backend.run_model(model, [np.ones((2, 3), np.float32)])["Y"].shape == (2, 6)
    with pytest.raises(ValueError, match="shape of input 'X'"):
        backend.run_model(model, [np.ones((3, 3), np.float32)])
