"""The average of the towers' gradients, as `average_gradients` of the tutorials computed it."""

from __future__ import annotations

from collections.abc import Sequence

import tensorflow as tf

from tf2bridge.train.tower.options import Gradients
from tf2bridge.train.tower.refusals import NoGradientError

v1 = tf.compat.v1


def average_gradients(tower_grads: Sequence[Gradients]) -> Gradients:
    """The mean over towers of every variable's gradient, with the first tower's variable.

    Gradients that are None do not count; a variable that has no other is left out. Indexed slices become dense.
    The operations are those of tutorials/image/cifar10/cifar10_multi_gpu_train.py, in the same order.
    """
    averaged = []
    for of_one in zip(*tower_grads, strict=True):
        expanded = [tf.expand_dims(gradient, 0) for gradient, _ in of_one if gradient is not None]
        if expanded:
            mean = tf.reduce_mean(v1.concat(axis=0, values=expanded), 0)
            averaged.append((mean, of_one[0][1]))
    return averaged


def check_present(tower: int, gradients: Gradients) -> None:
    """Raises NoGradientError for the variables of one tower that have no gradient."""
    missing = [variable.name.partition(":")[0] for gradient, variable in gradients if gradient is None]
    if missing:
        raise NoGradientError(tower, missing)
