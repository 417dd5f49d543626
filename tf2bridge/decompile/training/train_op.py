"""Finds the train op of a graph, and the operations of it that change variables."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tf2bridge.decompile.refusals import TrainOpError
from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.interface import SCATTERS, resolve
from tf2bridge.formats.graphs.nodes import data_inputs, dependents, needed, node_of, op_of
from tf2bridge.graph.graph_module import GraphModule

_COLLECTION = "train_op"
"""The collection that optimizers and slim add their operations to (tf.GraphKeys.TRAIN_OP)."""
APPLY = ("Apply*", "ResourceApply*", "SparseApply*", "ResourceSparseApply*")
CHANGING = (*APPLY, "Assign*", *SCATTERS, "StridedSliceAssign", "ResourceStridedSliceAssign")
_SWITCHES = ("Switch", "RefSwitch")


def train_op_of(module: GraphModule, nodes: Mapping[str, Any], name: str | None) -> str:
    """Returns the name of the node that trains.

    Args:
        module: The graph.
        nodes: Its nodes by name.
        name: The name that was asked for, as for the outputs of `load`; None for the only train op of the graph.

    Raises:
        TrainOpError: There is none, or there are several.
        UnknownNameError: The graph has no such node.
    """
    if name is not None:
        train_op = node_of(resolve(nodes, name))
        if not updates_of(nodes, train_op):
            raise TrainOpError(module.graph.path, f"{train_op} changes no variable", _candidates(module, nodes))
        return train_op
    candidates = _candidates(module, nodes)
    if len(candidates) != 1:
        why = "it has several train ops" if candidates else "it has no train op"
        raise TrainOpError(module.graph.path, why, candidates)
    return candidates[0]


def updates_of(nodes: Mapping[str, Any], train_op: str) -> list[str]:
    """Returns the nodes that a train op runs and that change a variable, in the order of the graph."""
    names = needed(nodes, [train_op])
    return [name for name, node in nodes.items() if name in names and fits(node.op, CHANGING)]


def _candidates(module: GraphModule, nodes: Mapping[str, Any]) -> list[str]:
    """Returns the operations that run updates of optimizers and that nothing uses; if several, those collected."""
    updates = [name for name, node in nodes.items() if fits(node.op, APPLY)]
    reached = dependents(nodes.values(), updates, lambda node: node.input)
    used = {node_of(source) for name in reached for source in nodes[name].input}
    ends = [name for name in nodes if name in reached and name not in used]
    collected = dict.fromkeys(map(node_of, module.collections.get(_COLLECTION, ())))
    return _outermost(nodes, collected) if collected and len(ends) != 1 else ends


def _outermost(nodes: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Returns the names that no other one of them needs."""
    inner = {name for other in names for source in nodes[other].input for name in needed(nodes, [node_of(source)])}
    return [name for name in names if name not in inner]


def end_of(nodes: Mapping[str, Any], update: str, used: Iterable[str]) -> str:
    """Returns the node behind the condition that an update is in: the update itself, if it is in none.

    Args:
        nodes: All nodes by name.
        update: The node of the update.
        used: The nodes that the train op needs.
    """
    if not any(op_of(nodes, source) in _SWITCHES for source in nodes[update].input):
        return update
    takers: dict[str, list[str]] = {}
    for name in used:
        for source in nodes[name].input:
            takers.setdefault(node_of(source), []).append(name)
    reached, pending = {update}, deque([update])
    while pending:
        name = pending.popleft()
        if nodes[name].op == "Merge":
            return name
        new = [taker for taker in takers.get(name, ()) if taker not in reached]
        reached.update(new)
        pending.extend(new)
    return update


def data_needs(nodes: Mapping[str, Any], root: str, stops: Collection[str]) -> set[str]:
    """Returns a node and the nodes whose values it is computed from. Inputs of `stops`, a set, are not followed."""
    names: set[str] = set()
    pending = [root]
    while pending:
        name = pending.pop()
        if name not in names:
            names.add(name)
            pending += [] if name in stops else [node_of(source) for source in data_inputs(nodes[name])]
    return names
