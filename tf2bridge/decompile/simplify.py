"""Takes out of a graph what changes no value: copies, and reads of variables that nothing changes."""

from __future__ import annotations

from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, replace, uses

_COPIES = ("Identity", "IdentityN", "Snapshot")


def simplified(function: Function, assigned: frozenset[str]) -> Function:
    """Returns the function, changed: users of a copy take what is copied.

    Args:
        function: The function.
        assigned: The variables that the graph changes. Where there are any, a copy of what is read may be there to keep
            an old value, and stays.
    """
    kept = {Kind.VARIABLE, "ReadVariableOp"} if assigned else {Kind.VARIABLE}
    copies = {
        Value(node, port): value
        for node in all_nodes(function)
        if node.op in _COPIES and not node.after
        for port, value in enumerate(node.inputs)
        if value.node.op not in kept
    }
    replace(function, copies)
    return function


def with_one_read(function: Function, assigned: frozenset[str]) -> Function:
    """Returns the function, changed: one node reads each variable that the graph does not change."""
    reads: dict[Value, Node] = {}
    replacements = {}
    for node in all_nodes(function):
        if node.op == "ReadVariableOp" and node.inputs[0].node.op == Kind.VARIABLE and not node.after:
            variable = node.inputs[0]
            if variable.node.attributes["variable"] not in assigned:
                if variable not in reads:
                    reads[variable] = node
                    node.owner = function
                elif node is not reads[variable]:
                    replacements[Value(node, 0)] = Value(reads[variable], 0)
    replace(function, replacements)
    return function


def without_unused_reads(function: Function) -> Function:
    """Returns the function, changed: no node and no result waits for a read that nothing takes."""
    users = uses(function)
    nodes = list(all_nodes(function))
    unused = {node for node in nodes if node.op == "ReadVariableOp" and Value(node, 0) not in users}
    for node in nodes:
        node.after = _without(node.after, unused)
    for part in (function, *(body for node in nodes for body in node.bodies)):
        part.effects = _without(part.effects, unused)
    return function


def _without(waited_for: list[Node], left_out: set[Node]) -> list[Node]:
    """Returns nodes, with those that a node is after in place of one that is left out."""
    kept: dict[Node, None] = {}
    pending = waited_for[::-1]
    while pending:
        node = pending.pop()
        if node in left_out:
            pending += node.after[::-1]
        else:
            kept[node] = None
    return list(kept)


def assigned_variables(function: Function) -> frozenset[str]:
    """Returns the old names of the variables that a graph changes."""
    return frozenset(
        value.node.attributes["variable"]
        for node in all_nodes(function)
        if node.op.startswith(("Assign", "Resource")) and node.op != "ResourceGather"
        for value in node.inputs
        if value.node.op == Kind.VARIABLE
    )
