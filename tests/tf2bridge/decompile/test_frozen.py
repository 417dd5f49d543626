"""Frozen graphs, inputs whose shape a graph leaves open, examples, and modules that were used before."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.decompile.written import check_equal
from tf2bridge.decompile.decompiling import text_of
from tf2bridge.decompile.idioms.layer import Weight
from tf2bridge.decompile.old_calls import with_held_constants
from tf2bridge.decompile.refusals import ExampleError, UnknownExampleError


def frozen(path: Path, shape: list[int | None] | None) -> Path:
    """Writes the frozen graph of a net with a hidden layer."""
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, shape, "x")
        hidden = v1.get_variable("hidden/weights", [4, 5], use_resource=False)
        bias = v1.get_variable("hidden/biases", [5], use_resource=False, initializer=v1.ones_initializer())
        product = tf.raw_ops.MatMul(a=x, b=hidden, name="hidden/MatMul")  # as tf.matmul of TensorFlow 1.x has it
        y = tf.nn.relu(tf.nn.bias_add(product, bias), name="y")
        session.run(v1.global_variables_initializer())
        graph_def = v1.graph_util.convert_variables_to_constants(session, y.graph.as_graph_def(), ["y"])
    path.write_bytes(graph_def.SerializeToString())
    return path


@pytest.mark.parametrize("shape", [[None, 4], None], ids=["known", "unknown"])
def test_weights_of_a_frozen_graph_are_those_of_layers(
    shape: list[int | None] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tf2bridge.load(frozen(tmp_path / "frozen.pb", shape), ["y"], ["x"])
    text = text_of(module, "about")
    assert "self.hidden = keras.layers.Dense(5, activation='relu')" in text.source
    assert text.contents.names == {
        "hidden.kernel": Weight(("hidden/weights",)),
        "hidden.bias": Weight(("hidden/biases",)),
    }
    assert text.inputs["x"].shape == (None, 4)
    check_equal(text, module, {"x": np.ones([2, 4], np.float32)}, tmp_path / "written_frozen", monkeypatch)


def test_an_optimized_graph_has_layers_with_their_biases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    kernel, bias, factors = (random.normal(size=shape).astype(np.float32) for shape in ([4, 20], [20], [20]))
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [None, 4], "x")
        added = tf.add(tf.matmul(x, tf.constant(kernel, name="w")), tf.constant(bias, name="b"))
        tf.multiply(tf.exp(added), tf.constant(factors, name="factors"), name="y")
    (tmp_path / "frozen.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "frozen.pb", ["y"], ["x"])
    text = text_of(module, "about")
    assert "keras.layers.Dense(20)" in text.source
    assert ("return tf.exp(self.dense(x)) * self.factors") in text.source
    assert text.contents.names == {"dense.kernel": Weight(("w",)), "dense.bias": Weight(("b",))}
    check_equal(text, module, {"x": np.ones([2, 4], np.float32)}, tmp_path / "written_optimized", monkeypatch)


def test_a_module_whose_gradient_was_taken_is_written_as_before(tmp_path: Path) -> None:
    module = tf2bridge.load(frozen(tmp_path / "frozen.pb", [None, 4]), ["y"], ["x"])
    before = text_of(module, "about").source
    x = tf.ones([2, 4])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = module(x)
    tape.gradient(y, x)
    assert text_of(module, "about").source == before


@pytest.mark.parametrize(
    ("layout", "shape"), [("NDHWC", (None, None, None, None, 2)), ("NCDHW", (None, 2, None, None, None))]
)
def test_the_shape_of_volumes_follows_from_the_kernel(
    layout: str, shape: tuple[int | None, ...], tmp_path: Path
) -> None:
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, None, "x")
        tf.raw_ops.Conv3D(
            input=tf.nn.relu(x),
            filter=tf.ones([3, 3, 3, 2, 4]),
            strides=[1] * 5,
            padding="SAME",
            data_format=layout,
            name="y",
        )
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", ["y"], ["x"])
    assert text_of(module, "about").inputs["x"].shape == shape


@pytest.mark.parametrize(("op", "rank"), [("MaxPool3D", 5), ("AvgPool3D", 5), ("MaxPool", 4), ("AvgPool", 4)])
def test_the_rank_of_what_is_pooled_is_known(op: str, rank: int, tmp_path: Path) -> None:
    sizes = {"ksize": [1] * rank, "strides": [1] * rank, "padding": "SAME"}
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, None, "x")
        pooled = getattr(tf.raw_ops, op)(**{"value" if op == "AvgPool" else "input": x}, **sizes)
        tf.identity(pooled, "y")
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", ["y"], ["x"])
    assert text_of(module, "about").inputs["x"].shape == (None,) * rank


def test_volumes_of_unknown_rank_are_compared(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, None, "x")
        tf.raw_ops.Conv3D(input=x, filter=tf.ones([2, 2, 2, 3, 4]), strides=[1] * 5, padding="VALID", name="y")
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    done = tf2bridge.decompile(tf2bridge.load(tmp_path / "graph.pb", ["y"], ["x"]), tmp_path / "written", worst=0)
    assert max(done.differences.values()) < 1e-6
    assert "keras.layers.Conv3D(4, 2, use_bias=False)" in (done.path / "model.py").read_text(encoding="utf-8")


def test_the_shape_of_an_input_follows_from_what_takes_it(tmp_path: Path) -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, None, "x")
        halves = tf.raw_ops.Split(axis=0, value=x, num_split=2)
        kernel = tf.constant(np.ones([3, 3, 1, 2], np.float32))
        shifted = halves[0] + tf.constant(np.ones([8, 6, 1], np.float32))
        tf.raw_ops.Conv2D(input=shifted, filter=kernel, strides=[1, 1, 1, 1], padding="SAME", name="y")
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", ["y"], ["x"])
    assert text_of(module, "about").inputs["x"].shape == (None, 8, 6, 1)


def test_labels_have_the_shape_of_logits(tmp_path: Path) -> None:
    """Code that calls `tf.placeholder(tf.float32)` without a shape: the loss takes rows of any labels."""
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        logits, labels = v1.placeholder(tf.float32, [None, 3], "logits"), v1.placeholder(tf.float32, None, "labels")
        rows = tf.reshape(labels, tf.concat([[-1], tf.shape(labels)[-1:]], 0))
        tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=logits, labels=rows, name="y")
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", ["y"], ["logits", "labels"])
    assert text_of(module, "about").inputs["labels"].shape == (None, 3)


def test_the_probability_of_dropout_is_a_scalar(tmp_path: Path) -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        x, keep = v1.placeholder(tf.float32, [None, 3], "x"), v1.placeholder(tf.float32, None, "keep")
        tf.multiply(x / keep, tf.floor(keep + tf.raw_ops.RandomUniform(shape=tf.shape(x), dtype=tf.float32)), name="y")
    (tmp_path / "graph.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", ["y"], ["x", "keep"])
    assert text_of(module, "about").inputs["keep"].shape == ()


def test_examples_that_do_not_fit(tmp_path: Path) -> None:
    path = frozen(tmp_path / "frozen.pb", None)
    with pytest.raises(ExampleError, match=r"frozen\.pb: the graph fails on the example inputs .* give examples of x"):
        tf2bridge.decompile(path, tmp_path / "new", outputs=["y"], feeds={"x": np.ones([2, 3], np.float32)})
    with pytest.raises(UnknownExampleError, match="example 'z': the graph has no such input; its inputs are x"):
        tf2bridge.decompile(path, tmp_path / "new", outputs=["y"], feeds={"z": np.ones([2, 4], np.float32)})
    assert not (tmp_path / "new").exists()


def test_a_frozen_graph_trains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tf2bridge.decompile(frozen(tmp_path / "frozen.pb", None), tmp_path / "trained_again", outputs=["y"])
    monkeypatch.syspath_prepend(str(tmp_path))
    import trained_again

    model = trained_again.load()
    x = np.random.default_rng(3).uniform(size=[64, 4]).astype(np.float32)
    target = x @ np.ones([4, 5], np.float32)
    model.compile(keras.optimizers.Adam(0.05), "mse")
    first, *_, last = model.fit(x, target, epochs=30, verbose=0).history["loss"]
    assert last < first / 2


def test_a_gradient_that_is_in_no_file_is_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 4], "x")
        outputs = tf.raw_ops.IdentityN(input=[x * tf.sigmoid(x), x], name="swish")  # as tf.nn.swish of 1.15 has it
        tf.identity(outputs[0], "y")
    definition = graph.as_graph_def()
    swish = next(node for node in definition.node if node.name == "swish")
    swish.attr["_gradient_op_type"].s = b"CustomGradient-764"
    (tmp_path / "graph.pb").write_bytes(definition.SerializeToString())
    module = tf2bridge.load(tmp_path / "graph.pb", ["y"], ["x"])
    text = text_of(module, "about")
    assert "return tf.nn.silu(x)" in text.source
    check_equal(text, module, {"x": np.ones([2, 4], np.float32)}, tmp_path / "written_swish", monkeypatch)


def test_large_constants_are_held_outside_of_the_graph_that_is_compared(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    kernel, bias = (random.normal(size=shape).astype(np.float32) for shape in ([64, 64], [64]))
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [None, 64], "x")
        tf.add(tf.matmul(x, tf.constant(kernel, name="w")), tf.constant(bias, name="b"), name="y")
    (tmp_path / "frozen.pb").write_bytes(graph.as_graph_def().SerializeToString())
    module = tf2bridge.load(tmp_path / "frozen.pb", ["y"], ["x"])
    held = with_held_constants(module)
    assert [variable.name for variable in held.variables] == ["w/held:0"]
    assert held.variables[0].numpy().tolist() == kernel.tolist()
    assert not module.variables and not held.trainable_variables
    given = random.normal(size=[3, 64]).astype(np.float32)
    np.testing.assert_allclose(held(given), module(given), rtol=1e-5)
    assert with_held_constants(module) is held
