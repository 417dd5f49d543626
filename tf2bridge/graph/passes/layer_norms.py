"""Layer normalization written out, kept from a fusion that takes another epsilon."""

from __future__ import annotations

from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, node_of, op_of
from tf2bridge.internals.protos import node_def_pb2

_ADD = ("Add", "AddV2")


def with_their_epsilon(nodes: Nodes) -> Nodes:
    """Returns the nodes with a barrier before each `Rsqrt(variance + epsilon)`; changes no number.

    Where oneDNN is on, as it is by default on processors with AVX512_VNNI, TensorFlow 2.21 takes such a normalization
    with constant scale and offset (a frozen graph's) for one of epsilon 0.001, whatever its own is
    (core/grappler/optimizers/remapper.cc, `_MklLayerNorm`). A `PlaceholderWithDefault` that nothing feeds passes values
    and gradients on, every compiler knows it, and no rewriting sees through it.
    """
    found = dict(nodes)
    for node in nodes.values():
        if node.op == "Rsqrt" and _is_of_variance(nodes, data_inputs(node)[0]):
            barrier = node_def_pb2.NodeDef(
                name=f"{node.name}/as_written", op="PlaceholderWithDefault", input=[node.input[0]]
            )
            barrier.attr["dtype"].CopyFrom(node.attr["T"])
            barrier.attr["shape"].shape.unknown_rank = True
            found[barrier.name] = barrier
            node.input[0] = barrier.name
    return found


def _is_of_variance(nodes: Nodes, source: str) -> bool:
    total: Any = nodes.get(node_of(source))
    return total is not None and total.op in _ADD and any(op_of(nodes, each) == "Mean" for each in data_inputs(total))
