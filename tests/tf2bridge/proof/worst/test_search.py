"""What the search finds: true maxima, regions that random inputs miss, whole numbers, texts, NaN."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tf2bridge.proof import Tolerance, Verdict, worst_inputs
from tf2bridge.proof.worst.outcome import Way

FEW = {"seconds": 600.0, "runs": 300}
"""The number of runs ends these searches, so that they do not depend on the machine."""
VECTOR = {"x": tf.TensorSpec([None, 8])}


def test_the_two_forms_of_gelu_differ_most_where_a_dense_grid_says() -> None:
    grid = np.linspace(-6, 6, 200_001)
    exact = grid * 0.5 * (1 + np.vectorize(math.erf)(grid / math.sqrt(2)))
    rough = grid * 0.5 * (1 + np.tanh(math.sqrt(2 / math.pi) * (grid + 0.044715 * grid**3)))
    most = np.abs(exact - rough).max()
    assert most == pytest.approx(4.73e-4, rel=1e-2)
    worst = worst_inputs(
        tf.nn.gelu,
        lambda x: tf.nn.gelu(x, approximate=True),
        specs={"x": tf.TensorSpec([None, 3])},
        ranges={"x": (-6, 6)},
        **FEW,
    )
    assert 0.95 * most <= worst.worst.worst.row.distance.max_abs <= 1.01 * most
    assert worst.start < worst.figure
    place = worst.worst.worst.row.distance.worst
    at = abs(worst.inputs["x"][place])
    assert abs(np.interp(at, grid, exact) - np.interp(at, grid, rough)) > 0.9 * most


def test_two_epsilons_of_a_batch_normalization_differ_most_at_the_smallest_variance() -> None:
    def model(epsilon: float) -> Any:
        import keras

        layer = keras.layers.BatchNormalization(epsilon=epsilon, name="norm")
        built = keras.Sequential([keras.Input((3,), name="x"), layer])
        layer.moving_variance.assign([0.01, 1.0, 0.2])
        return built

    ratios = [math.sqrt((variance + 1e-3) / (variance + 1e-5)) - 1 for variance in (0.01, 1.0, 0.2)]
    worst = worst_inputs(model(1e-3), model(1e-5), **FEW)
    assert 0.95 * max(ratios) <= worst.figure <= 1.001 * max(ratios)
    assert worst.worst.worst.row.distance.worst[1] == 0


def dead(share: float) -> tuple[Any, Any, float]:
    """Two networks with one changed weight behind a ReLU, and the greatest difference in the box from -3 to 3.

    The unit is on only where its sum exceeds this share of the greatest sum, which random inputs do not reach.
    """
    random = np.random.default_rng(0)
    first = random.normal(size=(8, 12)).astype(np.float32) / 3
    most = 3 * np.abs(first[:, 5]).sum()
    bias = np.zeros(12, np.float32)
    bias[5] = -share * most
    second = random.normal(size=(12, 2)).astype(np.float32)
    changed = second.copy()
    changed[5, 1] += 0.5
    pair = [lambda x, last=last: tf.matmul(tf.nn.relu(tf.matmul(x, first) + bias), last) for last in (second, changed)]
    return pair[0], pair[1], 0.5 * (most + bias[5])


@pytest.mark.parametrize("share", [0.5, 0.75])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_changed_weight_behind_a_relu_is_found_where_random_inputs_do_not_reach(share: float, seed: int) -> None:
    old, new, most = dead(share)
    worst = worst_inputs(old, new, specs=VECTOR, seed=seed, **FEW)
    assert worst.start == 0
    assert worst.start_rows[0].distance.verdict is Verdict.EQUAL
    assert 0.95 * most <= worst.worst.worst.row.distance.max_abs <= 1.001 * most
    assert not worst.worst.worst.row.passed


def test_a_legacy_graph_climbs_too() -> None:
    import tf2bridge

    def build(last: float) -> Any:
        def model(x: Any) -> Any:
            weights = tf.constant(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3))
            hidden = tf.compat.v1.nn.relu(tf.matmul(x, weights) - 3.0)
            return tf.matmul(hidden, tf.constant([[1.0], [2.0], [last]]), name="out")

        return tf2bridge.wrap(model, inputs={"x": tf.TensorSpec([None, 4])})

    worst = worst_inputs(build(3.0), build(3.25), **FEW)
    assert worst.start == 0
    assert 0.95 / 12 <= worst.figure <= 1.001 / 12  # 0.25 of 3, where the last unit alone is on
    assert [how.way for how in worst.searched] == [Way.GRADIENT]


def test_whole_numbers_are_sampled_below_the_size_of_an_embedding() -> None:
    def model(row: int | None) -> Any:
        import keras

        ids = keras.Input((4,), dtype="int32", name="ids")
        table = keras.layers.Embedding(40, 2, name="table")
        built = keras.Model(ids, table(ids))
        values = np.linspace(-1, 1, 80).reshape(40, 2)
        values[row or 0] += 0.0 if row is None else 0.5
        table.set_weights([values])
        return built

    worst = worst_inputs(model(None), model(17), starts={"ids": np.zeros((3, 4), np.int32)}, **FEW)
    assert (worst.start, worst.worst.worst.row.distance.max_abs) == (0, pytest.approx(0.5))
    place = worst.worst.worst.row.distance.worst
    assert worst.inputs["ids"][place[:2]] == 17
    (how,) = worst.searched
    assert (how.way, how.range and (how.range.low, how.range.high)) == (Way.SAMPLED, (0, 39))


def test_texts_are_sampled_among_those_of_the_starts() -> None:
    lengths = [tf.strings.length, lambda s: tf.where(s == b"pear", 9, tf.strings.length(s))]
    starts = [{"s": np.asarray([["plum", "fig"]], object)}, {"s": np.asarray([["fig", "pear"]], object)}]
    worst = worst_inputs(*lengths, specs={"s": tf.TensorSpec([None, 2], tf.string)}, starts=starts, **FEW)
    assert worst.worst.worst.row.distance.max_abs == 5
    assert set(worst.inputs["s"].reshape(-1)) <= {"plum", "fig", "pear", b"plum", b"fig", b"pear"}


def test_a_gradient_that_is_missing_is_said_once() -> None:
    old, new = (lambda x: tf.argmax(x, -1)), (lambda x: tf.argmax(x + tf.constant([0.0, 0.3, 0.0]), -1))
    worst = worst_inputs(old, new, specs={"x": tf.TensorSpec([None, 3])}, **FEW)
    (how,) = worst.searched
    assert (how.way, how.why) == (Way.SAMPLED, "no gradient of an output reaches it")
    assert worst.figure > 0


def test_code_of_numpy_is_sampled() -> None:
    old, new = (lambda x: np.asarray(x) ** 2), (lambda x: np.asarray(x) ** 2 + (np.asarray(x) > 2.5))
    worst = worst_inputs(old, new, specs={"x": tf.TensorSpec([None, 2])}, **FEW)
    assert worst.worst.worst.row.distance.max_abs == 1
    assert worst.searched[0].way is Way.SAMPLED


def test_nan_of_one_side_is_the_worst_there_is_and_nan_of_both_is_equal() -> None:
    old, new = (lambda x: tf.sqrt(x + 2.9)), (lambda x: tf.sqrt(tf.maximum(x + 2.9, 0)))
    specs = {"x": tf.TensorSpec([None, 4])}
    worst = worst_inputs(old, new, specs=specs, **FEW)
    assert worst.figure == math.inf
    assert worst.worst.worst.row.distance.nans[1] > 0
    assert worst.runs < 300  # nothing is worse, so the search ends
    same = worst_inputs(old, old, specs=specs, **FEW)
    assert (same.figure, [row.passed for row in same.rows]) == (0, [True, True])
    strict = worst_inputs(old, old, specs=specs, tolerance=Tolerance(nan_equal=False), **FEW)
    assert strict.figure == math.inf


def test_each_output_has_its_own_worst_inputs() -> None:
    def outputs(scale: float) -> Any:
        return lambda x: {"low": tf.nn.relu(-x - 2) * scale, "high": tf.nn.relu(x - 2) * scale, "same": x}

    worst = worst_inputs(outputs(1.0), outputs(1.5), specs={"x": tf.TensorSpec([1])}, **FEW)
    by_name = {output.name: output.worst for output in worst.outputs}
    assert by_name["low"].inputs["x"] == pytest.approx([-3])
    assert by_name["high"].inputs["x"] == pytest.approx([3])
    assert (by_name["same"].figure, by_name["same"].row.passed) == (0, True)


def test_numbers_out_of_tolerance_count_although_a_greater_difference_is_within() -> None:
    def new(x: Any) -> Any:
        return tf.concat([1000 * x * (1 + 9e-4), x + 1e-2 * tf.cast(x < -2, tf.float32)], -1)

    worst = worst_inputs(
        lambda x: tf.concat([1000 * x, x], -1),
        new,
        specs={"x": tf.TensorSpec([1])},
        tolerance=Tolerance(rtol=1e-3, atol=0),
        **FEW,
    )
    (output,) = worst.outputs
    assert output.worst.row.passed
    assert output.failing is not None
    assert output.failing.row.distance.worst == (1,)
    assert not all(row.passed for row in worst.rows)
    assert worst.inputs["x"] < -2


def test_chance_is_said() -> None:
    def new(x: Any) -> Any:
        return x + tf.random.normal([3])

    worst = worst_inputs(lambda x: x, new, specs={"x": tf.TensorSpec([3])}, seconds=600, runs=20)
    assert any("other numbers when they are run again" in note for note in worst.notes)
