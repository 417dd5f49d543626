"""Fully connected layers of contrib.layers, and their short forms."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers.convolution import RENAMED, collect_weights
from tf2bridge.contrib.layers.finish import finished
from tf2bridge.contrib.layers.initializers import xavier_initializer
from tf2bridge.contrib.layers.layer_variables import model_variable_getter

v1 = tf.compat.v1


@add_arg_scope
def fully_connected(
    inputs: Any,
    num_outputs: int,
    activation_fn: Callable[[Any], Any] | None = v1.nn.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None,
    weights_initializer: Any = xavier_initializer(),  # noqa: B008  # the default of contrib.layers: it holds no state
    weights_regularizer: Any = None,
    biases_initializer: Any = v1.zeros_initializer(),  # noqa: B008
    biases_regularizer: Any = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Returns `inputs`, [..., units], times the variable `weights`, as [..., num_outputs].

    The variable `biases` is added unless there is a `normalizer_fn`, or `biases_initializer` is None. Raises
    ValueError where `num_outputs` is not an int, or the last size of `inputs` is not known.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs is {num_outputs!r}, of type {type(num_outputs).__name__}: give an int")
    getter = model_variable_getter(RENAMED)
    with v1.variable_scope(scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = tf.convert_to_tensor(inputs)
        layer = core_layers().Dense(
            units=num_outputs,
            activation=None,
            use_bias=not normalizer_fn and bool(biases_initializer),
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=sc.name,
            dtype=inputs.dtype.base_dtype,
            _scope=sc,
            _reuse=reuse,
        )
        outputs = layer.apply(inputs)
        collect_weights(layer, variables_collections)
        return finished(outputs, normalizer_fn, normalizer_params, activation_fn, outputs_collections, sc.name)


elu = functools.partial(fully_connected, activation_fn=v1.nn.elu)
relu = functools.partial(fully_connected, activation_fn=v1.nn.relu)
relu6 = functools.partial(fully_connected, activation_fn=v1.nn.relu6)
linear = functools.partial(fully_connected, activation_fn=None)
