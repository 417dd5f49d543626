"""Ftrl's shrinkage of dense gradients as releases before 1.11 computed it.

With g = gradient + 2 * shrinkage * variable, 1.4.1 does a step of plain Ftrl with g. Then it sets the accumulator to
its old value plus the square of g, computed with the new variable, because its kernel computes g at each use. 1.12.3
and TensorFlow 2 add the square of the gradient (ApplyFtrlV2 in core/kernels/training_ops.cc of each).

Rows of sparse gradients get today's rule, because 1.4.1 read freed memory there (measured: 2 * gradient for g).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import put

_METHODS = ("_apply_dense", "_resource_apply_dense")


def install() -> None:
    """Makes Ftrl compute as before 1.11, in this process."""
    optimizer = tensorflow().compat.v1.train.FtrlOptimizer
    for method in _METHODS:
        put(optimizer, method, _shrinking(getattr(optimizer, method)))


def _shrinking(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def apply(self: Any, grad: Any, var: Any) -> Any:
        strength = self._l2_shrinkage_regularization_strength
        if strength <= 0.0:
            return original(self, grad, var)
        tf = tensorflow()
        accumulator = self.get_slot(var, "accum")
        before = tf.raw_ops.Snapshot(input=accumulator)  # a copy: Identity gives the memory of a ref variable
        with tf.control_dependencies([before]):
            step = _plain(original, self, _shrunken(grad, var, strength), var)
        with tf.control_dependencies([step]):
            after = before + tf.square(_shrunken(grad, var.read_value(), strength))
            return accumulator.assign(after).op

    return apply


def _plain(original: Callable[..., Any], optimizer: Any, grad: Any, var: Any) -> Any:
    """Returns the step of Ftrl without shrinkage."""
    strength, optimizer._l2_shrinkage_regularization_strength = optimizer._l2_shrinkage_regularization_strength, 0.0
    try:
        return original(optimizer, grad, var)
    finally:
        optimizer._l2_shrinkage_regularization_strength = strength


def _shrunken(grad: Any, value: Any, strength: float) -> Any:
    return grad + tensorflow().constant(2 * strength, grad.dtype) * value
