"""What of a program is recorded when not all is: samples, and inner tensors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests import oracles
from tests.tf2bridge.proof.recording.running import RELEASES, record

everywhere = pytest.mark.parametrize("release", ["", *(pytest.param(r, marks=pytest.mark.oracle) for r in RELEASES)])

STEPS = """\
    n = tf.Variable(0, name="n")
    step = tf.assign_add(n, 1, name="step")
    other = tf.constant(1, name="other")
    bad = tf.reshape(tf.range(n), [-1, 100], name="bad")
    with tf.Session() as sess:
        sess.run(n.initializer)
        for i in range(37):
            last = sess.run(step)
            if i % 9 == 0:
                sess.run(other)
    print(last)
"""


def test_samples_say_what_they_leave_out(tmp_path: Path) -> None:
    trace, printed, _ = record(tmp_path, STEPS, "--every", "5")
    assert printed == "37\n"
    steps = [call for call in trace.calls if call.fetches[0].name == "step:0"]
    values = [int(trace.value(call.fetches[0].value or 0)) for call in steps]
    assert values == [*range(1, 11), 11, 16, 21, 26, 31, 36], "the first ten, then every fifth"
    assert trace.manifest["left_out"] == [{"graph": 0, "fetches": ["step:0"], "calls": 37 - 16}]
    assert trace.manifest["limits"]["every"] == 5
    # positions are those of the whole program: initializer 0, then a step, `other` after each ninth
    assert [call.position for call in steps[9:12]] == [11, 13, 18]
    final = trace.graphs[0].variables[0].final
    assert final is not None and int(trace.value(final)) == 37


INNER = """\
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    wide = tf.matmul(x, tf.constant([[1.0, -1.0], [1.0, -1.0]]), name="wide")
    act = tf.nn.relu(wide, name="act")
    branch = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.sqrt(act, name="hidden"), lambda: -act, name="branch")
    _, loop = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.add(a, a, name="inside")), [0, branch])
    loss = tf.reduce_sum(loop, name="loss")
    apart = tf.exp(act, name="apart")
    noise = tf.random_uniform([2], name="noise")
    size = tf.shape(noise, name="size")
    w = tf.Variable(1.0, name="w")
    train = tf.assign_add(w, loss * w, name="train")
    with tf.Session() as sess:
        sess.run(w.initializer)
        print(sess.run({"a": [loss, size]}, {x: [[1, 2]]}), end=" ")
        print(sess.run(loss, {act: [[4, 9]], x: [[1, 2]]}), sess.run(train.op, {x: [[0, 1]]}))
"""


@everywhere
def test_inner_tensors_come_with_the_call_that_computes_them(tmp_path: Path, release: str) -> None:
    python = oracles.interpreter(release) if release else sys.executable
    trace, printed, _ = record(tmp_path, INNER, "--intermediate", ".", python=python)
    plain = subprocess.run(
        [python, "-W", "ignore", "program.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert printed == plain.stdout, "the program gets what it would have got"
    assert trace.manifest["notes"] == []
    assert trace.manifest["intermediate"] == ["."]
    _, nest, fed, train = trace.calls
    inner = {leaf.name: trace.value(leaf.value or 0) for leaf in nest.intermediate}
    np.testing.assert_array_equal(inner["wide:0"], [[3.0, -3.0]])
    np.testing.assert_array_equal(inner["act:0"], [[3.0, 0.0]])
    names = [leaf.name for leaf in nest.intermediate]
    assert names.index("wide:0") < names.index("act:0"), "producers before consumers"
    assert {"branch/Merge:0", "while/Exit_1:0"} <= set(names), "what a branch or loop gives, is computed in any case"
    # not what lies in branches and loops, what another call computes, what only a shape needs, what is fetched or fed
    assert not [n for n in names if "hidden" in n or "inside" in n or n.startswith(("apart", "noise"))]
    assert not {"loss:0", "x:0"} & set(names)
    assert not {"act:0", "wide:0"} & {leaf.name for leaf in fed.intermediate}
    assert not {"w:0", "w/read:0", "train:0"} & {leaf.name for leaf in train.intermediate}, (
        "a variable is read at no certain time"
    )
    assert {"loss:0", "mul:0"} & {leaf.name for leaf in train.intermediate}


def test_only_what_the_pattern_finds(tmp_path: Path) -> None:
    trace, _, _ = record(tmp_path, INNER, "--intermediate", "^wide:", "--intermediate", "act")
    assert [leaf.name for leaf in trace.calls[1].intermediate] == ["wide:0", "act:0"]
