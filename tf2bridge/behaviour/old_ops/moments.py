"""`tf.nn.moments` as the mean of squared differences, as up to TensorFlow 2.21.

2.22 subtracts the square of the mean difference and takes the greater of the result and 0. These eight operations would
change later op seeds and last digits.
"""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import rebind

_CHANGED = (2, 22)


def install() -> None:
    """Makes `tf.nn.moments` compute as up to 2.21, in this process. Does nothing before TensorFlow 2.22."""
    tf = tensorflow()
    if tuple(map(int, tf.__version__.split(".")[:2])) < _CHANGED:
        return
    module: Any = internals.ops.nn_impl
    original = module.moments
    moments = functools.wraps(original)(_of_squared_differences(original, tf))
    rebind({id(original): (original, moments)})


def _of_squared_differences(original: Any, tf: Any) -> Any:
    def moments(  # TensorFlow's own parameters
        x: Any, axes: Any, shift: Any = None, name: Any = None, keep_dims: Any = None, keepdims: Any = None
    ) -> Any:
        if tf.is_tensor(axes) or (keep_dims is not None and keepdims is not None):
            return original(x, axes, shift, name, keep_dims, keepdims)  # which reads or refuses them
        with tf.compat.v1.name_scope(name, "moments", [x, axes]):
            x = tf.convert_to_tensor(x)
            y = tf.cast(x, tf.float32) if x.dtype.base_dtype == tf.float16 else x
            mean = tf.reduce_mean(y, axes, keepdims=True, name="mean")
            squared = tf.math.squared_difference(y, tf.stop_gradient(mean))
            variance = tf.reduce_mean(squared, axes, keepdims=True, name="variance")
            if not (keep_dims or keepdims):
                mean, variance = tf.squeeze(mean, axes), tf.squeeze(variance, axes)
            if x.dtype.base_dtype == tf.float16:
                return tf.cast(mean, tf.float16), tf.cast(variance, tf.float16)
            return mean, variance

    return moments
