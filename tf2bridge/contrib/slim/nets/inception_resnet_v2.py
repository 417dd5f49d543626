"""Inception-ResNet v2 (https://arxiv.org/abs/1602.07261), with the variables of the public checkpoint of 2016-08-30.

No TensorFlow had it: it is the network that was published beside slim, in the repository of models.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.layers.activation import dropout
from tf2bridge.contrib.layers.layers.batch_norm import batch_norm
from tf2bridge.contrib.layers.layers.composition import repeat
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.fully_connected import fully_connected
from tf2bridge.contrib.layers.layers.pooling import avg_pool2d, max_pool2d
from tf2bridge.contrib.layers.layers.reshaping import flatten
from tf2bridge.contrib.layers.regularizers import l2_regularizer
from tf2bridge.contrib.slim.nets.inception_cells import build, joined, mixed

v1 = tf.compat.v1
Activation = Callable[[Any], Any] | None

_STEM = {
    "Conv2d_1a_3x3": ":32/2{p}",
    "Conv2d_2a_3x3": ":32{p}",
    "Conv2d_2b_3x3": ":64",
    "MaxPool_3a_3x3": "/2{p}",
    "Conv2d_3b_1x1": ":80{p}",
    "Conv2d_4a_3x3": ":192{p}",
    "MaxPool_5a_3x3": "/2{p}",
}
_MIXED_5B = mixed(
    "Conv2d_1x1:96",
    "Conv2d_0a_1x1:48 Conv2d_0b_5x5:64",
    "Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_0c_3x3:96",
    "AvgPool_0a_3x3 Conv2d_0b_1x1:64",
)
_MIXED_6A = mixed(
    "Conv2d_1a_3x3:384/{s}{p}",
    "Conv2d_0a_1x1:256 Conv2d_0b_3x3:256 Conv2d_1a_3x3:384/{s}{p}",
    "MaxPool_1a_3x3/{s}{p}",
)
_MIXED_7A = mixed(
    "Conv2d_0a_1x1:256 Conv2d_1a_3x3:384/2{p}",
    "Conv2d_0a_1x1:256 Conv2d_1a_3x3:288/2{p}",
    "Conv2d_0a_1x1:256 Conv2d_0b_3x3:288 Conv2d_1a_3x3:320/2{p}",
    "MaxPool_1a_3x3/2{p}",
)
_BLOCK35 = mixed(
    "Conv2d_1x1:32",
    "Conv2d_0a_1x1:32 Conv2d_0b_3x3:32",
    "Conv2d_0a_1x1:32 Conv2d_0b_3x3:48 Conv2d_0c_3x3:64",
)
_BLOCK17 = mixed("Conv2d_1x1:192", "Conv2d_0a_1x1:128 Conv2d_0b_1x7:160 Conv2d_0c_7x1:192")
_BLOCK8 = mixed("Conv2d_1x1:192", "Conv2d_0a_1x1:192 Conv2d_0b_1x3:224 Conv2d_0c_3x1:256")


def block35(
    net: Any, scale: float = 1.0, activation_fn: Activation = tf.nn.relu, scope: Any = None, reuse: Any = None
) -> Any:
    """Returns a residual block of [batch, 35, 35, channels]."""
    with v1.variable_scope(scope, "Block35", [net], reuse=reuse):
        return _residual(net, _BLOCK35, scale, activation_fn)


def block17(
    net: Any, scale: float = 1.0, activation_fn: Activation = tf.nn.relu, scope: Any = None, reuse: Any = None
) -> Any:
    """Returns a residual block of [batch, 17, 17, channels]."""
    with v1.variable_scope(scope, "Block17", [net], reuse=reuse):
        return _residual(net, _BLOCK17, scale, activation_fn)


def block8(
    net: Any, scale: float = 1.0, activation_fn: Activation = tf.nn.relu, scope: Any = None, reuse: Any = None
) -> Any:
    """Returns a residual block of [batch, 8, 8, channels]."""
    with v1.variable_scope(scope, "Block8", [net], reuse=reuse):
        return _residual(net, _BLOCK8, scale, activation_fn)


def inception_resnet_v2_base(
    inputs: Any,
    final_endpoint: str = "Conv2d_7b_1x1",
    output_stride: int = 16,
    align_feature_maps: bool = False,
    scope: Any = None,
    activation_fn: Activation = tf.nn.relu,
) -> tuple[Any, dict[str, Any]]:
    """Returns the output of the layer `final_endpoint`, and {name: output} of all layers up to it.

    `output_stride` 8 uses dilated convolutions from Mixed_6a to PreAuxLogits. `align_feature_maps` pads all layers.

    Raises:
        ValueError: the stride is not supported or not supported for this layer, or no layer has this name.
    """
    if output_stride not in (8, 16):
        raise ValueError(f"output_stride is {output_stride}: it must be 8 or 16")
    holes = output_stride == 8
    settings = {"p": "s" if align_feature_maps else "v", "s": 1 if holes else 2}
    end_points: dict[str, Any] = {}
    net = inputs

    def reached(name: str, cell: Any) -> bool:
        nonlocal net
        filled = cell.format(**settings) if isinstance(cell, str) else [branch.format(**settings) for branch in cell]
        net, is_last = build(net, {name: filled}, final_endpoint, end_points)
        return is_last

    def repeated(times: int, block: Callable[..., Any], scale: float) -> Any:
        return repeat(net, times, block, scale=scale, activation_fn=activation_fn)

    with (
        v1.variable_scope(scope, "InceptionResnetV2", [inputs]),
        arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"),
    ):
        if any(reached(name, cell) for name, cell in {**_STEM, "Mixed_5b": _MIXED_5B}.items()):
            return net, end_points
        net = repeated(10, block35, 0.17)
        if reached("Mixed_6a", _MIXED_6A):
            return net, end_points
        with arg_scope([conv2d], rate=2 if holes else 1):
            net = end_points["PreAuxLogits"] = repeated(20, block17, 0.10)
        if final_endpoint == "PreAuxLogits":
            return net, end_points
        if holes:
            raise ValueError("output_stride 8 goes up to the end point PreAuxLogits only")
        if reached("Mixed_7a", _MIXED_7A):
            return net, end_points
        net = block8(repeated(9, block8, 0.20), activation_fn=None)
        if reached("Conv2d_7b_1x1", ":1536"):
            return net, end_points
    raise ValueError(f"there is no end point {final_endpoint}; there are {', '.join(end_points)}")


def inception_resnet_v2(
    inputs: Any,
    num_classes: int = 1001,
    is_training: Any = True,
    dropout_keep_prob: float = 0.8,
    reuse: Any = None,
    scope: Any = "InceptionResnetV2",
    create_aux_logits: bool = True,
    activation_fn: Activation = tf.nn.relu,
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores, [batch, classes], of images, [batch, 299, 299, channels], and all layers by name.

    `create_aux_logits` makes the second classifier.
    """
    with (
        v1.variable_scope(scope, "InceptionResnetV2", [inputs, num_classes], reuse=reuse) as within,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_resnet_v2_base(inputs, scope=within, activation_fn=activation_fn)
        if create_aux_logits:
            end_points["AuxLogits"] = _auxiliary(end_points["PreAuxLogits"], num_classes)
        with v1.variable_scope("Logits"):
            net = avg_pool2d(net, net.get_shape().as_list()[1:3], padding="VALID", scope="AvgPool_1a_8x8")
            net = dropout(flatten(net), dropout_keep_prob, is_training=is_training, scope="Dropout")
            end_points["PreLogitsFlatten"] = net
            logits = fully_connected(net, num_classes, activation_fn=None, scope="Logits")
            end_points["Logits"] = logits
            end_points["Predictions"] = v1.nn.softmax(logits, name="Predictions")
    return logits, end_points


inception_resnet_v2.default_image_size = 299  # type: ignore[attr-defined]  # programs read it


def inception_resnet_v2_arg_scope(
    weight_decay: float = 0.00004,
    batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001,
    activation_fn: Activation = tf.nn.relu,
) -> Defaults:
    """Returns the scope that the network was trained in."""
    decay = l2_regularizer(weight_decay)
    decaying = arg_scope([conv2d, fully_connected], weights_regularizer=decay, biases_regularizer=decay)
    params = {"decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "fused": None}
    normalization: dict[str, Any] = {"normalizer_fn": batch_norm, "normalizer_params": params}
    with decaying, arg_scope([conv2d], activation_fn=activation_fn, **normalization) as scope:
        return scope


def _residual(net: Any, branches: Sequence[str], scale: float, activation_fn: Activation) -> Any:
    linear: dict[str, Any] = {"normalizer_fn": None, "activation_fn": None}
    up = conv2d(joined(net, branches), net.get_shape().as_list()[3], 1, **linear, scope="Conv2d_1x1")
    net += scale * up
    return activation_fn(net) if activation_fn else net


def _auxiliary(net: Any, num_classes: int) -> Any:
    """Returns the scores of the auxiliary classifier."""
    with v1.variable_scope("AuxLogits"):
        net = avg_pool2d(net, 5, stride=3, padding="VALID", scope="Conv2d_1a_3x3")
        net = conv2d(net, 128, 1, scope="Conv2d_1b_1x1")
        net = conv2d(net, 768, net.get_shape().as_list()[1:3], padding="VALID", scope="Conv2d_2a_5x5")
        return fully_connected(flatten(net), num_classes, activation_fn=None, scope="Logits")
