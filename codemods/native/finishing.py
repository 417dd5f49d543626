"""Finishes the text of a native program: imports, the classes of its optimizers, and empty lines."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Set

from codemods.native import optimizers
from codemods.native.source_text import SourceText


def headed(text: str, wanted: Set[str], chosen: Iterable[str], functions: Iterable[str] = ()) -> str:
    """Returns a text with the modules that it wants, and the classes of its optimizers below the imports.

    Args:
        text: The text.
        wanted: The modules.
        chosen: The optimizers.
        functions: The texts of functions that the program needs too.
    """
    tree = ast.parse(text)
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    has = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    classes = "\n\n".join(filter(None, [*functions, optimizers.written(chosen)]))
    lines = text.splitlines(keepends=True)
    last = _last_import(tree)
    if classes:
        lines.insert(last, f"\n\n{classes}\n\n")
    at = next((n.lineno - 1 for n in imports if any(a.name == "tensorflow" for a in n.names)), last)
    for name in sorted(wanted - has, reverse=True):
        lines.insert(at, f"import {name}\n")
    return "".join(lines)


def tidied(text: str) -> str:
    """Returns the text with at most two empty lines in a row outside strings, and one in blocks."""
    inside = SourceText(text, ast.parse(text)).lines_in_strings
    lines = text.splitlines(keepends=True)
    kept: list[str] = []
    empty = 0
    for number, line in enumerate(lines, 1):
        if line.strip() or number in inside:
            most = 1 if line[:1].isspace() else 2
            del kept[len(kept) - max(0, empty - most) :]
            empty = 0
        else:
            empty += 1
        kept.append(line)
    return "".join(kept)


def _last_import(tree: ast.Module) -> int:
    """Returns the number of lines down to the end of the imports at the top."""
    last = 0
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            last = node.end_lineno or last
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            break
    return last
