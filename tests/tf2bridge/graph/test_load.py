"""`load`: what a file is, which names it answers to, and what it says of bad input."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from google.protobuf import text_format

import tf2bridge
from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tf2bridge.errors import NoSuchFileError
from tf2bridge.formats.graphs.refusals import DamagedGraphError, NoGraphError, TagsError, UnknownNameError
from tf2bridge.formats.kinds import Kind
from tf2bridge.graph.read_runnable import read_runnable
from tf2bridge.graph.refusals import MissingValuesError, UnfedPlaceholderError, UnsupportedOpsError

v1 = tf.compat.v1


@pytest.fixture(scope="module")
def mlp(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.12.3/mlp_adam", tmp_path_factory.getbasetemp())


@pytest.fixture
def x(mlp: Recorded) -> Any:
    return mlp.part("in")["x"]


def write(path: Path, build: Any) -> Path:
    """A GraphDef that `build` makes, as a binary file."""
    with tf.Graph().as_default() as graph:
        build()
    path.write_bytes(graph.as_graph_def().SerializeToString())
    return path


def test_a_file_is_told_by_its_content(mlp: Recorded, tmp_path: Path) -> None:
    meta = read_runnable(mlp.folder / "model.ckpt.meta")
    assert (meta.kind, meta.release) == (Kind.METAGRAPH, "1.12.3")
    as_text = tmp_path / "graph.dat"
    as_text.write_text(text_format.MessageToString(meta.graph_def))
    renamed = shutil.copy(mlp.folder / "frozen.pb", tmp_path / "frozen.meta")
    with tf.Graph().as_default():
        events = v1.summary.FileWriter(str(tmp_path / "logs"))
        events.add_event(v1.Event(graph_def=meta.graph_def.SerializeToString()))
        events.close()
    assert read_runnable(as_text).kind is Kind.GRAPH
    assert read_runnable(as_text).graph_def == meta.graph_def
    assert read_runnable(renamed).kind is Kind.GRAPH
    assert read_runnable(tmp_path / "logs").kind is Kind.EVENTS
    assert read_runnable(tmp_path / "logs").graph_def == meta.graph_def
    assert read_runnable(mlp.folder / "saved_model").kind is Kind.SAVED_MODEL
    assert read_runnable(mlp.folder / "model.ckpt").kind is Kind.METAGRAPH


def test_variables_are_live_and_named_as_in_tf1(mlp: Recorded, x: Any) -> None:
    module = tf2bridge.load(mlp.folder / "model.ckpt", outputs=["logits"])
    trained = ["hidden/weights:0", "hidden/biases:0", "out/weights:0", "out/biases:0"]
    assert [variable.name for variable in module.trainable_variables] == trained
    assert list(module.inputs) == ["x"]
    np.testing.assert_allclose(module(x), mlp.part("out")["logits"], rtol=1e-5)
    module.trainable_variables[-1].assign_add([1.0, 2.0, 3.0])
    np.testing.assert_allclose(module(x=x) - mlp.part("out")["logits"], [[1, 2, 3]] * 2, rtol=1e-5)
    module.restore(mlp.folder / "model.ckpt")
    np.testing.assert_allclose(module({"x": x}), mlp.part("out")["logits"], rtol=1e-5)


def test_two_modules_of_one_graph_share_nothing(mlp: Recorded, x: Any) -> None:
    one, two = (tf2bridge.load(mlp.folder / "model.ckpt", outputs=["logits"]) for _ in range(2))
    for variable in one.variables:
        variable.assign(tf.zeros_like(variable))
    np.testing.assert_array_equal(one(x), np.zeros((2, 3)))
    np.testing.assert_allclose(two(x), mlp.part("out")["logits"], rtol=1e-5)


def test_a_keras_optimizer_trains_what_was_loaded(mlp: Recorded) -> None:
    import keras

    module = tf2bridge.load(mlp.folder / "model.ckpt", outputs=["loss"])
    optimizer = keras.optimizers.SGD(0.1)
    losses = []
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = module(mlp.part("in"))
        variables = module.trainable_variables
        optimizer.apply(tape.gradient(loss, variables), variables)
        losses.append(float(loss))
    assert losses[2] < losses[1] < losses[0]


def test_any_tensor_may_be_fed_and_fetched(mlp: Recorded) -> None:
    module = tf2bridge.load(mlp.folder / "model.ckpt")
    inner = module.function(["Relu"], ["logits", "out/biases"])
    logits, biases = inner(np.zeros((1, 5), np.float32))
    np.testing.assert_allclose(logits[0], biases, rtol=1e-6)
    assert module.function(["x"], ["*ogits"])(np.zeros((1, 4), np.float32))[0].shape == (1, 3)


def test_without_a_checkpoint_the_initializers_give_the_values(mlp: Recorded, tmp_path: Path, x: Any) -> None:
    shutil.copy(mlp.folder / "model.ckpt.meta", tmp_path / "graph.meta")
    module = tf2bridge.load(tmp_path / "graph.meta", outputs=["logits"])
    np.testing.assert_allclose(module(x), mlp.part("out")["logits"], rtol=1e-5)


def test_a_session_takes_the_live_values_and_gives_them_back(mlp: Recorded) -> None:
    module = tf2bridge.load(mlp.folder / "model.ckpt", outputs=["logits"])
    step = next(variable for variable in module.variables if variable.name == "global_step:0")
    step.assign(41)
    with module.session() as session:
        session.run("train", {f"{name}:0": value for name, value in mlp.part("in").items()})
        assert session.run("global_step:0") == 42
    assert int(step) == 42


def test_wrong_names_say_what_is_near(mlp: Recorded) -> None:
    with pytest.raises(UnknownNameError, match="near are logits"):
        tf2bridge.load(mlp.folder / "model.ckpt", outputs=["logit"])
    with pytest.raises(UnknownNameError, match=r"fits several.*weights"):
        tf2bridge.load(mlp.folder / "model.ckpt", outputs=["*/weights"])
    with pytest.raises(UnfedPlaceholderError, match="labels"):
        tf2bridge.load(mlp.folder / "model.ckpt", outputs=["loss"], inputs=["x"])


def test_files_that_hold_no_graph_are_refused(mlp: Recorded, tmp_path: Path) -> None:
    complete = (mlp.folder / "model.ckpt.meta").read_bytes()
    for name, content, error in (
        ("empty.pb", b"", DamagedGraphError),
        ("cut.meta", complete[: len(complete) // 2], (DamagedGraphError, NoGraphError)),
        ("picture.pb", b"\x89PNG\r\n\x1a\n" + bytes(100), (DamagedGraphError, NoGraphError)),
        ("words.pbtxt", b"node { name: ", DamagedGraphError),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(error, match=name):
            tf2bridge.load(path)
    with pytest.raises(NoSuchFileError):
        tf2bridge.load(tmp_path / "absent.pb")
    (tmp_path / "nothing").mkdir()
    with pytest.raises(NoGraphError):
        tf2bridge.load(tmp_path / "nothing")
    with pytest.raises(TagsError, match="serve"):
        tf2bridge.load(mlp.folder / "saved_model", tags=["train"])


def test_another_models_checkpoint_is_refused(mlp: Recorded, tmp_path_factory: Any) -> None:
    other = unpacked("1.12.3/loop", tmp_path_factory.getbasetemp())
    with pytest.raises(MissingValuesError, match="hidden/weights"):
        tf2bridge.load(mlp.folder / "model.ckpt.meta", checkpoint=other.folder / "model.ckpt")


def test_what_touches_files_runs_only_if_permitted(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("7")

    def build() -> None:
        name = v1.placeholder(tf.string, [], name="name")
        v1.strings.to_number(v1.read_file(name, name="peek"), name="y")

    path = write(tmp_path / "reads.pb", build)
    with pytest.raises(UnsupportedOpsError, match=r"peek \(ReadFile\) reads or writes files.*allow_ops=\['ReadFile'\]"):
        tf2bridge.load(path)
    module = tf2bridge.load(path, allow_ops=["ReadFile"])
    assert float(module(str(tmp_path / "secret.txt"))) == 7.0


def test_what_is_saved_is_restored_and_has_the_savers_names(tmp_path: Path, tmp_path_factory: Any) -> None:
    model = unpacked("1.12.3/embeddings", tmp_path_factory.getbasetemp())
    module = tf2bridge.load(model.folder / "model.ckpt", outputs=["y"])
    before = [variable.numpy() for variable in module.variables]
    module.save(tmp_path / "again.ckpt")
    original, again = (
        tf.train.load_checkpoint(str(path)) for path in (model.folder / "model.ckpt", tmp_path / "again.ckpt")
    )
    assert again.get_variable_to_shape_map() == original.get_variable_to_shape_map()
    for variable in module.variables:
        variable.assign(tf.zeros_like(variable))
    module.restore(tmp_path / "again.ckpt")
    for variable, value in zip(module.variables, before, strict=True):
        np.testing.assert_array_equal(variable, value)


def test_loops_with_one_condition_and_other_bodies_have_their_gradients(tmp_path_factory: Any) -> None:
    for name in ("block_gru_cell", "block_lstm_cell", "rnn_basic", "rnn_lstm", "block_lstm_cell_peepholes"):
        model = unpacked(f"1.15.5/{name}", tmp_path_factory.getbasetemp())
        module = tf2bridge.load(model.folder / "model.ckpt", outputs=list(model.tensors("out").values()))
        with tf.GradientTape() as tape:
            outputs = module({key: value for key, value in model.part("in").items() if key in module.inputs})
            total = tf.add_n([tf.reduce_sum(item) for item in tf.nest.flatten(outputs)])
        gradients = tape.gradient(total, module.trainable_variables)
        assert all(gradient is not None for gradient in gradients)


@pytest.mark.parametrize("name", ["1.15.5/rnn_lstm_lengths", "0.12.1/condition_in_loop", "1.4.1/convnet"])
@pytest.mark.parametrize("file", ["frozen.pb", "model.ckpt.meta"])
def test_what_was_read_stays_as_it_was(name: str, file: str, tmp_path_factory: Any) -> None:
    model = unpacked(name, tmp_path_factory.getbasetemp())
    module = tf2bridge.load(model.folder / file, outputs=[next(iter(model.tensors("out").values()))])
    assert module.graph.graph_def == read_runnable(model.folder / file).graph_def


@pytest.mark.parametrize("name", ["1.15.5/rnn_lstm_lengths", "0.12.1/condition_in_loop", "1.4.1/layers"])
def test_exported_models_compute_the_same(name: str, tmp_path: Path, tmp_path_factory: Any) -> None:
    model = unpacked(name, tmp_path_factory.getbasetemp())
    first, end = next(iter(model.tensors("out").items()))
    module = tf2bridge.load(model.folder / "model.ckpt", outputs=[end])
    feeds = {key: value for key, value in model.part("in").items() if key in module.inputs}
    expected = model.part("out")[first]
    module.export(tmp_path / "new")
    served = tf.saved_model.load(tmp_path / "new").signatures["serving_default"]
    (outputs,) = served(**{key: tf.constant(value) for key, value in feeds.items()}).values()
    np.testing.assert_allclose(outputs, expected, rtol=1e-5, atol=1e-6)
    module.export(tmp_path / "frozen.pb", format="frozen")
    frozen = tf2bridge.load(tmp_path / "frozen.pb", outputs=[end])
    assert frozen.variables == ()
    with tf.Graph().as_default():  # whole: nothing of it depends on what was left out
        tf.graph_util.import_graph_def(frozen.graph.graph_def, name="")
    np.testing.assert_allclose(frozen(feeds), expected, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="saved_model, frozen, tflite"):
        module.export(tmp_path / "x", format="onnx")


def test_a_tflite_file_computes_the_same(mlp: Recorded, tmp_path: Path, x: Any) -> None:
    module = tf2bridge.load(mlp.folder / "model.ckpt", outputs=["logits"])
    module.export(tmp_path / "model.tflite", format="tflite")
    interpreter = tf.lite.Interpreter(str(tmp_path / "model.tflite"))
    place = interpreter.get_input_details()[0]["index"]
    interpreter.resize_tensor_input(place, x.shape)
    interpreter.allocate_tensors()
    interpreter.set_tensor(place, x)
    interpreter.invoke()
    result = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    np.testing.assert_allclose(result, mlp.part("out")["logits"], rtol=1e-5)


def test_a_keras_layer_trains_the_graphs_weights(mlp: Recorded) -> None:
    import keras

    module = tf2bridge.load(mlp.folder / "model.ckpt", outputs=["logits"])
    inputs = keras.Input([4])
    model = keras.Model(inputs, module.as_keras_layer(name="old")(inputs))
    assert model.output_shape == (None, 3)
    assert len(model.trainable_weights) == 4
    before = module.trainable_variables[0].numpy()
    model.compile("sgd", keras.losses.CategoricalCrossentropy(from_logits=True))
    model.fit(mlp.part("in")["x"], mlp.part("in")["labels"], verbose=0)
    assert np.abs(module.trainable_variables[0] - before).max() > 1e-4


def test_inputs_and_outputs_are_found_and_described(mlp: Recorded) -> None:
    facts = tf2bridge.load(mlp.folder / "model.ckpt").describe()
    assert [input_["name"] for input_ in facts["inputs"]] == ["x", "labels"]
    assert [output["tensor"] for output in facts["outputs"]] == ["loss:0"]
    weights = {"name": "hidden/weights", "shape": [4, 5], "dtype": "float32", "bytes": 80, "trainable": True}
    assert facts["variables"][0] == weights
    assert sorted(facts["touches"]) == [
        "save/RestoreV2 (RestoreV2) reads or writes files",
        "save/SaveV2 (SaveV2) reads or writes files",
    ]
    served = read_runnable(mlp.folder / "saved_model")
    assert dict(served.signatures["serving_default"].outputs) == {"logits": "logits:0", "loss": "loss:0"}


@pytest.mark.usefixtures("old_control_flow")
def test_the_result_of_map_fn_is_an_output(tmp_path: Path) -> None:
    def build() -> None:
        rows = v1.placeholder(tf.float32, [None, 3], "rows")
        tf.map_fn(tf.reduce_sum, rows, name="sums")

    module = tf2bridge.load(write(tmp_path / "graph.pb", build))
    (name,) = module.outputs
    assert name == "sums/TensorArrayStack/TensorArrayGatherV3"
    assert list(module(np.ones((2, 3), "f"))) == [3, 3]


def test_a_variable_that_the_saver_leaves_out_has_its_initial_value(tmp_path: Path) -> None:
    """As `filename_tensor`, with which TensorFlow's own half_plus_two names its asset."""
    with tf.Graph().as_default(), v1.Session() as session:
        kept, counted = v1.get_variable("kept", initializer=2.0), v1.get_variable("counted", initializer=3.0)
        tf.add(kept * v1.placeholder(tf.float32, [None], name="x"), counted, name="y")
        session.run(v1.global_variables_initializer())
        session.run([kept.assign(5.0), counted.assign(7.0)])
        v1.train.Saver([kept]).save(session, str(tmp_path / "model.ckpt"))
    module = tf2bridge.load(tmp_path / "model.ckpt", outputs=["y"])
    np.testing.assert_array_equal(module(np.float32([1, 2])), [8, 13])


def test_operations_that_functions_need_are_checked_too(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        tf.identity(tf.function(lambda x: tf.nn.relu(x) + 1.0)(v1.placeholder(tf.float32, [2], name="x")), name="y")
        graph_def = graph.as_graph_def()
    for node in (node for function in graph_def.library.function for node in function.node_def if node.op == "Relu"):
        node.op = "TRTEngineOp"
    (tmp_path / "graph.pb").write_bytes(graph_def.SerializeToString())
    with pytest.raises(UnsupportedOpsError, match=r"Relu \(TRTEngineOp\) is no operation of TensorFlow"):
        tf2bridge.load(tmp_path / "graph.pb", outputs=["y"])
