"""`LARSOptimizer`: layer-wise adaptive rates of momentum.

Source: You, Gitman and Ginsburg, "Large Batch Training of Convolutional Networks", 2017.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.opt.coefficients import called

v1 = tf.compat.v1


class LARSOptimizer(v1.train.Optimizer):  # type: ignore[name-defined,misc]
    """Momentum whose rate is scaled, for each variable, by the norms of the variable and its gradient.

    A variable is neither scaled nor decayed if its name contains a string of `skip_list`.

    Raises:
        ValueError: `momentum` or `weight_decay` is negative.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any = 0.9,
        weight_decay: float = 0.0001,
        eeta: float = 0.001,
        epsilon: float = 0.0,
        name: str = "LARSOptimizer",
        skip_list: Any = None,
        use_nesterov: bool = False,
    ) -> None:
        if momentum < 0.0:
            raise ValueError(f"momentum is {momentum}; it must not be negative")
        if weight_decay < 0.0:
            raise ValueError(f"weight_decay is {weight_decay}; it must not be negative")
        super().__init__(use_locking=False, name=name)
        self._learning_rate, self._momentum = learning_rate, momentum
        self._weight_decay, self._eeta, self._epsilon = weight_decay, eeta, epsilon
        self._skip_list = skip_list
        self._use_nesterov = use_nesterov
        self._learning_rate_tensor = self._momentum_tensor = None

    def _create_slots(self, var_list: Any) -> None:
        for variable in var_list:
            self._zeros_slot(variable, "momentum", self._name)

    def compute_lr(self, grad: Any, var: Any) -> tuple[Any, Any]:
        """Returns the rate for a variable, and its gradient with the weight decay."""
        if self._skip_list is not None and any(text in var.name for text in self._skip_list):
            return self._learning_rate, grad
        size, slope = tf.norm(var, ord=2), tf.norm(grad, ord=2)
        positive = tf.greater(size, 0)
        ratio = self._eeta * size / (slope + self._weight_decay * size + self._epsilon)
        ratio = v1.where(positive, v1.where(tf.greater(slope, 0), ratio, 1.0), 1.0)
        return self._learning_rate * ratio, grad + self._weight_decay * var

    def _dense_arguments(self, grad: Any, var: Any) -> dict[str, Any]:
        rate, grad = self.compute_lr(grad, var)
        return {
            "lr": tf.cast(1.0, var.dtype.base_dtype),
            "grad": grad * rate,
            "momentum": self._momentum,
            "use_locking": False,
            "use_nesterov": self._use_nesterov,
        }

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        arguments = self._dense_arguments(grad, var)
        return tf.raw_ops.ApplyMomentum(var=var, accum=self.get_slot(var, "momentum"), **arguments)

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        arguments = self._dense_arguments(grad, var)
        mean = self.get_slot(var, "momentum").handle
        return tf.raw_ops.ResourceApplyMomentum(var=var.handle, accum=mean, **arguments)

    def _sparse_arguments(self, dtype: Any) -> dict[str, Any]:
        return {
            "lr": tf.cast(self._learning_rate_tensor, dtype),
            "momentum": tf.cast(self._momentum_tensor, dtype),
            "use_locking": self._use_locking,
            "use_nesterov": self._use_nesterov,
        }

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        rows = {"grad": grad.values, "indices": grad.indices}
        arguments = self._sparse_arguments(var.dtype.base_dtype)
        return tf.raw_ops.SparseApplyMomentum(var=var, accum=self.get_slot(var, "momentum"), **rows, **arguments).op

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        mean = self.get_slot(var, "momentum").handle
        arguments = self._sparse_arguments(grad.dtype)
        return tf.raw_ops.ResourceSparseApplyMomentum(
            var=var.handle, accum=mean, grad=grad, indices=indices, **arguments
        )

    def _prepare(self) -> None:
        self._learning_rate_tensor = tf.convert_to_tensor(called(self._learning_rate), name="learning_rate")
        self._momentum_tensor = tf.convert_to_tensor(called(self._momentum), name="momentum")
