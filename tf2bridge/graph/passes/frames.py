"""The frames of TF 1.x loops: which nodes run inside which `tf.while_loop`."""

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
    """A loop: the frame it lies in ("" is the graph itself), how deep, and its nodes, `Enter` to `Exit`."""

    name: str
    parent: str = ""
    depth: int = 0
    nodes: Nodes = field(default_factory=dict)


def frames(nodes: Mapping[str, Any]) -> dict[str, Frame]:
    """All frames by name; that of the graph itself, "", holds what lies in no loop. Each node is in one frame.

    An `Exit` belongs to the loop that it leaves, an `Enter` to the one that it enters.
    """
    if not any(node.op in ENTER for node in nodes.values()):
        return {"": Frame("", nodes=dict(nodes))}
    found = {"": Frame("")}
    inside: dict[str, str] = {}

    def seen_from_outside(source: str) -> str:
        name = node_of(source)
        frame = inside.get(name, "")
        return found[frame].parent if name in inside and nodes[name].op in EXIT else frame

    for name in ordered(nodes, lambda source, to: nodes[source].op in NEXT and nodes[to].op in MERGE):
        node = nodes[name]
        around = max(map(seen_from_outside, node.input), key=lambda frame: found[frame].depth, default="")
        if node.op in ENTER:
            frame = node.attr["frame_name"].s.decode()
            found.setdefault(frame, Frame(frame, around, found[around].depth + 1))
            around = frame
        inside[name] = around
    for name, node in nodes.items():
        found[inside[name]].nodes[name] = node
    return found
