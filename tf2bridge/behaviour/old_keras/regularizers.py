"""Sums penalties of weights as in 1.x: starting from 0, with `square` and `reduce_sum` instead of `l2_loss`.

Up to 1.13 each value is multiplied by the factor before the sum; since 1.14 the sum is multiplied
(`keras/regularizers.py`). `l1` and `l2` were functions that made an L1L2.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put


def install(release: Release) -> None:
    """Changes L1, L2 and L1L2, for the whole process."""
    regularizers: Any = importlib.import_module("tf_keras.src.regularizers")
    for name, single in (("l1", regularizers.L1), ("l2", regularizers.L2)):
        put(single, "__new__", _of_both(name, regularizers.L1L2))
    for kind in (regularizers.L1, regularizers.L2, regularizers.L1L2):
        put(kind, "__call__", _sum_of_products if release.before(1, 14) else _product_of_sum)


def _of_both(name: str, both: Any) -> Callable[..., Any]:
    """Returns the `__new__` of a class with one factor, which makes an L1L2 with this factor alone."""

    def made(cls: Any, value: Any = None, **kwargs: Any) -> Any:
        del cls
        given = kwargs.pop("l", kwargs.pop(name, value))
        return both(**{name: 0.01 if given is None else given}, **kwargs)

    return made


def _product_of_sum(self: Any, x: Any) -> Any:
    """Returns `l1` times the sum of |x|, plus `l2` times the sum of squares, without terms whose factor is 0."""
    return _penalty(self, x, lambda factor, values: factor * tf.reduce_sum(values))


def _sum_of_products(self: Any, x: Any) -> Any:
    """Returns the same number as `_product_of_sum` up to rounding, multiplied before the sum."""
    return _penalty(self, x, lambda factor, values: tf.reduce_sum(factor * values))


def _penalty(regularizer: Any, x: Any, weighted: Callable[[float, Any], Any]) -> Any:
    l1, l2 = getattr(regularizer, "l1", 0.0), getattr(regularizer, "l2", 0.0)
    if not l1 and not l2:
        return tf.constant(0.0)
    penalty: Any = 0.0
    if l1:
        penalty += weighted(l1, tf.abs(x))
    if l2:
        penalty += weighted(l2, tf.square(x))
    return penalty
