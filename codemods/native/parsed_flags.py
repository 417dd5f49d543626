"""Flags that nothing parses: those of TensorFlow 1 were parsed where a program read one first, and absl's are not."""

from __future__ import annotations

import ast

from codemods.native.kinds import v1_name
from codemods.native.places import is_main_block
from codemods.native.translations import Translation

_FLAGS = ("app.flags.FLAGS", "flags.FLAGS")
_DEFINED = ("app.flags.DEFINE_", "flags.DEFINE_")
_RUNS = "app.run"


def parse_flags(translation: Translation) -> None:
    """Parses the flags below their definitions, where `app.run` does not do so before the program reads one."""
    names, source = translation.names, translation.source
    statements = [statement for statement in source.tree.body if not is_main_block(statement)]
    held = [
        (statement, statement.targets[0].id)
        for statement in statements
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name) and v1_name(names, statement.value) in _FLAGS
    ]  # fmt: skip
    if len(held) != 1:
        return
    assigned, name = held[0]
    runs = any(v1_name(names, call.func) == _RUNS for call in translation.calls())
    early = any(_reads(statement, name) for statement in source.tree.body)
    if runs and not early:
        return
    defined = [
        statement for statement in statements
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        and (v1_name(names, statement.value.func) or "").startswith(_DEFINED)
    ]  # fmt: skip
    last = max([assigned, *defined], key=source.span)
    if source.is_alone(last):
        end = source.positions.line_end(source.span(last)[1])
        source.replace((end, end), f"\n{name}(sys.argv)")
        translation.imports.add("sys")


def _reads(statement: ast.AST, name: str) -> bool:
    """Returns whether a statement reads a flag outside functions."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
        return False
    if isinstance(statement, ast.Attribute) and isinstance(statement.value, ast.Name) and statement.value.id == name:
        return True
    return any(_reads(child, name) for child in ast.iter_child_nodes(statement))
