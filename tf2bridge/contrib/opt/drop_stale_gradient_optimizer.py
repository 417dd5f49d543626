"""An optimizer that drops gradients which are too old, for asynchronous training."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


class DropStaleGradientOptimizer(v1.train.Optimizer):  # type: ignore[name-defined,misc]
    """Applies the gradients of `opt` only if at most `staleness` steps passed since they were computed.

    The variable "stale_counter" counts the dropped steps; a summary shows their share.
    """

    def __init__(self, opt: Any, staleness: int, use_locking: bool = False, name: str = "DropStaleGradient") -> None:
        super().__init__(use_locking, name)
        self._opt = opt
        self._staleness = staleness
        self._local_step: Any = None

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """Returns the gradients of the wrapped optimizer, and records the step at which they are computed."""
        with v1.colocate_with(loss):
            self._local_step = v1.train.get_global_step() + 0
        with tf.control_dependencies([self._local_step]):
            return self._opt.compute_gradients(tf.raw_ops.Identity(input=loss), *args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """Returns a slot of the wrapped optimizer."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the names of the slots of the wrapped optimizer."""
        return self._opt.get_slot_names(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns a tensor that runs one step. Its value is the number of steps dropped so far."""
        with v1.colocate_with(global_step):
            zero = v1.zeros_initializer()
            dropped = v1.get_variable("stale_counter", [], initializer=zero, trainable=False)

        def accept() -> Any:
            update = self._opt.apply_gradients(grads_and_vars, global_step=global_step, name=name)
            with tf.control_dependencies([update]):
                return tf.raw_ops.Identity(input=0.0)

        def drop() -> Any:
            return tf.raw_ops.Identity(input=1.0)

        ready = [_computed(gradient) for gradient, _ in grads_and_vars if gradient is not None]
        with tf.control_dependencies(ready), v1.colocate_with(global_step):
            age = tf.raw_ops.Reshape(tensor=global_step - self._local_step, shape=())
        fresh = tf.raw_ops.LessEqual(x=age, y=self._staleness)
        counted = dropped.assign_add(v1.cond(fresh, accept, drop))
        v1.summary.scalar("Gradient staleness percentage", dropped / tf.cast(global_step + 1, tf.float32))
        return counted


def _computed(gradient: Any) -> Any:
    return gradient if isinstance(gradient, tf.Tensor) else gradient.op
