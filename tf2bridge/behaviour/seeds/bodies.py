"""Functions that compute something else in TensorFlow 2 under the same name, as the releases computed them.

They were found by comparing the bodies of all functions of 1.15.5 with those of 2.21. Each function takes the original
and returns its replacement, as in `rules`. If the operations are those of the release, so is their number.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.behaviour.seeds.other_names import with_members
from tf2bridge.patching import Function

LEAST_EPSILON = 1.001e-5
"""The least epsilon of 1.4 to 1.15, which raised smaller values: cuDNN refuses them (nn_impl.py of each)."""

_BOTH_NONE = "Both 'mean' and 'variance' must be None if is_training is True."


def at_least(original: Function) -> Function:
    """Returns `fused_batch_norm` with the least epsilon of 1.4 to 1.15. Layers of batch normalization use it, too."""
    return _with_epsilon(original, lambda epsilon: max(epsilon, LEAST_EPSILON))


def a_little_more(original: Function) -> Function:
    """Returns `fused_batch_norm` of 0.12, which adds 1e-12 to an epsilon of up to 1e-5 (nn.py)."""
    return _with_epsilon(original, lambda epsilon: epsilon if epsilon > 1e-5 else epsilon + 1e-12)


def _with_epsilon(original: Function, changed: Callable[[float], float]) -> Function:
    bind = binder(original)

    @functools.wraps(original)
    def fused_batch_norm(*args: Any, **kwargs: Any) -> Any:
        given = bind(args, kwargs)
        if given is None:
            return original(*args, **kwargs)
        means = (given["mean"], given["variance"])
        if given["is_training"] is True and "exponential_avg_factor" not in kwargs and means != (None, None):
            raise ValueError(_BOTH_NONE)  # only Keras of TensorFlow 2 gives the factor, and the means with it
        return original(**{**given, "epsilon": changed(given["epsilon"])})

    return fused_batch_norm


def by_reciprocal(original: Function) -> Function:
    """Returns `tf.nn.weighted_moments` with NaN for mean and variance if all weights are 0. TensorFlow 2 gives 0."""
    bind = binder(original)

    @functools.wraps(original)
    def weighted_moments(*args: Any, **kwargs: Any) -> Any:
        given = bind(args, kwargs)
        if given is None or (given["keep_dims"] is not None and given["keepdims"] is not None):
            return original(*args, **kwargs)  # which refuses it
        tf, axes = tensorflow(), given["axes"]
        with tf.compat.v1.name_scope(given["name"], "weighted_moments", [given["x"], given["frequency_weights"], axes]):
            x = tf.convert_to_tensor(given["x"], name="x")
            weights = tf.convert_to_tensor(given["frequency_weights"], name="frequency_weights")
            half = x.dtype == tf.float16
            x = tf.cast(x, tf.float32) if half else x
            weights = weights if weights.dtype == x.dtype else tf.cast(weights, x.dtype)
            total = tf.reduce_sum(weights * x, axes, name="weighted_input_sum", keepdims=True)
            weight = tf.reduce_sum(weights + tf.zeros_like(x), axes, name="sum_of_weights", keepdims=True)
            divisor = tf.math.reciprocal(weight, name="inv_weight_sum")
            mean = total * divisor
            squares = weights * tf.math.squared_difference(x, mean)
            variance = tf.reduce_sum(squares, axes, name="weighted_distsq", keepdims=True) * divisor
            if not (given["keep_dims"] or given["keepdims"]):
                mean, variance = tf.squeeze(mean, axis=axes), tf.squeeze(variance, axis=axes)
            return (tf.cast(mean, tf.float16), tf.cast(variance, tf.float16)) if half else (mean, variance)

    return weighted_moments


def of_real_numbers(original: Function) -> Function:
    """Returns `tf.angle` with 0 for real numbers. TensorFlow 2 gives pi for negative ones."""

    @functools.wraps(original)
    def angle(input: Any, name: str | None = None) -> Any:  # noqa: A002  # TensorFlow's name
        tf = tensorflow()
        with tf.compat.v1.name_scope(name, "Angle", [input]) as scope:
            number = tf.convert_to_tensor(input, name="input")
            return original(number, scope) if number.dtype.is_complex else tf.zeros_like(number)

    return angle


def by_limits(original: Function) -> Function:
    """Returns `tf.saturate_cast` that uses only the limits of the target type.

    3e9 as int32 is -2147483648 in 1.x, because 2147483647 is not a float32. TensorFlow 2 takes the next smaller number
    that both types have.
    """

    @functools.wraps(original)
    def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
        tf = tensorflow()
        with tf.compat.v1.name_scope(name, "saturate_cast", [value]) as scope:
            value, kind = tf.convert_to_tensor(value, name="value"), tf.as_dtype(dtype).base_dtype
            if value.dtype.is_complex:
                return original(value, dtype, scope)
            if value.dtype.min < kind.min:
                value = tf.maximum(value, tf.convert_to_tensor(kind.min, dtype=value.dtype, name="min"))
            if value.dtype.max > kind.max:
                value = tf.minimum(value, tf.convert_to_tensor(kind.max, dtype=value.dtype, name="max"))
            return tf.cast(value, kind, name=scope)

    return saturate_cast


def turned_back(original: Function) -> Function:
    """Returns `tf.linalg.tridiagonal_solve` that also transposes the result if `transpose_rhs` is set."""
    bind = binder(original)

    @functools.wraps(original)
    def tridiagonal_solve(*args: Any, **kwargs: Any) -> Any:
        given, tf = bind(args, kwargs), tensorflow()
        result = original(*args, **kwargs)
        if given is None or not given["transpose_rhs"]:
            return result
        diagonals = given["diagonals"]
        rank = diagonals[0].shape.rank + 1 if isinstance(diagonals, list | tuple) else diagonals.shape.rank
        return tf.linalg.matrix_transpose(result) if result.shape.rank == rank else result

    return tridiagonal_solve


def in_double(original: Function) -> Function:
    """Returns `tf.image.resize_image_with_pad` with sizes computed in float64: float32 can give 299 columns for 300.

    The code of the function is not repeated: in a copy, the global name for float32 means float64.
    """
    return with_members(original, "dtypes", float32=tensorflow().float64)


def encoded(variable: bool) -> Callable[[Function], Function]:
    """Returns `tf.image.adjust_jpeg_quality` without saturation.

    With `variable` the quality may be a tensor (since 1.13).
    """

    def replace(original: Function) -> Function:
        @functools.wraps(original)
        def adjust_jpeg_quality(image: Any, jpeg_quality: Any, name: str | None = None, **later: Any) -> Any:
            if later:
                return original(image, jpeg_quality, name=name, **later)
            tf = tensorflow()
            with tf.compat.v1.name_scope(name, "adjust_jpeg_quality", [image]):
                image = tf.convert_to_tensor(image, name="image")
                bytes_ = tf.image.convert_image_dtype(image, tf.uint8)
                if variable:
                    quality = tf.convert_to_tensor(jpeg_quality, dtype=tf.int32)
                    code = tf.raw_ops.EncodeJpegVariableQuality(images=bytes_, quality=quality)
                else:
                    code = tf.raw_ops.EncodeJpeg(image=bytes_, quality=jpeg_quality)
                return tf.image.convert_image_dtype(tf.raw_ops.DecodeJpeg(contents=code), image.dtype)

        return adjust_jpeg_quality

    return replace


def drawn_once(original: Function) -> Function:
    """Returns `tf.image.random_jpeg_quality` of 1.12, where NumPy draws the quality when the graph is built."""

    @functools.wraps(original)
    def random_jpeg_quality(image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: Any = None) -> Any:
        ops: Any = internals.ops.image_ops_impl
        if not 0 <= min_jpeg_quality < max_jpeg_quality <= 100:
            return original(image, min_jpeg_quality, max_jpeg_quality, seed)  # which refuses it
        numpy: Any = importlib.import_module("numpy")
        numpy.random.seed(seed)
        return ops.adjust_jpeg_quality(image, numpy.random.randint(min_jpeg_quality, max_jpeg_quality))

    return random_jpeg_quality
