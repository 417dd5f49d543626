"""Frozen graphs, and inputs whose shape a graph leaves open."""

from __future__ import annotations

from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.decompile.written import check_equal
from tf2bridge.decompile.decompiling import text_of


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
    assert text.contents.names == {"hidden.kernel": "hidden/weights", "hidden.bias": "hidden/biases"}
    assert text.inputs["x"].shape == (None, 4)
    check_equal(text, module, {"x": np.ones([2, 4], np.float32)}, tmp_path / "written_frozen", monkeypatch)


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
