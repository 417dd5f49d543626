"""Training steps of variables that the graph does not count among the trainable ones: `var_list` may name any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tensorflow as tf

import tf2bridge
import tf2bridge.v1
from tests.tf2bridge.decompile.test_training import FEEDS
from tests.tf2bridge.decompile.trained import check_step


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
