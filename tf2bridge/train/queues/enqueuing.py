"""Finds what an operation of a queue runner puts into its queue, also if a condition decides it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, endpoint, is_control, node_of

_ENQUEUES = ("QueueEnqueue", "QueueEnqueueV2", "QueueEnqueueMany*")
_BRANCHES = (("else_branch", False), ("then_branch", True))


@dataclass(frozen=True)
class Put:
    """The endpoints that go into a queue.

    Attributes:
        components: The endpoints.
        many: Whether the rows of the components are elements.
        waits: The control inputs of the operation.
        condition: The endpoint of the condition, if there is one.
        keep: The value that the condition must have.
    """

    components: tuple[str, ...]
    many: bool
    waits: tuple[str, ...] = ()
    condition: tuple[str, ...] = ()
    keep: bool | None = None


def put_by(nodes: Nodes, functions: Mapping[str, Any], name: str) -> Put | None:
    """Returns what an operation puts into a queue; None if that is not known.

    Args:
        nodes: The nodes of the graph.
        functions: The functions of the graph.
        name: The name of the operation, or of its tensor.
    """
    node = nodes[node_of(name)]
    while node.op in ("NoOp", "Identity") and len(node.input) == 1:
        node = nodes[node_of(node.input[0])]
    if _puts(node):
        return Put(tuple(data_inputs(node)[1:]), _many(node), _waits(node))
    if node.op in ("If", "StatelessIf"):
        return _in_function(functions, node)
    return _in_branch(nodes, node) if node.op == "Merge" else None


def _in_function(functions: Mapping[str, Any], node: Any) -> Put | None:
    """Returns what a TensorFlow 2 condition puts: one of its branches enqueues its own arguments."""
    for branch, keep in _BRANCHES:
        function = functions[node.attr[branch].func.name]
        names = [argument.name for argument in function.signature.input_arg]
        given = dict(zip(names, data_inputs(node)[1:], strict=True))
        for enqueue in filter(_puts, function.node_def):
            sources = [source for source in enqueue.input if not is_control(source)][1:]
            if all(source in given for source in sources):
                components = tuple(given[source] for source in sources)
                return Put(components, _many(enqueue), _waits(node), (endpoint(node.input[0]),), keep)
    return None


def _in_branch(nodes: Nodes, merge: Any) -> Put | None:
    """Returns what a TensorFlow 1.x condition puts: every component comes unchanged from a `Switch`."""
    for source in merge.input[:2]:
        branch = nodes[node_of(source)]
        for enqueue in filter(_puts, (nodes[node_of(source)] for source in branch.input if is_control(source))):
            passed = [(nodes[node_of(source)], source) for source in data_inputs(enqueue)[1:]]
            if passed and all(switch.op == "Switch" for switch, _ in passed):
                components = tuple(endpoint(switch.input[0]) for switch, _ in passed)
                asked = endpoint(passed[0][0].input[1])
                return Put(components, _many(enqueue), (), (asked,), passed[0][1].endswith(":1"))
    return None


def _puts(node: Any) -> bool:
    return fits(node.op, _ENQUEUES)


def _many(node: Any) -> bool:
    return "EnqueueMany" in node.op


def _waits(node: Any) -> tuple[str, ...]:
    return tuple(source for source in node.input if is_control(source))
