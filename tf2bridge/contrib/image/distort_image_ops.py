"""Hue, saturation and brightness changed at once, in the colour space YIQ, without the kernel that TF 1.x had."""

from __future__ import annotations

import contextlib
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.seeds import counter

v1 = tf.compat.v1

_TO_YIQ = ((0.299, 0.587, 0.114), (0.596, -0.274, -0.322), (0.211, -0.523, 0.312))
_FROM_YIQ = ((1.0, 0.95617069, 0.62143257), (1.0, -0.2726886, -0.64681324), (1.0, -1.103744, 1.70062309))
"""RGB to YIQ and back, as contrib/image/kernels/adjust_hsv_in_yiq_op.cc (1.x) has them."""


def random_hsv_in_yiq(
    image: Any,
    max_delta_hue: float = 0,
    lower_saturation: float = 1,
    upper_saturation: float = 1,
    lower_value: float = 1,
    upper_value: float = 1,
    seed: int | None = None,
) -> Any:
    """Returns `adjust_hsv_in_yiq` by random amounts within these bounds. Hue changes by at most `max_delta_hue`.

    Raises:
        ValueError: a bound is below 0, or a lower bound is above its upper bound.
    """
    bounds = {"max_delta_hue": max_delta_hue, "lower_saturation": lower_saturation, "lower_value": lower_value}
    for name, bound in bounds.items():
        if bound < 0:
            raise ValueError(f"{name} must be non-negative, not {bound}")
    spans = (("saturation", lower_saturation, upper_saturation), ("value", lower_value, upper_value))
    for name, lower, upper in spans:
        if lower > upper:
            raise ValueError(f"lower_{name} must be < upper_{name}, not {lower} and {upper}")
    turn = 0 if max_delta_hue == 0 else v1.random_uniform([], -max_delta_hue, max_delta_hue, seed=seed)
    saturation, value = (low if low == high else v1.random_uniform([], low, high, seed=seed) for _, low, high in spans)
    return adjust_hsv_in_yiq(image, turn, saturation, value)


def adjust_hsv_in_yiq(
    image: Any, delta_hue: Any = 0, scale_saturation: Any = 1, scale_value: Any = 1, name: str | None = None
) -> Any:
    """Returns `image`, [..., height, width, 3] RGB of any type, turned in hue by `delta_hue` radians and scaled.

    Raises ValueError for fewer than three dimensions; the session InvalidArgumentError for other channels than three.
    """
    with v1.name_scope(name, "adjust_hsv_in_yiq", [image]):
        image = tf.convert_to_tensor(image, name="image")
        pixels = v1.image.convert_image_dtype(image, tf.float32)
        checks = _checks(pixels)
        values = (delta_hue, scale_saturation, scale_value)
        numbers = [tf.convert_to_tensor(value, tf.float32) for value in values]
        eager = tf.executing_eagerly()
        with contextlib.nullcontext() if eager else counter.uncounted(v1.get_default_graph()):
            changed = pixels if checks else v1.tensordot(pixels, _matrix(*numbers), [[-1], [-1]])
        with tf.control_dependencies(checks):
            changed = v1.identity(changed, name="AdjustHsvInYiq")  # 1.x had this one operation
        changed.set_shape(pixels.shape)
        return v1.image.convert_image_dtype(changed, image.dtype)


def _matrix(turn: Any, saturation: Any, value: Any) -> Any:
    """Returns the matrix [3, 3] that multiplies an RGB pixel."""
    near, far = value * saturation * v1.cos(turn), value * saturation * v1.sin(turn)
    zero = v1.zeros_like(value)
    rows = [v1.stack(row) for row in ((value, zero, zero), (zero, near, -far), (zero, far, near))]
    return v1.matmul(v1.matmul(v1.constant(_FROM_YIQ), v1.stack(rows)), v1.constant(_TO_YIQ))


def _checks(image: Any) -> list[Any]:
    """Returns checks of three channels. Like the kernel of 1.x, the session raises an error for other numbers."""
    shape = image.shape
    if shape.rank is not None and shape.rank < 3:
        raise ValueError(f"Shape must be at least rank 3 but is rank {shape.rank}: {shape} is no image")
    channels = None if shape.rank is None else tf.compat.dimension_value(shape[-1])
    if channels in (None, 3):
        return []
    return [v1.Assert(False, [f"input must have 3 channels but instead has {channels} channels."])]
