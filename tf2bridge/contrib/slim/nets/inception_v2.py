"""Inception v2 (https://arxiv.org/abs/1502.03167): batch normalization, and 3x3 in place of 5x5 convolutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.layers.activation import dropout, softmax
from tf2bridge.contrib.layers.layers.batch_norm import batch_norm
from tf2bridge.contrib.layers.layers.channelwise_convolution import separable_conv2d
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.pooling import avg_pool2d, max_pool2d
from tf2bridge.contrib.slim.nets.inception_cells import (
    build,
    inception_scope,
    kernel_within,
    mixed,
    normal,
    normalized,
    thinned,
)

v1 = tf.compat.v1


def _cell(single: int, three: tuple[int, int], double: tuple[int, int], pooled: int, pool: str = "Avg") -> list[str]:
    return mixed(
        f"Conv2d_0a_1x1:{single}",
        f"Conv2d_0a_1x1:{three[0]}~0.09 Conv2d_0b_3x3:{three[1]}",
        f"Conv2d_0a_1x1:{double[0]}~0.09 Conv2d_0b_3x3:{double[1]} Conv2d_0c_3x3:{double[1]}",
        f"{pool}Pool_0a_3x3 Conv2d_0b_1x1:{pooled}~0.1",
    )


def _halving(three: tuple[int, int], double: tuple[int, int]) -> list[str]:
    return mixed(
        f"Conv2d_0a_1x1:{three[0]}~0.09 Conv2d_1a_3x3:{three[1]}/2",
        f"Conv2d_0a_1x1:{double[0]}~0.09 Conv2d_0b_3x3:{double[1]} Conv2d_1a_3x3:{double[1]}/2",
        "MaxPool_1a_3x3/2",
    )


_FIRST = "Conv2d_1a_7x7"
_CELLS: dict[str, Any] = {
    "MaxPool_2a_3x3": "/2",
    "Conv2d_2b_1x1": ":64~0.1",
    "Conv2d_2c_3x3": ":192",
    "MaxPool_3a_3x3": "/2",
    "Mixed_3b": _cell(64, (64, 64), (64, 96), 32),
    "Mixed_3c": _cell(64, (64, 96), (64, 96), 64),
    "Mixed_4a": _halving((128, 160), (64, 96)),
    "Mixed_4b": _cell(224, (64, 96), (96, 128), 128),
    "Mixed_4c": _cell(192, (96, 128), (96, 128), 128),
    "Mixed_4d": _cell(160, (128, 160), (128, 160), 96),
    "Mixed_4e": _cell(96, (128, 192), (160, 192), 96),
    "Mixed_5a": _halving((128, 192), (192, 256)),
    "Mixed_5b": _cell(352, (192, 320), (160, 224), 128),
    "Mixed_5c": _cell(352, (192, 320), (192, 224), 128, "Max"),
}


def inception_v2_base(
    inputs: Any,
    final_endpoint: str = "Mixed_5c",
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """Returns the output of the layer `final_endpoint`, and {name: output} of all layers up to it.

    `depth_multiplier` scales the depths of layers, which are at least `min_depth`.

    Raises:
        ValueError: no layer has this name, or the multiplier is not above 0.
    """
    depth = thinned(depth_multiplier, min_depth)
    end_points: dict[str, Any] = {}
    with (
        v1.variable_scope(scope, "InceptionV2", [inputs]),
        arg_scope([conv2d, max_pool2d, avg_pool2d, separable_conv2d], stride=1, padding="SAME"),
    ):
        net = separable_conv2d(
            inputs,
            depth(64),
            [7, 7],
            depth_multiplier=min(int(depth(64) / 3), 8),  # with more, the depthwise part would have more than it gives
            stride=2,
            weights_initializer=normal(1.0),
            scope=_FIRST,
        )
        end_points[_FIRST] = net
        is_last = final_endpoint == _FIRST
        if not is_last:
            net, is_last = build(net, _CELLS, final_endpoint, end_points, depth)
    if not is_last:
        raise ValueError(f"there is no end point {final_endpoint}; there are {_FIRST}, {', '.join(_CELLS)}")
    return net, end_points


def inception_v2(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.8,
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    prediction_fn: Callable[..., Any] = softmax,
    spatial_squeeze: bool = True,
    reuse: Any = None,
    scope: Any = "InceptionV2",
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores, [batch, classes], of images, [batch, 224, 224, channels], and all layers by name.

    Without `spatial_squeeze` the scores are [batch, rows, columns, classes]. `prediction_fn` makes the end point
    "Predictions" of them. Raises ValueError as `inception_v2_base` does.
    """
    thinned(depth_multiplier, min_depth)
    with (
        v1.variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as within,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v2_base(
            inputs, scope=within, min_depth=min_depth, depth_multiplier=depth_multiplier
        )
        with v1.variable_scope("Logits"):
            kernel = kernel_within(net, 7, 7)
            net = avg_pool2d(net, kernel, padding="VALID", scope=f"AvgPool_1a_{kernel[0]}x{kernel[1]}")
            net = dropout(net, keep_prob=dropout_keep_prob, scope="Dropout_1b")
            logits = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="Conv2d_1c_1x1")
            if spatial_squeeze:
                logits = v1.squeeze(logits, [1, 2], name="SpatialSqueeze")
        end_points["Logits"] = logits
        end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


inception_v2.default_image_size = 224  # type: ignore[attr-defined]  # programs read it


def inception_v2_arg_scope(weight_decay: float = 0.00004, batch_norm_var_collection: str = "moving_vars") -> Defaults:
    """Returns the scope that the network was trained in."""
    return inception_scope(weight_decay, **normalized(batch_norm_var_collection))
