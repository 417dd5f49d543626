"""The TensorArrays of TensorFlow 0.x, with text for a handle, as those of 1.x, with a resource."""

from __future__ import annotations

from tensorflow.core.framework import types_pb2

from tf2bridge.graph.nodes import Nodes
from tf2bridge.graph.passes.edges import reached, retyped

_MAKERS = ("TensorArray", "TensorArrayGrad")
_OTHERS = tuple(
    f"TensorArray{what}" for what in ("Write", "Read", "Gather", "Scatter", "Concat", "Split", "Size", "Close")
)


def with_resource_arrays(nodes: Nodes) -> Nodes:
    """Renames the operations to their third version, in place, and returns the nodes.

    GraphDef versions from 26 on know no other. The flow that 0.12 began with was a constant: it stays one.
    """
    made = []
    for name, node in nodes.items():
        plain = node.op.removesuffix("V2")
        if plain in (*_MAKERS, *_OTHERS):
            node.op = f"{plain}V3"
            made += [f"{name}:0"] if plain in _MAKERS else []
    retyped(nodes, reached(nodes, made), types_pb2.DT_RESOURCE)
    return nodes
