"""Libraries of ops. Wrappers that 1.x generated hold one, and call `_op_def_lib.apply_op("Abs", x=x)`.

TensorFlow 2 has one registry of all ops, that of C++, so each library here knows all of them.
"""

from __future__ import annotations

from typing import Any

from tf2bridge.behaviour.inspection import get_registered_ops
from tf2bridge.behaviour.installed import private
from tf2bridge.internals import framework, protos

_KINDS = {"type_attr": "type", "type_list_attr": "list(type)", "number_attr": "int"}
"""Field of an argument that names an attribute -> the type which that has to have."""


class OpDefLibrary:
    """Adds operations of registered ops to the default graph (python/framework/op_def_library.py of 1.15.5)."""

    def __init__(self) -> None:
        self._ops: dict[str, Any] = {}

    def add_op(self, op_def: Any) -> None:
        """Takes note of an `OpDef`.

        Raises TypeError for what is none or contradicts itself, ValueError for one without a name, RuntimeError for
        a name that has been added.
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
        """Takes note of each op of an `OpList`. Raises TypeError for what is none."""
        _check_list(op_list)
        for op_def in op_list.op:
            self.add_op(op_def)

    def apply_op(self, op_type_name: str, name: str | None = None, **keywords: Any) -> Any:
        """Returns the outputs of a new operation with these inputs and attributes, the operation if it has none.

        Raises RuntimeError for an op that this TensorFlow does not have, TypeError and ValueError for arguments.
        """
        return private(framework, "op_def_library").apply_op(op_type_name, name, **keywords)

    def _apply_op_helper(self, op_type_name: str, name: str | None = None, **keywords: Any) -> Any:
        """(structure of the outputs, whether the op has a state, operation), as generated wrappers of 1.5 on use it."""
        library: Any = private(framework, "op_def_library")
        outputs, stateful, operation, _ = library._apply_op_helper(op_type_name, name, **keywords)
        return outputs, stateful, operation


_op_def_lib = OpDefLibrary()
"""That of all modules `gen_*_ops`."""


def register_op_list(op_list: Any) -> None:
    """Adds ops to those that `get_registered_ops` tells of; TensorFlow 2's own definition of an op stays.

    Raises TypeError for what is no `OpList`.
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
    """Raises TypeError where an argument's type is not told in one way, by an attribute that can tell it."""
    told = sum((argument.type != 0, bool(argument.type_attr), bool(argument.type_list_attr)))
    if told != 1:
        raise TypeError(f"Arg '{argument.name}' of '{op_def.name}' must have one type field not {told}")
    types = {attribute.name: attribute.type for attribute in op_def.attr}
    for field, wanted in _KINDS.items():
        attribute = getattr(argument, field)
        if attribute and attribute not in types:
            raise TypeError(f"Inconsistent OpDef for '{op_def.name}', missing attr '{attribute}'")
        if attribute and types[attribute] != wanted:
            raise TypeError(f"Attr '{attribute}' of '{op_def.name}' used as a {field} but has type {types[attribute]}")
