"""Layers of contrib.layers on units or vectors: softmax, dropout, biases, maxout and unit norm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.framework.variables.making import model_variable
from tf2bridge.contrib.layers.layers.convolution import check_data_format
from tf2bridge.contrib.layers.layers.layer_variables import finished, model_variable_getter
from tf2bridge.contrib.layers.utils import collect_named_outputs, get_variable_collections, last_dimension

v1 = tf.compat.v1


@add_arg_scope
def softmax(logits: Any, scope: Any = None) -> Any:
    """Returns the softmax over the last dimension of `logits`. Raises ValueError if the rank is below 2."""
    with v1.variable_scope(scope, "softmax", [logits]):
        count = last_dimension(logits.shape, min_rank=2)
        flat = tf.reshape(logits, [-1, count])
        predictions = tf.reshape(v1.nn.softmax(flat), tf.shape(logits))
        if not tf.executing_eagerly():
            predictions.set_shape(logits.shape)
        return predictions


@add_arg_scope
def dropout(
    inputs: Any,
    keep_prob: Any = 0.5,
    noise_shape: Any = None,
    is_training: Any = True,
    outputs_collections: Any = None,
    scope: Any = None,
    seed: int | None = None,
) -> Any:
    """Returns `inputs` after dropout, in training: each unit is kept with probability `keep_prob`, and then scaled."""
    with v1.variable_scope(scope, "Dropout", [inputs], custom_getter=model_variable_getter()) as sc:
        inputs = tf.convert_to_tensor(inputs)
        layer = core_layers().Dropout(rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=sc.name, _scope=sc)
        outputs = layer.apply(inputs, training=is_training)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


@add_arg_scope
def bias_add(
    inputs: Any,
    activation_fn: Callable[[Any], Any] | None = None,
    initializer: Any = v1.zeros_initializer(),  # noqa: B008  # the default of contrib.layers: it holds no state
    regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Any:
    """Returns `inputs` plus the variable `biases`, one for each channel.

    Raises:
        ValueError: the data format, the number of channels or the rank is unknown, or "NCHW" has a rank other than 4.
    """
    check_data_format(data_format)
    with v1.variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as sc:
        inputs = tf.convert_to_tensor(inputs)
        rank = inputs.shape.rank
        if rank is None or (data_format == "NCHW" and rank != 4):
            raise ValueError(f"bias_add: {inputs.name} has shape {inputs.shape}; NCHW takes rank 4, NHWC a known one")
        channels = inputs.shape.as_list()[1 if data_format == "NCHW" else -1]
        if channels is None:
            raise ValueError(f"bias_add: the number of channels of {inputs.name} is not known; set it with set_shape")
        biases = model_variable(
            "biases",
            shape=[channels],
            dtype=inputs.dtype.base_dtype,
            initializer=initializer,
            regularizer=regularizer,
            collections=get_variable_collections(variables_collections, "biases"),
            trainable=trainable,
        )
        outputs = v1.nn.bias_add(inputs, biases, data_format=data_format)
        return finished(outputs, None, None, activation_fn, outputs_collections, sc.name)


@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: Any = None) -> Any:
    """Returns `inputs` divided by its length along `dim`. Raises ValueError unless 0 <= `dim` < rank."""
    with v1.variable_scope(scope, "UnitNorm", [inputs]):
        rank = inputs.shape.rank
        if not rank:
            raise ValueError(f"unit_norm takes inputs of a known rank above 0; their shape is {inputs.shape}")
        if not 0 <= dim < rank:
            raise ValueError(f"unit_norm: dim is {dim}, not between 0 and {rank - 1}")
        lengths = tf.sqrt(epsilon + v1.reduce_sum(tf.square(inputs), dim, True))
        multiples = [tf.ones([dim], tf.int32)] if dim > 0 else []
        multiples.append(v1.strided_slice(tf.shape(inputs), [dim], [dim + 1]))
        if dim < rank - 1:
            multiples.append(tf.ones([rank - 1 - dim], tf.int32))
        return v1.div(inputs, tf.tile(lengths, tf.concat(multiples, 0)))


@add_arg_scope
def maxout(inputs: Any, num_units: int, axis: int = -1, scope: Any = None) -> Any:
    """Returns the largest feature of each of `num_units` groups along `axis` (Goodfellow et al., 2013).

    Raises:
        ValueError: the number of features is not a multiple of `num_units`.
    """
    with v1.variable_scope(scope, "MaxOut", [inputs]):
        inputs = tf.convert_to_tensor(inputs)
        shape: list[Any] = inputs.shape.as_list()
        features = shape[axis]
        if features % num_units:
            raise ValueError(f"the number of features, {features}, is not a multiple of num_units, {num_units}")
        shape[axis] = num_units
        shape = [tf.shape(inputs)[index] if size is None else size for index, size in enumerate(shape)]
        return tf.reduce_max(tf.reshape(inputs, [*shape, features // num_units]), -1, keepdims=False)


def poincare_normalize(x: Any, axis: Any = 1, epsilon: float = 1e-5, name: str | None = None) -> Any:
    """Returns `x` scaled into the unit ball along `axis`. A length above 1 - `epsilon` becomes 1 - `epsilon`."""
    with v1.name_scope(name, "poincare_normalize", [x]) as scope:
        x = tf.convert_to_tensor(x, name="x")
        inverse = tf.math.rsqrt(tf.reduce_sum(tf.square(x), axis, keepdims=True))
        return tf.multiply(x, tf.minimum((1.0 - epsilon) * inverse, 1.0), name=scope)


def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """Returns `inputs`, whose gradient is multiplied by `gradient_multiplier`. The multiplier has no gradient."""

    @tf.custom_gradient  # type: ignore[untyped-decorator]
    def scaled(values: Any, factor: Any) -> Any:
        return tf.identity(values), lambda gradient: (gradient * factor, None)

    return scaled(inputs, gradient_multiplier)
