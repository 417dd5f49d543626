"""What an operation of a queue runner puts into its queue, also where a condition says whether it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tf2bridge.audit import fits
from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, endpoint, is_control, node_of

_ENQUEUES = ("QueueEnqueue", "QueueEnqueueV2", "QueueEnqueueMany*")
_BRANCHES = (("else_branch", False), ("then_branch", True))


@dataclass(frozen=True)
class Put:
    """The endpoints that go into a queue. many: as rows, each an element. waits: control inputs.

    condition: the endpoint, if any, that must be `keep` for it.
    """

    components: tuple[str, ...]
    many: bool
    waits: tuple[str, ...] = ()
    condition: tuple[str, ...] = ()
    keep: bool | None = None


def put_by(nodes: Nodes, functions: Mapping[str, Any], name: str) -> Put | None:
    """Returns what the operation of this name, or of the tensor of this name, puts into a queue; None if not known."""
    node = nodes[node_of(name)]
    while node.op in ("NoOp", "Identity") and len(node.input) == 1:
        node = nodes[node_of(node.input[0])]
    if _puts(node):
        return Put(tuple(data_inputs(node)[1:]), _many(node), _waits(node))
    if node.op in ("If", "StatelessIf"):
        return _in_function(functions, node)
    return _in_branch(nodes, node) if node.op == "Merge" else None


def _in_function(functions: Mapping[str, Any], node: Any) -> Put | None:
    """Of a condition of TensorFlow 2: of the branch that only puts what it is given."""
    for branch, keep in _BRANCHES:
        function = functions[node.attr[branch].func.name]
        names = [each.name for each in function.signature.input_arg]
        given = dict(zip(names, data_inputs(node)[1:], strict=True))
        for each in filter(_puts, function.node_def):
            sources = [source for source in each.input if not is_control(source)][1:]
            if all(source in given for source in sources):
                components = tuple(given[source] for source in sources)
                return Put(components, _many(each), _waits(node), (endpoint(node.input[0]),), keep)
    return None


def _in_branch(nodes: Nodes, merge: Any) -> Put | None:
    """Of a condition of TensorFlow 1.x: what is put passes a `Switch` each, as it is."""
    for source in merge.input[:2]:
        branch = nodes[node_of(source)]
        for each in filter(_puts, (nodes[node_of(source)] for source in branch.input if is_control(source))):
            passed = [(nodes[node_of(source)], source) for source in data_inputs(each)[1:]]
            if passed and all(switch.op == "Switch" for switch, _ in passed):
                components = tuple(endpoint(switch.input[0]) for switch, _ in passed)
                asked = endpoint(passed[0][0].input[1])
                return Put(components, _many(each), (), (asked,), passed[0][1].endswith(":1"))
    return None


def _puts(node: Any) -> bool:
    return fits(node.op, _ENQUEUES)


def _many(node: Any) -> bool:
    return "EnqueueMany" in node.op


def _waits(node: Any) -> tuple[str, ...]:
    return tuple(source for source in node.input if is_control(source))
