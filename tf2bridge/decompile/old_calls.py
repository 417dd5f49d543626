"""The old graph's call in the form that computes what is compared: it runs a few times, and so must start soon."""

from __future__ import annotations

import math
import weakref
from dataclasses import replace
from typing import Any

import tensorflow as tf

from tf2bridge.graph.graph_module import GraphModule

_LARGE = 4096
"""Elements of a constant that is held outside of the graph."""
_held: weakref.WeakKeyDictionary[GraphModule, GraphModule] = weakref.WeakKeyDictionary()


def with_held_constants(module: GraphModule) -> GraphModule:
    """Returns a module that computes the same, whose large constants of floating numbers are variables.

    TensorFlow copies the constants of a graph several times for each function that it makes of it, such as that of the
    gradients: 100 MB of a frozen net take seconds. The variables of the module are those of the given one.
    """
    if module not in _held:
        names = {node.name for node in module.graph.graph_def.node if _is_large(node)}
        if not names:
            return module  # as a value, it would keep its own key alive
        _held[module] = _with_held(module, names)
    return _held[module]


def _is_large(node: Any) -> bool:
    """Returns True for a constant of many floating numbers that waits for nothing."""
    if node.op != "Const" or node.input or not tf.as_dtype(node.attr["dtype"].type).is_floating:
        return False
    return bool(math.prod(size.size for size in node.attr["value"].tensor.tensor_shape.dim) >= _LARGE)


def _with_held(module: GraphModule, names: set[str]) -> GraphModule:
    graph_def = module.graph.graph_def
    taken = {node.name for node in graph_def.node}
    part = type(graph_def)()
    part.versions.CopyFrom(graph_def.versions)
    part.library.CopyFrom(graph_def.library)
    held = {}
    for node in graph_def.node:
        if node.name not in names:
            part.node.append(node)
            continue
        handle = f"{node.name}/held"
        while handle in taken:
            handle += "_"
        value = tf.make_ndarray(node.attr["value"].tensor)
        held[handle] = tf.Variable(value, trainable=False, name=handle)
        owner = part.node.add(name=handle, op="VarHandleOp")
        owner.attr["shape"].shape.CopyFrom(held[handle].shape.as_proto())
        read = part.node.add(name=node.name, op="ReadVariableOp", input=[handle])
        for named in owner, read:
            named.attr["dtype"].type = node.attr["dtype"].type
    return module.with_graph(replace(module.graph, graph_def=part), module.ends, held)
