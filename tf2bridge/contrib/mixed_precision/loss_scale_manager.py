"""Managers of the factor that a loss is scaled by."""

from __future__ import annotations

import abc
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class LossScaleManager(abc.ABC):
    """The interface that returns and updates the loss scale."""

    @abc.abstractmethod
    def get_loss_scale(self) -> Any:
        """Returns the scale, a scalar tensor."""

    @abc.abstractmethod
    def update_loss_scale(self, finite_grads: Any) -> Any:
        """Returns the op that updates the scale; `finite_grads` is a bool tensor."""


class FixedLossScaleManager(LossScaleManager):
    """A scale that stays. Raises ValueError below 1."""

    def __init__(self, loss_scale: Any) -> None:
        if loss_scale < 1:
            raise ValueError(f"loss_scale is {loss_scale}; it must be at least 1")
        self._loss_scale = tf.convert_to_tensor(loss_scale, dtype=tf.float32)

    def get_loss_scale(self) -> Any:
        """Returns the scale."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """Returns an op that does nothing."""
        del finite_grads
        return tf.no_op()


class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A scale times `incr_ratio` after a row of finite steps, and times `decr_ratio` after some that are not."""

    def __init__(
        self,
        init_loss_scale: float,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int = 2,
        incr_ratio: float = 2,
        decr_ratio: float = 0.8,
    ) -> None:
        self._incr_every_n_steps, self._incr_ratio = incr_every_n_steps, incr_ratio
        self._decr_every_n_nan_or_inf, self._decr_ratio = decr_every_n_nan_or_inf, decr_ratio
        start = tf.convert_to_tensor(init_loss_scale, tf.float32)
        self._loss_scale = _counter("loss_scale", start, tf.float32)
        self._num_good_steps = _counter("good_steps", 0, tf.int32)
        self._num_bad_steps = _counter("bad_steps", 0, tf.int32)

    def get_loss_scale(self) -> Any:
        """Returns the scale."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """Returns the op that counts the step, and changes the scale when this is due."""
        return v1.cond(finite_grads, self._count_good, self._count_bad)

    def _count_good(self) -> Any:
        due = self._num_good_steps + 1 >= self._incr_every_n_steps
        return v1.cond(due, self._raise, lambda: v1.assign_add(self._num_good_steps, 1).op)

    def _raise(self) -> Any:
        scale, ratio = self._loss_scale, self._incr_ratio
        new = v1.cond(tf.math.is_finite(scale * ratio), lambda: scale * ratio, lambda: scale)
        return tf.group(v1.assign(scale, new), self._reset())

    def _count_bad(self) -> Any:
        def count() -> Any:
            return tf.group(v1.assign_add(self._num_bad_steps, 1), v1.assign(self._num_good_steps, 0))

        return v1.cond(self._num_bad_steps + 1 >= self._decr_every_n_nan_or_inf, self._lower, count)

    def _lower(self) -> Any:
        lower = tf.maximum(1.0, self._loss_scale * self._decr_ratio)
        return tf.group(v1.assign(self._loss_scale, lower), self._reset())

    def _reset(self) -> Any:
        return tf.group(v1.assign(self._num_good_steps, 0), v1.assign(self._num_bad_steps, 0))


def _counter(name: str, value: Any, dtype: Any) -> Any:
    return v1.Variable(name=name, initial_value=value, dtype=dtype, trainable=False)
