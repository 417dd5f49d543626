"""Names of the variables of loops. In the graph these have numbers alone."""

from __future__ import annotations

import re

import tensorflow as tf

from tf2bridge.decompile.idioms.layer import OUTPUT_NAMES
from tf2bridge.decompile.idioms.matching import match
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes

_OF_FLOW = re.compile(r"(while|cond|while_context|functional)(_\d+)?")
"""Parts of the names of scopes that loops and conditions open."""


def with_loop_names(function: Function) -> Function:
    """Returns the function, changed: the variables of each loop are named after what they become in a step."""
    for loop in [node for node in all_nodes(function) if node.op == Kind.WHILE]:
        condition, body = loop.bodies
        for parameters in zip(condition.parameters, body.parameters, body.results, strict=True):
            *both, result = parameters
            name = _name(loop, Value(both[-1], 0), result)
            for parameter in both:
                parameter.name = name
    return function


def _name(loop: Node, variable: Value, result: Value) -> str:
    """Returns the name of a variable of a loop.

    Args:
        loop: The loop.
        variable: The variable, as its body takes it.
        result: What it is in the next step.
    """
    dtype, shape = variable.spec
    if dtype == tf.variant:
        return "items"
    if dtype.is_integer and shape == () and match(result, "Add(x, 1)", {"x": variable}):
        return "step"
    if OUTPUT_NAMES in result.node.attributes:
        name: str = result.node.attributes[OUTPUT_NAMES][result.port]
        return name
    if dtype == tf.bool:
        return "finished"
    if result.node.op == Kind.PARAMETER:
        return "previous"
    around = set(_words(loop.name))
    words = _words(result.node.name)
    inner = [word for word in words[:-1] if word not in around]
    return inner[-1] if inner else words[-1]


def _words(name: str) -> list[str]:
    """Returns the scopes of a node and its own name, without those of flow and without numbers that tell them apart."""
    parts = [part for part in name.split("/") if not _OF_FLOW.fullmatch(part)]
    return [re.sub(r"_\d+$", "", part) for part in parts] or ["value"]
