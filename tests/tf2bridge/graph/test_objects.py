"""SavedModels of Keras 1.14 and 1.15 (`model.save(save_format="tf")`), whose variables are known by their objects."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2

import tf2bridge
from tests.tf2bridge.graph.recorded import Recorded, unpacked
from tests.tf2bridge.graph.test_verbs import run


@pytest.fixture(scope="module")
def keras(tmp_path_factory: Any) -> Recorded:
    return unpacked("1.15.5/keras_saved", tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def module(keras: Recorded) -> Any:
    return tf2bridge.load(keras.folder / "keras")


def test_outputs_are_those_of_keras(keras: Recorded, module: Any) -> None:
    np.testing.assert_allclose(module(keras.expected["keras in"]), keras.expected["keras out"], 1e-5, 1e-6)


def test_its_trainable_weights_train(keras: Recorded, module: Any) -> None:
    expected = keras.part("keras")
    gradients = {name.removeprefix("grad "): value for name, value in expected.items() if name.startswith("grad ")}
    assert {variable.name for variable in module.trainable_variables} == {f"{name}:0" for name in gradients}
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(module(expected["in"]))
    for variable, gradient in zip(
        module.trainable_variables, tape.gradient(total, module.trainable_variables), strict=True
    ):
        np.testing.assert_allclose(gradient, gradients[variable.name.removesuffix(":0")], 1e-4, 1e-5)


@pytest.mark.parametrize("form", ["saved_model", "frozen"])
def test_it_is_written_anew(keras: Recorded, module: Any, tmp_path: Path, form: str) -> None:
    module.export(tmp_path / "new", form)
    again = tf2bridge.load(tmp_path / "new")
    np.testing.assert_allclose(again(keras.expected["keras in"]), keras.expected["keras out"], 1e-5, 1e-6)


def test_what_trains_is_told_without_tensorflow(keras: Recorded) -> None:
    facts = json.loads(run("inspect", keras.folder / "keras", "--output-format", "json")[1])
    trainable = {variable["name"] for variable in facts["variables"] if variable["trainable"]}
    assert {"lstm/kernel", "norm/gamma"} <= trainable
    assert "norm/moving_mean" not in trainable


def test_calls_and_signatures_of_1_14_and_2_0_are_known(keras: Recorded, tmp_path: Path) -> None:
    """They marked every call, and kept the operation that initializes as a signature."""
    shutil.copytree(keras.folder / "keras", tmp_path / "marked")
    file = tmp_path / "marked" / "saved_model.pb"
    model = saved_model_pb2.SavedModel.FromString(file.read_bytes())
    graph = model.meta_graphs[0]
    for node in graph.graph_def.node:
        if node.op == "StatefulPartitionedCall":
            node.attr["_gradient_op_type"].s = b"PartitionedCallUnused"
    graph.signature_def["__saved_model_init_op"].outputs["__saved_model_init_op"].name = "NoOp"
    del graph.signature_def["serving_default"]
    file.write_bytes(model.SerializeToString())
    module = tf2bridge.load(tmp_path / "marked", outputs=["StatefulPartitionedCall"])
    np.testing.assert_allclose(module(keras.expected["keras in"]), keras.expected["keras out"], 1e-5, 1e-6)
    module.export(tmp_path / "frozen.pb", "frozen")
    facts = json.loads(run("inspect", tmp_path / "marked", "--output-format", "json")[1])
    assert facts["signatures"] == {}
