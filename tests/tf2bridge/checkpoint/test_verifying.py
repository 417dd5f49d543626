"""`verify_with`: what names and shapes leave open is settled by what the legacy graph and the model compute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

from tests.tf2bridge.checkpoint import recorded
from tf2bridge import checkpoint
from tf2bridge.checkpoint.planning.refusals import NotComparableError, NotVerifiedError

v1 = tf.compat.v1
L = keras.layers


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recorded")


@pytest.fixture
def legacy(tmp_path: Path) -> Path:
    """A graph of three layers of one shape, whose names and order say nothing: u before a before m."""
    with tf.Graph().as_default(), v1.Session() as session:
        net = v1.placeholder(tf.float32, [None, 6], "x")
        training = v1.placeholder(tf.bool, [], "is_training")
        for seed, name in enumerate(("u", "a", "m")):
            with v1.variable_scope(name):
                w = v1.get_variable("w", [6, 6], initializer=v1.random_normal_initializer(seed=seed))
                b = v1.get_variable("b", [6], initializer=v1.random_normal_initializer(seed=9 - seed))
                net = tf.tanh(tf.matmul(net, w) + b)
        tf.cond(training, lambda: net * 0.5, lambda: net, name="out")
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(tmp_path / "model.ckpt"), write_meta_graph=False)
        v1.train.export_meta_graph(str(tmp_path / "graph.meta"))  # not beside it: its order is not known
    return tmp_path


def three_layers(activation: str = "tanh") -> Any:
    return keras.Sequential([keras.Input((6,)), *(L.Dense(6, activation, name=name) for name in ("one", "two", "end"))])


def rules(model: Any, layers: dict[str, str]) -> list[tuple[str, str]]:
    """Scope -> layer, as rules for both variables of each."""
    scope = model.layers[0].kernel.path.split("/")[0]
    leaves = {"w": "kernel", "b": "bias"}
    return [(f"{old}/{a}", f"{scope}/{new}/{b}") for old, new in layers.items() for a, b in leaves.items()]


def test_layers_of_one_shape_are_settled(legacy: Path) -> None:
    source, model = checkpoint.open(legacy / "model.ckpt"), three_layers()
    assert len(checkpoint.plan(source, model).questions) == 12  # six variables, six tensors
    made_plan = checkpoint.plan(source, model, verify_with=legacy / "graph.meta")
    kernels = {move.target.split("/")[1]: move.sources[0] for move in made_plan.moves if move.target.endswith("kernel")}
    assert kernels == {"one": "u/w", "two": "a/w", "end": "m/w"}
    assert all(move.certain for move in made_plan.moves)
    assert made_plan.complete
    assert "verified" in made_plan.notes[-1]


def test_a_model_of_another_activation_is_told_apart(legacy: Path) -> None:
    source = checkpoint.open(legacy / "model.ckpt")
    made_plan = checkpoint.plan(source, three_layers("sigmoid"), verify_with=legacy / "graph.meta")
    assert len(made_plan.questions) == 12  # nothing fits, and nothing is guessed
    model = three_layers("sigmoid")
    by_hand = rules(model, {"u": "one", "a": "two", "m": "end"})
    with pytest.raises(NotVerifiedError, match="first layer that computes no tensor of the graph is 'one'"):
        checkpoint.plan(source, model, by_hand, verify_with=legacy / "graph.meta")


def test_a_wrong_rule_is_found(legacy: Path) -> None:
    model = three_layers()
    swapped = rules(model, {"u": "one", "m": "two", "a": "end"})
    with pytest.raises(NotVerifiedError, match="'two'"):
        checkpoint.plan(checkpoint.open(legacy / "model.ckpt"), model, swapped, verify_with=legacy / "graph.meta")


def test_a_model_with_other_inputs_cannot_be_compared(legacy: Path) -> None:
    model = keras.Sequential([keras.Input((7,)), L.Dense(6)])
    with pytest.raises(NotComparableError, match="none"):
        checkpoint.plan(checkpoint.open(legacy / "model.ckpt"), model, verify_with=legacy / "graph.meta")


@pytest.mark.parametrize("name", recorded.of("mlp_adam"))
def test_a_genuine_program_confirms_what_shapes_said(name: str, folder: Path) -> None:
    program = recorded.unpacked(name, folder)
    model = keras.Sequential([keras.Input((4,)), L.Dense(5, "relu"), L.Dense(3)])
    with checkpoint.open(program.prefix) as source:
        assert not any(move.certain for move in checkpoint.plan(source, model).moves)
        made_plan = checkpoint.plan(source, model, verify_with=f"{program.prefix}.meta")
    assert all(move.certain for move in made_plan.moves)
    inputs, outputs = program.part("in"), program.part("out")
    np.testing.assert_allclose(model(inputs["x"]), outputs["logits"], rtol=1e-6, atol=1e-6)


def test_the_inside_of_a_loop_is_left_out(folder: Path) -> None:
    """TensorFlow refuses to fetch it: "Retval[0] has already been set"."""
    from tests.tf2bridge.graph.recorded import unpacked
    from tf2bridge.checkpoint.planning.legacy_run import Spec, run

    model = unpacked("1.15.5/rnn_lstm", folder)
    result = run(
        model.folder / "model.ckpt.meta", str(model.folder / "model.ckpt"), [Spec("x", (None, 5, 3), "float32")]
    )
    assert {"last:0", "net/rnn/transpose_1:0"} <= result.tensors.keys()
    assert not any("/while/" in name for name in result.tensors)
