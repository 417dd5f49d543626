"""What `contrib.training` writes, and where it goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

from tf2bridge import v1

training = v1.contrib.training


def steps_until(directory: Path, last: int) -> float:
    """Trains a variable that starts at 0 by 1 a step, until step `last`; returns the loss of the last step."""
    with tf.Graph().as_default():
        value = tf.compat.v1.get_variable("value", [], initializer=tf.compat.v1.zeros_initializer())
        train_op = training.create_train_op(-value, tf.compat.v1.train.GradientDescentOptimizer(1.0))
        hooks = [tf.compat.v1.train.StopAtStepHook(last_step=last)]
        training.train(train_op, str(directory), hooks=hooks, save_summaries_steps=None)
    return float(tf.train.load_variable(str(directory), "value"))


def test_training_goes_on_from_the_last_checkpoint(tmp_path: Path) -> None:
    assert steps_until(tmp_path, 3) == 3.0
    assert steps_until(tmp_path, 5) == 5.0
    assert tf.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model.ckpt-5")


def test_a_chief_that_saves_needs_a_directory() -> None:
    with pytest.raises(ValueError, match="logdir"):
        training.train(None, None)
