"""The static shape of `tf.random_gamma`: that of the samples, and of alpha and beta together, as in 1.x.

TensorFlow 2.21 broadcasts alpha to a shape that is computed in the graph. If a dimension is unknown, it forgets the
others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge import internals
from tf2bridge.patching import rebind


def install() -> None:
    """Gives the samples their whole shape, in this process."""
    functions: Any = internals.ops.random_ops
    original = functions.random_gamma
    rebind({id(original): (original, _with_shape(original))})


def _with_shape(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def random_gamma(shape: Any, alpha: Any, beta: Any = None, *args: Any, **kwargs: Any) -> Any:
        samples = original(shape, alpha, beta, *args, **kwargs)
        if not samples.shape.is_fully_defined():
            together = tf.broadcast_static_shape(_shape(alpha), _shape(1.0 if beta is None else beta))
            if samples.shape.rank is not None and together.rank is not None:
                samples.set_shape(samples.shape[: samples.shape.rank - together.rank].concatenate(together))
        return samples

    return random_gamma


def _shape(value: Any) -> Any:
    return tf.TensorShape(value.shape if hasattr(value, "shape") else np.shape(value))
