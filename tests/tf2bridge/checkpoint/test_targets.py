"""What a checkpoint can be mapped into, and how its variables are called."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import keras
import pytest
import tensorflow as tf

from tests.tf2bridge.checkpoint.written import of_shapes
from tests.tf2bridge.graph.recorded import unpacked
from tf2bridge.checkpoint.planning.named_targets import target_of
from tf2bridge.checkpoint.planning.object_keys import keys_of
from tf2bridge.checkpoint.planning.refusals import NoTargetError
from tf2bridge.errors import NoSuchCodeError, NoSuchFileError


class Listed(keras.Model):  # type: ignore[misc]  # Keras is untyped
    """Layers in a list and a dict, two of them of one name."""

    def __init__(self) -> None:
        super().__init__(name="listed")
        self.blocks = [keras.layers.Dense(3, name="fc"), keras.layers.Dense(3, name="fc")]
        self.heads = {"a": keras.layers.LSTM(4, dropout=0.5, name="rnn"), "b": keras.layers.BatchNormalization()}

    def call(self, x: tf.Tensor) -> tf.Tensor:
        x = self.blocks[1](self.blocks[0](x))
        return self.heads["b"](self.heads["a"](x[:, None, :]))


def functional(compiled: bool = True) -> keras.Model:
    layers = [keras.Input((3,)), keras.layers.Dense(4, name="d"), keras.layers.BatchNormalization(name="n")]
    model = keras.Sequential(layers, name="net")
    if compiled:
        model.compile("adam", "mse")
    return model


def test_a_subclassed_model_by_path_with_layers_in_lists_and_dicts() -> None:
    model = Listed()
    model(tf.zeros([2, 3]))
    target = target_of(model)
    assert len(target.variables) == len(model.variables)
    names = [variable.name for variable in target.variables]
    assert names[:4] == ["listed/fc/kernel", "listed/fc/bias", "listed/fc/kernel#2", "listed/fc/bias#2"]
    assert target.live["listed/fc/kernel#2"] is model.blocks[1].kernel
    recurrent = next(variable for variable in target.variables if variable.role == "recurrent_kernel")
    assert (recurrent.layer, recurrent.layer_class) == ("listed/rnn/lstm_cell", "LSTMCell")
    assert [keep for keep in target.keeps if "seed_generator" in keep] == list(target.keeps)


def test_the_optimizer_of_a_compiled_model() -> None:
    target = target_of(functional())
    assert target.optimizer is not None
    assert (target.optimizer.class_name, target.optimizer.config["epsilon"]) == ("Adam", 1e-7)
    assert target.optimizer.iteration.endswith("/iteration")
    slots = {(slot.slot_of, slot.role) for slot in target.optimizer.slots}
    weights = ("d/kernel", "d/bias", "n/gamma", "n/beta")
    assert slots == {(f"net/{name}", role) for name in weights for role in ("momentum", "velocity")}
    assert [name.rpartition("/")[2] for name in target.keeps] == ["learning_rate"]


def test_keys_are_those_under_which_tensorflow_finds_the_variables(tmp_path: Path) -> None:
    model = functional()
    target = target_of(model)
    theirs = {name for name, _ in tf.train.list_variables(tf.train.Checkpoint(model=model).write(str(tmp_path / "a")))}
    keys = keys_of(model)
    slots_and_settings = {keys[id(variable)] for variable in model.optimizer.variables}
    assert slots_and_settings <= theirs
    without = tf.train.Checkpoint(model=functional(compiled=False)).write(str(tmp_path / "b"))
    weights = {variable.key for variable in target.variables if not variable.slot_of} - slots_and_settings
    assert weights == {name for name, _ in tf.train.list_variables(without)} - {"_CHECKPOINTABLE_OBJECT_GRAPH"}


def test_a_module_by_the_path_of_its_attributes() -> None:
    class Layer(tf.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable(tf.zeros([2, 3]))

    class Net(tf.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.layers = [Layer(), Layer()]
            self.step = tf.Variable(0, trainable=False)

    target = target_of(Net())
    result = {(variable.name, variable.shape, variable.dtype, variable.trainable) for variable in target.variables}
    weights = {(f"layers/{n}/w", (2, 3), "float32", True) for n in (0, 1)}
    assert result == weights | {("step", (), "int32", False)}
    keys = {variable.name: variable.key for variable in target.variables}
    assert keys["layers/0/w"] == "model/layers/0/w/.ATTRIBUTES/VARIABLE_VALUE"


def test_a_list_of_variables() -> None:
    target = target_of([tf.Variable([1.0], name="a"), tf.Variable([2.0], name="a")])
    assert [variable.name for variable in target.variables] == ["a", "a#2"]


@pytest.mark.parametrize("given", [{"a/w": [2, 3]}, {"a/w": {"shape": [2, 3], "dtype": "float32"}}])
def test_shapes_and_files_of_them(given: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "shapes.json"
    path.write_text(json.dumps(given))
    assert target_of(given).variables == target_of(path).variables
    assert [(variable.name, variable.shape, variable.dtype) for variable in target_of(path).variables] == [
        ("a/w", (2, 3), "float32")
    ]


def test_another_checkpoint_and_a_graph(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    of_shapes(tmp_path, {"a/w": [2, 3]})
    assert [variable.shape for variable in target_of(tmp_path / "model.ckpt").variables] == [(2, 3)]
    model = unpacked("1.15.5/mlp_adam", tmp_path_factory.getbasetemp())
    result = dict(tf.train.list_variables(str(model.folder / "model.ckpt")))
    target = target_of(model.folder / "model.ckpt.meta")
    assert {variable.name: list(variable.shape) for variable in target.variables} == result


def test_code_that_makes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made_here.py").write_text("def shapes():\n    return {'a': [1]}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert target_of("made_here:shapes").name == "made_here:shapes"
    with pytest.raises(NoSuchCodeError, match="has no function nothing"):
        target_of("made_here:nothing")
    with pytest.raises(NoSuchCodeError, match="no module absent_here"):
        target_of("absent_here:f")


@pytest.mark.parametrize("given", [7, {"a": 3}, {"a": ["x"]}, {"a": "12"}])
def test_what_has_no_variables_is_refused(given: object) -> None:
    with pytest.raises(NoTargetError, match="give a Keras model"):
        target_of(given)


def test_files_that_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(NoTargetError, match="cannot be read"):
        target_of(tmp_path / "bad.json")
    with pytest.raises(NoTargetError, match="as models:build"):
        target_of(tmp_path / "models.py")
    with pytest.raises(NoSuchFileError, match="map into"):
        target_of(tmp_path / "absent")
