"""MobileNet v1 (https://arxiv.org/abs/1704.04861), with the variables of the public checkpoints of 2017-06-14.

No TensorFlow had it: it is the network that was published beside slim, in the repository of models.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.layers.activation import dropout, softmax
from tf2bridge.contrib.layers.layers.batch_norm import batch_norm
from tf2bridge.contrib.layers.layers.channelwise_convolution import separable_conv2d
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.pooling import avg_pool2d
from tf2bridge.contrib.layers.regularizers import l2_regularizer
from tf2bridge.contrib.slim.nets.inception_cells import kernel_within, thinned

v1 = tf.compat.v1


class Conv(NamedTuple):
    """A convolution: kernel size, stride, and number of outputs."""

    kernel: Sequence[int]
    stride: int
    depth: int


class DepthSepConv(NamedTuple):
    """A convolution of each channel, then one of 1x1: kernel size and stride of the first, outputs of the second."""

    kernel: Sequence[int]
    stride: int
    depth: int


_SEPARABLE = (
    *((1, 64), (2, 128), (1, 128), (2, 256), (1, 256), (2, 512)),
    *((1, 512),) * 5,
    *((2, 1024), (1, 1024)),
)
_LAYERS: list[Any] = [Conv([3, 3], 2, 32), *(DepthSepConv([3, 3], stride, depth) for stride, depth in _SEPARABLE)]


def mobilenet_v1_base(
    inputs: Any,
    final_endpoint: str = "Conv2d_13_pointwise",
    min_depth: int = 8,
    depth_multiplier: float = 1.0,
    conv_defs: Sequence[Any] | None = None,
    output_stride: int | None = None,
    scope: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """Returns the output of the layer `final_endpoint`, and {name: output} of all layers up to it.

    `depth_multiplier` scales the depths of layers, which are at least `min_depth`. After the stride `output_stride` (8,
    16 or 32), layers use dilated convolutions. `conv_defs` replaces the table of layers.

    Raises:
        ValueError: the stride or the multiplier is not supported, or no layer has this name.
    """
    depth = thinned(depth_multiplier, min_depth)
    if output_stride not in (None, 8, 16, 32):
        raise ValueError(f"output_stride is {output_stride}: it must be 8, 16 or 32")
    end_points: dict[str, Any] = {}
    current_stride, rate = 1, 1
    net = inputs
    with (
        v1.variable_scope(scope, "MobilenetV1", [inputs]),
        arg_scope([conv2d, separable_conv2d], padding="SAME"),
    ):
        for number, layer in enumerate(_LAYERS if conv_defs is None else conv_defs):
            stride, layer_rate = layer.stride, 1
            if current_stride == output_stride:
                stride, layer_rate, rate = 1, rate, rate * layer.stride
            else:
                current_stride *= layer.stride
            for name, made in _layers(f"Conv2d_{number}", layer, depth(layer.depth), stride, layer_rate):
                net = end_points[name] = made(net)
                if name == final_endpoint:
                    return net, end_points
    raise ValueError(f"there is no end point {final_endpoint}; there are {', '.join(end_points)}")


def mobilenet_v1(
    inputs: Any,
    num_classes: int = 1000,
    dropout_keep_prob: float = 0.999,
    is_training: Any = True,
    min_depth: int = 8,
    depth_multiplier: float = 1.0,
    conv_defs: Sequence[Any] | None = None,
    prediction_fn: Callable[..., Any] | None = softmax,
    spatial_squeeze: bool = True,
    reuse: Any = None,
    scope: Any = "MobilenetV1",
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores, [batch, classes], of images, [batch, 224, 224, channels], and all layers by name.

    Without `spatial_squeeze` the scores are [batch, rows, columns, classes]. `prediction_fn` makes the end point
    "Predictions" of them. Raises ValueError for inputs of another rank.
    """
    if inputs.get_shape().rank != 4:
        raise ValueError(f"mobilenet_v1 takes [batch, height, width, channels], not {inputs.get_shape()}")
    with (
        v1.variable_scope(scope, "MobilenetV1", [inputs, num_classes], reuse=reuse) as within,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = mobilenet_v1_base(
            inputs, scope=within, min_depth=min_depth, depth_multiplier=depth_multiplier, conv_defs=conv_defs
        )
        with v1.variable_scope("Logits"):
            net = end_points["AvgPool_1a"] = avg_pool2d(
                net, kernel_within(net, 7, 7), padding="VALID", scope="AvgPool_1a"
            )
            net = dropout(net, keep_prob=dropout_keep_prob, scope="Dropout_1b")
            logits = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="Conv2d_1c_1x1")
            if spatial_squeeze:
                logits = v1.squeeze(logits, [1, 2], name="SpatialSqueeze")
        end_points["Logits"] = logits
        if prediction_fn:
            end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


mobilenet_v1_075 = functools.partial(mobilenet_v1, depth_multiplier=0.75)
mobilenet_v1_050 = functools.partial(mobilenet_v1, depth_multiplier=0.50)
mobilenet_v1_025 = functools.partial(mobilenet_v1, depth_multiplier=0.25)
_NETWORKS: tuple[Any, ...] = (mobilenet_v1, mobilenet_v1_075, mobilenet_v1_050, mobilenet_v1_025)
for _network in _NETWORKS:
    _network.default_image_size = 224  # programs read it


def mobilenet_v1_arg_scope(
    is_training: Any = True, weight_decay: float = 0.00004, stddev: float = 0.09, regularize_depthwise: bool = False
) -> Defaults:
    """Returns the scope that the network was trained in."""
    decay = l2_regularizer(weight_decay)
    layers = arg_scope(
        [conv2d, separable_conv2d],
        weights_initializer=v1.truncated_normal_initializer(stddev=stddev),
        activation_fn=tf.nn.relu6,
        normalizer_fn=batch_norm,
    )
    normalization = arg_scope(
        [batch_norm], is_training=is_training, center=True, scale=True, decay=0.9997, epsilon=0.001
    )
    depthwise = decay if regularize_depthwise else None
    with (
        layers,
        normalization,
        arg_scope([conv2d], weights_regularizer=decay),
        arg_scope([separable_conv2d], weights_regularizer=depthwise) as scope,
    ):
        return scope


def _layers(name: str, layer: Any, depth: int, stride: int, rate: int) -> list[tuple[str, Callable[[Any], Any]]]:
    """Returns the convolutions of one entry of the table, with their names."""
    normalized: dict[str, Any] = {"normalizer_fn": batch_norm}
    if isinstance(layer, Conv):
        return [
            (name, lambda net: conv2d(net, depth, layer.kernel, stride=layer.stride, **normalized, scope=name)),
        ]
    if not isinstance(layer, DepthSepConv):
        raise ValueError(f"{name} is a {type(layer).__name__}, neither Conv nor DepthSepConv")
    depthwise, joint = f"{name}_depthwise", f"{name}_pointwise"
    settings = {"depth_multiplier": 1, "stride": stride, "rate": rate, **normalized, "scope": depthwise}
    return [
        (depthwise, lambda net: separable_conv2d(net, None, layer.kernel, **settings)),
        (joint, lambda net: conv2d(net, depth, [1, 1], stride=1, **normalized, scope=joint)),
    ]
