"""The optimizer of Keras that does what the updates of a training step do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codemods.native.keras_optimizers import COUNTERPARTS, Counterpart
from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idiomatic.clipping import NoCounterpartError, clipping, inputs_of_operation
from tf2bridge.decompile.idioms.layer import shortest
from tf2bridge.decompile.idioms.matching import match, number
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes

_APPLY = re.compile("Resource(?:Sparse)?Apply(.+)$")


@dataclass(frozen=True)
class Optimizer:
    """An optimizer of Keras with the state that the graph's has.

    Attributes:
        counterpart: Its class, and how it differs.
        arguments: The argument -> its value, without the learning rate.
        rate: The learning rate: a number, the name of a function of the step, or of an input of the step.
        trained: The old names of the variables that it changes.
        slots: How Keras ends the name of variables -> the old names of the slots, in the order of `trained`.
        counter: The old name of the variable that counts the steps, if there is one.
        power: The old name of a power of a constant that tells the number of steps, and the constant.
    """

    counterpart: Counterpart
    arguments: Mapping[str, Any]
    rate: float | str
    trained: tuple[str, ...]
    slots: Mapping[str, tuple[str, ...]]
    counter: str | None
    power: tuple[str, float] | None

    @property
    def expression(self) -> str:
        """The expression that makes it, in which `{rate}` stands for the learning rate, if it has one."""
        first = [] if isinstance(self.rate, str) else [literal(self.rate)]
        return ", ".join([*first, *(f"{name}={literal(value)}" for name, value in self.arguments.items())])


def optimizer_of(function: Function, schedules: Mapping[str, Function], trained: Sequence[str]) -> Optimizer:
    """Returns the optimizer that does what updates do.

    Args:
        function: The updates, before loops are made of them.
        schedules: The learning rates that are functions of the step.
        trained: The old names of the variables that have gradients.

    Raises:
        NoCounterpartError: The updates do more than an optimizer of Keras does.
    """
    changes = [node for node in function.nodes() if _changed(node) is not None]
    updates = [node for node in changes if _APPLY.match(node.op)]
    kinds = {_kind(node) for node in updates}
    if len(kinds) != 1 or (kind := kinds.pop()) not in COUNTERPARTS:
        names = ", ".join(sorted({node.op for node in updates})) or "none"
        raise NoCounterpartError(f"no optimizer of Keras does what these operations do: {names}")
    counterpart = COUNTERPARTS[kind]
    by_variable = {_changed(node): node for node in updates}
    missing = [name for name in trained if name not in by_variable]
    if missing or len(by_variable) != len(updates):
        raise NoCounterpartError(f"{(missing or ['a variable'])[0]} is not updated by one {kind} operation")
    ordered = [by_variable[name] for name in trained]
    for node in all_nodes(function):
        if node.bodies and any(_changed(inner) for body in node.bodies for inner in all_nodes(body)):
            raise NoCounterpartError(f"updates are in the condition or loop {node.name}")
    counter, power = _bookkeeping([node for node in changes if node not in updates], ordered, counterpart)
    rate = _rate(_shared(ordered, counterpart.rate), schedules, counter)
    arguments = _arguments(ordered, counterpart) | clipping(ordered, counterpart.gradient)
    slots = {
        ending: tuple(_variable(inputs_of_operation(node)[role], kind) for node in ordered)
        for role, ending in counterpart.slots.items()
        if not (kind.endswith("RMSProp") and role == "mom" and "momentum" not in arguments)
    }
    return Optimizer(counterpart, arguments, rate, tuple(trained), slots, counter, power)


def _kind(node: Node) -> str:
    name = _APPLY.match(node.op)
    return name[1] if name else ""


def _changed(node: Node) -> str | None:
    """Returns the old name of the variable that an operation changes, or None."""
    if node.op == "ReadVariableOp" or not node.inputs or node.inputs[0].node.op != Kind.VARIABLE:
        return None
    name: str = node.inputs[0].node.attributes["variable"]
    return name


def _variable(value: Value, kind: str) -> str:
    if value.node.op != Kind.VARIABLE:
        raise NoCounterpartError(f"a slot of {kind} is no variable")
    name: str = value.node.attributes["variable"]
    return name


def _shared(nodes: Sequence[Node], role: str) -> Value:
    """Returns the value that all operations take for an input. Raises NoCounterpartError if they take several."""
    values = [inputs_of_operation(node)[role] for node in nodes]
    first = values[0]
    if any(value != first and (number(value) is None or number(value) != number(first)) for value in values):
        raise NoCounterpartError(f"variables have different numbers for {role}")
    return first


def _arguments(nodes: Sequence[Node], counterpart: Counterpart) -> dict[str, Any]:
    arguments: dict[str, Any] = dict(counterpart.fixed)
    for role, argument in counterpart.numbers.items():
        if role not in inputs_of_operation(nodes[0]):
            continue
        value = number(_shared(nodes, role))
        if value is None:
            raise NoCounterpartError(f"{role} is computed, and Keras takes a number")
        value = shortest(value)
        if counterpart.defaults.get(argument) != value:
            arguments[argument] = value
    for attribute in (*counterpart.flags, *counterpart.refused):
        flags = {bool(node.attributes.get(attribute)) for node in nodes}
        if len(flags) > 1 or (flags == {True} and attribute in counterpart.refused):
            raise NoCounterpartError(f"Keras has no {attribute} there")
        if flags == {True}:
            arguments[counterpart.flags[attribute]] = True
    if arguments.get("momentum") == 0:
        del arguments["momentum"]
    return arguments


def _rate(value: Value, schedules: Mapping[str, Function], counter: str | None) -> float | str:
    constant = number(value)
    if constant is not None:
        return shortest(constant)
    if value.node.op == Kind.PARAMETER and "item" not in value.node.attributes:
        return value.node.name
    name = str(value.node.attributes.get("template", "")).partition("(")[0]
    if value.node.op == Kind.EXPRESSION and name in schedules:
        read = value.node.inputs[0].node
        if read.op == "ReadVariableOp" and read.inputs[0].node.attributes.get("variable") == counter:
            return name
    raise NoCounterpartError("the learning rate is no function of the number of steps alone")


def _bookkeeping(
    others: Sequence[Node], updates: Sequence[Node], counterpart: Counterpart
) -> tuple[str | None, tuple[str, float] | None]:
    """Returns the variable that counts the steps, and the power that tells their number.

    Raises NoCounterpartError if there are changes of other variables.
    """
    counter = power = None
    powers = {_power_of(inputs_of_operation(node)[role]) for node in updates for role in counterpart.powers}
    for node in others:
        name = _changed(node)
        is_one = node.op == "AssignAddVariableOp" and number(node.inputs[1]) == 1
        if is_one and node.inputs[1].spec.dtype.is_integer and counter is None:
            counter = name
            continue
        factor = match(node.inputs[1], "Mul(ReadVariableOp(variable), factor)") if len(node.inputs) > 1 else None
        base = number(factor["factor"]) if factor and factor["variable"] == node.inputs[0] else None
        if node.op == "AssignVariableOp" and base is not None and name is not None and name in powers:
            if power is None or shortest(base) > power[1]:  # the smaller one is 0 much earlier
                power = name, shortest(base)
            continue
        raise NoCounterpartError(f"the step changes {name} too ({node.op}), and no optimizer of Keras does")
    return counter, power


def _power_of(value: Value) -> str | None:
    read = value.node
    return read.inputs[0].node.attributes.get("variable") if read.op == "ReadVariableOp" else None
