"""Derivatives forward through a graph, by two passes backward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def fwd_gradients(
    ys: Sequence[Any], xs: Sequence[Any], grad_xs: Sequence[Any] | None = None, assert_unused: bool = False
) -> list[Any]:
    """Returns the change of `ys` if `xs` change by `grad_xs` (ones by default), in the shapes of `ys`.

    The gradients of `xs` are linear in those of `ys`, so the gradient of that map is the derivative forward.
    `assert_unused` makes it an error to evaluate the first pass, which the result does not depend on.
    """
    upstream = [v1.zeros_like(y) + float("nan") for y in ys]
    gradients: list[Any] = v1.gradients(ys, xs, grad_ys=upstream)
    gradients = [gradient if gradient is None else tf.convert_to_tensor(gradient) for gradient in gradients]
    if assert_unused:
        with v1.control_dependencies(gradients):
            fails = v1.Assert(False, [1], name="fwd_gradients")
        with v1.control_dependencies([fails]):
            gradients = list(tf.identity_n(gradients))
    gradients = [v1.zeros_like(x) if gradient is None else gradient for x, gradient in zip(xs, gradients, strict=True)]
    for x, gradient in zip(xs, gradients, strict=True):
        gradient.set_shape(x.shape)
    derivatives: list[Any] = v1.gradients(gradients, upstream, grad_ys=grad_xs)
    return derivatives
