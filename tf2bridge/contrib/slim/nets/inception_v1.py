"""Inception v1, GoogLeNet (https://arxiv.org/abs/1409.4842), as slim trained it: with batch normalization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.layers.activation import dropout, softmax
from tf2bridge.contrib.layers.layers.batch_norm import batch_norm
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.fully_connected import fully_connected
from tf2bridge.contrib.layers.layers.pooling import avg_pool2d, max_pool2d
from tf2bridge.contrib.slim.nets.inception_cells import build, inception_scope, mixed, normal, normalized

v1 = tf.compat.v1


def _cell(single: int, three: tuple[int, int], second: tuple[int, int], pooled: int, last: str = "0b") -> list[str]:
    return mixed(
        f"Conv2d_0a_1x1:{single}",
        f"Conv2d_0a_1x1:{three[0]} Conv2d_0b_3x3:{three[1]}",
        f"Conv2d_0a_1x1:{second[0]} Conv2d_{last}_3x3:{second[1]}",
        f"MaxPool_0a_3x3 Conv2d_0b_1x1:{pooled}",
    )


_CELLS: dict[str, Any] = {
    "Conv2d_1a_7x7": ":64/2",
    "MaxPool_2a_3x3": "/2",
    "Conv2d_2b_1x1": ":64",
    "Conv2d_2c_3x3": ":192",
    "MaxPool_3a_3x3": "/2",
    "Mixed_3b": _cell(64, (96, 128), (16, 32), 32),
    "Mixed_3c": _cell(128, (128, 192), (32, 96), 64),
    "MaxPool_4a_3x3": "/2",
    "Mixed_4b": _cell(192, (96, 208), (16, 48), 64),
    "Mixed_4c": _cell(160, (112, 224), (24, 64), 64),
    "Mixed_4d": _cell(128, (128, 256), (24, 64), 64),
    "Mixed_4e": _cell(112, (144, 288), (32, 64), 64),
    "Mixed_4f": _cell(256, (160, 320), (32, 128), 128),
    "MaxPool_5a_2x2": "/2",
    "Mixed_5b": _cell(256, (160, 320), (32, 128), 128, "0a"),  # the name that the public checkpoint has
    "Mixed_5c": _cell(384, (192, 384), (48, 128), 128),
}


def inception_v1_base(
    inputs: Any, final_endpoint: str = "Mixed_5c", scope: Any = "InceptionV1"
) -> tuple[Any, dict[str, Any]]:
    """Returns the output of the layer `final_endpoint`, and {name: output} of all layers up to it.

    Raises:
        ValueError: no layer has this name.
    """
    end_points: dict[str, Any] = {}
    with (
        v1.variable_scope(scope, "InceptionV1", [inputs]),
        arg_scope([conv2d, fully_connected], weights_initializer=normal(0.01)),
        arg_scope([conv2d, max_pool2d], stride=1, padding="SAME"),
    ):
        net, is_last = build(inputs, _CELLS, final_endpoint, end_points)
    if not is_last:
        raise ValueError(f"there is no end point {final_endpoint}; there are {', '.join(_CELLS)}")
    return net, end_points


def inception_v1(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.8,
    prediction_fn: Callable[..., Any] = softmax,
    spatial_squeeze: bool = True,
    reuse: Any = None,
    scope: Any = "InceptionV1",
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores, [batch, classes], of images, [batch, 224, 224, channels], and all layers by name.

    Without `spatial_squeeze` the scores are [batch, rows, columns, classes]. `prediction_fn` makes the end point
    "Predictions" of them.
    """
    with (
        v1.variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as within,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v1_base(inputs, scope=within)
        with v1.variable_scope("Logits"):
            net = avg_pool2d(net, [7, 7], stride=1, scope="MaxPool_0a_7x7")
            net = dropout(net, dropout_keep_prob, scope="Dropout_0b")
            logits = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="Conv2d_0c_1x1")
            if spatial_squeeze:
                logits = v1.squeeze(logits, [1, 2], name="SpatialSqueeze")
            end_points["Logits"] = logits
            end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


inception_v1.default_image_size = 224  # type: ignore[attr-defined]  # programs read it


def inception_v1_arg_scope(
    weight_decay: float = 0.00004, use_batch_norm: bool = True, batch_norm_var_collection: str = "moving_vars"
) -> Defaults:
    """Returns the scope that the network was trained in."""
    plain: dict[str, Any] = {"normalizer_fn": None, "normalizer_params": {}}
    return inception_scope(weight_decay, **(normalized(batch_norm_var_collection) if use_batch_norm else plain))
