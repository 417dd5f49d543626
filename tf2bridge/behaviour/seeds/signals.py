"""Functions of `tf.signal`, `tf.spectral` and `tf.contrib.signal` with their old types and values.

Each function takes the original and returns its replacement, as in `rules`.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.behaviour.seeds.other_names import with_members
from tf2bridge.patching import Function

_TYPES = (1, 2, 3)
"""Of the discrete cosine transform; TensorFlow 2 has a fourth."""


def in_float32(original: Function) -> Function:
    """Returns a function that first makes a tensor of float32; TensorFlow 2 keeps float64.

    NumPy arrays were converted, and tensors of float64 refused. The code of the function is not repeated: in a copy,
    the module that converts is another one.
    """
    module = "_ops" if "_ops" in inspect.unwrap(original).__globals__ else "ops"

    def convert_to_tensor(value: Any, dtype: Any = None, **keywords: Any) -> Any:
        return tensorflow().convert_to_tensor(value, dtype or "float32", **keywords)

    return with_members(original, module, convert_to_tensor=convert_to_tensor)


def of_three_types(original: Function) -> Function:
    """Returns the check of `tf.spectral.dct` that accepts only types 1, 2 and 3."""

    @functools.wraps(original)
    def validate(input_tensor: Any, dct_type: Any, *arguments: Any) -> Any:
        if dct_type not in _TYPES:
            raise ValueError("Only Types I, II and III (I)DCT are supported.")
        return original(input_tensor, dct_type, *arguments)

    return validate


def of_single_precision(original: Function) -> Function:
    """Returns `tf.spectral.rfft` or a similar function that refuses tensors of float64 and complex128."""
    bind = binder(original)
    kind = "complex64" if "irfft" in original.__name__ + str(original.__qualname__) else "float32"

    @functools.wraps(original)
    def transform(*args: Any, **kwargs: Any) -> Any:
        given, tf = bind(args, kwargs), tensorflow()
        if given is not None and isinstance(given["input_tensor"], tf.Tensor):
            tf.convert_to_tensor(given["input_tensor"], kind)
        return original(*args, **kwargs)

    return transform


def divided_by_zero(original: Function) -> Function:
    """Returns `inverse_stft_window_fn` with NaN where the forward windows have the sum 0. TensorFlow 2 gives 0."""
    bind = binder(original)

    @functools.wraps(original)
    def inverse_stft_window_fn(*args: Any, **kwargs: Any) -> Any:
        given, tf = bind(args, kwargs), tensorflow()
        if given is None:
            return original(*args, **kwargs)
        forward, name, label = given["forward_window_fn"], given["name"], "inverse_stft_window_fn"
        with tf.compat.v1.name_scope(name, label, [forward]):
            step = tf.convert_to_tensor(given["frame_step"], name="frame_step")
            step.shape.assert_has_rank(0)

        def inverse_stft_window_fn_inner(frame_length: Any, dtype: Any) -> Any:
            with tf.compat.v1.name_scope(name, label, [forward]):
                length = tf.convert_to_tensor(frame_length, name="frame_length")
                length.shape.assert_has_rank(0)
                window = forward(length, dtype=dtype)
                overlaps = -(-length // step)
                squares = tf.pad(tf.square(window), [(0, overlaps * step - length)])
                sums = tf.reduce_sum(tf.reshape(squares, [overlaps, step]), 0, keepdims=True)
                sums = tf.reshape(tf.tile(sums, [overlaps, 1]), [overlaps * step])
                return window / sums[:length]

        return inverse_stft_window_fn_inner

    return inverse_stft_window_fn
