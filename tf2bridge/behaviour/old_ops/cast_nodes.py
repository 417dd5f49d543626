"""Casts of floating point to small integers in graphs: nodes that wrap around as in 1.x; see `casts`."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

THROUGH = {"uint8": "int32", "int8": "int32", "uint16": "int32", "int16": "int32", "uint32": "int64"}
"""What is cast to -> what it is cast to before."""
FLOATING = ("float16", "bfloat16", "float32", "float64")


def split(nodes: Iterable[Any], *, in_function: bool = False) -> list[Any]:
    """Makes such casts among NodeDefs the second of two steps, and returns the first steps as new nodes.

    With `in_function` the nodes are from the body of a function, where inputs also name the output of an operation.
    """
    tf: Any = importlib.import_module("tensorflow")
    made = []
    for node in nodes:
        if node.op == "Cast" and tf.as_dtype(node.attr["SrcT"].type).name in FLOATING:
            between = THROUGH.get(tf.as_dtype(node.attr["DstT"].type).name)
            if between is not None:
                first = type(node)(name=f"{node.name}/whole", op="Cast", input=node.input[:1], device=node.device)
                first.attr["SrcT"].CopyFrom(node.attr["SrcT"])
                first.attr["DstT"].type = tf.as_dtype(between).as_datatype_enum
                node.attr["SrcT"].type = first.attr["DstT"].type
                node.input[0] = f"{first.name}:y:0" if in_function else first.name
                made.append(first)
    return made


def split_all(graph_def: Any) -> None:
    """Splits such casts in a graph and in its functions, in place."""
    graph_def.node.extend(split(graph_def.node))
    split_in_functions(graph_def.library)


def split_in_functions(library: Any) -> None:
    """Splits such casts in the functions of a FunctionDefLibrary, in place."""
    for function in library.function:
        function.node_def.extend(split(function.node_def, in_function=True))
