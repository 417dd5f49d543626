"""`tf.image.per_image_standardization` as 1.15 had it: the result has the type of the image.

An image of integers loses most of its values: in uint8 negative numbers become 0, and numbers above 1 become 255. Up to
1.12, and in TensorFlow 2, the result is float32.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import Function


def in_own_type(original: Function) -> Function:
    """1.15 computed in float16 or float32 and converted back (image_ops_impl.py of 1.15.5)."""

    @functools.wraps(original)
    def per_image_standardization(image: Any) -> Any:
        tf: Any = importlib.import_module("tensorflow")
        checks: Any = internals.ops.image_ops_impl
        v1 = tf.compat.v1
        with v1.name_scope(None, "per_image_standardization", [image]) as scope:
            image = checks._AssertAtLeast3DImage(tf.convert_to_tensor(image, name="image"))
            given = image.dtype
            if given not in (tf.float16, tf.float32):
                image = tf.image.convert_image_dtype(image, tf.float32)
            axes = [-1, -2, -3]
            pixels = v1.reduce_prod(v1.shape(image)[-3:])
            mean = v1.reduce_mean(image, axis=axes, keepdims=True)
            deviation = tf.math.reduce_std(image, axis=axes, keepdims=True)
            deviation = tf.maximum(deviation, tf.math.rsqrt(tf.cast(pixels, image.dtype)))
            result = v1.div(image - mean, deviation, name=scope)
            return tf.image.convert_image_dtype(result, given, saturate=True)

    return per_image_standardization
