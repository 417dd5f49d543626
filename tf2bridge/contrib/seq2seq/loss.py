"""`sequence_loss`, the weighted cross-entropy of a batch of sequences, as a function and as a loss of tf.keras."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.in_force import before
from tf2bridge.behaviour.installed import supplier

v1 = tf.compat.v1


def sequence_loss(
    logits: Any,
    targets: Any,
    weights: Any,
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    sum_over_timesteps: bool = False,
    sum_over_batch: bool = False,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """Returns the cross-entropy of logits [batch, time, classes] and targets [batch, time] with weights [batch, time].

    The cross-entropy is averaged (divided by the weights) or summed (divided by the number of weights other than zero)
    over time, batch, or both. The result has the other dimensions. `softmax_loss_function` is called with the keywords
    `labels` and `logits`.

    Raises:
        ValueError: a rank is wrong, or one dimension is both averaged and summed.
    """
    for tensor, role, shape in ((logits, "logits", 3), (targets, "targets", 2), (weights, "weights", 2)):
        if len(tensor.get_shape()) != shape:
            axes = "[batch, time, classes]" if shape == 3 else "[batch, time]"
            raise ValueError(f"{role} must be {axes}, not of shape {tensor.get_shape()}")
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError("set average_across_timesteps or sum_over_timesteps, not both")
    if average_across_batch and sum_over_batch:
        raise ValueError("set average_across_batch or sum_over_batch, not both")
    with v1.name_scope(name, "sequence_loss", [logits, targets, weights]):
        classes = v1.shape(logits)[2]
        flat = v1.reshape(logits, [-1, classes])
        labels = v1.reshape(targets, [-1])
        loss = softmax_loss_function or v1.nn.sparse_softmax_cross_entropy_with_logits
        losses = loss(labels=labels, logits=flat)
        losses *= v1.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            return _averaged(losses, weights, None)
        if sum_over_timesteps and sum_over_batch:
            return _per_weight(losses, weights, None)
        losses = v1.reshape(losses, v1.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            return _averaged(losses, weights, [0] if average_across_batch else [1])
        if sum_over_timesteps or sum_over_batch:
            return _per_weight(losses, weights, [0] if sum_over_batch else [1])
        return losses


def _averaged(losses: Any, weights: Any, axis: list[int] | None) -> Any:
    total, weight = v1.reduce_sum(losses, axis=axis), v1.reduce_sum(weights, axis=axis)
    if before(1, 14):  # the quotients are equal, but this one has fewer operations in its gradient
        return v1.truediv(total, weight + 1e-12)
    return v1.div_no_nan(total, weight)


def _per_weight(losses: Any, weights: Any, axis: list[int] | None) -> Any:
    total = v1.reduce_sum(losses, axis=axis)
    return v1.div_no_nan(total, v1.cast(v1.count_nonzero(weights, axis=axis), total.dtype))


class SequenceLoss(supplier("tf_keras").losses.Loss):  # type: ignore[misc]  # tf_keras has no types
    """`sequence_loss` as a loss of tf.keras, called with (targets, logits, weights). By default it sums both axes."""

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
        """Does nothing: `__call__` computes the loss, because its reduction is not one of Keras."""
