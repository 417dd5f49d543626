"""The average of the towers' gradients, computed as `average_gradients` of the tutorials does."""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from tf2bridge.train.tower.options import Gradients
from tf2bridge.train.tower.refusals import NoGradientError

v1 = tf.compat.v1


def average_gradients(tower_grads: Sequence[Gradients]) -> Gradients:
    """Returns the mean gradient of every variable over all towers, with the first tower's variable.

    Gradients that are None do not count. A variable without any gradient is left out. Indexed slices become dense. The
    operations are those of tutorials/image/cifar10/cifar10_multi_gpu_train.py, in the same order.
    """
    averaged = []
    for pairs in zip(*tower_grads, strict=True):
        expanded = [tf.expand_dims(gradient, 0) for gradient, _ in pairs if gradient is not None]
        if expanded:
            mean = tf.reduce_mean(v1.concat(axis=0, values=expanded), 0)
            averaged.append((mean, pairs[0][1]))
    return averaged


def check_present(tower: int, gradients: Gradients) -> None:
    """Raises NoGradientError if a tower has variables without a gradient."""
    missing = [variable.name.partition(":")[0] for gradient, variable in gradients if gradient is None]
    if missing:
        raise NoGradientError(tower, missing)
