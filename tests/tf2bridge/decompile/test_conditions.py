"""Conditions of TensorFlow 1.x, with `Switch` and `Merge`, that change variables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import tf2bridge
from tests.tf2bridge.decompile.written import check_equal
from tf2bridge.decompile.decompiling import text_of

v1 = tf.compat.v1


@pytest.mark.usefixtures("old_control_flow")
@pytest.mark.parametrize("count", [1, 2])
def test_a_branch_changes_variables_whose_new_values_nothing_takes(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the moving averages of `tf.layers.batch_normalization` with a tensor for `training`, in 1.4.1 and 1.12.3."""
    with tf.Graph().as_default():
        x, training = v1.placeholder(tf.float32, [None, 3], "x"), v1.placeholder(tf.bool, [], "training")
        averages = [v1.get_variable(f"average_{place}", [3], use_resource=False) for place in range(count)]
        moments = tf.nn.moments(x, [0])
        updates = [
            v1.cond(training, lambda a=average, m=moment: v1.assign_sub(a, (a - m) * 0.1), lambda a=average: a)
            for average, moment in zip(averages, moments, strict=False)
        ]
        with tf.control_dependencies(updates):
            tf.add(x, 1.0, "y")
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            v1.train.Saver().save(session, str(tmp_path / "model.ckpt"))
    module = tf2bridge.load(tmp_path / "model.ckpt.meta", ["y"], ["x", "training"])
    text = text_of(module, "about")
    assert text.source.count(".assign_sub(") == count
    check_equal(text, module, {"training": np.bool_(True)}, tmp_path / f"updated_{count}", monkeypatch)
