"""`fully_connected`, its variants, and the older `legacy_fully_connected`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers.initializers import xavier_initializer
from tf2bridge.contrib.layers.layers.convolution import RENAMED, collect_weights
from tf2bridge.contrib.layers.layers.layer_variables import finished, model_variable_getter

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

    The variable `biases` is added unless there is a `normalizer_fn`, or `biases_initializer` is None.

    Raises:
        ValueError: `num_outputs` is not an int, or the last dimension of `inputs` is unknown.
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


def legacy_fully_connected(
    x: Any,
    num_output_units: int,
    activation_fn: Callable[[Any], Any] | None = None,
    weight_init: Any = xavier_initializer(),  # noqa: B008  # the default of contrib.layers: it holds no state
    bias_init: Any = v1.zeros_initializer(),  # noqa: B008
    name: Any = None,
    weight_collections: Sequence[str] | None = (v1.GraphKeys.WEIGHTS,),
    bias_collections: Sequence[str] | None = (v1.GraphKeys.BIASES,),
    output_collections: Sequence[str] | None = (v1.GraphKeys.ACTIVATIONS,),
    trainable: bool = True,
    weight_regularizer: Any = None,
    bias_regularizer: Any = None,
) -> Any:
    """Returns `x`, [..., units], times the variable `weights`, plus `bias` unless `bias_init` is None.

    Raises:
        ValueError: the rank is below 2, or the rank or the last dimension is unknown.
    """
    with v1.variable_scope(name, "fully_connected", [x]):
        x = tf.convert_to_tensor(x)
        rank = x.shape.rank
        if rank is None or rank < 2:
            raise ValueError(f"rank of x must be at least 2 not: {rank}")
        if x.shape.as_list()[-1] is None:
            raise ValueError(f"last dimension of x must be known but is None: {x.shape}")
        units = x.shape.as_list()[-1]
        dtype = x.dtype.base_dtype
        weights = v1.get_variable(
            "weights",
            shape=[units, num_output_units],
            dtype=dtype,
            initializer=weight_init,
            collections=_with_globals(weight_collections),
            regularizer=weight_regularizer,
            trainable=trainable,
        )
        y = tf.matmul(x if rank == 2 else tf.reshape(x, [-1, units]), weights)
        if bias_init is not None:
            bias = v1.get_variable(
                "bias",
                shape=[num_output_units],
                dtype=dtype,
                initializer=bias_init,
                collections=_with_globals(bias_collections),
                regularizer=bias_regularizer,
                trainable=trainable,
            )
            y = v1.nn.bias_add(y, bias)
        y = y if rank == 2 else _unflattened(y, x, num_output_units)
        y = y if activation_fn is None else activation_fn(y)
        v1.add_to_collections([*(output_collections or ()), v1.GraphKeys.ACTIVATIONS], y)
        return y


def _with_globals(collections: Sequence[str] | None) -> list[str]:
    return list(dict.fromkeys([*(collections or ()), v1.GraphKeys.GLOBAL_VARIABLES]))


def _unflattened(y: Any, x: Any, units: int) -> Any:
    sizes = tf.unstack(tf.shape(x))
    y = tf.reshape(y, tf.stack([*sizes[:-1], units]))
    y.set_shape([*x.shape.as_list()[:-1], units])
    return y


legacy_relu = functools.partial(legacy_fully_connected, activation_fn=v1.nn.relu)


legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
