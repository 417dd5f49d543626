"""What a step of a loop computes several times: once is enough, as for the indices of each state in a beam search.

Outside of loops it stays: there each scope computes what it needs, and equal scopes become one class.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, array_of, replace
from tf2bridge.internals.framework import op_def_registry


def without_repetitions(function: Function) -> Function:
    """Returns the function, changed: no step of a loop has two nodes that compute the same."""
    replacements: dict[Value, Value] = {}
    for loop in all_nodes(function):
        for body in loop.bodies if loop.op == Kind.WHILE else ():
            replacements |= _repeated(body)
    replace(function, replacements)
    return function


def _repeated(body: Function) -> dict[Value, Value]:
    """Returns the values of nodes that repeat an earlier one -> its values."""
    first_of: dict[Hashable, Node] = {}
    values: dict[Value, Value] = {}
    for node in body.nodes():
        if not _is_pure(node):
            continue
        inputs = tuple(_identity(values.get(value, value)) for value in node.inputs)
        first = first_of.setdefault((node.op, inputs, repr(sorted(node.attributes.items(), key=_name))), node)
        if first is not node:
            values |= {Value(node, port): Value(first, port) for port in range(len(node.outputs))}
    return values


def _is_pure(node: Node) -> bool:
    """Returns True for an operation of TensorFlow that does nothing but compute values of what it takes."""
    definition = op_def_registry.get(node.op)
    is_of_values = definition is not None and not definition.is_stateful and node.op != "Const"
    return (
        is_of_values
        and not node.bodies
        and not node.after
        and all(spec.dtype.is_numpy_compatible for spec in node.outputs)
    )


def _identity(value: Value) -> Hashable:
    """Returns what two values have in common if they are the same one, or equal constants."""
    array = array_of(value)
    if array is None or array.dtype.kind not in "fiub":
        return value
    return value.spec.dtype.name, np.shape(array), np.asarray(array).tobytes()


def _name(item: tuple[str, Any]) -> str:
    return item[0]
