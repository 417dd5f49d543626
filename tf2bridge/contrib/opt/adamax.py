"""`AdaMaxOptimizer`: Adam with the infinity norm."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.opt.coefficients import cast_all, resource_row_update

v1 = tf.compat.v1


class AdaMaxOptimizer(v1.train.AdamOptimizer):  # type: ignore[name-defined,misc]
    """Adam by the infinity norm: Kingma and Ba, "Adam", 2014, section 7.1."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "AdaMax",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self) -> Any:
        graph = None if tf.executing_eagerly() else v1.get_default_graph()
        return self._get_non_slot_variable("beta1_power", graph=graph)

    def _create_slots(self, var_list: Any) -> None:
        first = min(var_list, key=lambda variable: variable.name)
        self._create_non_slot_variable(initial_value=self._beta1, name="beta1_power", colocate_with=first)
        for variable in var_list:
            self._zeros_slot(variable, "m", self._name)
            self._zeros_slot(variable, "v", self._name)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        slots = {"var": var, "m": self.get_slot(var, "m"), "v": self.get_slot(var, "v")}
        return tf.raw_ops.ApplyAdaMax(**slots, **self._dense_arguments(var, grad)).op

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        slots = {"var": var.handle, "m": self.get_slot(var, "m").handle, "v": self.get_slot(var, "v").handle}
        return tf.raw_ops.ResourceApplyAdaMax(**slots, **self._dense_arguments(grad, grad))

    def _dense_arguments(self, like: Any, grad: Any) -> dict[str, Any]:
        names = ("beta1_power", "lr", "beta1", "beta2", "epsilon")
        known = (self._get_beta_accumulators(), self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        values = dict(zip(names, cast_all(like, *known), strict=True))
        return {**values, "grad": grad, "use_locking": self._use_locking}

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        def add(variable: Any, indices: Any, rows: Any) -> Any:
            return v1.scatter_add(variable, indices, rows, use_locking=self._use_locking)

        def update(variable: Any, indices: Any, rows: Any) -> Any:
            return v1.scatter_update(variable, indices, rows, use_locking=self._use_locking)

        return self._apply_rows(grad.values, var, grad.indices, add, update)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        return self._apply_rows(grad, var, indices, self._resource_scatter_add, _set_rows)

    def _apply_rows(self, grad: Any, var: Any, indices: Any, add: Any, update: Any) -> Any:
        (power,) = cast_all(var, self._get_beta_accumulators())
        rate, beta1, beta2, epsilon = cast_all(var, self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        first = self.get_slot(var, "m")
        first_rows = tf.gather(first, indices) * beta1 + grad * (1 - beta1)
        with tf.control_dependencies([first_rows]):
            first = update(first, indices, first_rows)
        norm = self.get_slot(var, "v")
        norm_rows = tf.maximum(tf.gather(norm, indices) * beta2, tf.abs(grad))
        with tf.control_dependencies([norm_rows]):
            norm = update(norm, indices, norm_rows)
        step = -rate / (1 - power) * (first_rows / (norm_rows + epsilon))
        with tf.control_dependencies([step]):
            changed = add(var, indices, step)
        return tf.group(changed, first, norm)

    def _finish(self, update_ops: Any, name_scope: Any) -> Any:
        with tf.control_dependencies(update_ops):
            power = self._get_beta_accumulators()
            with v1.colocate_with(power):
                update = power.assign(power * self._beta1_t, use_locking=self._use_locking)
        return tf.group(*update_ops, update, name=name_scope)


def _set_rows(variable: Any, indices: Any, rows: Any) -> Any:
    with tf.control_dependencies([resource_row_update(variable, indices, rows)]):
        return variable.value()
