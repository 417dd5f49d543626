"""Running a program beside a trace.  The traces here are of TensorFlow 2's graph mode: only the mechanism is tried."""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.tf2bridge.proof.recording.running import recorder
from tf2bridge.program.replaying import replay
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.replaying.outcomes import Outcome, Replay
from tf2bridge.proof.replaying.refusals import ReplayFailedError
from tf2bridge.proof.reporting.replay_text import lines, summary
from tf2bridge.proof.traces.reader import Trace

PROGRAM = """
import tensorflow as tf
v1 = tf.compat.v1
v1.disable_v2_behavior()
w = v1.get_variable("w", [4, 3], initializer=v1.random_uniform_initializer({seed}))
b = v1.get_variable("b", [3], initializer=v1.constant_initializer({bias}))
loss = tf.reduce_sum(tf.matmul(tf.ones([2, 4]), w) + b, name="loss")
with tf.control_dependencies([loss]):
    train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
with v1.Session() as sess:
    sess.run(v1.global_variables_initializer())
    for step in range({steps}):
        print(sess.run([loss, train])[0])
"""


pytestmark = pytest.mark.xdist_group("replayed programs")  # which share recordings


def write(directory: Path, choices: dict[str, object]) -> None:
    (directory / "train.py").write_text(PROGRAM.format(**{"seed": "", "bias": 0.5, "steps": 3, **choices}))


@functools.cache
def recording(**choices: object) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), choices)
        command = [sys.executable, str(recorder()), "--output", "t.trace", "--", "train.py"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        return (Path(folder) / "t.trace").read_bytes()


def record(directory: Path, **choices: object) -> Trace:
    (directory / "t.trace").write_bytes(recording(**choices))
    return Trace(directory / "t.trace")


def run_again(trace: Trace, seeds: str = "trace", **choices: object) -> Replay:
    directory = trace.path.parent
    write(directory, choices)
    return replay(trace, ["train.py"], directory, seeds=seeds)


def test_an_unseeded_program_gets_its_recorded_initial_values(tmp_path: Path) -> None:
    replayed = run_again(record(tmp_path))
    assert replayed.proven
    assert replayed.seeds.values == ("w",)
    assert replayed.seeds.unseeded == 1
    notes = {row.tensor: row.distance.note for row in replayed.rows if row.kind == "initial"}
    assert notes == {"w": "taken over from the trace", "b": ""}
    assert "1 initial values taken over from the trace, their initializers compared" in summary(replayed)


def test_the_initializer_of_a_value_that_is_taken_over_is_compared(tmp_path: Path) -> None:
    trace = record(tmp_path)
    write(tmp_path, {})
    program = tmp_path / "train.py"
    program.write_text(program.read_text().replace("uniform_initializer()", "uniform_initializer(-0.1, 0.05)"))
    replayed = replay(trace, ["train.py"], tmp_path)
    assert first_divergence(replayed.rows) is None
    assert (replayed.proven, replayed.outcome) == (False, Outcome.UNPROVEN)
    assert [line.partition(":")[0] for line in replayed.otherwise] == ["initializer of w"]
    assert "w/Initializer/random_uniform/min is 0 there and -0.1 here" in summary(replayed)


def test_by_the_rule_alone_an_unseeded_program_differs(tmp_path: Path) -> None:
    replayed = run_again(record(tmp_path), seeds="rule")
    assert not replayed.proven
    first = first_divergence(replayed.rows)
    assert first is not None
    assert (first.kind, first.tensor) == ("initial", "w")


def test_a_wrong_initial_value_is_not_covered_up(tmp_path: Path) -> None:
    replayed = run_again(record(tmp_path), bias=0.75)
    first = first_divergence(replayed.rows)
    assert first is not None
    assert (first.kind, first.tensor, first.distance.max_abs) == ("initial", "b", 0.25)


def test_other_op_seeds_are_taken_over_by_name_and_said_to_be(tmp_path: Path) -> None:
    trace = record(tmp_path, seed="seed=5")
    taken = run_again(trace, seed="seed=6")
    assert first_divergence(taken.rows) is None
    assert (taken.seeds.taken, taken.seeds.agree) == (1, 0)
    assert taken.outcome is Outcome.UNPROVEN
    assert list(taken.otherwise) == [
        "w/Initializer/random_uniform/RandomUniform: its seed was 5 when recorded, and is 6 now"
    ]
    left = run_again(trace, seeds="rule", seed="seed=6")
    assert not left.proven
    assert (left.seeds.differ, left.seeds.agree) == (1, 0)


def test_calls_that_are_missing_or_too_many_are_differences(tmp_path: Path) -> None:
    trace = record(tmp_path, seed="seed=5")
    fewer = run_again(trace, seed="seed=5", steps=2)
    missing = [row for row in fewer.rows if row.distance.verdict is Verdict.MISSING]
    assert [(row.call, row.distance.note) for row in missing] == [(3, "this call was not made")]
    more = run_again(trace, seed="seed=5", steps=4)
    odd = [row for row in more.rows if row.distance.verdict is Verdict.MISSING]
    assert [(row.call, row.distance.note) for row in odd] == [(4, "this call is not in the recorded trace")]


def test_a_long_table_gives_a_tensor_one_line(tmp_path: Path) -> None:
    replayed = run_again(record(tmp_path, seed="seed=5", steps=60), seed="seed=5", steps=60)
    assert len(lines(replayed.rows, limit=1000)) == len(replayed.rows)
    short = lines(replayed.rows, limit=10)
    assert [(line.step, line.tensor) for line in short if line.tensor == "loss:0"] == [("1-60", "loss:0")]


def test_a_program_that_kills_its_process_is_a_clear_error(tmp_path: Path) -> None:
    trace = record(tmp_path)
    (tmp_path / "train.py").write_text("import os\nprint('about to go')\nos._exit(7)\n")
    with pytest.raises(ReplayFailedError, match=r"`train.py` ended with status 7 .*about to go"):
        replay(trace, ["train.py"], tmp_path)


def test_samples_are_held_against_the_calls_of_their_positions(tmp_path: Path) -> None:
    program = PROGRAM.format(seed="seed=5", bias=0.5, steps=17)
    (tmp_path / "train.py").write_text(program)
    command = [sys.executable, str(recorder()), "--output", "t.trace", "--every", "4", "--", "train.py"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    replayed = run_again(Trace(tmp_path / "t.trace"), seed="seed=5", steps=17)
    assert replayed.proven
    assert sum(row.kind == "fetch" for row in replayed.rows) == 12  # the first ten steps, the 13th and the 17th
