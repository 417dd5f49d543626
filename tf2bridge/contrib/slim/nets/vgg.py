"""The networks of the Oxford Visual Geometry Group (https://arxiv.org/abs/1409.1556): versions A, D (16) and E (19)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.layers.composition import repeat
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.fully_connected import fully_connected
from tf2bridge.contrib.layers.layers.pooling import max_pool2d
from tf2bridge.contrib.slim.nets.fully_convolutional import classify, weights_scope, with_end_points

v1 = tf.compat.v1
_DEPTHS = (64, 128, 256, 512, 512)


def vgg_arg_scope(weight_decay: float = 0.0005) -> Defaults:
    """Returns the scope that the networks were trained in."""
    return weights_scope(weight_decay, v1.zeros_initializer())


def vgg_a(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True,
    scope: Any = "vgg_a",
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores, [batch, classes], of images, [batch, 224, 224, channels], and the 11 layers by name.

    Larger images are convolved: then `spatial_squeeze` must be False, and the scores are [batch, rows, columns,
    classes].
    """
    with v1.variable_scope(scope, "vgg_a", [inputs]) as within:
        collection = f"{within.original_name_scope}_end_points"
        net = _scores(inputs, (1, 1, 2, 2, 2), collection, num_classes, is_training, dropout_keep_prob)
        return with_end_points(net, collection, within, spatial_squeeze)


def vgg_16(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True,
    scope: Any = "vgg_16",
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores and the 16 layers by name, as `vgg_a` does."""
    with v1.variable_scope(scope, "vgg_16", [inputs]) as within:
        collection = f"{within.original_name_scope}_end_points"
        net = _scores(inputs, (2, 2, 3, 3, 3), collection, num_classes, is_training, dropout_keep_prob)
        return with_end_points(net, collection, within, spatial_squeeze)


def vgg_19(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True,
    scope: Any = "vgg_19",
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores and the 19 layers by name, as `vgg_a` does."""
    with v1.variable_scope(scope, "vgg_19", [inputs]) as within:
        collection = f"{within.name}_end_points"
        net = _scores(inputs, (2, 2, 4, 4, 4), collection, num_classes, is_training, dropout_keep_prob)
        return with_end_points(net, collection, within, spatial_squeeze)


for _network in (vgg_a, vgg_16, vgg_19):
    _network.default_image_size = 224  # type: ignore[attr-defined]  # programs read it

vgg_d = vgg_16
vgg_e = vgg_19


def _scores(
    net: Any,
    repetitions: tuple[int, ...],
    collection: str,
    num_classes: int,
    is_training: Any,
    dropout_keep_prob: Any,
) -> Any:
    """Returns the scores, [batch, rows, columns, classes], after five stages with these numbers of convolutions."""
    with arg_scope([conv2d, fully_connected, max_pool2d], outputs_collections=collection):
        for stage, (times, depth) in enumerate(zip(repetitions, _DEPTHS, strict=True), 1):
            net = repeat(net, times, conv2d, depth, [3, 3], scope=f"conv{stage}")
            net = max_pool2d(net, [2, 2], scope=f"pool{stage}")
        return classify(net, ((4096, 7), (4096, 1)), num_classes, is_training, dropout_keep_prob)
