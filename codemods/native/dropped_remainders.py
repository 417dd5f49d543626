"""Writes `dataset.apply(tf.contrib.data.batch_and_drop_remainder(10))` as `dataset.batch(10, drop_remainder=True)`.

Both are one op: `batching.py` of `tf.contrib.data` in 1.12 makes it of this method.
"""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.native.kinds import v1_name
from codemods.native.source_text import SourceText
from codemods.tree import walk

_NAME = "contrib.data.batch_and_drop_remainder"


def with_dropped_remainders(text: str) -> str:
    """Returns a text whose datasets drop remainders by the method `batch`."""
    if "batch_and_drop_remainder" not in text:
        return text
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    written = 0
    for call in names.nodes.get(ast.Call, []):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "apply":
            continue
        given = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if not isinstance(given, ast.Call) or v1_name(names, given.func) != _NAME:
            continue
        sizes = [*given.args, *(keyword.value for keyword in given.keywords)]
        if len(sizes) == 1 and "\n" not in source.plain(call):
            of, size = source.plain(call.func.value), source.plain(sizes[0])
            source.replace(source.span(call), f"{of}.batch({size}, drop_remainder=True)")
            written += 1
    for node in names.nodes.get(ast.ImportFrom, []):
        _without_import(node, source, written)
    return source.result()


def _without_import(node: ast.AST, source: SourceText, written: int) -> None:
    """Removes an import that nothing reads any more."""
    assert isinstance(node, ast.ImportFrom)
    uses = [n for n in walk(source.tree) if isinstance(n, ast.Name) and n.id == "batch_and_drop_remainder"]
    alone = [alias.name for alias in node.names] == ["batch_and_drop_remainder"] and node.names[0].asname is None
    if alone and written == len(uses):
        source.replace(source.span(node), "")
