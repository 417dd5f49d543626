"""Orders that TensorFlow 1 left open between gradients and steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemods.native.programs import check_native
from codemods.settings import Settings
from tests.codemods.native.test_rewriting import HEAD

NET = HEAD + (
    "x = tf.placeholder(tf.float32, [None, 2])\n"
    "w = tf.Variable([[1.0], [2.0]], name='w')\n"
    "b = tf.Variable([0.5], name='b')\n"
    "loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b))\n"
    "optimizer = tf.train.GradientDescentOptimizer(0.5)\n"
    "{}\n"
    "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
    "    sess.run(train_op, {{x: [[1.0, 1.0]]}})\n"
)
APART = "grads = tf.gradients(loss, [w, b])\ntrain_op = optimizer.apply_gradients(zip(grads, [w, b]))"
NORM = APART.replace("\n", "\ngrads, _ = tf.clip_by_global_norm(grads, 5.0)\n")
GATED = "pairs = optimizer.compute_gradients(loss, [w, b])\ntrain_op = optimizer.apply_gradients(pairs)"
ONE = "grads = tf.gradients(loss, w)\ntrain_op = optimizer.apply_gradients(zip(grads, [w]))"


@pytest.mark.parametrize(("step", "is_open"), [(APART, True), (NORM, False), (GATED, False), (ONE, False)])
def test_gradients_that_nothing_waits_for_are_noted(tmp_path: Path, step: str, is_open: bool) -> None:
    (tmp_path / "train.py").write_text(NET.format(step), "utf-8")
    (result,) = check_native(tmp_path, Settings()).results
    assert [finding.code for finding in result.findings].count("NAT000") == 1
    notes = [finding.message for finding in result.findings if finding.code == "NAT010"]
    assert [note.startswith("TensorFlow 1 left open whether tf.gradients reads a weight") for note in notes] == (
        [True] if is_open else []
    )
