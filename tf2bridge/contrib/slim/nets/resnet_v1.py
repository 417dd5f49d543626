"""Residual networks (https://arxiv.org/abs/1512.03385): units that are normalized after each convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import add_arg_scope, arg_scope
from tf2bridge.contrib.layers.layers.activation import softmax
from tf2bridge.contrib.layers.layers.batch_norm import batch_norm
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.pooling import max_pool2d
from tf2bridge.contrib.layers.utils import collect_named_outputs, convert_collection_to_dict, last_dimension
from tf2bridge.contrib.slim.nets import resnet_utils

v1 = tf.compat.v1
resnet_arg_scope = resnet_utils.resnet_arg_scope


@add_arg_scope
def bottleneck(
    inputs: Any,
    depth: int,
    depth_bottleneck: int,
    stride: int,
    rate: int = 1,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Returns a unit of three convolutions beside a shortcut, [batch, rows, columns, depth]."""
    with v1.variable_scope(scope, "bottleneck_v1", [inputs]) as within:
        if depth == last_dimension(inputs.get_shape(), min_rank=4):
            shortcut = resnet_utils.subsample(inputs, stride, "shortcut")
        else:
            shortcut = conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut")
        residual = conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = resnet_utils.conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = conv2d(residual, depth, [1, 1], stride=1, activation_fn=None, scope="conv3")
        return collect_named_outputs(outputs_collections, within.name, tf.nn.relu(shortcut + residual))


def resnet_v1(
    inputs: Any,
    blocks: Sequence[resnet_utils.Block],
    num_classes: int | None = None,
    is_training: Any = True,
    global_pool: bool = True,
    output_stride: float | None = None,
    include_root_block: bool = True,
    reuse: Any = None,
    scope: Any = None,
) -> resnet_utils.Net:
    """Returns the scores of images, [batch, 1, 1, classes], and the end points by name.

    Without `num_classes` the features are returned; without `global_pool` those of each place, at `output_stride` or
    the product of all strides. `include_root_block` False leaves out the first convolution and pooling. Raises
    ValueError for an `output_stride` that the blocks do not come to.
    """
    with v1.variable_scope(scope, "resnet_v1", [inputs], reuse=reuse) as within:
        collection = f"{within.original_name_scope}_end_points"
        with (
            arg_scope([conv2d, bottleneck, resnet_utils.stack_blocks_dense], outputs_collections=collection),
            arg_scope([batch_norm], is_training=is_training),
        ):
            net = inputs
            if include_root_block:
                output_stride = resnet_utils.nominal_stride(output_stride)
                net = resnet_utils.conv2d_same(net, 64, 7, stride=2, scope="conv1")
                net = max_pool2d(net, [3, 3], stride=2, scope="pool1")
            net = resnet_utils.stack_blocks_dense(net, blocks, output_stride)
            if global_pool:
                net = v1.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
            if num_classes is not None:
                net = conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits")
            end_points = convert_collection_to_dict(collection)
            if num_classes is not None:
                end_points["predictions"] = softmax(net, scope="predictions")
            return net, end_points


def resnet_v1_block(scope: str, base_depth: int, num_units: int, stride: int) -> resnet_utils.Block:
    """Returns a block of `num_units` units of depth 4 * `base_depth`, the last of which has the stride."""
    return resnet_utils.bottlenecks(scope, bottleneck, base_depth, num_units, stride)


resnet_v1_50 = resnet_utils.of_bottlenecks("resnet_v1_50", (3, 4, 6, 3), resnet_v1, bottleneck)
resnet_v1_101 = resnet_utils.of_bottlenecks("resnet_v1_101", (3, 4, 23, 3), resnet_v1, bottleneck)
resnet_v1_152 = resnet_utils.of_bottlenecks("resnet_v1_152", (3, 8, 36, 3), resnet_v1, bottleneck)
resnet_v1_200 = resnet_utils.of_bottlenecks("resnet_v1_200", (3, 24, 36, 3), resnet_v1, bottleneck)

resnet_v1.default_image_size = 224  # type: ignore[attr-defined]  # programs read it
