"""SavedModels of Keras 1.14 and 1.15 (`model.save(save_format="tf")`), whose variables are known by their objects."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

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


def test_its_trainable_weights_are_known(keras: Recorded, module: Any) -> None:
    expected = keras.part("keras")
    gradients = {name.removeprefix("grad "): value for name, value in expected.items() if name.startswith("grad ")}
    assert {each.name for each in module.trainable_variables} == {f"{name}:0" for name in gradients}


def test_what_trains_is_told_without_tensorflow(keras: Recorded) -> None:
    facts = json.loads(run("inspect", keras.folder / "keras", "--output-format", "json")[1])
    trainable = {each["name"] for each in facts["variables"] if each["trainable"]}
    assert {"lstm/kernel", "norm/gamma"} <= trainable
    assert "norm/moving_mean" not in trainable
