"""`LossScaleOptimizer`: scales the loss up and its gradients down."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.mixed_precision.loss_scale_manager import LossScaleManager

v1 = tf.compat.v1


class LossScaleOptimizer(v1.train.Optimizer):  # type: ignore[name-defined,misc]
    """Runs `opt` with the gradients of the scaled loss, scaled back.

    A step with a gradient that is not finite is left out.
    """

    def __init__(self, opt: Any, loss_scale_manager: LossScaleManager) -> None:
        self._opt = opt
        self._loss_scale_manager = loss_scale_manager

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = v1.train.Optimizer.GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Returns the gradients, scaled back; see `tf.train.Optimizer.compute_gradients`."""
        scale = self._loss_scale_manager.get_loss_scale()

        def scaled() -> Any:
            value = loss() if callable(loss) else loss
            return value * tf.cast(scale, value.dtype.base_dtype)

        gradients = self._opt.compute_gradients(
            scaled if tf.executing_eagerly() else scaled(),
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        back = tf.math.reciprocal(scale)
        return [(_times(gradient, back), variable) for gradient, variable in gradients]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns the op of one step and of the update of the scale."""
        finite = tf.reduce_all([tf.reduce_all(tf.math.is_finite(gradient)) for gradient, _ in grads_and_vars])

        def apply() -> Any:
            return self._opt.apply_gradients(grads_and_vars, global_step, name)

        update = v1.cond(finite, apply, tf.no_op)
        return tf.group(update, self._loss_scale_manager.update_loss_scale(finite))


def _times(gradient: Any, factor: Any) -> Any:
    return None if gradient is None else gradient * tf.cast(factor, gradient.dtype.base_dtype)
