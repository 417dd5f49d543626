"""What the gate lets through: rounding, and nothing else."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tf2bridge import v1
from tf2bridge.decompile import gate, recording
from tf2bridge.decompile.emitted.test_model import LARGEST
from tf2bridge.decompile.idioms.layer import Weight


def test_rounding_that_crosses_a_border_is_measured() -> None:
    def build(x: Any) -> Any:
        scale = v1.get_variable("scale", [], initializer=v1.ones_initializer())
        return tf.nn.relu(scale * x - 1.0)

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([50])})
    computed = recording.Recording(module, {"x": np.ones(50, np.float32)})
    paths = {"scale": Weight(("scale",))}
    arrays, roundings = computed.arrays(paths), computed.roundings(paths, 6)
    assert np.array_equal(arrays["gradient in x"], np.zeros(50))  # ReLU has no gradient at 0, but one just above it
    assert roundings["rounding gradient in x"] == pytest.approx(7)  # the largest weight of `weighted_sum`
    assert 0 < roundings["rounding out 0"] < 3 * np.finfo(np.float32).eps
    assert module.variables[0].numpy() == 1


def test_rounded_numbers_are_the_next_ones() -> None:
    array = np.array([[1.0, -2.5, 0.0], [np.inf, np.nan, 3e38]], np.float32)
    drawn = [recording.rounded(array, np.random.default_rng(seed)) for seed in range(9)]
    below, above = (np.nextafter(array, np.float32(end)) for end in (-np.inf, np.inf))
    for number in range(6):
        seen = {part.flat[number] for part in drawn if not np.isnan(part.flat[number])}
        assert seen == {end.flat[number] for end in (below, above) if not np.isnan(end.flat[number])}
    assert 0 < abs(recording.rounded(np.asarray(0.0), np.random.default_rng(0))) < 1e-300
    threes = np.full(64, 3, np.float32)
    further = recording.rounded(threes, np.random.default_rng(0), 4)
    assert {*further.tolist()} == {3 - 2**-20, 3 + 2**-20}
    assert recording.rounded(np.int32([3]), np.random.default_rng(0)).tolist() == [3]


def test_what_rounding_explains_is_equal(tmp_path: Path) -> None:
    """A batch normalization that cancels out gives nothing but rounding, which Keras has in other places."""

    def build(x: Any) -> Any:
        return v1.layers.batch_normalization(x, training=False, fused=True)

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([None, 3, 3, 64])})
    gamma, beta, mean, variance = np.random.default_rng(0).uniform(0.1, 9.0, [4, 64]).astype(np.float32)
    values = {"gamma": gamma, "beta": beta, "moving_mean": mean, "moving_variance": variance}
    for variable in module.variables:
        variable.assign(values[variable.name.rpartition("/")[2].partition(":")[0]])
    x = (mean - beta * np.sqrt(variance + 1e-3) / gamma).astype(np.float32)
    done = tf2bridge.decompile(module, tmp_path / "rounded", feeds={"x": np.tile(x, (2, 3, 3, 1))})
    assert "keras.layers.BatchNormalization" in (done.path / "model.py").read_text()
    assert LARGEST < done.differences["out 0"] <= done.limits["out 0"]


def test_the_worst_difference_comes_first() -> None:
    differences = {"a": 1e-6, "b": 3e-5, "c": float("nan"), "d": 1e-3, "e": 2e-3}
    limits = {**dict.fromkeys(differences, 1e-5), "d": 1e-2}
    assert gate.unequal(differences, limits) == ["c", "e", "b"]


def test_an_output_that_is_random_and_the_same_by_chance_is_not_compared() -> None:
    def build(x: Any) -> Any:
        dropped = v1.nn.dropout(x, rate=0.5)
        return dropped, tf.cast(tf.reduce_sum(dropped) > 1e9, tf.float32), tf.square(x)

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([50])})
    arrays = recording.Recording(module, {"x": np.ones(50, np.float32)}).arrays({})
    assert [name for name in arrays if name.startswith("out ")] == ["out 2"]


def test_initializers_that_no_output_needs_are_not_random() -> None:
    """The graph of a checkpoint has them beside the model: they drew six runs in place of two."""

    def build(x: Any) -> Any:
        return x * v1.get_variable("scale", [], initializer=v1.random_normal_initializer())

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([3])})
    computed = recording.Recording(module, {"x": np.ones(3, np.float32)})
    assert computed.runs == 2
    assert set(computed.arrays({"scale": Weight(("scale",))})) >= {"out 0", "gradient scale", "gradient in x"}


def test_a_model_that_changes_a_variable_of_its_own_accord_is_unequal(tmp_path: Path) -> None:
    def build(x: Any) -> Any:
        return x * v1.get_variable("scale", [], initializer=v1.ones_initializer())

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([3])})
    done = tf2bridge.decompile(module, tmp_path / "changes")
    model = done.path / "model.py"
    source = model.read_text("utf-8")
    model.write_text(source.replace("        return x", "        self.scale.assign(2.0)\n        return x"), "utf-8")
    with gate.Gate() as processes:
        measured, _ = processes.measured(done.path)
    assert measured["changed"] == np.inf


def test_a_constant_that_trains_is_unequal(tmp_path: Path) -> None:
    def build(x: Any) -> Any:
        table = tf.constant(np.linspace(0, 1, 200, dtype=np.float32))
        return table * x * v1.get_variable("scale", [], initializer=v1.ones_initializer())

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([200])})
    done = tf2bridge.decompile(module, tmp_path / "constant")
    model = done.path / "model.py"
    source = model.read_text("utf-8")
    assert source.count("trainable=False") == 1
    model.write_text(source.replace("trainable=False", "trainable=True"), "utf-8")
    with gate.Gate() as processes:
        measured, _ = processes.measured(done.path)
    assert measured["trainable"] == np.inf


def test_what_is_computed_early_counts_for_its_own_inputs(tmp_path: Path) -> None:
    def build(x: Any) -> Any:
        count = v1.get_variable("count", [], initializer=v1.zeros_initializer(), trainable=False)
        with tf.control_dependencies([v1.assign_add(count, 1.0)]):
            return tf.square(x) * v1.get_variable("scale", [3], initializer=v1.ones_initializer())

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([3])})
    done = tf2bridge.decompile(module, tmp_path / "counted", worst=0)
    with np.load(done.path / "recorded.npz") as recorded:
        same, other = recorded["in x"], recorded["in x"] + 1
    assert {"out 0", "after count", "gradient scale", "gradient in x", "changed"} <= done.differences.keys()
    with gate.Gate() as processes:
        for number, array in enumerate([same, other]):
            file = tmp_path / f"inputs_{number}.npz"
            np.savez(file, **{"in x": array})
            processes.load(done.path)
            processes.compute(done.path, file)
            assert processes.measured(done.path)[0] == done.differences
        np.savez(done.path / "recorded.npz", **{"in x": same, "out 0": 2 * same**2})
        processes.compute(done.path, tmp_path / "inputs_0.npz")
        assert processes.measured(done.path)[0]["out 0"] == pytest.approx(0.5)


def test_a_process_that_was_started_early_is_the_next_one() -> None:
    with gate.started_early():
        (early,) = gate._early
        with gate.Gate() as processes:
            assert processes._of_tensorflow() is early
    with gate.started_early():
        (early,) = gate._early
    assert not early.runs


def build_with_conditions(x: Any, flag: Any, count: Any) -> Any:
    weight = v1.get_variable("weight", [4, 4])
    y = v1.cond(flag, lambda: tf.nn.relu(x), lambda: tf.matmul(x, weight))
    y = v1.cond(count > 7, lambda: y * 2.0, lambda: y)
    step = v1.get_variable("step", [], tf.int32, initializer=v1.zeros_initializer(), trainable=False)
    return v1.cond(step > 10, lambda: tf.maximum(0.2 * y, y), lambda: y)


def test_examples_reach_the_branches_that_inputs_choose(tmp_path: Path) -> None:
    specs = {"x": tf.TensorSpec([None, 4]), "flag": tf.TensorSpec([], tf.bool), "count": tf.TensorSpec([], tf.int32)}
    module = tf2bridge.wrap(build_with_conditions, inputs=specs)
    done = tf2bridge.decompile(module, tmp_path / "conditions")
    assert done.unreached == {"cond_2": "true"}
    assert {"gradient weight", "gradient weight (example 2)", "out 0 (example 3)"} <= done.differences.keys()
    assert {why for _, _, why in done.dropped} == {
        "it is in a branch that no example is known to reach, so that nothing was compared"
    }
    assert "leaky" not in (done.path / "model.py").read_text("utf-8")
    assert "<td>cond_2<td>true" in (done.path / "report.html").read_text("utf-8")
    model = done.path / "model.py"
    model.write_text(model.read_text("utf-8").replace("* 2.0", "* 2.1"), "utf-8")
    with gate.Gate() as processes:
        measured, _ = processes.measured(done.path)
    assert measured["out 0"] == 0
    assert max(measured.values()) > 0.01


@pytest.mark.parametrize("has_loop", [False, True])
def test_gradients_without_loops_are_taken_operation_by_operation(
    has_loop: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(x: Any) -> Any:
        y = v1.get_variable("scale", [4], initializer=v1.ones_initializer()) * x
        return tf.while_loop(lambda z: tf.reduce_sum(z) < 9.0, lambda z: [2.0 * z], [y])[0] if has_loop else y

    module = tf2bridge.wrap(build, inputs={"x": tf.TensorSpec([4])})
    name = f"by_operation_{has_loop}"
    inputs = {"x": np.ones(4, np.float32)}
    tf2bridge.decompile(module, tmp_path / name, feeds=inputs, worst=0)
    monkeypatch.syspath_prepend(str(tmp_path))
    model, test = importlib.import_module(name).load(), importlib.import_module(f"{name}.test_model")
    with test.by_operation(model, {"x": tf.constant(inputs["x"])}):
        assert tf.config.functions_run_eagerly() is not has_loop
    assert not tf.config.functions_run_eagerly()
    test.test_outputs_gradients_and_state_are_those_of_the_old_graph()
