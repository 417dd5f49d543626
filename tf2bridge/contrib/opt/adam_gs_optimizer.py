"""`AdamGSOptimizer`: Adam that takes its powers from the global step."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.opt.coefficients import called

v1 = tf.compat.v1


class AdamGSOptimizer(v1.train.AdamOptimizer):  # type: ignore[name-defined,misc]
    """`tf.train.AdamOptimizer` whose beta powers are those of the step after `global_step`."""

    def __init__(
        self,
        global_step: Any = 0,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        self._global_step = global_step
        self._next_step: Any = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        return tf.pow(self._beta1_t, self._next_step), tf.pow(self._beta2_t, self._next_step)

    def _create_slots(self, var_list: Any) -> None:
        for variable in var_list:
            self._zeros_slot(variable, "m", self._name)
            self._zeros_slot(variable, "v", self._name)

    def _prepare(self) -> None:
        known = [called(setting) for setting in (self._lr, self._beta1, self._beta2, self._epsilon)]
        self._lr_t = tf.convert_to_tensor(known[0], name="learning_rate")
        self._beta1_t = tf.convert_to_tensor(known[1], name="beta1")
        self._beta2_t = tf.convert_to_tensor(known[2], name="beta2")
        self._epsilon_t = tf.convert_to_tensor(known[3], name="epsilon")
        self._next_step = tf.cast(tf.identity(self._global_step) + 1, tf.float32)

    def _finish(self, update_ops: Any, name_scope: Any) -> Any:
        return tf.group(*update_ops, name=name_scope)
