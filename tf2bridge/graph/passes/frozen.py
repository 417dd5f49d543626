"""A graph whose variables are constants, under the names it had."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf2bridge.graph.constants import constant
from tf2bridge.graph.nodes import HANDLES, Nodes, copied, data_inputs, node_of
from tf2bridge.graph.passes.edges import reached, retyped
from tf2bridge.graph.refusals import UnsupportedOpsError

_READS = "ReadVariableOp"


def with_constants(nodes: Nodes, values: Mapping[str, Any]) -> Nodes:
    """Returns the nodes with a `Const` of its value for each variable, node name -> value; reads become `Identity`s.

    Raises UnsupportedOpsError where something among the nodes changes a variable.
    """
    found: Nodes = {}
    for name, node in nodes.items():
        if node.op in HANDLES:
            found[name] = constant(name, values[name])
        else:
            found[name] = copied(node)
    for name in values.keys() & nodes.keys():
        dtype = found[name].attr["dtype"].type
        held = reached(nodes, [f"{name}:0"])
        retyped(found, held, dtype)
        for node in nodes.values():
            if any(source in held for source in data_inputs(node)):
                _settle(found[node.name], node, dtype)
    return found


def _settle(made: Any, node: Any, dtype: int) -> None:
    """Makes what takes the variable one that takes its value."""
    if node.op == _READS:
        made.op = "Identity"
        made.attr.clear()
        made.attr["T"].type = dtype
    elif made.op.startswith("Ref"):
        made.op = made.op.removeprefix("Ref")
    elif node.op.startswith(("Assign", "Apply", "Resource", "Scatter", "SparseApply", "CountUpTo")):
        raise UnsupportedOpsError(
            [f"{node.name} ({node.op}) changes {node_of(node.input[0])}, which would be a constant"]
        )
