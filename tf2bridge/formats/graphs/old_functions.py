"""Functions as TensorFlow 0.12 wrote them: nodes without names, whose results have names (function.proto of r0.12).

    message Node { repeated string ret = 1; string op = 2; repeated string arg = 3; repeated string dep = 4; attr = 5 }

There `ret` names a node's results, one for each output argument of its operation, and `arg` and `dep` say such names.
An argument that is a list went through `_ListToArray` and `_ArrayToList`, whose items are "name:0", "name:1".
"""

from __future__ import annotations

from typing import Any

from tf2bridge.formats import messages


def old_functions(graph_def: Any) -> dict[str, Any]:
    """Name -> function of the old form, as messages that have its nodes.

    A graph that was read from text must be a message of `messages.own`: TensorFlow's own does not know these nodes.
    """
    functions = {}
    for function in graph_def.library.function:
        if not function.node_def and not function.ret:
            old = messages.own("FunctionDef").FromString(function.SerializeToString())
            if old.node:
                functions[old.signature.name] = old
    return functions


def listed(graph_def: Any) -> None:
    """Gives the functions of the old form nodes of today's that say which operations they are, in place.

    Enough to tell what a function would do; `graph.modern_functions` makes it one that runs.
    """
    for function in graph_def.library.function:
        for node in function.node if not function.node_def else ():
            made = function.node_def.add(name=node.ret[0] if node.ret else node.op, op=node.op)
            for name, value in node.attr.items():
                made.attr[name].CopyFrom(value)
