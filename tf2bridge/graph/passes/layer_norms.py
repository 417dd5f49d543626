"""Keeps TensorFlow from fusing layer normalizations with a wrong epsilon."""

from __future__ import annotations

from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, node_of, op_of
from tf2bridge.internals.protos import node_def_pb2

_ADD = ("Add", "AddV2")


def with_their_epsilon(nodes: Nodes) -> Nodes:
    """Returns the nodes with a barrier before each `Rsqrt(variance + epsilon)`; changes no number.

    With oneDNN, which is the default on processors with AVX512_VNNI, TensorFlow 2.21 fuses such a normalization with
    constant scale and offset, as in a frozen graph, and uses epsilon 0.001 in place of its own
    (core/grappler/optimizers/remapper.cc, `_MklLayerNorm`). The barrier is a `PlaceholderWithDefault` that nothing
    feeds. It passes on values and gradients, every compiler knows it, and no rewriting removes it.
    """
    result = dict(nodes)
    for node in nodes.values():
        if node.op == "Rsqrt" and _is_of_variance(nodes, data_inputs(node)[0]):
            barrier = node_def_pb2.NodeDef(
                name=f"{node.name}/as_written", op="PlaceholderWithDefault", input=[node.input[0]]
            )
            barrier.attr["dtype"].CopyFrom(node.attr["T"])
            barrier.attr["shape"].shape.unknown_rank = True
            result[barrier.name] = barrier
            node.input[0] = barrier.name
    return result


def _is_of_variance(nodes: Nodes, source: str) -> bool:
    total: Any = nodes.get(node_of(source))
    return total is not None and total.op in _ADD and any(op_of(nodes, term) == "Mean" for term in data_inputs(total))
