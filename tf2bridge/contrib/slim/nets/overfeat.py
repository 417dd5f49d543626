"""OverFeat (https://arxiv.org/abs/1312.6229), the fast model."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.fully_connected import fully_connected
from tf2bridge.contrib.layers.layers.pooling import max_pool2d
from tf2bridge.contrib.slim.nets.fully_convolutional import classify, weights_scope, with_end_points

v1 = tf.compat.v1


def overfeat_arg_scope(weight_decay: float = 0.0005) -> Defaults:
    """Returns the scope that the network was trained in."""
    weights = weights_scope(weight_decay, v1.zeros_initializer())
    with arg_scope(weights), arg_scope([max_pool2d], padding="VALID") as scope:
        return scope


def overfeat(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.5,
    spatial_squeeze: bool = True,
    scope: Any = "overfeat",
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores, [batch, classes], of images, [batch, 231, 231, channels], and the layers by name.

    Larger images are convolved: then `spatial_squeeze` must be False, and the scores are [batch, rows, columns,
    classes].
    """
    with v1.variable_scope(scope, "overfeat", [inputs]) as within:
        collection = f"{within.name}_end_points"
        with arg_scope([conv2d, fully_connected, max_pool2d], outputs_collections=collection):
            net = conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = max_pool2d(net, [2, 2], scope="pool1")
            net = conv2d(net, 256, [5, 5], padding="VALID", scope="conv2")
            net = max_pool2d(net, [2, 2], scope="pool2")
            for name, depth in (("conv3", 512), ("conv4", 1024), ("conv5", 1024)):
                net = conv2d(net, depth, [3, 3], scope=name)
            net = max_pool2d(net, [2, 2], scope="pool5")
            with arg_scope(
                [conv2d],
                weights_initializer=v1.truncated_normal_initializer(0.0, 0.005),
                biases_initializer=v1.constant_initializer(0.1),
            ):
                sizes = (3072, 6), (4096, 1)
                zeros = v1.zeros_initializer()
                net = classify(net, sizes, num_classes, is_training, dropout_keep_prob, biases_initializer=zeros)
            return with_end_points(net, collection, within, spatial_squeeze)


overfeat.default_image_size = 231  # type: ignore[attr-defined]  # programs read it
