"""What a graph says of the machine and the run it was made for, taken out: that changes no number."""

from __future__ import annotations

from typing import Any

from tf2bridge.graph.nodes import Nodes, copied, is_control, node_of

_PLACEMENT = ("_class", "_output_shapes")


def stripped(nodes: Nodes) -> Nodes:
    """Returns copies of the nodes without devices, colocation, stored shapes and assertions; constants as they are.

    Stored shapes may contradict this TensorFlow (`FusedBatchNorm`); an assertion becomes a `NoOp` that waits as it did.
    No pass changes a constant that waits for nothing, so that weights of a frozen graph need not be copied.
    """
    return {name: node if _is_bare_constant(node) else _stripped(node) for name, node in nodes.items()}


def _is_bare_constant(node: Any) -> bool:
    return (
        node.op == "Const" and not node.input and not node.device and not any(map(node.attr.__contains__, _PLACEMENT))
    )


def _stripped(node: Any) -> Any:
    kept = copied(node)
    kept.device = ""
    for name in _PLACEMENT:
        kept.attr.pop(name, None)
    if node.op == "Assert":
        kept.op = "NoOp"
        kept.attr.clear()
        kept.input[:] = sorted({source if is_control(source) else f"^{node_of(source)}" for source in node.input})
    return kept
