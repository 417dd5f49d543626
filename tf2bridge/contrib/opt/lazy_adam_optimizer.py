"""`LazyAdamOptimizer`: Adam that changes only the rows with gradients.

Formulas: Kingma and Ba, "Adam", 2014, section 2.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.opt.coefficients import cast_all, resource_row_update

v1 = tf.compat.v1


class SparseRows:
    """The row-wise update of Adam: a sparse gradient changes the moments of its own rows only."""

    def _apply_sparse(self: Any, grad: Any, var: Any) -> Any:
        rate, beta1, beta2, epsilon = self._row_coefficients(var)
        first, second = self.get_slot(var, "m"), None
        rows = beta1 * tf.gather(first, grad.indices) + (1 - beta1) * grad.values
        first = v1.scatter_update(first, grad.indices, rows, use_locking=self._use_locking)
        second = self.get_slot(var, "v")
        rows = beta2 * tf.gather(second, grad.indices) + (1 - beta2) * tf.square(grad.values)
        second = v1.scatter_update(second, grad.indices, rows, use_locking=self._use_locking)
        first_rows, second_rows = tf.gather(first, grad.indices), tf.gather(second, grad.indices)
        scale = tf.sqrt(second_rows) + epsilon
        step = rate * first_rows / scale
        update = v1.scatter_sub(var, grad.indices, step, use_locking=self._use_locking)
        return tf.group(update, first, second)

    def _resource_apply_sparse(self: Any, grad: Any, var: Any, indices: Any) -> Any:
        rate, beta1, beta2, epsilon = self._row_coefficients(var)
        first = self.get_slot(var, "m")
        first_rows = beta1 * tf.gather(first, indices) + (1 - beta1) * grad
        first_update = resource_row_update(first, indices, first_rows)
        second = self.get_slot(var, "v")
        second_rows = beta2 * tf.gather(second, indices) + (1 - beta2) * tf.square(grad)
        second_update = resource_row_update(second, indices, second_rows)
        step = rate * first_rows / (tf.sqrt(second_rows) + epsilon)
        update = tf.raw_ops.ResourceScatterSub(resource=var.handle, indices=indices, updates=step)
        return tf.group(update, first_update, second_update)

    def _row_coefficients(self: Any, var: Any) -> tuple[Any, Any, Any, Any]:
        """Returns the learning rate with its bias correction, both betas, and epsilon."""
        power1, power2 = cast_all(var, *self._get_beta_accumulators())
        rate, beta1, beta2, epsilon = cast_all(var, self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        return rate * tf.sqrt(1 - power2) / (1 - power1), beta1, beta2, epsilon


class LazyAdamOptimizer(SparseRows, v1.train.AdamOptimizer):  # type: ignore[name-defined,misc]
    """`tf.train.AdamOptimizer`, except that a sparse gradient changes the moments of its own rows only."""
