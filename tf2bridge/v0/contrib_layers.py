"""The layers of contrib.layers in 0.12 with another order of parameters, or other results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers import embedding_ops, normalization
from tf2bridge.contrib.layers.initializers import xavier_initializer
from tf2bridge.contrib.layers.layers import channelwise_convolution
from tf2bridge.contrib.layers.layers.batch_norm_settings import Settings
from tf2bridge.contrib.layers.layers.convolution import check_data_format
from tf2bridge.contrib.layers.layers.fused_batch_norm import fused_batch_norm
from tf2bridge.contrib.layers.layers.moments_batch_norm import moments_batch_norm

v1 = tf.compat.v1


@add_arg_scope
def batch_norm(
    inputs: Any,
    decay: Any = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Callable[[Any], Any] | None = None,
    param_initializers: Any = None,
    updates_collections: Any = v1.GraphKeys.UPDATE_OPS,
    is_training: Any = True,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    batch_weights: Any = None,
    fused: bool = False,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Any:
    """Returns `inputs` normalized. By default it is not fused, so the variance is not corrected for the sample size.

    Raises ValueError for an unknown data format, rank or number of channels, and for fused weighted examples.
    """
    settings = Settings(
        decay,
        center,
        scale,
        epsilon,
        activation_fn,
        param_initializers or {},
        {},
        updates_collections,
        is_training,
        variables_collections,
        outputs_collections,
        trainable,
        data_format,
        as_in_0_12=True,
    )
    if fused:
        if batch_weights is not None:
            raise ValueError("batch_norm: batch_weights cannot be fused; leave one of them out")
        return fused_batch_norm(inputs, settings, scope, reuse)
    check_data_format(data_format)
    with v1.variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as sc:
        return moments_batch_norm(tf.convert_to_tensor(inputs), batch_weights, settings, sc.original_name_scope)


@add_arg_scope
def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: Callable[[Any], Any] | None = None,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    scope: Any = None,
) -> Any:
    """Returns the result of the later `layer_norm` over all axes but the first."""
    return normalization.layer_norm(
        inputs,
        center,
        scale,
        activation_fn,
        reuse,
        variables_collections,
        outputs_collections,
        trainable,
        begin_norm_axis=1,
        begin_params_axis=-1,
        scope=scope,
    )


@add_arg_scope
def separable_convolution2d(
    inputs: Any,
    num_outputs: int | None,
    kernel_size: Any,
    depth_multiplier: int,
    stride: Any = 1,
    padding: str = "SAME",
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
    """Returns the result of the later `separable_conv2d`, which also has a data format and a rate."""
    return channelwise_convolution.separable_convolution2d(
        inputs,
        num_outputs,
        kernel_size,
        depth_multiplier,
        stride,
        padding,
        data_format="NHWC",
        rate=1,
        activation_fn=activation_fn,
        normalizer_fn=normalizer_fn,
        normalizer_params=normalizer_params,
        weights_initializer=weights_initializer,
        pointwise_initializer=None,
        weights_regularizer=weights_regularizer,
        biases_initializer=biases_initializer() if isinstance(biases_initializer, type) else biases_initializer,
        biases_regularizer=biases_regularizer,
        reuse=reuse,
        variables_collections=variables_collections,
        outputs_collections=outputs_collections,
        trainable=trainable,
        scope=scope,
    )


separable_conv2d = separable_convolution2d


def embedding_lookup_unique(params: Any, ids: Any, name: str | None = None) -> Any:
    """Returns the embeddings of the `ids`, each different one looked up once."""
    return embedding_ops.embedding_lookup_unique(params, ids, name=name)
