"""Dropout with the operations of older releases: those of TensorFlow 2 give other gradients and other last bits.

Up to 1.13 the mask is floor(keep_prob + uniform), and the input is divided by `keep_prob`, which 1.13 computes from
`rate`. 1.14 and 1.15 compare the uniform numbers with `rate`, and multiply by 1 / (1 - rate) and by the mask.
"""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.seeds import counter
from tf2bridge.behaviour.seeds.binding import binder
from tf2bridge.patching import Function

Build = Callable[[Any, Any, Any, Any], Any]


def by_keep_prob(early: bool) -> Callable[[Function], Function]:
    """Returns the replacement of `tf.nn.dropout`, of either signature, up to 1.12; with `early`, up to 1.4.

    Early releases make a constant of a `keep_prob` of 1, later ones only of the integer 1.
    """
    return functools.partial(_replaced, functools.partial(_floored, early))


def by_rate(original: Function) -> Function:
    """Returns the replacement of `tf.nn.dropout` with `rate` in 1.14 and 1.15."""
    return _replaced(_compared, original)


def by_the_rest(original: Function) -> Function:
    """Returns the replacement of `tf.nn.dropout` with `rate` in 1.13."""
    return _replaced(_floored_by_rate, original)


def _replaced(build: Build, original: Function) -> Function:
    from tf2bridge.internals.eager import context
    from tf2bridge.internals.framework import ops

    bind = binder(original)

    @functools.wraps(original)
    def dropout(*args: Any, **kwargs: Any) -> Any:
        given = bind(args, kwargs)
        if given is None or context.executing_eagerly():
            return original(*args, **kwargs)
        with ops.name_scope(given["name"], "dropout", [given["x"]]):
            value = ops.convert_to_tensor(given["x"], name="x")
            if _valid(value, given):
                return build(value, given, given["noise_shape"], given["seed"])
        return original(*args, **kwargs)  # which says what is wrong

    return dropout


def _valid(value: Any, given: dict[str, Any]) -> bool:
    keep, rate = given.get("keep_prob"), given.get("rate")
    share = rate if keep is None else keep
    if not value.dtype.is_floating or (keep is None) == (rate is None) or isinstance(share, (str, list, tuple)):
        return False
    if not isinstance(share, numbers.Real):
        return True
    return 0 <= float(share) < 1 if keep is None else 0 < float(share) <= 1


def _floored(early: bool, value: Any, given: dict[str, Any], noise_shape: Any, seed: Any) -> Any:
    from tf2bridge.internals.framework import ops, tensor_util

    keep = given.get("keep_prob")
    keep = _kept(given["rate"]) if keep is None else keep
    if not early and isinstance(keep, float) and keep == 1:
        return value
    keep = ops.convert_to_tensor(keep, dtype=value.dtype, name="keep_prob")
    keep.get_shape().assert_has_rank(0)
    if tensor_util.constant_value(keep) == 1:
        return value
    return _divided(value, keep, noise_shape, seed)


def _divided(value: Any, keep: Any, noise_shape: Any, seed: Any) -> Any:
    from tf2bridge.internals.ops import math_ops, random_ops

    noise = keep + random_ops.random_uniform(_shape(value, noise_shape), seed=seed, dtype=value.dtype)
    mask = math_ops.floor(noise)
    kept = math_ops.div(value, keep) * mask
    kept.set_shape(value.get_shape())
    return kept


def _kept(rate: Any) -> Any:
    """Returns the probability to keep.

    For 1 - (1 - p), which tf_keras makes from a tensor p of a cell, this is p.
    """
    from tf2bridge.internals.framework import tensor_util

    op = getattr(rate, "op", None)
    if op is None or op.type != "Sub" or tensor_util.constant_value(op.inputs[0]) != 1:
        return 1 - rate
    counter.of(op.graph).correction -= 2  # the 1 and the difference
    return op.inputs[1]


def _floored_by_rate(value: Any, given: dict[str, Any], noise_shape: Any, seed: Any) -> Any:
    rate = _rate(value, given)
    return value if rate is None else _divided(value, 1 - rate, noise_shape, seed)


def _rate(value: Any, given: dict[str, Any]) -> Any:
    """Returns the share to drop as a scalar tensor, or None if it is known to be 0."""
    from tf2bridge.internals.framework import ops, tensor_util

    rate = given["rate"]
    if isinstance(rate, numbers.Real) and rate == 0:
        return None
    rate = ops.convert_to_tensor(rate, dtype=value.dtype, name="rate")
    rate.get_shape().assert_has_rank(0)
    return None if tensor_util.constant_value(rate) == 0 else rate


def _compared(value: Any, given: dict[str, Any], noise_shape: Any, seed: Any) -> Any:
    from tf2bridge.internals.ops import math_ops, random_ops

    rate = _rate(value, given)
    if rate is None:
        return value
    noise = random_ops.random_uniform(_shape(value, noise_shape), seed=seed, dtype=value.dtype)
    scale = 1 / (1 - rate)
    mask = noise >= rate
    kept = value * scale * math_ops.cast(mask, value.dtype)
    kept.set_shape(value.get_shape())
    return kept


def _shape(value: Any, noise_shape: Any) -> Any:
    """Returns the shape of the noise. Unknown entries, or all if no shape is given, are those of the input."""
    from tf2bridge.internals.ops import nn_ops

    return nn_ops._get_noise_shape(value, noise_shape)
