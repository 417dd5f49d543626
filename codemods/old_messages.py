"""Protocol buffer modules (`*_pb2.py`) that protoc before 3.20 generated: protobuf of today refuses their descriptors.

Such a module has each descriptor as Python code, and also the whole serialized file. The rewrite builds the messages
from the serialized file, as modules that are generated today (protobuf's notes on 4.21: "Python Changes").
"""

from __future__ import annotations

import ast

_LIBRARY = "google.protobuf"

BUILDING = f"""
from {_LIBRARY} import descriptor_pool as _descriptor_pool
from {_LIBRARY}.internal import builder as _builder
DESCRIPTOR = _descriptor_pool.Default().AddSerializedFile(SERIALIZED)
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, __name__, globals())
""".strip()
"""What builds the messages; SERIALIZED stands for the bytes of the file."""


def old_message(tree: ast.Module) -> tuple[int, ast.expr] | None:
    """Returns the index of the statement that makes the file's descriptor, and its bytes; None in another module."""
    for place, statement in enumerate(tree.body):
        serialized = _serialized(statement)
        if serialized is not None:
            return place, serialized
    return None


def _serialized(statement: ast.stmt) -> ast.expr | None:
    """Returns the argument `serialized_pb` of `DESCRIPTOR = _descriptor.FileDescriptor(...)`."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    target, call = statement.targets[0], statement.value
    named = isinstance(target, ast.Name) and target.id == "DESCRIPTOR"
    made = isinstance(call.func, ast.Attribute) and call.func.attr == "FileDescriptor"
    values = (keyword.value for keyword in call.keywords if keyword.arg == "serialized_pb")
    return next(values, None) if named and made else None


def is_of_library(statement: ast.stmt) -> bool:
    """Returns whether a statement uses parts of protobuf other than messages, some of which were removed."""
    if isinstance(statement, ast.ImportFrom) and statement.module == _LIBRARY:
        return not any(alias.name.endswith("_pb2") for alias in statement.names)
    if isinstance(statement, ast.ImportFrom):
        return str(statement.module).startswith(f"{_LIBRARY}.internal")
    return isinstance(statement, ast.Assign) and "_sym_db" in ast.unparse(statement.targets[0])
