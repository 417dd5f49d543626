"""Operations made from a NodeDef: `tf.Operation(node_def, graph, inputs, output_types, ...)`, as programs copy graphs.

In 2.21 the constructor takes a node of the C++ library, and `Operation.from_node_def` takes the arguments of the old
constructor (python/framework/ops.py of both). Given a NodeDef, the constructor of 2.21 fails or ends the process.

2.21 also sets an attribute on an operation that others wait for, which only statistics read. Graphs of 1.x do not have
this attribute, so it is not set here.
"""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tf2bridge import internals
from tf2bridge.patching import put

_MARK = "_has_manual_control_dependencies"


def install() -> None:
    """Lets operations be made of a NodeDef and without that attribute, in this process."""
    operation: Any = internals.framework.ops.Operation
    original = operation.__init__

    def new(cls: Any, *arguments: Any, **keywords: Any) -> Any:
        if is_node(arguments, keywords):
            return cls.from_node_def(*arguments, **keywords)
        return super(operation, cls).__new__(cls, *arguments, **keywords)

    def made(self: Any, *arguments: Any, **keywords: Any) -> None:
        if original is not object.__init__ and not is_node(arguments, keywords):
            original(self, *arguments, **keywords)

    put(operation, "__new__", staticmethod(new))
    put(operation, "__init__", made)
    put(operation, "_set_attr", _without_mark(operation._set_attr))


def _without_mark(original: Any) -> Any:
    @functools.wraps(original)
    def set_attr(self: Any, attr_name: str, attr_value: Any) -> None:
        if attr_name != _MARK:
            original(self, attr_name, attr_value)

    return set_attr


def is_node(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """Returns whether the constructor is called as in 1.x."""
    return "node_def" in keywords or (bool(arguments) and isinstance(arguments[0], tf.compat.v1.NodeDef))


def node_def(op_type: str, name: str, device: Any = None, attrs: Any = None) -> Any:
    """Returns a NodeDef: `tensorflow.python.framework.ops._NodeDef`, with the parameter `device` that it had."""
    node = tf.compat.v1.NodeDef(op=tf.compat.as_str_any(op_type), name=tf.compat.as_str_any(name))
    for key, value in (attrs or {}).items():
        node.attr[key].CopyFrom(value)
    if device is not None:
        placed = device(node) if callable(device) else device
        node.device = placed if isinstance(placed, str) else placed.to_string()
    return node
