"""Finds the frames of TF 1.x loops: the nodes that run inside each `tf.while_loop`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, node_of, ordered

ENTER = ("Enter", "RefEnter")
EXIT = ("Exit", "RefExit")
MERGE = ("Merge", "RefMerge")
NEXT = ("NextIteration", "RefNextIteration")
SWITCH = ("Switch", "RefSwitch")


@dataclass
class Frame:
    """A loop: its parent frame ("" is the graph itself), its depth, and its nodes from `Enter` to `Exit`."""

    name: str
    parent: str = ""
    depth: int = 0
    nodes: Nodes = field(default_factory=dict)


def frames(nodes: Mapping[str, Any]) -> dict[str, Frame]:
    """Returns all frames by name. The frame "" holds the nodes outside of loops. Each node is in one frame.

    An `Exit` belongs to the loop that it leaves, an `Enter` to the loop that it enters.
    """
    if not any(node.op in ENTER for node in nodes.values()):
        return {"": Frame("", nodes=dict(nodes))}
    by_name = {"": Frame("")}
    inside: dict[str, str] = {}

    def seen_from_outside(source: str) -> str:
        name = node_of(source)
        frame = inside.get(name, "")
        return by_name[frame].parent if name in inside and nodes[name].op in EXIT else frame

    for name in ordered(nodes, lambda source, to: nodes[source].op in NEXT and nodes[to].op in MERGE):
        node = nodes[name]
        around = max(map(seen_from_outside, node.input), key=lambda frame: by_name[frame].depth, default="")
        if node.op in ENTER:
            frame = node.attr["frame_name"].s.decode()
            by_name.setdefault(frame, Frame(frame, around, by_name[around].depth + 1))
            around = frame
        inside[name] = around
    for name, node in nodes.items():
        by_name[inside[name]].nodes[name] = node
    return by_name
