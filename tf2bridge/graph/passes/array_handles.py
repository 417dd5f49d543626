"""The TensorArrays and stacks of TensorFlow 0.x, with text for a handle, as those of 1.x, with a resource."""

from __future__ import annotations

from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes
from tf2bridge.graph.new_nodes import integers
from tf2bridge.graph.passes.passing_ops import with_handles

_ARRAYS = ("TensorArray", "TensorArrayGrad")
_OF_ARRAYS = tuple(
    f"TensorArray{what}" for what in ("Write", "Read", "Gather", "Scatter", "Concat", "Split", "Size", "Close")
)
_OF_STACKS = ("StackPush", "StackPop", "StackClose")
_OLD = frozenset(
    ("Stack", *_OF_STACKS, *(f"{each}{version}" for each in (*_ARRAYS, *_OF_ARRAYS) for version in ("", "V2")))
)


def with_resource_handles(nodes: Nodes) -> Nodes:
    """Returns the nodes with the later versions of these operations; changes them in place.

    GraphDef versions from 26 on know no other arrays; a stack was a reference, which no function takes. The flow that
    0.12 began with was a constant: it stays one.
    """
    old = [node for node in nodes.values() if node.op in _OLD]
    if not old:
        return nodes
    found = dict(nodes)
    made = []
    for node in old:
        plain = node.op.removesuffix("V2")
        if plain in (*_ARRAYS, *_OF_ARRAYS):
            node.op = f"{plain}V3"
            made += [f"{node.name}:0"] if plain in _ARRAYS else []
        elif node.op in _OF_STACKS:
            node.op = f"{node.op}V2"
        else:
            found |= {each.name: each for each in _unlimited(node)}
            made.append(f"{node.name}:0")
    with_handles(nodes, made)
    return found


def _unlimited(node: Any) -> list[Any]:
    """A stack of the second version, which may be given a size."""
    size = integers(f"{node.name}/max_size", -1)
    node.op = "StackV2"
    node.input.insert(0, size.name)
    return [size, node]
