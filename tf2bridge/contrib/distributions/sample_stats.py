"""Statistics of samples: autocorrelation and percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import checked, util, v1

_ROUNDING = {"lower": tf.math.ceil, "higher": tf.floor, "nearest": tf.round}


def auto_correlation(
    x: Any,
    axis: int = -1,
    max_lags: Any = None,
    center: bool = True,
    normalize: bool = True,
    name: str = "auto_correlation",
) -> Any:
    """Returns the autocorrelation of `x` along `axis`. This axis of the result has the lags 0 to `max_lags`.

    It is computed by Fourier transforms (Wiener-Khinchin theorem). `center` subtracts the mean, `normalize` divides by
    the variance.

    Raises:
        TypeError: the dtype is neither real nor complex.
    """
    with v1.name_scope(name, values=[x]):
        x = tf.convert_to_tensor(x, name="x")
        rank = util.prefer_static_rank(x)
        shift = rank - 1 - (rank + axis if axis < 0 else axis)
        rotated = util.rotate_transpose(x, shift)
        if center:
            rotated -= v1.reduce_mean(rotated, axis=-1, keepdims=True)
        length = util.prefer_static_shape(rotated)[-1]
        products = _products_of_lags(rotated, length)
        products, max_lags = _chopped(products, rotated, length, max_lags)
        real = x.dtype.real_dtype
        counts = tf.cast(length, real) - tf.range(0.0, tf.cast(max_lags, real) + 1.0)
        means = products / tf.cast(counts, x.dtype)
        if normalize:
            means /= means[..., :1]
        return util.rotate_transpose(means, -shift)


def _products_of_lags(x: Any, length: Any) -> Any:
    """Returns, for each lag, the sum of products of elements. Padding with zeros keeps the ends apart."""
    exact = tf.cast(length, np.float64)
    target = tf.pow(np.float64(2.0), tf.math.ceil(tf.math.log(exact * 2) / np.log(2.0)))
    padded = util.pad(x, axis=-1, back=True, count=tf.cast(target - exact, np.int32))
    if not x.dtype.is_complex:
        if not x.dtype.is_floating:
            raise TypeError(f"Argument x must have either float or complex dtype found: {x.dtype}")
        padded = tf.complex(padded, tf.constant(0.0, x.dtype.real_dtype))
    spectrum = tf.signal.fft(padded)
    return tf.cast(tf.signal.ifft(spectrum * tf.math.conj(spectrum)), x.dtype)


def _chopped(products: Any, x: Any, length: Any, max_lags: Any) -> tuple[Any, Any]:
    """Returns the products of the lags 0 to `max_lags`, and `max_lags`, which is at most length - 1."""
    known = x.shape.is_fully_defined()
    if max_lags is None:
        max_lags = length - 1
    else:
        max_lags = tf.convert_to_tensor(max_lags, name="max_lags")
        static = tf.get_static_value(max_lags)
        known = known and static is not None
        max_lags = min(length - 1, static) if known else tf.minimum(length - 1, max_lags)
    products = products[..., : max_lags + 1]
    if known:
        products.set_shape([*x.shape.as_list()[:-1], min(length, max_lags + 1)])
    return products, max_lags


def percentile(
    x: Any,
    q: Any,
    axis: Any = None,
    interpolation: str | None = None,
    keep_dims: bool = False,
    validate_args: bool = False,
    name: str | None = None,
) -> Any:
    """Returns the `q`-th percentile of `x` along `axis`. The result is an element of `x`.

    Args:
        axis: a static number or list of numbers; None for all axes.
        interpolation: "nearest", "lower" or "higher": the element for a position between two elements.

    Raises:
        ValueError: the interpolation is unknown, the axis or the rank is not static, or `q` is not a scalar.
    """
    interpolation = "nearest" if interpolation is None else interpolation
    if interpolation not in _ROUNDING:
        raise ValueError(f"Argument 'interpolation' must be in {set(_ROUNDING)}.  Found {interpolation}")
    with v1.name_scope(name or "percentile", values=[x, q]):
        x = tf.convert_to_tensor(x, name="x")
        q = _percent(tf.cast(q, tf.float64, name="q"), validate_args)
        axes = None if axis is None else _axes(axis, x)
        y = tf.reshape(x, [-1]) if axes is None else _together(x, axes)
        above = 1.0 - q / 100.0
        place = _ROUNDING[interpolation]((tf.cast(v1.shape(y)[-1], tf.float64) - 1) * above)
        count = v1.shape(y)[-1]
        place = tf.clip_by_value(tf.cast(place, tf.int32), 0, count - 1)
        descending, _ = tf.math.top_k(y, k=v1.shape(y)[-1])
        result = descending[..., place]
        result.set_shape(y.shape[:-1])
        return _with_dimensions(result, x, axes) if keep_dims else result


def _percent(q: Any, validate_args: bool) -> Any:
    if q.shape.ndims not in (None, 0):
        raise ValueError(f"Expected argument 'x' to have ndims 0.  Found tensor {q}")
    if not validate_args:
        return q
    least, most = tf.cast(0.0, tf.float64), tf.cast(100.0, tf.float64)
    return checked(q, [v1.assert_rank(q, 0), v1.assert_greater_equal(q, least), v1.assert_less_equal(q, most)])


def _axes(axis: Any, x: Any) -> list[int]:
    """Returns the axes as nonnegative numbers."""
    axis = tf.convert_to_tensor(axis, name="axis")
    v1.debugging.assert_integer(axis)
    if axis.shape.ndims is None or axis.shape.ndims > 1:
        raise ValueError(f"Expected argument 'x' to have ndims <= 1.  Found tensor {axis}")
    known = tf.get_static_value(axis)
    if known is None:
        raise ValueError(f"Expected argument 'axis' to be statically available.  Found: {axis}")
    rank = x.shape.ndims
    if rank is None:
        raise ValueError(f"Expected argument 'x' to have statically defined 'ndims'.  Found: {x}")
    if rank < 1:
        raise ValueError(f"Expected argument 'x' to have ndims >= 1.  Found tensor {x}")
    return [_not_negative(int(place), rank) for place in np.atleast_1d(known)]


def _not_negative(axis: int, rank: int) -> int:
    if axis >= rank:
        raise ValueError(f"dim {axis} not in the interval [0, {rank - 1}].")
    if axis < -rank:
        raise ValueError(f"Negatively indexed dim {axis} not in the interval [-{rank}, -1]")
    return axis if axis >= 0 else rank + axis


def _together(x: Any, axes: Sequence[int]) -> Any:
    """Returns `x` with these axes merged into its last axis."""
    remaining_axes = sorted(set(range(x.shape.ndims)).difference(axes))
    transposed = tf.transpose(x, perm=[*remaining_axes, *axes])
    if x.shape.is_fully_defined():
        sizes = x.shape.as_list()
        count = int(np.prod([sizes[axis] for axis in axes]))
        return tf.reshape(transposed, [*(sizes[axis] for axis in remaining_axes), count])
    leading_shape = v1.shape(transposed)[: x.shape.ndims - len(axes)]
    return tf.reshape(transposed, tf.concat([leading_shape, [-1]], axis=0))


def _with_dimensions(result: Any, x: Any, axes: Sequence[int] | None) -> Any:
    if axes is not None:
        for axis in sorted(axes):
            result = tf.expand_dims(result, axis=axis)
        return result
    rank = tf.rank(x) if x.shape.ndims is None else x.shape.ndims
    return result * tf.ones(tf.ones(shape=[rank], dtype=tf.int32), dtype=x.dtype)
