"""How optimizers of Keras clip gradients, as genuine 1.4.1 to 1.15.5 do.

- They clip when they compute gradients. `apply_gradients` does not clip. In tf_keras only `apply_gradients` clips.
- With both `clipnorm` and `clipvalue`, they clip by norm first. tf_keras clips by value first.
- Up to 1.9 `clipnorm` bounds the norm of all gradients together; later, the norm of each gradient.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put

_together = False
"""Whether `clipnorm` bounds the norm of all gradients together, in the release of this process."""


def install(release: Release) -> None:
    """Changes the base class of optimizers in this process, for the release."""
    global _together
    _together = release.before(1, 10)
    base: Any = importlib.import_module("tf_keras.src.optimizers.legacy.optimizer_v2").OptimizerV2
    put(base, "get_gradients", _clipping(base.get_gradients, pairs=False))
    put(base, "_compute_gradients", _clipping(base._compute_gradients, pairs=True))
    put(base, "_transform_gradients", _transformed)


def _clipping(computed: Any, *, pairs: bool) -> Any:
    """Returns a method that computes gradients (with `pairs`, pairs of gradient and variable), and clips them."""

    @functools.wraps(computed)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        name = f"{self._name}/gradients"
        graph = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
        scope = graph.unique_name(name, mark_as_used=False) if graph else name
        result = computed(self, *args, **kwargs)
        with tf.name_scope(scope + "/"):  # the scope that `computed` made
            gradients = [pair[0] for pair in result] if pairs else result
            clipped = clipped_by(gradients, self.clipnorm, self.clipvalue)
        return [(gradient, pair[1]) for gradient, pair in zip(clipped, result, strict=True)] if pairs else clipped

    return changed


def _transformed(self: Any, grads_and_vars: Any) -> Any:
    for transform in self.gradient_transformers:
        grads_and_vars = transform(grads_and_vars)
    return grads_and_vars


def clipped_by(gradients: Sequence[Any], norm: float | None, value: float | None) -> list[Any]:
    """Returns the gradients, clipped by norm and then by value; None stays None."""
    clipped = [gradient for gradient in gradients if gradient is not None]
    if norm is not None:
        clipped = _by_norm(clipped, norm)
    if value is not None:
        clipped = [tf.clip_by_value(gradient, -value, value) for gradient in clipped]
    rest = iter(clipped)
    return [None if gradient is None else next(rest) for gradient in gradients]


def _by_norm(gradients: list[Any], bound: float) -> list[Any]:
    if not _together:
        return [tf.clip_by_norm(gradient, bound) for gradient in gradients]
    squares = [tf.reduce_sum(tf.square(tf.convert_to_tensor(gradient))) for gradient in gradients]
    norm = tf.sqrt(tf.add_n(squares))
    factor = tf.where(norm >= bound, bound / norm, tf.ones_like(norm))
    return [tf.math.scalar_mul(factor, gradient) for gradient in gradients] if bound > 0 else gradients
