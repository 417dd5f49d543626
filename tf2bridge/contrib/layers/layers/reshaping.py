"""Layers of contrib.layers without weights that change the shape or the encoding of tensors."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers.layers.convolution import check_data_format
from tf2bridge.contrib.layers.utils import collect_named_outputs

v1 = tf.compat.v1


@add_arg_scope
def flatten(inputs: Any, outputs_collections: Any = None, scope: Any = None) -> Any:
    """Returns `inputs`, [batch, ...], as [batch, units]."""
    with v1.name_scope(scope, "Flatten", [inputs]) as sc:
        outputs = core_layers().Flatten().apply(tf.convert_to_tensor(inputs))
        return collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def one_hot_encoding(
    labels: Any,
    num_classes: Any,
    on_value: Any = 1.0,
    off_value: Any = 0.0,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Returns `labels`, [batch], as [batch, num_classes]: `on_value` at the label, `off_value` elsewhere."""
    with v1.name_scope(scope, "OneHotEncoding", [labels, num_classes]) as sc:
        labels = tf.convert_to_tensor(labels)
        if labels.dtype == tf.int32:
            labels = v1.to_int64(labels)
        outputs = tf.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def dense_to_sparse(tensor: Any, eos_token: Any = 0, outputs_collections: Any = None, scope: Any = None) -> Any:
    """Returns a SparseTensor of the values of `tensor` that are not `eos_token`."""
    with v1.variable_scope(scope, "dense_to_sparse", [tensor]) as sc:
        tensor = tf.convert_to_tensor(tensor)
        indices = v1.where(tf.not_equal(tensor, tf.constant(eos_token, tensor.dtype)))
        values = tf.gather_nd(tensor, indices)
        outputs = tf.SparseTensor(indices, values, tf.shape(tensor, out_type=tf.int64))
        return collect_named_outputs(outputs_collections, sc.name, outputs)


@add_arg_scope
def images_to_sequence(
    inputs: Any, data_format: str = "NHWC", outputs_collections: Any = None, scope: Any = None
) -> Any:
    """Returns images, [batch, height, width, depth] or in `data_format`, as [width, batch * height, depth].

    Raises:
        ValueError: the data format is unknown.
    """
    check_data_format(data_format)
    with v1.name_scope(scope, "ImagesToSequence", [inputs]) as sc:
        inputs = tf.convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = tf.transpose(inputs, [0, 2, 3, 1])
        _, _, width, depth = inputs.shape.as_list()
        shape = tf.shape(inputs)
        batch, height = shape[0], shape[1]
        rows = tf.transpose(inputs, [2, 0, 1, 3])
        outputs = tf.reshape(rows, [width, batch * height, depth])
        return collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def sequence_to_images(
    inputs: Any,
    height: int,
    output_data_format: str = "channels_last",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Returns [width, batch * height, depth] as images, [batch, height, width, depth] or in another data format."""
    with v1.name_scope(scope, "SequenceToImages", [inputs]) as sc:
        inputs = tf.convert_to_tensor(inputs)
        width, rows, depth = inputs.shape.as_list()
        reshaped = tf.reshape(inputs, [width, -1 if rows is None else rows // height, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        return collect_named_outputs(outputs_collections, sc, tf.transpose(reshaped, order))
