"""Runs protocol buffer modules of an old protoc: their messages are built from the serialized file that they hold."""

from __future__ import annotations

import ast

from codemods.old_messages import BUILDING, is_of_library, old_message


def with_built_messages(tree: ast.Module) -> ast.Module:
    """Returns `tree` with its descriptors built from the serialized file, if it is such a module, else as it is."""
    old = old_message(tree)
    if old is None:
        return tree
    place, serialized = old
    before = [statement for statement in tree.body[:place] if not is_of_library(statement)]
    return ast.fix_missing_locations(ast.Module([*before, *_building(serialized)], tree.type_ignores))


def _building(serialized: ast.expr) -> list[ast.stmt]:
    class Filled(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:  # ast requires this name
            return serialized if node.id == "SERIALIZED" else node

    filled: ast.Module = Filled().visit(ast.parse(BUILDING))
    return filled.body
