"""Libraries of ops. Generated wrappers of 1.x have one, and call `_op_def_lib.apply_op("Abs", x=x)`.

TensorFlow 2 has one registry of all ops, in C++. So each library here knows all of them.
"""

from __future__ import annotations

from typing import Any

from tf2bridge.behaviour.inspection import get_registered_ops
from tf2bridge.behaviour.installed import private
from tf2bridge.internals import framework, protos

_KINDS = {"type_attr": "type", "type_list_attr": "list(type)", "number_attr": "int"}
"""Field of an argument that names an attribute -> the type that the attribute must have."""


class OpDefLibrary:
    """Adds operations of registered ops to the default graph (python/framework/op_def_library.py of 1.15.5)."""

    def __init__(self) -> None:
        self._ops: dict[str, Any] = {}

    def add_op(self, op_def: Any) -> None:
        """Adds an `OpDef`.

        Raises:
            TypeError: It is no `OpDef`, or it contradicts itself.
            ValueError: It has no name.
            RuntimeError: An op of this name has been added before.
        """
        definitions: Any = private(protos, "op_def_pb2")
        if not isinstance(op_def, definitions.OpDef):
            raise TypeError(f"{op_def} is {type(op_def)}, not an op_def_pb2.OpDef")
        if not op_def.name:
            raise ValueError(f"{op_def} missing name.")
        if op_def.name in self._ops:
            raise RuntimeError(f"Op name {op_def.name} registered twice.")
        for argument in (*op_def.input_arg, *op_def.output_arg):
            _check(op_def, argument)
        self._ops[op_def.name] = op_def

    def add_op_list(self, op_list: Any) -> None:
        """Adds every op of an `OpList`. Raises TypeError for another type."""
        _check_list(op_list)
        for op_def in op_list.op:
            self.add_op(op_def)

    def apply_op(self, op_type_name: str, name: str | None = None, **keywords: Any) -> Any:
        """Returns the outputs of a new operation, or the operation if it has no outputs.

        Args:
            op_type_name: The type of the operation.
            name: The name of the operation.
            keywords: Its inputs and attributes.

        Raises:
            RuntimeError: This TensorFlow has no such op.
            TypeError: An argument has a wrong type.
            ValueError: An argument has a wrong value.
        """
        return private(framework, "op_def_library").apply_op(op_type_name, name, **keywords)

    def _apply_op_helper(self, op_type_name: str, name: str | None = None, **keywords: Any) -> Any:
        """Returns (structure of outputs, whether the op is stateful, operation), for generated wrappers since 1.5."""
        library: Any = private(framework, "op_def_library")
        outputs, stateful, operation, _ = library._apply_op_helper(op_type_name, name, **keywords)
        return outputs, stateful, operation


_op_def_lib = OpDefLibrary()
"""The library of all modules `gen_*_ops`."""


def register_op_list(op_list: Any) -> None:
    """Adds ops to the result of `get_registered_ops`. Definitions of TensorFlow 2 are not replaced.

    Raises:
        TypeError: `op_list` is no `OpList`.
    """
    _check_list(op_list)
    known = get_registered_ops()
    for op_def in op_list.op:
        known.setdefault(op_def.name, op_def)


def _check_list(op_list: Any) -> None:
    definitions: Any = private(protos, "op_def_pb2")
    if not isinstance(op_list, definitions.OpList):
        raise TypeError(f"{op_list} is {type(op_list)}, not an op_def_pb2.OpList")


def _check(op_def: Any, argument: Any) -> None:
    """Raises TypeError unless exactly one field gives an argument's type, and its attribute has a fitting type."""
    count = sum((argument.type != 0, bool(argument.type_attr), bool(argument.type_list_attr)))
    if count != 1:
        raise TypeError(f"Arg '{argument.name}' of '{op_def.name}' must have one type field not {count}")
    types = {attribute.name: attribute.type for attribute in op_def.attr}
    for field, wanted in _KINDS.items():
        attribute = getattr(argument, field)
        if attribute and attribute not in types:
            raise TypeError(f"Inconsistent OpDef for '{op_def.name}', missing attr '{attribute}'")
        if attribute and types[attribute] != wanted:
            raise TypeError(f"Attr '{attribute}' of '{op_def.name}' used as a {field} but has type {types[attribute]}")
