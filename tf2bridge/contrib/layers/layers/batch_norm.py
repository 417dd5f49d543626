"""Batch normalization (Ioffe and Szegedy, 2015) of contrib.layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers
from tf2bridge.contrib.framework.arg_scope import add_arg_scope
from tf2bridge.contrib.layers.layers.batch_norm_settings import Settings
from tf2bridge.contrib.layers.layers.convolution import check_data_format
from tf2bridge.contrib.layers.layers.fused_batch_norm import fused_batch_norm
from tf2bridge.contrib.layers.layers.layer_variables import add_to_collections, finished, model_variable_getter
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
    param_regularizers: Any = None,
    updates_collections: Any = v1.GraphKeys.UPDATE_OPS,
    is_training: Any = True,
    reuse: Any = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    batch_weights: Any = None,
    fused: bool | None = None,
    data_format: str = "NHWC",
    zero_debias_moving_mean: bool = False,
    scope: Any = None,
    renorm: bool = False,
    renorm_clipping: Any = None,
    renorm_decay: Any = 0.99,
    adjustment: Callable[[Any], Any] | None = None,
) -> Any:
    """Returns `inputs` normalized: each channel has mean `beta` (0 at first) and deviation `gamma` (1 at first).

    The last dimension holds the channels; with "NCHW" the second dimension. Inference uses moving averages. The ops in
    `updates_collections` update them, or the outputs themselves if `updates_collections` is None.

    Raises:
        ValueError: the data format, rank or number of channels is unknown, or `renorm` is combined with
            `batch_weights`, other `updates_collections` or `zero_debias_moving_mean`.
    """
    inputs = tf.convert_to_tensor(inputs)
    settings = Settings(
        decay,
        center,
        scale,
        epsilon,
        activation_fn,
        param_initializers or {},
        param_regularizers or {},
        updates_collections,
        is_training,
        variables_collections,
        outputs_collections,
        trainable,
        data_format,
        zero_debias_moving_mean,
    )
    usual_updates = updates_collections == v1.GraphKeys.UPDATE_OPS and not zero_debias_moving_mean
    rank = inputs.shape.rank
    fusible = (fused is None or fused) and batch_weights is None and not renorm and adjustment is None
    if fusible and (rank == 2 or (rank == 4 and not usual_updates)):
        return fused_batch_norm(inputs, settings, scope, reuse)
    check_data_format(data_format)
    getter = model_variable_getter()
    with v1.variable_scope(scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = tf.convert_to_tensor(inputs)
        if batch_weights is None and usual_updates:
            renorming = {
                "renorm": renorm,
                "renorm_clipping": renorm_clipping,
                "renorm_momentum": renorm_decay,
                "adjustment": adjustment,
            }
            # 1.15 used the fused kernel for images only. For videos it would also apply Bessel's correction.
            fused = (fused is None or fused) and rank == 4
            return _through_core_layer(inputs, settings, {"fused": fused, "_reuse": reuse, **renorming}, sc)
        if renorm:
            raise ValueError(
                "batch_norm: renorm goes with none of batch_weights, updates_collections other than UPDATE_OPS, and "
                "zero_debias_moving_mean"
            )
        return moments_batch_norm(inputs, batch_weights, settings, sc.name)


def _through_core_layer(inputs: Any, settings: Settings, arguments: dict[str, Any], sc: Any) -> Any:
    layer = core_layers().BatchNormalization(
        axis=1 if settings.channels_first else -1,
        momentum=settings.decay,
        epsilon=settings.epsilon,
        center=settings.center,
        scale=settings.scale,
        beta_initializer=settings.initializer("beta"),
        gamma_initializer=settings.initializer("gamma"),
        moving_mean_initializer=settings.initializer("moving_mean"),
        moving_variance_initializer=settings.initializer("moving_variance"),
        beta_regularizer=settings.param_regularizers.get("beta"),
        gamma_regularizer=settings.param_regularizers.get("gamma"),
        trainable=settings.trainable,
        name=sc.name,
        _scope=sc,
        **arguments,
    )
    outputs = layer.apply(inputs, training=settings.is_training)
    for name in ("moving_mean", "moving_variance", "beta", "gamma"):
        if getattr(layer, name) is not None:
            add_to_collections(getattr(layer, name), settings.variables_collections, name)
    return finished(outputs, None, None, settings.activation_fn, settings.outputs_collections, sc.name)
