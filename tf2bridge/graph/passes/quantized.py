"""Computes `Dequantize` with a gradient, which no release of TensorFlow has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.nodes import Nodes, op_of
from tf2bridge.graph.passes.expansions import Expansion
from tf2bridge.internals.protos import node_def_pb2, types_pb2

_IN_WHOLE_NUMBERS = ("Quantized", "QuantizeV2", "QuantizeDown", "Requantiz")
"""Prefixes of the names of operations that compute with 8 bits and return a range, too."""

_NUMBERS = {
    tf.quint8: (0.0, 255.0),
    tf.qint8: (-128.0, 127.0),
    tf.quint16: (0.0, 65535.0),
    tf.qint16: (-32768.0, 32767.0),
    tf.qint32: (-2147483648.0, 2147483647.0),
}
"""Type -> its smallest and largest number."""


def dequantize(attributes: Mapping[str, Any], value: tf.Tensor, low: tf.Tensor, high: tf.Tensor) -> list[tf.Tensor]:
    """Computes `Dequantize`: the kernel's value, with the gradient of its formula in the range [low, high].

    The formulas are those of core/ops/array_ops.cc. The quantized numbers have no gradient, since they are integers.
    """
    options = {"mode": attributes["mode"]}
    options |= {name: attributes[name] for name in ("narrow_range", "axis", "dtype") if name in attributes}
    exact = tf.stop_gradient(tf.raw_ops.Dequantize(input=value, min_range=low, max_range=high, **options))
    if attributes.get("axis", -1) != -1 or exact.dtype != tf.float32:
        return [exact]
    slope = _slope(attributes["mode"], tf.stop_gradient(tf.cast(value, tf.float32)), value.dtype, low, high)
    return [exact + (slope - tf.stop_gradient(slope))]


def _slope(mode: str, number: tf.Tensor, dtype: tf.DType, low: tf.Tensor, high: tf.Tensor) -> tf.Tensor:
    """Returns the dequantized number by its formula, whose gradient in the range is the right one."""
    first, last = _NUMBERS[dtype]
    if mode == "SCALED":
        return number * (tf.maximum(low / first, high / last) if first else high / last)
    step = (high - low) / (last - first)
    if mode == "MIN_FIRST":  # the lowest number stands for a whole number of steps
        return (number - first + tf.stop_gradient(tf.round(low / step))) * step
    return low + (number - first) * step


def with_whole_ranges(nodes: Nodes) -> Nodes:
    """Returns the nodes with a `StopGradient` on the ranges of quantized operations, which have no gradient."""
    result = dict(nodes)
    for node in nodes.values():
        for place in (1, 2) if node.op == "Dequantize" else ():
            if op_of(nodes, node.input[place]).startswith(_IN_WHOLE_NUMBERS):
                closed = node_def_pb2.NodeDef(name=f"{node.name}/range_{place}", op="StopGradient")
                closed.input.append(node.input[place])
                closed.attr["T"].type = types_pb2.DT_FLOAT
                node.input[place] = closed.name
                result[closed.name] = closed
    return result


QUANTIZED: dict[str, Expansion] = {"Dequantize": dequantize}
"""Type of an operation -> the function that computes it."""
