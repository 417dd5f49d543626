"""Sides that are run: graphs of genuine TensorFlow, Keras models and SavedModels, on inputs of every kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tf2bridge.graph import recorded as graphs
from tests.tf2bridge.proof.comparing.files import graph, trace, written
from tests.tf2bridge.proof.comparing.live import keras_model
from tf2bridge.formats.checkpoints.opening import open as open_checkpoint
from tf2bridge.proof.comparing.any_two import compare
from tf2bridge.proof.comparing.refusals import InputsError, NothingInCommonError
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.numbers.tolerance import Verdict

FROZEN = written("freeze_script", "frozen.pb")
CHECKPOINT = written("freeze_script", "model.ckpt")
TRACE = trace("freeze_script")


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run")


@pytest.mark.parametrize("model", ["mlp_adam", "convnet", "condition", "rnn_lstm"])
def test_what_was_frozen_computes_what_it_did_at_every_tensor(model: str, parent: Path) -> None:
    folder = graph(f"1.15.5/{model}", parent)
    comparison = compare(folder / "model.ckpt", folder / "frozen.pb", inputs="random:3", every_tensor=True)
    assert comparison.equal
    assert len(comparison.rows) > 3
    assert {row.distance.verdict for row in comparison.rows} == {Verdict.EQUAL}


def test_releases_wrote_one_model(parent: Path) -> None:
    """The graphs of 0.12.1 and 1.15.5 name their operations otherwise, their outputs alike."""
    old, new = (graph(f"{release}/convnet", parent) / "frozen.pb" for release in ("0.12.1", "1.15.5"))
    assert compare(old, new, inputs="random:1").equal


def test_inputs_are_given_by_the_names_of_tensors_or_of_inputs(parent: Path) -> None:
    model = graphs.unpacked("1.15.5/convnet", parent / "graphs")
    inputs = {str(model.expected[f"tensor {name}"]): value for name, value in model.part("in").items()}
    np.savez(parent / "inputs.npz", **inputs)
    plain = {name.removesuffix(":0"): value for name, value in inputs.items()}
    for given in (inputs, plain, str(parent / "inputs.npz")):
        assert compare(model.folder / "model.ckpt", model.folder / "frozen.pb", inputs=given).equal


def test_a_difference_shows_where_both_graphs_part(parent: Path) -> None:
    """The first tensor that differs follows from the variable that was changed."""
    import tf2bridge

    folder = graph("1.15.5/mlp_adam", parent)
    changed = tf2bridge.load(folder / "model.ckpt")
    by_name = {variable.name: variable for variable in changed.variables}
    by_name["out/biases:0"].assign_add([0.0, 0.5, 0.0])
    comparison = compare(folder / "model.ckpt", changed, inputs="random:0", every_tensor=True)
    bad = first_divergence(comparison.rows)
    assert bad is not None
    assert bad.distance.max_abs == pytest.approx(0.5, rel=1e-6)
    assert comparison.rows.index(bad) > 0
    assert "loss:0" in {row.tensor for row in comparison.rows if not row.passed}


def test_a_keras_model_is_paired_by_type_and_shape() -> None:
    comparison = compare(FROZEN, keras_model(CHECKPOINT), inputs="random:1")
    assert (comparison.rows[0].tensor, comparison.rows[0].renamed) == ("out/probs", "out")
    assert comparison.equal
    assert "inputs are made up with seed 1" in comparison.notes
    other = compare(FROZEN, keras_model(), inputs="random:1")
    assert first_divergence(other.rows) is other.rows[0]


def test_recorded_inputs_run_both_once_for_each_call() -> None:
    comparison = compare(FROZEN, keras_model(CHECKPOINT), inputs=TRACE)
    assert comparison.equal
    assert [row.call for row in comparison.rows] == list(range(1, 13))  # the call before ran the initializers
    assert comparison.rows[0].where == "train.py:46"


def test_a_keras_file_is_run_and_its_layers_are_compared(tmp_path: Path) -> None:
    model = keras_model(CHECKPOINT)
    model.save(tmp_path / "model.keras")
    comparison = compare(tmp_path / "model.keras", model, inputs="random:1", every_tensor=True)
    assert [row.tensor for row in comparison.rows] == ["points", "hidden", "out"]
    assert comparison.equal
    assert compare(tmp_path / "model.keras", model, match="position").equal  # what both store


def test_a_saved_model_of_tensorflow_2_is_a_side(tmp_path: Path) -> None:
    import tensorflow as tf

    import tf2bridge

    tf2bridge.load(CHECKPOINT, outputs=["out/probs"]).export(tmp_path / "new")
    assert compare(FROZEN, tmp_path / "new", inputs="random:2").equal
    assert compare(FROZEN, tf.saved_model.load(str(tmp_path / "new")), inputs="random:2").equal


def test_a_trace_is_computed_again_by_the_frozen_graph() -> None:
    """Values first, then the calls after the last step of training: TensorFlow 1.4.1 computed them."""
    comparison = compare(TRACE, FROZEN, subset=True)
    assert comparison.equal
    assert [(row.kind, row.call) for row in comparison.rows] == [*[("value", None)] * 3, ("fetch", 11), ("fetch", 12)]
    turned = compare(FROZEN, TRACE, subset=True)
    assert [row.tensor for row in turned.rows] == [row.tensor for row in comparison.rows]


@pytest.mark.parametrize("program, calls", [("mnist_towers", 2), ("generator_freeze", 8), ("char_rnn", 1)])
def test_a_trace_is_computed_again_from_its_checkpoint(program: str, calls: int) -> None:
    comparison = compare(trace(program), written(program, "checkpoint").parent, subset=True)
    assert comparison.equal
    assert len({row.call for row in comparison.rows if row.call is not None}) == calls


def test_calls_are_not_computed_again_with_other_values() -> None:
    import tf2bridge

    changed = tf2bridge.load(CHECKPOINT)
    changed.variables[0].assign_add(np.ones(changed.variables[0].shape))
    comparison = compare(TRACE, changed)
    assert {row.kind for row in comparison.rows} == {"value"}
    assert not comparison.equal
    assert any("not computed again" in note for note in comparison.notes)


@pytest.mark.parametrize(
    "a, b, inputs, error, message",
    [
        (
            CHECKPOINT,
            {"x": np.ones(1)},
            "random:0",
            NothingInCommonError,
            "it is arrays with no graph or model beside it",
        ),
        (TRACE, FROZEN, "random:0", NothingInCommonError, "its calls were recorded with their inputs"),
        (FROZEN, FROZEN, "random:x", InputsError, "names no seed; write random:SEED"),
        (FROZEN, FROZEN, {"y": np.ones(1)}, InputsError, "'y' is no input of either side; their inputs are x"),
        (FROZEN, FROZEN, {}, InputsError, "nothing is given for x"),
        (FROZEN, FROZEN, {"x": np.ones((2, 3), np.float32)}, InputsError, "cannot be run on them"),
        (CHECKPOINT, FROZEN, trace("q_agent"), InputsError, "no recorded call feeds all inputs"),
    ],
)
def test_what_cannot_be_run_is_said(a: Any, b: Any, inputs: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        compare(a, b, inputs=inputs)


def test_a_keep_probability_is_1_and_what_trains_is_off() -> None:
    import tf2bridge

    def build(x: Any, is_training: Any, keep_prob: Any) -> Any:
        import tensorflow as tf

        v1 = tf.compat.v1
        return v1.where(is_training, x * 100.0, x * keep_prob, name="out")

    import tensorflow as tf

    inputs = {
        "x": tf.TensorSpec([3], tf.float32),
        "is_training": tf.TensorSpec([], tf.bool),
        "keep_prob": tf.TensorSpec([], tf.float32),
    }
    with_all = tf2bridge.wrap(build, inputs=inputs)
    plain = tf2bridge.wrap(lambda x: tf.identity(x, name="out"), inputs={"x": inputs["x"]})
    comparison = compare(with_all, plain, inputs="random:4")
    assert comparison.equal
    assert {"is_training is False, as in inference", "keep_prob is 1.0, as in inference"} <= set(comparison.notes)


@pytest.mark.parametrize("form", ["name", "plan"])
def test_a_plan_says_what_becomes_of_the_old_values(form: str, tmp_path: Path) -> None:
    from tf2bridge.checkpoint.planning.matching import plan as made

    model = keras_model()
    with open_checkpoint(CHECKPOINT) as checkpoint:
        plan = made(checkpoint, model, drop=[".*Adam.*", "beta.*"])
        plan.apply()
        plan.save(tmp_path / "plan.toml")
    comparison = compare(CHECKPOINT, model, plan=tmp_path / "plan.toml" if form == "name" else plan)
    assert [row.tensor for row in comparison.rows] == ["hidden/kernel", "hidden/bias", "out/kernel"]
    assert comparison.equal
    model.get_layer("out").kernel.assign_add(np.ones((8, 2)))
    bad = first_divergence(compare(CHECKPOINT, model, plan=plan).rows)
    assert bad is not None
    assert bad.tensor == "out/kernel"
