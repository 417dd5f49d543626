"""Reads functions that TensorFlow 0.12 wrote: nodes have no names, but their results have (function.proto of r0.12).

    message Node { repeated string ret = 1; string op = 2; repeated string arg = 3; repeated string dep = 4; attr = 5 }

`ret` names a node's results, one for each output argument of its operation; `arg` and `dep` refer to these names. A
list argument passes through `_ListToArray` and `_ArrayToList`, whose items are "name:0", "name:1".
"""

from __future__ import annotations

from typing import Any

from tf2bridge.formats import messages


def old_functions(graph_def: Any) -> dict[str, Any]:
    """Returns name -> function of the old form, as messages with its nodes.

    A graph read from text must be a message of `messages.own`: TensorFlow's own classes do not know these nodes.
    """
    functions = {}
    for function in graph_def.library.function:
        if not function.node_def and not function.ret:
            old = messages.own("FunctionDef").FromString(function.SerializeToString())
            if old.node:
                functions[old.signature.name] = old
    return functions


def listed(graph_def: Any) -> None:
    """Adds nodes of the new form, which name their operations, to functions of the old form, in place.

    This is enough to check what a function does; `graph.upgraded_functions` makes a function that runs.
    """
    for function in graph_def.library.function:
        for node in function.node if not function.node_def else ():
            made = function.node_def.add(name=node.ret[0] if node.ret else node.op, op=node.op)
            for name, value in node.attr.items():
                made.attr[name].CopyFrom(value)
