"""Random ops without a seed in conditions and loops, whose draws cannot be fetched, get seeds from the recorder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import oracles
from tests.tf2bridge.proof.recording.running import RELEASES, record

PROGRAM = """\
    p = tf.placeholder(tf.bool, name="p")
    outside = tf.random_uniform([2], name="outside")
    inside = tf.cond(p, lambda: tf.random_uniform([2], name="inside"), lambda: tf.zeros([2]))
    own = tf.cond(p, lambda: tf.random_uniform([2], seed=3, name="own"), lambda: tf.zeros([2]))
    drawn = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + tf.random_normal([], name="turn")), [0, 0.0])[1]
    with tf.Session() as sess:
        print(sess.run([outside, inside, own, drawn], {p: True}))
"""


@pytest.mark.parametrize("release", RELEASES)
def test_what_cannot_be_fetched_gets_seeds(release: str, tmp_path: Path) -> None:
    trace = record(tmp_path, PROGRAM, python=oracles.interpreter(release))[0]
    (graph,) = trace.graphs
    ops = {op.name.rpartition("/")[0].rpartition("/")[2]: op for op in graph.random_ops}
    assert {name for name, op in ops.items() if op.given} == {"inside", "turn"}
    assert ops["inside"].seed and ops["inside"].seed2 != ops["turn"].seed2
    assert (ops["outside"].seed, ops["outside"].seed2) == (0, 0)
    assert ops["own"].seed2 == 3
    assert trace.manifest["notes"] == []


@pytest.mark.parametrize("release", RELEASES[-1:])
def test_each_run_draws_other_numbers(release: str, tmp_path: Path) -> None:
    drawn = []
    for number in range(2):
        (folder := tmp_path / str(number)).mkdir()
        trace = record(folder, PROGRAM, python=oracles.interpreter(release))[0]
        results = [trace.value(leaf.value) for leaf in trace.calls[0].fetches if leaf.value is not None]
        drawn.append(np.concatenate([np.ravel(value) for value in results]))
    assert (drawn[0][:4] != drawn[1][:4]).all()
    assert (drawn[0][4:6] == drawn[1][4:6]).all()  # by a seed of its own
    assert drawn[0][6] != drawn[1][6]


def test_without_draws_nothing_gets_seeds(tmp_path: Path) -> None:
    trace = record(tmp_path, PROGRAM, "--no-draws", python=oracles.interpreter("1.15.5"))[0]
    assert not any(op.given for op in trace.graphs[0].random_ops)
