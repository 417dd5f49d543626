"""Takes out of the updates of a graph what changes nothing: reads of one value, and neutral elements."""

from __future__ import annotations

from tf2bridge.decompile.idioms.matching import number
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, needed_by, replace, uses
from tf2bridge.internals.framework import op_def_registry

_NEUTRAL = {
    "Mul": (1, (0, 1)),
    "Add": (0, (0, 1)),
    "AddV2": (0, (0, 1)),
    "Sub": (0, (1,)),
    "RealDiv": (1, (1,)),
    "Pow": (1, (1,)),
}
"""Type of an operation -> the number that changes nothing, and the inputs that it may be."""


def tidied(function: Function) -> Function:
    """Returns the function, changed: what needs the first value of a variable takes one read of it."""
    _drop_unused_reads(function)
    _merge_first_reads(function)
    _pass_waits_on(function)
    while neutral := _neutral(function):
        replace(function, neutral)
    return function


def _drop_unused_reads(function: Function) -> None:
    """Lets nothing wait for a read whose value nobody takes."""
    taken = {value.node for value in uses(function)}
    for node in all_nodes(function):
        node.after = [earlier for earlier in node.after if earlier.op != "ReadVariableOp" or earlier in taken]
    function.effects = [node for node in function.effects if node.op != "ReadVariableOp"]


def _merge_first_reads(function: Function) -> None:
    """Lets reads of a variable that come after no change of it be one read, before all of these changes."""
    nodes = function.nodes()
    behind: dict[Node, frozenset[Node]] = {}
    for node in nodes:
        changes = [behind[needed] for needed in needed_by(node) if needed in behind]
        behind[node] = frozenset().union(*changes, [node] if _changed(node) else [])
    firsts: dict[Node, Node] = {}
    replacements = {}
    for node in nodes:
        if node.op != "ReadVariableOp" or node.inputs[0].node.op != Kind.VARIABLE:
            continue
        variable = node.inputs[0].node
        if any(variable in _changed(change) for change in behind[node]):
            continue
        first = firsts.setdefault(variable, node)
        if first is not node:
            replacements[Value(node, 0)] = Value(first, 0)
            node.after = []
    replace(function, replacements)
    merged = {value.node: other.node for value, other in replacements.items()}
    for node in nodes:
        node.after = list(dict.fromkeys(merged.get(earlier, earlier) for earlier in node.after))
        read = [firsts[variable] for variable in _changed(node) if variable in firsts]
        node.after = list(dict.fromkeys([*node.after, *read]))
    for variable, first in firsts.items():
        first.name, first.after = variable.name, []


def _pass_waits_on(function: Function) -> None:
    """Lets operations with effects wait for what they wait for by way of others, and these for nothing."""
    carried: dict[Node, list[Node]] = {}
    for node in function.nodes():
        waits = [*node.after, *(earlier for value in node.inputs for earlier in carried.get(value.node, ()))]
        definition = op_def_registry.get(node.op)
        if definition is not None and not definition.is_stateful and not node.bodies:
            carried[node], node.after = waits, []
        else:
            node.after = list(dict.fromkeys(waits))


def _changed(node: Node) -> list[Node]:
    """Returns the variables that an operation changes: the step of an optimizer changes its averages, too."""
    if node.op == "ReadVariableOp" or not node.inputs or node.inputs[0].node.op != Kind.VARIABLE:
        return []
    return [value.node for value in node.inputs if value.node.op == Kind.VARIABLE]


def _neutral(function: Function) -> dict[Value, Value]:
    """Returns values that are one of the inputs of their node -> that input."""
    replacements = {}
    for node in all_nodes(function):
        element, places = _NEUTRAL.get(node.op, (None, ()))
        for place in places:
            other = node.inputs[1 - place]
            is_scalar = node.inputs[place].spec.shape == ()
            if is_scalar and number(node.inputs[place]) == element and number(other) != element and not node.after:
                replacements[Value(node, 0)] = other
    return replacements
