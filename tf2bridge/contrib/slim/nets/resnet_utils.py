"""Parts of residual networks: blocks of units, and convolutions that subsample exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, add_arg_scope, arg_scope
from tf2bridge.contrib.layers.initializers import variance_scaling_initializer
from tf2bridge.contrib.layers.layers.batch_norm import batch_norm
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.pooling import max_pool2d
from tf2bridge.contrib.layers.regularizers import l2_regularizer
from tf2bridge.contrib.layers.utils import collect_named_outputs

v1 = tf.compat.v1
Net = tuple[Any, dict[str, Any]]


class Block(NamedTuple):
    """A block: the name of its scope, the function of its units, and the arguments of each unit."""

    scope: str
    unit_fn: Callable[..., Any]
    args: Sequence[Mapping[str, Any]]


def subsample(inputs: Any, factor: int, scope: str | None = None) -> Any:
    """Returns every `factor`-th row and column of `inputs`, [batch, height, width, channels]."""
    return inputs if factor == 1 else max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(
    inputs: Any, num_outputs: int, kernel_size: int, stride: int, rate: int = 1, scope: str | None = None
) -> Any:
    """Returns a convolution of stride 1 that keeps the size, subsampled by `stride`.

    The input is padded evenly; the padding "SAME" would depend on whether its size is even.
    """
    if stride == 1:
        return conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding="SAME", scope=scope)
    total = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    sides = [total // 2, total - total // 2]
    padded = v1.pad(inputs, [[0, 0], sides, sides, [0, 0]])
    return conv2d(padded, num_outputs, kernel_size, stride=stride, rate=rate, padding="VALID", scope=scope)


@add_arg_scope
def stack_blocks_dense(
    net: Any, blocks: Sequence[Block], output_stride: float | None = None, outputs_collections: Any = None
) -> Any:
    """Returns the output of the blocks, one after another; each is collected by the name of its scope.

    Once the stride is `output_stride`, units convolve with holes (atrous) in place of striding. Raises ValueError if
    the strides never come to it.
    """
    stride, rate = 1, 1
    for block in blocks:
        with v1.variable_scope(block.scope, "block", [net]) as scope:
            for number, unit in enumerate(block.args, 1):
                if output_stride is not None and stride > output_stride:
                    raise ValueError(f"output_stride cannot be {output_stride}: the strides before it come to {stride}")
                with v1.variable_scope(f"unit_{number}", values=[net]):
                    if output_stride is not None and stride == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = collect_named_outputs(outputs_collections, scope.name, net)
    if output_stride is not None and stride != output_stride:
        raise ValueError(f"output_stride cannot be {output_stride}: all strides come to {stride}")
    return net


def resnet_arg_scope(
    weight_decay: float = 0.0001,
    batch_norm_decay: float = 0.997,
    batch_norm_epsilon: float = 1e-5,
    batch_norm_scale: bool = True,
) -> Defaults:
    """Returns the scope of the residual networks: normalized, rectified convolutions with decaying weights."""
    normalization = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "scale": batch_norm_scale,
        "updates_collections": v1.GraphKeys.UPDATE_OPS,
    }
    convolutions = arg_scope(
        [conv2d],
        weights_regularizer=l2_regularizer(weight_decay),
        weights_initializer=variance_scaling_initializer(),
        activation_fn=tf.nn.relu,
        normalizer_fn=batch_norm,
        normalizer_params=normalization,
    )
    with convolutions, arg_scope([batch_norm], **normalization), arg_scope([max_pool2d], padding="SAME") as scope:
        return scope


def bottlenecks(scope: str, unit: Callable[..., Any], base_depth: int, num_units: int, stride: int) -> Block:
    """Returns a block of `num_units` bottleneck units, the last of which has the stride."""
    depths = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
    return Block(scope, unit, [{**depths, "stride": 1}] * (num_units - 1) + [{**depths, "stride": stride}])


def of_bottlenecks(
    name: str, units: Sequence[int], resnet: Callable[..., Net], unit: Callable[..., Any]
) -> Callable[..., Net]:
    """Returns the published network `name`: `resnet` of four blocks with so many units."""

    def network(
        inputs: Any,
        num_classes: int | None = None,
        is_training: Any = True,
        global_pool: bool = True,
        output_stride: float | None = None,
        reuse: Any = None,
        scope: Any = name,
    ) -> Net:
        settings = zip((64, 128, 256, 512), units, (2, 2, 2, 1), strict=True)
        blocks = [bottlenecks(f"block{number}", unit, *setting) for number, setting in enumerate(settings, 1)]
        return resnet(inputs, blocks, num_classes, is_training, global_pool, output_stride, True, reuse, scope)

    network.__name__ = network.__qualname__ = name
    network.__doc__ = f"Returns the scores and end points of {name}: see `{resnet.__name__}`."
    return network


def nominal_stride(output_stride: float | None) -> float | None:
    """Returns `output_stride` / 4, the stride after the first layers. Raises ValueError unless 4 divides it."""
    if output_stride is None:
        return None
    if output_stride % 4 != 0:
        raise ValueError(f"output_stride is {output_stride}: it must be a multiple of 4")
    return output_stride / 4
