"""Converts the TensorArrays and stacks of TensorFlow 0.x, whose handles are strings, to those with resource handles."""

from __future__ import annotations

from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes
from tf2bridge.graph.new_nodes import integers
from tf2bridge.graph.passes.passing_ops import with_handles

_ARRAYS = ("TensorArray", "TensorArrayGrad")
_OF_ARRAYS = tuple(
    f"TensorArray{action}" for action in ("Write", "Read", "Gather", "Scatter", "Concat", "Split", "Size", "Close")
)
_OF_STACKS = ("StackPush", "StackPop", "StackClose")
_OLD = frozenset(
    ("Stack", *_OF_STACKS, *(f"{op}{version}" for op in (*_ARRAYS, *_OF_ARRAYS) for version in ("", "V2")))
)


def with_resource_handles(nodes: Nodes) -> Nodes:
    """Returns the nodes with the later versions of these operations; changes them in place.

    GraphDef versions from 26 on have no other arrays. A stack was a reference, which no function takes. The first flow
    of an array of 0.12 was a constant, and stays one.
    """
    old = [node for node in nodes.values() if node.op in _OLD]
    if not old:
        return nodes
    result = dict(nodes)
    made = []
    for node in old:
        plain = node.op.removesuffix("V2")
        if plain in (*_ARRAYS, *_OF_ARRAYS):
            node.op = f"{plain}V3"
            made += [f"{node.name}:0"] if plain in _ARRAYS else []
        elif node.op in _OF_STACKS:
            node.op = f"{node.op}V2"
        else:
            result |= {added.name: added for added in _unlimited(node)}
            made.append(f"{node.name}:0")
    with_handles(nodes, made)
    return result


def _unlimited(node: Any) -> list[Any]:
    """Makes a stack one of the second version, of unlimited size; returns its nodes."""
    size = integers(f"{node.name}/max_size", -1)
    node.op = "StackV2"
    node.input.insert(0, size.name)
    return [size, node]
