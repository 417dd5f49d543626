"""`NadamOptimizer`: Adam with Nesterov momentum.

Formula: Dozat, "Incorporating Nesterov Momentum into Adam", 2016.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.opt.coefficients import cast_all

v1 = tf.compat.v1


class NadamOptimizer(v1.train.AdamOptimizer):  # type: ignore[name-defined,misc]
    """Adam with Nesterov momentum. Its parameters are those of `tf.train.AdamOptimizer`."""

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        slots = {"var": var, "m": self.get_slot(var, "m"), "v": self.get_slot(var, "v")}
        return tf.raw_ops.ApplyAdam(**slots, **self._dense_arguments(var, grad)).op

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        slots = {"var": var.handle, "m": self.get_slot(var, "m").handle, "v": self.get_slot(var, "v").handle}
        return tf.raw_ops.ResourceApplyAdam(**slots, **self._dense_arguments(grad, grad))

    def _dense_arguments(self, like: Any, grad: Any) -> dict[str, Any]:
        names = ("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon")
        known = (*self._get_beta_accumulators(), self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        values = dict(zip(names, cast_all(like, *known), strict=True))
        return {**values, "grad": grad, "use_locking": self._use_locking, "use_nesterov": True}

    def _apply_sparse_shared(self, grad: Any, var: Any, indices: Any, scatter_add: Any) -> Any:
        power1, power2 = cast_all(var, *self._get_beta_accumulators())
        rate, beta1, beta2, epsilon = cast_all(var, self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        rate = rate * tf.sqrt(1 - power2) / (1 - power1)
        first, part = self.get_slot(var, "m"), grad * (1 - beta1)
        decayed = v1.assign(first, first * beta1, use_locking=self._use_locking)
        with tf.control_dependencies([decayed]):
            ahead = part + beta1 * tf.gather(scatter_add(first, indices, part), indices)
        second, part = self.get_slot(var, "v"), grad * grad * (1 - beta2)
        decayed = v1.assign(second, second * beta2, use_locking=self._use_locking)
        with tf.control_dependencies([decayed]):
            second = scatter_add(second, indices, part)
        scale = tf.sqrt(tf.gather(second, indices))
        update = scatter_add(var, indices, -rate * ahead / (scale + epsilon))
        return tf.group(update, ahead, second)
