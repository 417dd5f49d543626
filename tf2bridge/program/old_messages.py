"""Protocol buffer modules (`*_pb2.py`) that protoc before 3.20 generated: protobuf of today refuses their descriptors.

Such a module spells out each descriptor in Python and holds the whole file once more, serialized. What it defines is
built from the serialized file, as modules generated today are (protobuf's notes on 4.21: "Python Changes").
"""

from __future__ import annotations

import ast

_LIBRARY = "google.protobuf"

_BUILDING = f"""
from {_LIBRARY} import descriptor_pool as _descriptor_pool
from {_LIBRARY}.internal import builder as _builder
DESCRIPTOR = _descriptor_pool.Default().AddSerializedFile(SERIALIZED)
_builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
_builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, __name__, globals())
"""


def with_built_messages(tree: ast.Module) -> ast.Module:
    """Returns `tree` with its descriptors built from the serialized file, if it is such a module, else as it is."""
    for place, statement in enumerate(tree.body):
        serialized = _serialized(statement)
        if serialized is not None:
            before = [each for each in tree.body[:place] if not _is_of_library(each)]
            made = ast.Module([*before, *_building(serialized)], tree.type_ignores)
            return ast.fix_missing_locations(made)
    return tree


def _serialized(statement: ast.stmt) -> ast.expr | None:
    """The argument `serialized_pb` of `DESCRIPTOR = _descriptor.FileDescriptor(...)`."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    target, call = statement.targets[0], statement.value
    named = isinstance(target, ast.Name) and target.id == "DESCRIPTOR"
    made = isinstance(call.func, ast.Attribute) and call.func.attr == "FileDescriptor"
    return next((each.value for each in call.keywords if each.arg == "serialized_pb"), None) if named and made else None


def _is_of_library(statement: ast.stmt) -> bool:
    """Whether it imports or uses a part of protobuf that is no message: some of them have gone."""
    if isinstance(statement, ast.ImportFrom) and statement.module == _LIBRARY:
        return not any(alias.name.endswith("_pb2") for alias in statement.names)
    if isinstance(statement, ast.ImportFrom):
        return str(statement.module).startswith(f"{_LIBRARY}.internal")
    return isinstance(statement, ast.Assign) and "_sym_db" in ast.unparse(statement.targets[0])


def _building(serialized: ast.expr) -> list[ast.stmt]:
    class Filled(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:  # the name ast asks for
            return serialized if node.id == "SERIALIZED" else node

    filled: ast.Module = Filled().visit(ast.parse(_BUILDING))
    return filled.body
