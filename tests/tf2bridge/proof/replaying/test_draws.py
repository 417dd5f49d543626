"""Dropout without a seed: its masks are recorded, and given to the program again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import oracles
from tf2bridge.program.replaying import replay
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.recording.assembled import assembled
from tf2bridge.proof.replaying.graphs import replay_graphs
from tf2bridge.proof.replaying.outcomes import Replay
from tf2bridge.proof.reporting.replay_text import summary
from tf2bridge.proof.traces.reader import Trace

PROGRAM = """
import numpy as np
import tensorflow as tf
if tf.__version__.startswith("2."):
    tf = tf.compat.v1
    tf.disable_v2_behavior()
initialize = getattr(tf, "global_variables_initializer", None) or tf.initialize_all_variables
x = tf.placeholder(tf.float32, [None, 4])
w = tf.get_variable("w", [4, 3], initializer=tf.random_normal_initializer(stddev=0.5))
b = tf.get_variable("b", [3], initializer=tf.constant_initializer(0.1))
h = tf.nn.dropout(tf.matmul(x, w) + b, KEEP, name="dropped")
order = tf.random_shuffle(tf.range(8), name="order")
loss = tf.reduce_mean(tf.square(tf.gather(h, order) - 1.0), name="loss")
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(initialize())
    for step in range(3):
        session.run([loss, train], {x: np.random.RandomState(step).rand(8, 4)})
        session.run(order)
"""


def recorded(folder: Path, *options: str, python: str | Path = sys.executable) -> Trace:
    (folder / "recorder.py").write_text(assembled())
    (folder / "train.py").write_text(PROGRAM.replace("KEEP", "0.7"))
    command = [str(python), "-W", "ignore", "recorder.py", "--output", "t.trace", *options, "--", "train.py"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return Trace(folder / "t.trace")


def run_again(trace: Trace, keep: str = "0.7") -> Replay:
    (trace.path.parent / "train.py").write_text(PROGRAM.replace("KEEP", keep))
    return replay(trace, ["train.py"], trace.path.parent)


def check_equal(trace: Trace) -> None:
    drawn = [{leaf.name.split("/")[0] for leaf in call.intermediate} for call in trace.program_calls]
    assert drawn == [set(), *[{"dropped", "order:0"}, set()] * 3]  # what was fetched is no inner tensor
    replayed = run_again(trace)
    assert first_divergence(replayed.rows) is None
    notes = {row.distance.note for row in replayed.rows if row.tensor == "order:0"}
    assert notes == {"taken over from the trace"}
    assert "3 have no seed, and 2 of these got their recorded results" in summary(replayed)


def test_a_program_with_dropout_without_a_seed_is_proven(tmp_path: Path) -> None:
    trace = recorded(tmp_path)
    check_equal(trace)
    losses = [row for row in replay_graphs(trace).ways[0].rows if row.tensor == "loss:0"]
    assert [row.passed for row in losses] == [True] * 3
    other = first_divergence(run_again(trace, keep="0.6").rows)
    assert other is not None
    assert other.tensor == "loss:0"  # of the first call, unless its mask happens to give both scales one loss


def test_without_its_draws_it_is_not(tmp_path: Path) -> None:
    trace = recorded(tmp_path, "--no-draws")
    assert not any(call.intermediate for call in trace.calls)
    replayed = run_again(trace)
    assert not replayed.proven
    assert "3 have no seed, and 1 of these got their recorded results" in summary(replayed)  # order, which was fetched


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["0.12.1", "1.4.1", "1.15.5"])
def test_draws_of_a_genuine_release(tmp_path: Path, release: str) -> None:
    check_equal(recorded(tmp_path, python=oracles.interpreter(release)))


def test_last_values_are_open_where_the_recording_stopped_before_more_draws(tmp_path: Path) -> None:
    replayed = run_again(recorded(tmp_path, "--max-calls=3"))
    assert first_divergence(replayed.rows) is None
    assert {row.kind for row in replayed.rows} >= {"initial", "fetch"}
    assert "final" not in {row.kind for row in replayed.rows}
    assert any("after call 3" in note for note in replayed.notes)
    assert "NOT EQUAL" not in summary(replayed)
    assert not replayed.proven
