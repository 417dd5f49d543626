"""A Keras 3 model beside a graph of TensorFlow 1.x: the first layer that parts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import pytest
import tensorflow as tf

from tf2bridge.proof.diverging.layers import first_layer

v1 = tf.compat.v1
L = keras.layers


@pytest.fixture
def legacy(tmp_path: Path) -> dict[str, Any]:
    """A graph of three layers, saved; name of a variable -> its value."""
    with tf.Graph().as_default(), v1.Session() as session:
        net = v1.placeholder(tf.float32, [None, 6], "x")
        for seed, name in enumerate(("first", "second", "third")):
            with v1.variable_scope(name):
                w = v1.get_variable("w", [6, 6], initializer=v1.random_normal_initializer(seed=seed))
                b = v1.get_variable("b", [6], initializer=v1.random_normal_initializer(seed=9 - seed))
                net = tf.tanh(tf.matmul(net, w) + b, name="out")
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(tmp_path / "model.ckpt"))
        return {v.op.name: session.run(v) for v in v1.global_variables()}


def model_of(values: dict[str, Any], activations: dict[str, str]) -> Any:
    layers = [L.Dense(6, activations.get(name, "tanh"), name=name) for name in ("first", "second", "third")]
    model = keras.Sequential([keras.Input((6,)), *layers])
    for layer in layers:
        layer.set_weights([values[f"{layer.name}/w"], values[f"{layer.name}/b"]])
    return model


def test_the_same_model_parts_nowhere(legacy: dict[str, Any], tmp_path: Path) -> None:
    assert first_layer(model_of(legacy, {}), tmp_path / "model.ckpt.meta", str(tmp_path / "model.ckpt")) is None


def test_the_first_layer_of_another_activation_is_named(legacy: dict[str, Any], tmp_path: Path) -> None:
    model = model_of(legacy, {"second": "sigmoid"})
    found = first_layer(model, tmp_path / "model.ckpt.meta", str(tmp_path / "model.ckpt"))
    assert found is not None
    assert (found.layer, found.type) == ("second", "Dense")
    assert (found.agreeing, found.tensor) == ("first", "first/out:0")
    assert found.following == ("second/MatMul:0",)
    assert "first still gives first/out:0, of which the graph makes second/MatMul:0" in found.text
