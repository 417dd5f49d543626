"""Data that a program draws without a seed: Python's and NumPy's random numbers are recorded, and given to it again."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests import oracles
from tests.tf2bridge.proof.recording.running import recorder
from tf2bridge.program.replaying import replay
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.recording.states import States
from tf2bridge.proof.replaying.seeding import FROM_TRACE, RULE
from tf2bridge.proof.reporting.replay_text import summary
from tf2bridge.proof.traces.reader import Trace

# As `input_data` of TF 1.4 on does with its data sets: without a seed the system gives one.
PROGRAM = """
import random
import numpy as np
import tensorflow as tf
if tf.__version__.startswith("2."):
    tf = tf.compat.v1
    tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None], name="x")
total = tf.reduce_sum(x, name="total")
def drawn():
    order = np.arange(10)
    np.random.shuffle(order)
    pair = [random.random(), random.gauss(0, 1)]
    return np.concatenate([order, np.random.randn(3), np.random.randint(0, 100, 3), pair])
with tf.Session() as session:
    session.run(total, {x: drawn()})
    np.random.seed(None)
    session.run(total, {x: drawn()})
    np.random.seed()
    random.seed()
    session.run(total, {x: drawn()})
    np.random.seed(7)
    random.seed(7)
    session.run(total, {x: drawn()})
"""


def recorded(folder: Path, python: str | Path = sys.executable) -> Trace:
    (folder / "train.py").write_text(PROGRAM)
    command = [str(python), "-W", "ignore", str(recorder()), "--output", "t.trace", "--", "train.py"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return Trace(folder / "t.trace")


def check_equal(trace: Trace) -> None:
    kinds = [row["of"] for row in trace.manifest["random"]]
    assert kinds == ["numpy", "python", "numpy", "numpy", "python"]
    replayed = replay(trace, ["train.py"], trace.path.parent)
    assert first_divergence(replayed.rows) is None
    assert [row.tensor for row in replayed.rows] == ["x:0", "total:0"] * 4
    assert replayed.seeds.states == 5


def test_what_a_program_draws_is_drawn_again(tmp_path: Path) -> None:
    trace = recorded(tmp_path)
    check_equal(trace)
    alone = replay(trace, ["train.py"], tmp_path, seeds=RULE)
    assert [row.passed for row in alone.rows if row.kind == "feed"] == [False, False, False, True]
    untouched = replay(trace, ["train.py"], tmp_path, api="1.15")
    assert first_divergence(untouched.rows) is None


@pytest.mark.oracle
@pytest.mark.parametrize("release", ["0.12.1-py2", "1.15.5"])
def test_what_a_genuine_release_drew_is_drawn_again(tmp_path: Path, release: str) -> None:
    check_equal(recorded(tmp_path, oracles.interpreter(release)))


def test_the_functions_are_put_back_and_do_as_before() -> None:
    before, told = (random.seed, np.random.seed), []
    states = States(told.append)
    states.install()
    try:
        assert random.seed is not before[0]
        np.random.seed(3)
        random.seed(a=3)
        one = random.random(), np.random.rand()
        assert len(told) == 2  # where both began
        for _ in range(200):
            random.seed(None)
        assert len(told) == 101  # and not for ever
    finally:
        states.remove()
    assert (random.seed, np.random.seed) == before
    np.random.seed(3)
    random.seed(3)
    assert (random.random(), np.random.rand()) == one


def test_data_that_come_otherwise_each_time_are_fed_as_they_were(tmp_path: Path) -> None:
    other = PROGRAM.replace("np.random.randn(3)", "[__import__('os').getpid()] * 3")
    (tmp_path / "train.py").write_text(other)
    command = [sys.executable, "-W", "ignore", str(recorder()), "--output", "t.trace", "--", "train.py"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    trace = Trace(tmp_path / "t.trace")
    alone = replay(trace, ["train.py"], tmp_path, search=False)
    assert "--feeds trace" in summary(alone)
    given = replay(trace, ["train.py"], tmp_path, feeds=FROM_TRACE)
    assert given.proven
    assert {row.distance.note for row in given.rows if row.kind == "feed"} == {"taken over from the trace"}
    assert "1 placeholders fed from the trace, which proves nothing of the program's own data" in summary(given)
    (tmp_path / "train.py").write_text(other.replace("reduce_sum(x", "reduce_sum(1.01 * x"))
    wrong = first_divergence(replay(trace, ["train.py"], tmp_path, feeds=FROM_TRACE, search=False).rows)
    assert wrong is not None
    assert (wrong.kind, wrong.call) == ("fetch", 0)
