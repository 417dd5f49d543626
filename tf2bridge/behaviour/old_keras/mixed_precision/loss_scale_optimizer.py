"""`tf.keras.mixed_precision.experimental.LossScaleOptimizer` of 1.14 and 1.15.

tf_keras has an optimizer of this name that keeps the scale itself; this one takes a `tf.train.experimental.LossScale`,
which may be the program's own. Facts are those of TensorFlow 1.15.5
(tensorflow/python/keras/mixed_precision/experimental/loss_scale_optimizer.py).
"""

from __future__ import annotations

import importlib
from typing import Any, NoReturn

import tensorflow as tf

from tf2bridge.behaviour.old_keras.mixed_precision.policy import loss_scale_of

_backend: Any = importlib.import_module("tf_keras.src.backend")
_kept: Any = importlib.import_module("tf_keras.src.mixed_precision.loss_scale_optimizer")
_optimizer: Any = importlib.import_module("tf_keras.src.optimizers.legacy.optimizer_v2").OptimizerV2


class LossScaleOptimizer(_kept.LossScaleOptimizer):  # type: ignore[misc]
    """Computes gradients of the scaled loss, scales them back, and leaves out a step whose gradients are not finite.

    Args:
        opt: A `tf.keras.optimizers` optimizer without clipping.
        loss_scale: A number, "dynamic", or a `tf.train.experimental.LossScale`.

    Raises:
        ValueError: if `opt` is no such optimizer, or clips its gradients.
    """

    def __init__(self, opt: Any, loss_scale: Any) -> None:
        if not isinstance(opt, _optimizer):
            raise ValueError(f'"opt" must be an instance of OptimizerV2, but got: {opt}')
        for name in ("clipnorm", "clipvalue"):
            value = getattr(opt, name, None)
            if value is not None:
                raise ValueError(
                    f"LossScaleOptimizer does not support wrapping optimizers with a {name}. "
                    f"Optimizer {opt} has {name} {value}"
                )
        self._hyper: dict[str, Any] = {}  # read by the base class at each attribute that is set
        self._optimizer = opt
        # tf_keras tracks what `opt` tracks; a checkpoint of 1.15 has one node for this optimizer and one for `opt`
        tf.__internal__.tracking.DelegatingTrackableMixin.__init__(self, tf.__internal__.tracking.AutoTrackable())
        self._loss_scale = loss_scale_of(loss_scale)
        for weight in getattr(self._loss_scale, "_weights", {}).values():
            _backend.track_variable(weight)  # so that Keras initializes it in its session
        self._track_trackable(opt, "base_optimizer")
        self._track_trackable(self._loss_scale, "loss_scale")

    # tf_keras's class shows the hyperparameters of `opt` as its own; that of 1.15 had only the learning rate.
    __getattribute__ = object.__getattribute__
    __setattr__ = _optimizer.__setattr__

    def get_slot(self, var: Any, slot_name: str) -> NoReturn:
        """Raises KeyError: the slots are those of `opt`, and a checkpoint has them once."""
        del var
        raise KeyError(slot_name)

    @property
    def loss_scale(self) -> Any:
        """The `LossScale` that scales the loss."""
        return self._loss_scale

    def get_scaled_loss(self, loss: Any) -> Any:
        """Returns the loss times the scale; a function for a function."""
        scale = self._loss_scale()

        def scaled(value: Any) -> Any:
            return value * tf.cast(scale, value.dtype)

        return (lambda: scaled(loss())) if callable(loss) else scaled(loss)

    def get_unscaled_gradients(self, grads: Any) -> list[Any]:
        """Returns the gradients divided by the scale; None stays None."""
        factor = 1.0 / self._loss_scale()
        return [None if gradient is None else gradient * tf.cast(factor, gradient.dtype) for gradient in grads]

    def apply_gradients(
        self, grads_and_vars: Any, name: str | None = None, experimental_aggregate_gradients: bool = True
    ) -> Any:
        """Returns the operation of a step, if the scale allows it, and of the update of the scale.

        Raises:
            ValueError: outside a replica of the distribution strategy.
        """
        del experimental_aggregate_gradients  # tf_keras passes it; 1.15 always summed over the replicas
        if tf.distribute.in_cross_replica_context():
            raise ValueError("apply_gradients() must be called in a replica context.")
        pairs = tuple(grads_and_vars)
        return tf.distribute.get_replica_context().merge_call(self._apply_in_replicas, args=(pairs, name))

    def _apply_in_replicas(self, distribution: Any, pairs: Any, name: str | None) -> Any:
        gradients = [gradient for gradient, _ in pairs]
        update, is_finite = self._loss_scale.update(gradients)
        variables = _kept._UnwrapPreventer([variable for _, variable in pairs])

        def step() -> Any:
            return distribution.extended.call_for_each_replica(self._step, args=(gradients, variables, name))

        return tf.group(tf.__internal__.smart_cond.smart_cond(is_finite, step, tf.no_op), update)

    def _step(self, gradients: Any, variables: Any, name: str | None) -> Any:
        return self._optimizer.apply_gradients(list(zip(gradients, variables.value, strict=True)), name)

    def get_config(self) -> NoReturn:
        """Raises NotImplementedError, as in 1.15."""
        raise NotImplementedError("get_config() is not yet implemented for LossScaleOptimizers")

    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> NoReturn:
        """Raises NotImplementedError, as in 1.15."""
        raise NotImplementedError("from_config() is not yet implemented for LossScaleOptimizers")
