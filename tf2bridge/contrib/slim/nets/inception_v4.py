"""Inception v4 (https://arxiv.org/abs/1602.07261), with the variables of the public checkpoint of 2016-09-09.

No TensorFlow had it: it is the network that was published beside slim, in the repository of models.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.layers.activation import dropout
from tf2bridge.contrib.layers.layers.batch_norm import batch_norm
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.fully_connected import fully_connected
from tf2bridge.contrib.layers.layers.pooling import avg_pool2d, max_pool2d
from tf2bridge.contrib.layers.layers.reshaping import flatten
from tf2bridge.contrib.slim.nets.inception_cells import build, inception_scope, mixed

v1 = tf.compat.v1

_A = mixed(
    "Conv2d_0a_1x1:96",
    "Conv2d_0a_1x1:64 Conv2d_0b_3x3:96",
    "Conv2d_0a_1x1:64 Conv2d_0b_3x3:96 Conv2d_0c_3x3:96",
    "AvgPool_0a_3x3 Conv2d_0b_1x1:96",
)
_B = mixed(
    "Conv2d_0a_1x1:384",
    "Conv2d_0a_1x1:192 Conv2d_0b_1x7:224 Conv2d_0c_7x1:256",
    "Conv2d_0a_1x1:192 Conv2d_0b_7x1:192 Conv2d_0c_1x7:224 Conv2d_0d_7x1:224 Conv2d_0e_1x7:256",
    "AvgPool_0a_3x3 Conv2d_0b_1x1:128",
)
_C = mixed(
    "Conv2d_0a_1x1:256",
    "Conv2d_0a_1x1:384 Conv2d_0b_1x3:256+Conv2d_0c_3x1:256",
    "Conv2d_0a_1x1:384 Conv2d_0b_3x1:448 Conv2d_0c_1x3:512 Conv2d_0d_1x3:256+Conv2d_0e_3x1:256",
    "AvgPool_0a_3x3 Conv2d_0b_1x1:256",
)
_CELLS: dict[str, Any] = {
    "Conv2d_1a_3x3": ":32/2v",
    "Conv2d_2a_3x3": ":32v",
    "Conv2d_2b_3x3": ":64",
    "Mixed_3a": mixed("MaxPool_0a_3x3/2v", "Conv2d_0a_3x3:96/2v"),
    "Mixed_4a": mixed(
        "Conv2d_0a_1x1:64 Conv2d_1a_3x3:96v",
        "Conv2d_0a_1x1:64 Conv2d_0b_1x7:64 Conv2d_0c_7x1:64 Conv2d_1a_3x3:96v",
    ),
    "Mixed_5a": mixed("Conv2d_1a_3x3:192/2v", "MaxPool_1a_3x3/2v"),
    **{f"Mixed_5{letter}": _A for letter in "bcde"},
    "Mixed_6a": mixed(
        "Conv2d_1a_3x3:384/2v", "Conv2d_0a_1x1:192 Conv2d_0b_3x3:224 Conv2d_1a_3x3:256/2v", "MaxPool_1a_3x3/2v"
    ),
    **{f"Mixed_6{letter}": _B for letter in "bcdefgh"},
    "Mixed_7a": mixed(
        "Conv2d_0a_1x1:192 Conv2d_1a_3x3:192/2v",
        "Conv2d_0a_1x1:256 Conv2d_0b_1x7:256 Conv2d_0c_7x1:320 Conv2d_1a_3x3:320/2v",
        "MaxPool_1a_3x3/2v",
    ),
    **{f"Mixed_7{letter}": _C for letter in "bcd"},
}


def inception_v4_base(inputs: Any, final_endpoint: str = "Mixed_7d", scope: Any = None) -> tuple[Any, dict[str, Any]]:
    """Returns the output of the layer `final_endpoint`, and {name: output} of all layers up to it.

    Raises:
        ValueError: no layer has this name.
    """
    end_points: dict[str, Any] = {}
    with (
        v1.variable_scope(scope, "InceptionV4", [inputs]),
        arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"),
    ):
        net, is_last = build(inputs, _CELLS, final_endpoint, end_points)
    if not is_last:
        raise ValueError(f"there is no end point {final_endpoint}; there are {', '.join(_CELLS)}")
    return net, end_points


def inception_v4(
    inputs: Any,
    num_classes: int | None = 1001,
    is_training: Any = True,
    dropout_keep_prob: float = 0.8,
    reuse: Any = None,
    scope: Any = "InceptionV4",
    create_aux_logits: bool = True,
) -> tuple[Any, dict[str, Any]]:
    """Returns the scores, [batch, classes], of images, [batch, 299, 299, channels], and all layers by name.

    Without `num_classes` the pooled features are returned. `create_aux_logits` makes the second classifier.
    """
    with (
        v1.variable_scope(scope, "InceptionV4", [inputs], reuse=reuse) as within,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v4_base(inputs, scope=within)
        with arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"):
            if create_aux_logits and num_classes:
                end_points["AuxLogits"] = _auxiliary(end_points["Mixed_6h"], num_classes)
            with v1.variable_scope("Logits"):
                net = end_points["global_pool"] = _pooled(net)
                if not num_classes:
                    return net, end_points
                net = dropout(net, dropout_keep_prob, scope="Dropout_1b")
                net = end_points["PreLogitsFlatten"] = flatten(net, scope="PreLogitsFlatten")
                logits = fully_connected(net, num_classes, activation_fn=None, scope="Logits")
                end_points["Logits"] = logits
                end_points["Predictions"] = v1.nn.softmax(logits, name="Predictions")
    return logits, end_points


inception_v4.default_image_size = 299  # type: ignore[attr-defined]  # programs read it


def inception_v4_arg_scope(
    weight_decay: float = 0.00004,
    use_batch_norm: bool = True,
    batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001,
    activation_fn: Callable[[Any], Any] = tf.nn.relu,
) -> Defaults:
    """Returns the scope that the network was trained in."""
    params = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "updates_collections": v1.GraphKeys.UPDATE_OPS,
        "fused": None,
    }
    normalization: dict[str, Any] = {
        "normalizer_fn": batch_norm if use_batch_norm else None,
        "normalizer_params": params if use_batch_norm else {},
    }
    return inception_scope(weight_decay, **{"activation_fn": activation_fn, **normalization})


def _auxiliary(net: Any, num_classes: int) -> Any:
    """Returns the scores of the auxiliary classifier."""
    with v1.variable_scope("AuxLogits"):
        net = avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = conv2d(net, 128, [1, 1], scope="Conv2d_1b_1x1")
        net = conv2d(net, 768, net.get_shape().as_list()[1:3], padding="VALID", scope="Conv2d_2a")
        return fully_connected(flatten(net), num_classes, activation_fn=None, scope="Aux_logits")


def _pooled(net: Any) -> Any:
    kernel = net.get_shape().as_list()[1:3]
    if None in kernel:
        return v1.reduce_mean(net, [1, 2], keepdims=True, name="global_pool")
    return avg_pool2d(net, kernel, padding="VALID", scope="AvgPool_1a")
