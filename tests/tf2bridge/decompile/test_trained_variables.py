"""Training steps of variables that are not trainable, or that a loop in a branch of a condition takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import tf2bridge
import tf2bridge.v1
from tests.tf2bridge.decompile.test_training import FEEDS
from tests.tf2bridge.decompile.trained import check_step
from tf2bridge.decompile.training.step import Step


def _module(layers: bool) -> Any:
    """Returns the module of a step that changes one trainable variable, and one that is not trainable."""

    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        offset = tf1.get_variable("offset", [4], initializer=tf1.ones_initializer(), trainable=False)
        shifted = rows + offset
        y = tf1.layers.dense(shifted, 2, name="out") if layers else shifted * tf1.get_variable("scale", [4])
        loss = tf1.reduce_mean(tf1.square(y - 1.0))
        tf1.train.AdamOptimizer(0.01).minimize(loss, var_list=[offset, *tf1.trainable_variables()], name="train")
        return y

    return tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])})


@pytest.mark.parametrize("layers", [False, True])
def test_a_step_may_change_variables_that_are_not_trainable(
    layers: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = check_step(_module(layers), {"rows": FEEDS["rows"]}, tmp_path / f"untrainable_{layers}", monkeypatch)
    assert "tape.watch(self.trained)  # some are not trainable" in source


def test_keras_trains_no_variable_that_is_not_trainable(tmp_path: Path) -> None:
    done = tf2bridge.decompile(_module(True), tmp_path / "package", idiomatic=True, worst=0)
    optimizer, loss = done.choices
    assert optimizer.keras == loss.keras == ""
    assert optimizer.why == "offset is trained, though the graph does not count it among the trainable variables"


@pytest.mark.usefixtures("old_control_flow")
def test_a_loop_in_a_branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the loss of a conditional random field: a loop over the rows in a condition on their number."""
    tf1 = tf.compat.v1
    with tf.Graph().as_default():
        tf1.set_random_seed(1)
        rows = tf1.placeholder(tf.float32, [None, 4], "rows")
        weights = tf1.get_variable("weights", [4, 4], use_resource=False)

        def steps() -> Any:
            array = tf1.TensorArray(tf.float32, tf.shape(rows)[0]).unstack(rows @ weights)
            return tf1.while_loop(
                lambda number, _: number < tf.shape(rows)[0],
                lambda number, total: (number + 1, tf.tanh(total @ weights + array.read(number))),
                [tf.constant(0), tf.zeros([1, 4])],
            )[1]

        scores = tf1.cond(tf.equal(tf.shape(rows)[0], 1), lambda: tf.reduce_sum(rows @ weights, 0, True), steps)
        loss = tf.reduce_mean(tf.square(scores - 1.0), name="loss")
        tf1.train.GradientDescentOptimizer(0.1).minimize(loss, name="train")
        with tf1.Session() as session:
            session.run(tf1.global_variables_initializer())
            tf1.train.Saver().save(session, str(tmp_path / "model.ckpt"))
    module = tf2bridge.load(tmp_path / "model.ckpt.meta", outputs=["loss"], inputs=["rows"])
    check_step(module, {"rows": FEEDS["rows"]}, tmp_path / "loop_in_a_branch", monkeypatch)


def test_outputs_with_updates_that_the_step_does_not_run_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a GAN: the output for real images updates averages, too, which a step on made ones does not run."""

    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        average = tf1.get_variable("average", [4], initializer=tf1.zeros_initializer(), trainable=False)
        with tf1.control_dependencies([tf1.assign_sub(average, (average - tf1.reduce_mean(rows, 0)) * 0.1)]):
            real = tf1.identity(rows * 2.0, name="real")
        weights = tf1.get_variable("weights", [4])
        made = tf1.multiply(rows, weights, name="made")
        tf1.train.AdamOptimizer(0.01).minimize(tf1.reduce_mean(tf1.square(made - 1.0), name="loss"), name="train")
        return {"real": real, "made": made}

    module = tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])})
    assert list(Step.of(module, None).parts.forward.ends.outputs) == ["made", "loss"]
    check_step(module, {"rows": FEEDS["rows"]}, tmp_path / "two_outputs", monkeypatch)


def test_a_table_with_rows_and_a_penalty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tf.gradients` up to 1.15 puts the gradient of the penalty beside rows. A tape adds them up: all rows change."""

    def build(rows: Any) -> Any:
        tf1 = tf2bridge.v1
        table = tf1.get_variable("table", [20, 4], use_resource=False)
        ids = tf1.cast(10.0 * tf1.abs(rows), tf1.int32)
        looked_up = tf1.gather(table, ids, name="lookup")
        loss = tf1.reduce_mean(tf1.square(looked_up - 1.0)) + 0.01 * tf1.nn.l2_loss(table, name="penalty")
        of_rows, of_all = tf1.gradients(loss, [looked_up, table], stop_gradients=[looked_up])
        with tf1.name_scope("gradients/"):
            with tf1.name_scope("lookup_grad"):
                values = tf1.reshape(of_rows, [-1, 4], name="Reshape")
                indices = tf1.reshape(ids, [-1], name="Reshape_1")
            values = tf1.concat([of_all, values], 0, name="concat")
            indices = tf1.concat([tf1.range(20), indices], 0, name="concat_1")
        gradient = tf1.IndexedSlices(values, indices, tf1.constant([20, 4]))
        tf1.train.AdamOptimizer(0.01).apply_gradients([(gradient, table)], name="train")
        return looked_up

    module = tf2bridge.wrap(build, inputs={"rows": tf.TensorSpec([None, 4])})
    source = check_step(module, {"rows": FEEDS["rows"]}, tmp_path / "table_and_penalty", monkeypatch)
    assert "gradients[0] = tf.IndexedSlices(" in source
