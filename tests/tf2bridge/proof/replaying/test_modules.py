"""Calls that modules of TensorFlow make for a program: Estimators make all, the hooks of a MonitoredSession some."""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

import pytest

from tests import oracles, scratch
from tests.tf2bridge.proof.recording.running import recorder
from tf2bridge.program.replaying import replay
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.comparing.two_traces import compare
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.replaying.outcomes import Replay
from tf2bridge.proof.reporting.replay_text import as_json, summary
from tf2bridge.proof.traces.reader import Trace

ESTIMATOR = """
import tempfile
import numpy as np
import tensorflow as tf
def model(features, labels, mode):
    w = tf.get_variable("w", [3, 1], initializer=tf.random_uniform_initializer(seed=3))
    h = tf.tanh(tf.matmul(features["x"], w), name="h")
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"h": h})
    loss = tf.losses.mean_squared_error(labels, h)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)
def data():
    x = np.random.RandomState(0).rand(20, 3).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, x.sum(1, keepdims=True))).batch(5)
estimator = tf.estimator.Estimator(model, tempfile.mkdtemp())
estimator.train(data)
estimator.evaluate(data)
list(estimator.predict(data))
"""
HOOKED = """
import contextlib
import numpy as np
import tensorflow as tf
v1 = tf.compat.v1
v1.disable_v2_behavior()
v1.set_random_seed(1)
x = v1.placeholder(tf.float32, [None, 3], name="x")
w = v1.get_variable("w", [3, 1])
loss = tf.reduce_sum(tf.tanh(tf.matmul(x, w)), name="loss")
scaled = tf.multiply(loss, SCALE, name="scaled")
count = v1.train.get_or_create_global_step()
def looked_at():
    return tf.add(count, 0, name="seen")
seen = looked_at() if ORDER == "before" else None
with tf.control_dependencies([seen]) if ORDER == "before" else contextlib.nullcontext():
    train = v1.train.GradientDescentOptimizer(0.1).minimize(loss, count)
with tf.control_dependencies([train]) if ORDER == "after" else contextlib.nullcontext():
    seen = looked_at() if seen is None else seen
class Looking(v1.train.SessionRunHook):
    made = 0
    def before_run(self, context):
        self.made += 1
        return v1.train.SessionRunArgs([seen] + ([loss] if self.made % 2 == FIRST else []))
with v1.train.MonitoredTrainingSession(hooks=[Looking()]) as session:
    for _ in range(4):
        session.run([scaled, train], {x: np.ones((2, 3))})
"""


@functools.cache
def estimator() -> Trace:
    """Recorded by genuine TensorFlow 1.15.5."""
    folder = scratch.folder()
    (folder / "train.py").write_text(ESTIMATOR)
    python = oracles.interpreter("1.15.5")
    command = [str(python), "-W", "ignore", str(recorder()), "--output", "t.trace", "--", "train.py"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return Trace(folder / "t.trace")


def run_again(directory: Path, *changes: tuple[str, str]) -> Replay:
    text = functools.reduce(lambda done, change: done.replace(*change), changes, ESTIMATOR)
    (directory / "train.py").write_text(text)
    return replay(estimator(), ["train.py"], directory, api="1.15")


@pytest.mark.oracle
def test_an_estimator_is_compared_step_by_step(tmp_path: Path) -> None:
    replayed = run_again(tmp_path)
    assert replayed.proven, summary(replayed)
    steps = [(row.via, row.tensor) for row in replayed.rows if row.via and not row.tensor.startswith("global_step")]
    batches = 4
    for row in (("estimator", "mean_squared_error/value:0"), ("evaluation", "AssignAdd:0"), ("estimator", "h:0")):
        assert steps.count(row) == batches
    assert ("basic_session_run_hooks", "mean/value:0") in steps  # what `evaluate` returns
    assert "made by TensorFlow's own modules are compared, by their order" in summary(replayed)
    assert as_json(replayed)["notes"] == list(replayed.notes)


@pytest.mark.oracle
def test_an_estimator_that_learns_otherwise_and_predicts_less_differs(tmp_path: Path) -> None:
    replayed = run_again(tmp_path, ("Optimizer(0.1)", "Optimizer(0.11)"), ("list(estimator", "next(estimator"))
    bad = first_divergence(replayed.rows)
    assert bad is not None
    assert (bad.via, bad.tensor, bad.kind) == ("estimator", "mean_squared_error/value:0", "fetch")
    losses = [row for row in replayed.rows if row.tensor == "mean_squared_error/value:0"]
    assert losses.index(bad) == 1
    assert replayed.divergence is not None
    assert (replayed.divergence.via, replayed.divergence.type) == ("estimator", "ApplyGradientDescent"), (
        replayed.divergence.text
    )
    assert "0.1 there and 0.11 here" in (replayed.divergence.cause or "")
    missing = [row.via for row in replayed.rows if row.distance.note == "this call was not made"]
    assert missing == ["estimator"] * 4  # three batches, and the call that ends the data


def hooked(directory: Path, order: str, first: int, scale: float = 1.0) -> Trace:
    """Recorded here: a hook looks at the step "before" or "after" it is counted, or in no order, and at the loss."""
    text = HOOKED.replace("ORDER", repr(order)).replace("FIRST", str(first)).replace("SCALE", str(scale))
    (directory / "train.py").write_text(text)
    name = f"{order}{first}{scale}.trace"
    command = [sys.executable, str(recorder()), "--output", name, "--", "train.py"]
    subprocess.run(command, cwd=directory, check=True, capture_output=True)
    return Trace(directory / name)


def test_what_hooks_do_at_other_steps_and_what_no_order_decides_is_no_difference(tmp_path: Path) -> None:
    recorded = hooked(tmp_path, "", first=0)
    comparisons = [compare(hooked(tmp_path, order, first=1), recorded) for order in ("before", "after")]
    for comparison in comparisons:
        assert first_divergence(comparison.rows) is None
        assert sum(row.tensor == "scaled:0" for row in comparison.rows) == 4
        assert any("fetched on one side only, by TensorFlow's hooks or modules" in note for note in comparison.notes)
    # Whatever was read in no order, one of both reads something else.
    assert any(
        "seen:0 is read while the same call changes global_step" in note
        for comparison in comparisons
        for note in comparison.notes
    )
    other = first_divergence(compare(hooked(tmp_path, "after", first=0, scale=1.5), recorded).rows)
    assert other is not None
    assert (other.call, other.tensor, other.distance.verdict) == (0, "scaled:0", Verdict.DIFFERENT)


def test_a_trace_of_which_nothing_can_be_compared_proves_nothing(tmp_path: Path) -> None:
    program = """
import threading
import tensorflow as tf
v1 = tf.compat.v1
v1.disable_v2_behavior()
w = v1.get_variable("w", [3], initializer=v1.zeros_initializer())
session = v1.Session()
thread = threading.Thread(target=lambda: [session.run(w.initializer), session.run(w + 1)])
thread.start()
thread.join()
"""
    (tmp_path / "train.py").write_text(program)
    command = [sys.executable, str(recorder()), "--output", "t.trace", "--", "train.py"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    replayed = replay(Trace(tmp_path / "t.trace"), ["train.py"], tmp_path)
    assert not replayed.proven
    assert first_divergence(replayed.rows) is None
    assert "NOT PROVEN: 2 tensors are equal, but none of 1 recorded calls could be" in summary(replayed)
