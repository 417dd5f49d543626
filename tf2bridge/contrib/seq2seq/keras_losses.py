"""`sequence_loss` as a loss of tf.keras."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.installed import supplier
from tf2bridge.contrib.seq2seq.losses import sequence_loss


class SequenceLoss(supplier("tf_keras").losses.Loss):  # type: ignore[misc]  # tf_keras has no types
    """`sequence_loss` as a loss of tf.keras: called with (targets, logits, weights); by default all is summed."""

    def __init__(
        self,
        average_across_timesteps: bool = False,
        average_across_batch: bool = False,
        sum_over_timesteps: bool = True,
        sum_over_batch: bool = True,
        softmax_loss_function: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name=name)
        self.average_across_timesteps = average_across_timesteps
        self.average_across_batch = average_across_batch
        self.sum_over_timesteps = sum_over_timesteps
        self.sum_over_batch = sum_over_batch
        self.softmax_loss_function = softmax_loss_function

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Returns the loss of targets [batch, time] and logits [batch, time, classes] with weights [batch, time]."""
        return sequence_loss(
            y_pred,
            y_true,
            sample_weight,
            average_across_timesteps=self.average_across_timesteps,
            average_across_batch=self.average_across_batch,
            sum_over_timesteps=self.sum_over_timesteps,
            sum_over_batch=self.sum_over_batch,
            softmax_loss_function=self.softmax_loss_function,
            name=self.name,
        )

    def call(self, y_true: Any, y_pred: Any) -> None:
        """Nothing: the reduction is not Keras' own, so `__call__` does it all."""
