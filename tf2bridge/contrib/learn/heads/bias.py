"""The centered bias of some heads, with which a new model soon predicts the mean label."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class CenteredBias:
    """Makes the variable `centered_bias_weight`, [logits], and a summary of each element."""

    def __init__(self, logits_dimension: int, head_name: str | None) -> None:
        self.variable = v1.Variable(
            name="centered_bias_weight", initial_value=tf.zeros(shape=(logits_dimension,)), trainable=True
        )
        for place in range(logits_dimension):
            tag = f"centered_bias/bias_{place}" + (f"/{head_name}" if head_name else "")
            v1.summary.scalar(tag, self.variable[place])

    def step(self, batch_size: Any, labels: Any, loss_fn: Callable[..., Any], weights: Any) -> Any:
        """Returns the op that trains only the bias, with Adagrad and the learning rate 0.1 as in 1.15.5."""
        named = list(labels.values()) if isinstance(labels, dict) else [labels]
        with v1.name_scope(None, "centered_bias_step", named) as name:
            size = tf.shape(self.variable)[0]
            logits = tf.reshape(tf.tile(self.variable, (batch_size,)), (batch_size, size))
            with v1.name_scope(None, "centered_bias", (*named, logits)):
                loss = tf.reduce_mean(loss_fn(labels, logits, weights), name="training_loss")
        return v1.train.AdagradOptimizer(0.1).minimize(loss, var_list=(self.variable,), name=name)
