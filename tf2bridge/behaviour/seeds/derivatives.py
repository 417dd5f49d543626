"""Gradients whose formulas TensorFlow 2 changed, so that older releases computed other numbers, such as NaN.

A program that stopped at NaN, or skipped such a step, does so again. The formulas come from math_grad.py,
linalg_grad.py and array_grad.py of the releases. All other gradients are TensorFlow's own.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.seeds.other_names import with_names
from tf2bridge.patching import Function

Gradient = Callable[..., Any]

_OPS = "tensorflow.python.ops."


def gradients(release: str) -> dict[str, Gradient]:
    """Returns operation type -> gradient function `(op, gradients) -> gradients`, where `release` differs."""
    functions: dict[str, Gradient] = {
        "Cumprod": _product_of_zeros,
        "MatrixInverse": _of_inverse,
        "SelfAdjointEigV2": _of_eigenvectors,
        **{kind: _none for kind, releases in _WITHOUT.items() if release in releases},
    }
    if release != "0.12.1":
        functions["Betainc"] = _in_logarithms
    if release in ("0.12.1", "1.4.1"):
        return {**functions, "Igamma": _of_second(1), "Igammac": _of_second(-1), "GatherNd": _scattered}
    return {**functions, "Svd": _of_singular_vectors(apart=release == "1.15.5")}


_WITHOUT = {
    "RGBToHSV": ("0.12.1", "1.4.1", "1.12.3"),
    "SparseToDense": ("0.12.1", "1.4.1", "1.12.3"),
    "RandomGamma": ("0.12.1", "1.4.1"),
    "EuclideanNorm": ("1.15.5",),
}
"""Operation -> releases that registered no gradient for it, by their registries. `tf.gradients` returned None."""


def _none(op: Any, given: Any) -> Any:
    del given
    return [None] * len(op.inputs)


def _of_second(sign: int) -> Gradient:
    """Returns the gradient of `tf.igamma` or `tf.igammac` up to 1.4, without one for the first parameter."""

    def gradient(op: Any, given: Any) -> Any:
        tf = tensorflow()
        a, x = op.inputs
        summed = _summed_to(a, x)
        by_x = summed(tf.exp(-x + (a - 1) * tf.math.log(x) - tf.math.lgamma(a)) * given)
        return None, by_x if sign > 0 else -by_x

    return gradient


def _summed_to(a: Any, x: Any) -> Callable[[Any], Any]:
    """Returns a function that sums a gradient over the axes along which `x` was broadcast to the shape of `a`."""
    tf = tensorflow()
    shapes = tf.shape(a), tf.shape(x)
    _, axes = tf.raw_ops.BroadcastGradientArgs(s0=shapes[0], s1=shapes[1])
    return lambda gradient: tf.reshape(tf.reduce_sum(gradient, axes), shapes[1])


def _scattered(op: Any, given: Any) -> Any:
    """Returns the gradient of `tf.gather_nd` up to 1.4, which is dense. Later ones are sparse."""
    tf = tensorflow()
    values, indices = op.inputs
    return [tf.scatter_nd(indices, given, tf.shape(values, out_type=indices.dtype)), None]


def _product_of_zeros(op: Any, given: Any) -> Any:
    """Returns the old gradient of `tf.cumprod`: it divides by the input, so it is NaN at 0. TensorFlow 2 returns 0."""
    tf = tensorflow()
    x, axis = op.inputs
    exclusive, reverse = op.get_attr("exclusive"), op.get_attr("reverse")
    product = tf.math.cumprod(x, axis, exclusive=exclusive, reverse=reverse)
    total = tf.math.cumsum(product * given, axis, exclusive=exclusive, reverse=not reverse)
    return [total / x, None]


def _of_inverse(op: Any, given: Any) -> Any:
    """Returns the old gradient of `tf.matrix_inverse`, which ignores `adjoint`."""
    tf = tensorflow()
    inverse = op.outputs[0]
    return -tf.matmul(inverse, tf.matmul(given, inverse, adjoint_b=True), adjoint_a=True)


def _in_logarithms(op: Any, given: Any) -> Any:
    """Returns the old gradient of `tf.betainc`: NaN at 0 and 1 if a parameter is 1, from 0 times the logarithm of 0."""
    tf = tensorflow()
    a, b, x = op.inputs
    summed = _summed_to(a, x)
    beta = tf.math.lgamma(a) + tf.math.lgamma(b) - tf.math.lgamma(a + b)
    slope = tf.exp((b - 1) * tf.math.log(1 - x) + (a - 1) * tf.math.log(x) - beta)
    return None, None, summed(slope * given)


def _reciprocal(x: Any) -> Any:
    return tensorflow().math.reciprocal(x)


def _of_eigenvectors(op: Any, *given: Any) -> Any:
    """Returns the old gradient of eigenvectors: NaN for equal eigenvalues. TensorFlow 2 returns 0."""
    return with_names(_registered("linalg_grad", "_SelfAdjointEigV2Grad"), _SafeReciprocal=_reciprocal)(op, *given)


def _of_singular_vectors(apart: bool) -> Gradient:
    """Returns the old gradient of singular vectors: NaN for equal singular values and for 0.

    With `apart`, 1 is added to the diagonal of differences before the reciprocal.
    """

    def reciprocal(x: Any) -> Any:
        tf = tensorflow()
        if not apart or x.shape.rank is None or x.shape[-1:] != x.shape[-2:-1] or x.op.type != "Sub":
            return _reciprocal(x)
        shape = tf.shape(x)
        return _reciprocal(x + tf.eye(shape[-1], batch_shape=shape[:-2], dtype=x.dtype))

    def gradient(op: Any, *given: Any) -> Any:
        return with_names(_registered("linalg_grad", "_SvdGrad"), _SafeReciprocal=reciprocal)(op, *given)

    return gradient


def by_sizes_as_they_were(original: Function) -> Function:
    """Returns the step of 1.15 for the gradient of a batched `tf.gather` along a later axis than the batch axes.

    1.15 uses the sizes from before the transposition of the axes.
    """

    @functools.wraps(original)
    def batch_gather_grad(params_shape: Any, *arguments: Any, **keywords: Any) -> Any:
        is_turned = not tensorflow().executing_eagerly() and params_shape.op.type.startswith("Gather")
        return original(params_shape.op.inputs[0] if is_turned else params_shape, *arguments, **keywords)

    return batch_gather_grad


def _registered(module: str, name: str) -> Any:
    return getattr(importlib.import_module(_OPS + module), name)
