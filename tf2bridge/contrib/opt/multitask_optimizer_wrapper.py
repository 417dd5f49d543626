"""`MultitaskOptimizerWrapper`: skips gradients that are all zeros, which belong to another task."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_UPDATES = ("_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse")


class MultitaskOptimizerWrapper:
    """Makes `opt` skip every gradient that is all zeros, so that a task without examples keeps its moments.

    Raises:
        TypeError: `opt` is not a `tf.train.Optimizer`.
    """

    def __init__(self, opt: Any) -> None:
        if not isinstance(opt, v1.train.Optimizer):
            raise TypeError(f"opt is {type(opt).__name__}; MultitaskOptimizerWrapper needs a tf.train.Optimizer")
        self._opt = opt
        for name in _UPDATES:
            setattr(opt, name, types.MethodType(_skipping_zeros(getattr(opt, name)), opt))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)


def _skipping_zeros(update: Callable[..., Any]) -> Callable[..., Any]:
    def wrapper(_: Any, grad: Any, *args: Any, **kwargs: Any) -> Any:
        def apply() -> Any:
            with tf.control_dependencies([update(grad, *args, **kwargs)]):
                return tf.no_op()

        return v1.cond(_is_all_zeros(grad), tf.no_op, apply)

    return wrapper


def _is_all_zeros(grad: Any) -> Any:
    return tf.equal(v1.count_nonzero(grad), 0)


def clip_gradients_by_global_norm(gradients_variables: Iterable[Any], clip_norm: float = 20.0) -> tuple[Any, Any]:
    """Returns the pairs of gradient and variable clipped by the global norm, and that norm.

    A gradient that is all zeros does not count in the norm.
    """
    gradients, variables = zip(*gradients_variables, strict=True)

    def present(grad: Any) -> Any:
        if grad is None:
            return grad
        return v1.cond(_is_all_zeros(grad), lambda: tf.zeros([], dtype=grad.dtype), lambda: grad)

    norm = tf.linalg.global_norm([present(grad) for grad in gradients])
    clipped, _ = tf.clip_by_global_norm(gradients, clip_norm, use_norm=norm)
    return list(zip(clipped, variables, strict=True)), norm
