"""Inner tensors that were recorded with `--intermediate` are compared, and what has no counterpart is counted."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests import oracles, scratch
from tests.tf2bridge.proof.recording.running import recorder
from tf2bridge.program.replaying import replay
from tf2bridge.proof.comparing.rows import first_divergence
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.replaying.graphs import replay_graphs
from tf2bridge.proof.reporting.page import dumps
from tf2bridge.proof.reporting.pages import of_replay
from tf2bridge.proof.reporting.replay_text import as_json, lines, summary
from tf2bridge.proof.traces.reader import Trace

PROGRAM = """
import numpy as np
import tensorflow as tf
if tf.__version__.startswith("2."):
    tf = tf.compat.v1
    tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 4], name="x")
w = tf.get_variable("w", [4, 3], initializer=tf.random_normal_initializer())
hidden = tf.tanh(tf.matmul(x, w, name="product"), name="hidden")
gate = tf.nn.sigmoid(hidden * 2.0, name="gate")
out = tf.reduce_mean(tf.square(gate), name="out")
train = tf.train.GradientDescentOptimizer(0.1).minimize(out)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for n in range(2):
        session.run([out, train], {x: np.random.RandomState(n).rand(3, 4)})
"""
PATTERNS = ["product|hidden|gate", "gradients/"]


@cache
def recorded(python: str = sys.executable) -> Trace:
    folder = scratch.folder()
    (folder / "train.py").write_text(PROGRAM)
    options = [option for pattern in PATTERNS for option in ("--intermediate", pattern)]
    command = [python, "-W", "ignore", str(recorder()), "--output", "t.trace", *options, "--", "train.py"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return Trace(folder / "t.trace")


@pytest.mark.oracle
def test_a_difference_inside_shows_at_its_inner_tensor(tmp_path: Path) -> None:
    trace = recorded(str(oracles.interpreter("1.15.5")))
    (tmp_path / "train.py").write_text(PROGRAM.replace("hidden * 2.0", "hidden * 2.5"))
    replayed = replay(trace, ["train.py"], tmp_path, search=False)
    bad = first_divergence(replayed.rows)
    assert bad is not None
    assert (bad.kind, bad.call, bad.tensor) == ("intermediate", 1, "gate:0")
    assert "call 1 (train.py:16), intermediate of gate:0" in summary(replayed)
    assert "inner 1" in {line.step for line in lines(replayed.rows)}
    assert "intermediate" in {row["kind"] for row in as_json(replayed)["rows"]}
    assert "call 1, inner" in dumps(of_replay(replayed, trace, ["train.py"]))


@pytest.mark.oracle
def test_what_is_named_or_wired_otherwise_is_no_difference_but_is_counted(tmp_path: Path) -> None:
    """The gradient of a product adds up along other axes in 2.21 than in 1.15.5, in ops of the same names."""
    trace = recorded(str(oracles.interpreter("1.15.5")))
    (tmp_path / "train.py").write_text(PROGRAM.replace('name="hidden"', 'name="concealed"'))
    replayed = replay(trace, ["train.py"], tmp_path, search=False)
    assert replayed.proven, summary(replayed)
    compared = Counter(row.tensor for row in replayed.rows if row.kind == "intermediate")
    assert compared["product:0"] == compared["gate:0"] == 2  # calls
    (note,) = replayed.notes
    inner = {leaf.name for call in trace.program_calls for leaf in call.intermediate}
    assert note.startswith(f"{len(inner) - len(compared)} of {len(inner)} recorded inner tensors have no counterpart")
    assert "hidden:0" not in compared


def test_recorded_graphs_compare_inner_tensors_and_say_which_first_values_are_given() -> None:
    trace = recorded()
    session, functions = replay_graphs(trace).ways
    inner = [leaf.name for call in trace.program_calls for leaf in call.intermediate]
    assert [row.tensor for row in session.rows if row.kind == "intermediate"] == inner
    assert first_divergence(session.rows) is None
    for way in (session, functions):
        first = {row.tensor: (row.distance.verdict, row.distance.note) for row in way.rows if row.kind == "initial"}
        assert first == {"w": (Verdict.EQUAL, "taken over from the trace")}
