"""Inception v3 (https://arxiv.org/abs/1512.00567): convolutions of 1xN and Nx1, and a second classifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.layers.activation import dropout, softmax
from tf2bridge.contrib.layers.layers.batch_norm import batch_norm
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.pooling import avg_pool2d, max_pool2d
from tf2bridge.contrib.slim.nets.inception_cells import (
    Depth,
    build,
    inception_scope,
    kernel_within,
    mixed,
    normal,
    normalized,
    thinned,
)

v1 = tf.compat.v1


def _of_35(pooled: int, first: str = "Conv2d_0a_1x1", second: str = "Conv2d_0b_5x5") -> list[str]:
    return mixed(
        "Conv2d_0a_1x1:64",
        f"{first}:48 {second}:64",
        "Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_0c_3x3:96",
        f"AvgPool_0a_3x3 Conv2d_0b_1x1:{pooled}",
    )


def _of_17(d: int) -> list[str]:
    return mixed(
        "Conv2d_0a_1x1:192",
        f"Conv2d_0a_1x1:{d} Conv2d_0b_1x7:{d} Conv2d_0c_7x1:192",
        f"Conv2d_0a_1x1:{d} Conv2d_0b_7x1:{d} Conv2d_0c_1x7:{d} Conv2d_0d_7x1:{d} Conv2d_0e_1x7:192",
        "AvgPool_0a_3x3 Conv2d_0b_1x1:192",
    )


def _of_8(second: str) -> list[str]:
    return mixed(
        "Conv2d_0a_1x1:320",
        f"Conv2d_0a_1x1:384 Conv2d_0b_1x3:384+{second}:384",
        "Conv2d_0a_1x1:448 Conv2d_0b_3x3:384 Conv2d_0c_1x3:384+Conv2d_0d_3x1:384",
        "AvgPool_0a_3x3 Conv2d_0b_1x1:192",
    )


_STEM: dict[str, Any] = {
    "Conv2d_1a_3x3": ":32/2",
    "Conv2d_2a_3x3": ":32",
    "Conv2d_2b_3x3": ":64s",
    "MaxPool_3a_3x3": "/2",
    "Conv2d_3b_1x1": ":80",
    "Conv2d_4a_3x3": ":192",
    "MaxPool_5a_3x3": "/2",
}
_MIXED: dict[str, Any] = {
    "Mixed_5b": _of_35(32),
    "Mixed_5c": _of_35(64, "Conv2d_0b_1x1", "Conv_1_0c_5x5"),  # the names that the public checkpoint has
    "Mixed_5d": _of_35(64),
    "Mixed_6a": mixed(
        "Conv2d_1a_1x1:384=3x3/2v",
        "Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_1a_1x1:96=3x3/2v",
        "MaxPool_1a_3x3/2v",
    ),
    "Mixed_6b": _of_17(128),
    "Mixed_6c": _of_17(160),
    "Mixed_6d": _of_17(160),
    "Mixed_6e": _of_17(192),
    "Mixed_7a": mixed(
        "Conv2d_0a_1x1:192 Conv2d_1a_3x3:320/2v",
        "Conv2d_0a_1x1:192 Conv2d_0b_1x7:192 Conv2d_0c_7x1:192 Conv2d_1a_3x3:192/2v",
        "MaxPool_1a_3x3/2v",
    ),
    "Mixed_7b": _of_8("Conv2d_0b_3x1"),
    "Mixed_7c": _of_8("Conv2d_0c_3x1"),
}


def inception_v3_base(
    inputs: Any,
    final_endpoint: str = "Mixed_7c",
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
    net, is_last = inputs, False
    with v1.variable_scope(scope, "InceptionV3", [inputs]):
        for cells, padding in ((_STEM, "VALID"), (_MIXED, "SAME")):
            if not is_last:
                with arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding=padding):
                    net, is_last = build(net, cells, final_endpoint, end_points, depth)
    if not is_last:
        raise ValueError(f"there is no end point {final_endpoint}; there are {', '.join([*_STEM, *_MIXED])}")
    return net, end_points


def inception_v3(
    inputs: Any,
    num_classes: int = 1000,
    is_training: Any = True,
    dropout_keep_prob: float = 0.8,
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    prediction_fn: Callable[..., Any] = softmax,
    spatial_squeeze: bool = True,
    reuse: Any = None,
    scope: Any = "InceptionV3",
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores, [batch, classes], of images, [batch, 299, 299, channels], and all layers by name.

    Without `spatial_squeeze` the scores are [batch, rows, columns, classes]. `prediction_fn` makes the end point
    "Predictions" of them; "AuxLogits" are the scores of the second classifier. Raises ValueError as `inception_v3_base`
    does.
    """
    depth = thinned(depth_multiplier, min_depth)
    with (
        v1.variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as within,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v3_base(
            inputs, scope=within, min_depth=min_depth, depth_multiplier=depth_multiplier
        )
        with arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"):
            end_points["AuxLogits"] = _auxiliary(end_points["Mixed_6e"], num_classes, depth, spatial_squeeze)
        with v1.variable_scope("Logits"):
            kernel = kernel_within(net, 8, 8)
            net = avg_pool2d(net, kernel, padding="VALID", scope=f"AvgPool_1a_{kernel[0]}x{kernel[1]}")
            net = dropout(net, keep_prob=dropout_keep_prob, scope="Dropout_1b")
            end_points["PreLogits"] = net
            logits = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="Conv2d_1c_1x1")
            if spatial_squeeze:
                logits = v1.squeeze(logits, [1, 2], name="SpatialSqueeze")
        end_points["Logits"] = logits
        end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


inception_v3.default_image_size = 299  # type: ignore[attr-defined]  # programs read it


def inception_v3_arg_scope(
    weight_decay: float = 0.00004,
    batch_norm_var_collection: str = "moving_vars",
    batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001,
    updates_collections: Any = v1.GraphKeys.UPDATE_OPS,
    use_fused_batchnorm: bool = True,
) -> Defaults:
    """Returns the scope that the network was trained in."""
    more = {"updates_collections": updates_collections, "fused": use_fused_batchnorm}
    return inception_scope(
        weight_decay, **normalized(batch_norm_var_collection, batch_norm_decay, batch_norm_epsilon, **more)
    )


def _auxiliary(net: Any, num_classes: int, depth: Depth, spatial_squeeze: bool) -> Any:
    """Returns the scores of the auxiliary classifier."""
    with v1.variable_scope("AuxLogits"):
        net = avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = conv2d(net, depth(128), [1, 1], scope="Conv2d_1b_1x1")
        kernel = kernel_within(net, 5, 5)
        scope = f"Conv2d_2a_{kernel[0]}x{kernel[1]}"
        net = conv2d(net, depth(768), kernel, weights_initializer=normal(0.01), padding="VALID", scope=scope)
        linear: dict[str, Any] = {"activation_fn": None, "normalizer_fn": None}
        net = conv2d(net, num_classes, [1, 1], **linear, weights_initializer=normal(0.001), scope="Conv2d_2b_1x1")
        return v1.squeeze(net, [1, 2], name="SpatialSqueeze") if spatial_squeeze else net
