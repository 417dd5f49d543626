"""The inception networks as tables: each cell is one layer, or branches of layers whose outputs are joined.

A layer is written as its scope, whose end is its kernel size, and what is not a default: "Conv2d_0a_1x1:64" has 64
outputs, "MaxPool_1a_3x3/2" a stride of 2, "Conv2d_1a_3x3:96/2v" the padding VALID (s: SAME), "Conv2d_1a_1x1:96=3x3"
another kernel size than its scope says, "Conv2d_0a_1x1:64~0.09" weights of that standard deviation. Layers of a branch
are separated by spaces; those joined by "+" have one input, and their outputs are joined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.arg_scope import Defaults, arg_scope
from tf2bridge.contrib.layers.initializers import variance_scaling_initializer
from tf2bridge.contrib.layers.layers.batch_norm import batch_norm
from tf2bridge.contrib.layers.layers.convolution import conv2d
from tf2bridge.contrib.layers.layers.fully_connected import fully_connected
from tf2bridge.contrib.layers.layers.pooling import avg_pool2d, max_pool2d
from tf2bridge.contrib.layers.regularizers import l2_regularizer

v1 = tf.compat.v1
Cell = str | Sequence[str]
Cells = Mapping[str, Cell]
Depth = Callable[[int], int]

_LAYER = re.compile(
    r"(?P<scope>\w+_(?P<named>\d+x\d+))(:(?P<depth>\d+))?(=(?P<kernel>\d+x\d+))?"
    r"(/(?P<stride>\d))?(?P<padding>[vs])?(~(?P<stddev>[\d.]+))?"
)


def mixed(*branches: str) -> list[str]:
    """Returns the cell's output: the branches, joined."""
    return list(branches)


def build(
    net: Any, cells: Cells, final_endpoint: str, end_points: dict[str, Any], depth: Depth = int
) -> tuple[Any, bool]:
    """Returns the output of the cells up to `final_endpoint`, and whether that was among them.

    Each output is put into `end_points`. `depth` makes the number of a layer's outputs of the one in the table.
    """
    for name, cell in cells.items():
        net = _layer(net, f"{name}{cell}", depth) if isinstance(cell, str) else _cell(net, name, cell, depth)
        end_points[name] = net
        if name == final_endpoint:
            return net, True
    return net, False


def thinned(depth_multiplier: float, min_depth: int) -> Depth:
    """Returns the function that thins layers, but not below `min_depth`. Raises ValueError unless above 0."""
    if depth_multiplier <= 0:
        raise ValueError(f"depth_multiplier is {depth_multiplier}: it must be greater than zero")
    return lambda depth: max(int(depth * depth_multiplier), min_depth)


def kernel_within(net: Any, height: int, width: int) -> list[int]:
    """Returns the kernel size of a layer over `net`, reduced if the static size of `net` is smaller."""
    rows, columns = net.get_shape().as_list()[1:3]
    return [height, width] if rows is None or columns is None else [min(rows, height), min(columns, width)]


def normal(stddev: float) -> Any:
    """Returns an initializer of truncated normal values."""
    return v1.truncated_normal_initializer(0.0, stddev)


def inception_scope(weight_decay: float, **layer: Any) -> Defaults:
    """Returns the scope of the training: rectified convolutions with decaying weights and the arguments `layer`."""
    decaying = arg_scope([conv2d, fully_connected], weights_regularizer=l2_regularizer(weight_decay))
    rectified = {"weights_initializer": variance_scaling_initializer(), "activation_fn": tf.nn.relu, **layer}
    with decaying, arg_scope([conv2d], **rectified) as scope:
        return scope


def normalized(moving: str, decay: float = 0.9997, epsilon: float = 0.001, **more: Any) -> dict[str, Any]:
    """Returns the arguments of layers with batch normalization, whose moving values are in the collection `moving`."""
    collections = {"beta": None, "gamma": None, "moving_mean": [moving], "moving_variance": [moving]}
    params = {"decay": decay, "epsilon": epsilon, "updates_collections": v1.GraphKeys.UPDATE_OPS, **more}
    return {"normalizer_fn": batch_norm, "normalizer_params": {**params, "variables_collections": collections}}


def joined(net: Any, branches: Sequence[str], depth: Depth = int) -> Any:
    """Returns the outputs of the branches, concatenated by channels. Each branch has its own scope."""
    outputs = []
    for number, branch in enumerate(branches):
        with v1.variable_scope(f"Branch_{number}"):
            outputs.append(_branch(net, branch, depth))
    return v1.concat(outputs, 3)


def _cell(net: Any, name: str, branches: Sequence[str], depth: Depth) -> Any:
    with v1.variable_scope(name):
        return joined(net, branches, depth)


def _branch(net: Any, layers: str, depth: Depth) -> Any:
    for parallel in layers.split():
        outputs = [_layer(net, layer, depth) for layer in parallel.split("+")]
        net = outputs[0] if len(outputs) == 1 else v1.concat(outputs, 3)
    return net


def _layer(net: Any, text: str, depth: Depth) -> Any:
    match = _LAYER.fullmatch(text)
    assert match, text
    kernel = [int(size) for size in (match["kernel"] or match["named"]).split("x")]
    given: dict[str, Any] = {"scope": match["scope"]}
    if match["stride"]:
        given["stride"] = int(match["stride"])
    if match["padding"]:
        given["padding"] = {"v": "VALID", "s": "SAME"}[match["padding"]]
    if match["depth"] is None:
        return (max_pool2d if text.startswith("Max") else avg_pool2d)(net, kernel, **given)
    if match["stddev"]:
        given["weights_initializer"] = normal(float(match["stddev"]))
    return conv2d(net, depth(int(match["depth"])), kernel, **given)
