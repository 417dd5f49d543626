"""Shared code of alexnet, overfeat and vgg: fully connected layers written as convolutions."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.layers.activation import dropout
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.fully_connected import fully_connected
from tf2bridge.contrib.layers.regularizers import l2_regularizer
from tf2bridge.contrib.layers.utils import convert_collection_to_dict

v1 = tf.compat.v1


def weights_scope(weight_decay: Any, biases_initializer: Any) -> Defaults:
    """Returns the scope of rectified layers with decaying weights; convolutions keep the size of their input."""
    layers = arg_scope(
        [conv2d, fully_connected],
        activation_fn=tf.nn.relu,
        biases_initializer=biases_initializer,
        weights_regularizer=l2_regularizer(weight_decay),
    )
    with layers, arg_scope([conv2d], padding="SAME") as scope:
        return scope


def classify(
    net: Any,
    sizes: tuple[tuple[int, int], tuple[int, int]],
    num_classes: int,
    is_training: Any,
    dropout_keep_prob: Any,
    **last: Any,
) -> Any:
    """Returns the scores, [batch, 1, 1, classes]: layers fc6 and fc7 of (depth, kernel size), with dropout, and fc8.

    `last` are arguments of fc8 alone.
    """
    (depth, size), (next_depth, next_size) = sizes
    net = conv2d(net, depth, [size, size], padding="VALID", scope="fc6")
    net = dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout6")
    net = conv2d(net, next_depth, [next_size, next_size], scope="fc7")
    net = dropout(net, dropout_keep_prob, is_training=is_training, scope="dropout7")
    return conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="fc8", **last)


def with_end_points(net: Any, collection: str, scope: Any, spatial_squeeze: bool) -> tuple[Any, dict[str, Any]]:
    """Returns the scores and {name: layer}. With `spatial_squeeze` the scores are [batch, classes]."""
    end_points = convert_collection_to_dict(collection)
    if spatial_squeeze:
        net = v1.squeeze(net, [1, 2], name="fc8/squeezed")
        end_points[f"{scope.name}/fc8"] = net
    return net, end_points
