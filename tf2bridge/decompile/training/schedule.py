"""The learning rate as a function of the step."""

from __future__ import annotations

from dataclasses import replace as replaced

from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, behind, replace
from tf2bridge.internals.framework import op_def_registry

NAME = "learning_rate"
_ROLES = ("lr", "alpha")
"""What the operations of optimizers call the learning rate."""


def with_schedules(function: Function) -> dict[str, Function]:
    """Lets the updates call functions for learning rates that follow from one variable, such as the global step.

    Args:
        function: The updates, which are changed.

    Returns:
        The name of each function -> the function.
    """
    schedules: dict[str, Function] = {}
    for rate in dict.fromkeys(_rates(function)):
        schedule = _schedule(function, rate)
        if schedule is None:
            continue
        name = NAME if not schedules else f"{NAME}_{len(schedules) + 1}"
        body, read = schedule
        schedules[name] = body
        attributes = {"template": f"{name}(_0)", "is_elementwise": False}
        call = Node("rate", Kind.EXPRESSION, [read], attributes, [rate.spec], function)
        replace(function, {rate: Value(call, 0)})
    return schedules


def _rates(function: Function) -> list[Value]:
    """Returns the learning rates that operations of optimizers take and that are computed."""
    rates = []
    for node in all_nodes(function):
        if node.op.startswith(("ResourceApply", "ResourceSparseApply")):
            names = [argument.name for argument in op_def_registry.get(node.op).input_arg]
            rates += [value for value, name in zip(node.inputs, names, strict=True) if name in _ROLES]
    free = ("Const", "ReadVariableOp", Kind.PARAMETER, Kind.EXPRESSION)
    return [rate for rate in rates if rate.node.op not in free and rate.node.owner is function]


def _schedule(function: Function, rate: Value) -> tuple[Function, Value] | None:
    """Returns a function that computes a rate, and the value that it is called with; None if there are several."""
    computing = behind(rate)
    nodes = [node for node in function.nodes() if node in computing]
    reads = [node for node in nodes if node.op == "ReadVariableOp"]
    others = [node for node in nodes if node.op == Kind.PARAMETER or node.bodies or node.after]
    if len(reads) != 1 or others:
        return None
    read, schedule = Value(reads[0], 0), Function()
    parameter = Node(reads[0].inputs[0].node.name, Kind.PARAMETER, [], {}, [read.spec], schedule)
    copies = {reads[0]: parameter}
    for node in nodes:
        if node is not reads[0] and node.op != Kind.VARIABLE:
            inputs = [Value(copies[value.node], value.port) for value in node.inputs]
            copies[node] = replaced(node, inputs=inputs, owner=schedule)
    schedule.parameters, schedule.results = [parameter], [Value(copies[rate.node], rate.port)]
    return schedule, read
