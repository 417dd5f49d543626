"""Decays of the optimizers that use signs, and their base class.

Formulas: Bello, Zoph, Vasudevan and Le, "Neural Optimizer Search with Reinforcement Learning", 2017, section 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

Decay = Callable[[Any], Any]


class SignOptimizer(v1.train.Optimizer):  # type: ignore[name-defined,misc]
    """Keeps the running mean "m" of the gradient, and the decayed weight of the signs."""

    def __init__(self, rate: Any, beta: Any, sign_decay_fn: Decay | None, use_locking: bool, name: str) -> None:
        super().__init__(use_locking, name)
        self._lr, self._beta, self._sign_decay_fn = rate, beta, sign_decay_fn
        self._lr_t = self._beta_t = self._sign_decay_t = None

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """Returns the op of one step. Raises the errors of `sign_decay_fn`: ValueError without a global step."""
        if self._sign_decay_fn is not None:
            self._sign_decay_t = tf.convert_to_tensor(self._sign_decay_fn(global_step), name="sign_decay")
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list: Any) -> None:
        for variable in var_list:
            self._zeros_slot(variable, "m", self._name)

    def _prepare(self) -> None:
        self._lr_t = tf.convert_to_tensor(self._lr, name="learning_rate")
        self._beta_t = tf.convert_to_tensor(self._beta, name="beta")
        self._prepare_scale()
        if self._sign_decay_fn is None:
            self._sign_decay_t = tf.convert_to_tensor(1.0, name="sign_decay")

    def _prepare_scale(self) -> None:
        raise NotImplementedError

    def _apply_rows(self, grad: Any, var: Any, beta: Any, scale: Callable[[Any], Any], rate: Any) -> Any:
        """Moves the rows of a sparse gradient by rate * scale(sign agreement) * gradient."""
        mean = self.get_slot(var, "m")
        updated = v1.assign(mean, mean * beta + grad * (1 - beta), use_locking=self._use_locking)
        signs = tf.sign(grad.values)
        agreement = tf.gather(tf.sign(updated), grad.indices) * signs
        step = rate * scale(agreement) * grad.values
        changed = v1.scatter_sub(var, grad.indices, step, use_locking=self._use_locking)
        return tf.group(changed, updated)


def get_linear_decay_fn(decay_steps: Any) -> Decay:
    """Returns a function of the global step that falls from 1 to 0 in `decay_steps`."""

    def linear_decay_fn(global_step: Any) -> Any:
        step = tf.minimum(_required(global_step, "linear_decay"), decay_steps)
        remaining = tf.cast(decay_steps, tf.int32) - tf.cast(step, tf.int32)
        return tf.maximum(0.0, tf.cast(remaining, tf.float32) / tf.cast(decay_steps, tf.float32))

    return linear_decay_fn


def get_cosine_decay_fn(decay_steps: Any, num_periods: float = 0.5, zero_after: float | None = None) -> Decay:
    """Returns a function of the global step: `num_periods` of a cosine within [0, 1], 0 after `zero_after` periods."""

    def cosine_decay_fn(global_step: Any) -> Any:
        step = tf.minimum(_required(global_step, "cosine_decay"), decay_steps)
        done = tf.cast(step, tf.float32) / tf.cast(decay_steps, tf.float32)
        fraction = 2.0 * num_periods * done
        decayed = _half_cosine(fraction)
        if zero_after is not None:
            decayed = v1.where(tf.greater_equal(fraction, 2 * zero_after), 0.0, decayed)
        return decayed

    return cosine_decay_fn


def get_restart_decay_fn(decay_steps: Any, num_periods: float = 1, zero_after: float | None = None) -> Decay:
    """Returns a function of the global step: half a cosine, restarted `num_periods` times in `decay_steps`."""

    def restart_decay_fn(global_step: Any) -> Any:
        step = tf.minimum(_required(global_step, "cosine_decay"), decay_steps)
        number = tf.math.floormod(num_periods * tf.cast(step, tf.float32), decay_steps)
        decayed = _half_cosine(number / tf.cast(decay_steps, tf.float32))
        if zero_after is not None:
            passed = tf.cast(num_periods * step, tf.float32) / tf.cast(decay_steps, tf.float32)
            decayed = v1.where(tf.greater_equal(passed, zero_after), 0.0, decayed)
        return decayed

    return restart_decay_fn


def _half_cosine(fraction: Any) -> Any:
    return 0.5 * (1.0 + tf.cos(tf.constant(math.pi) * fraction))


def _required(global_step: Any, of: str) -> Any:
    if global_step is None:
        raise ValueError(f"global_step is required for {of}: pass it to minimize() or apply_gradients()")
    return global_step
