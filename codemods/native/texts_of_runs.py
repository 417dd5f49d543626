"""Writes f-strings that call sessions as `"...".format(...)`: before Python 3.12, parts of f-strings have no place."""

from __future__ import annotations

import ast

from codemods.native.source_text import SourceText
from codemods.tree import walk


def with_formats(text: str) -> str:
    """Returns a text without calls of `run` and `eval` in f-strings. No line moves.

    An f-string of several lines, or with a computed format, stays.
    """
    if ".run(" not in text and ".eval(" not in text:
        return text
    tree = ast.parse(text)
    source = SourceText(text, tree)
    for node in walk(tree):
        if isinstance(node, ast.JoinedStr) and node.lineno == node.end_lineno and _runs(node):
            written = _format(node)
            if written is not None:
                source.replace(source.span(node), written)
    return source.result()


def _runs(node: ast.JoinedStr) -> bool:
    calls = (below for below in walk(node) if isinstance(below, ast.Call))
    return any(isinstance(call.func, ast.Attribute) and call.func.attr in ("run", "eval") for call in calls)


def _format(node: ast.JoinedStr) -> str | None:
    shown, values = "", []
    for part in node.values:
        if isinstance(part, ast.Constant):
            shown += str(part.value).replace("{", "{{").replace("}", "}}")
        elif isinstance(part, ast.FormattedValue):
            specification = _specification(part)
            if specification is None:
                return None
            conversion = f"!{chr(part.conversion)}" if part.conversion != -1 else ""
            shown += "{" + conversion + (f":{specification}" if specification else "") + "}"
            values.append(ast.unparse(part.value))
    return f"{shown!r}.format({', '.join(values)})"


def _specification(part: ast.FormattedValue) -> str | None:
    """Returns how a value is formatted; None if that is computed."""
    if part.format_spec is None:
        return ""
    parts = part.format_spec.values if isinstance(part.format_spec, ast.JoinedStr) else [part.format_spec]
    if not all(isinstance(below, ast.Constant) for below in parts):
        return None
    return "".join(str(below.value) for below in parts if isinstance(below, ast.Constant))
