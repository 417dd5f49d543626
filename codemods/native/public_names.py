"""Names that programs take from inside TensorFlow 1 and that have a public one: `ops.reset_default_graph()`."""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.native.source_text import SourceText
from codemods.tree import walk

_PUBLIC = {
    "tensorflow.python.framework.ops": ("", ("reset_default_graph", "get_default_graph", "Graph", "convert_to_tensor")),
    "tensorflow.python.platform.gfile": (
        "gfile.",
        ("FastGFile", "GFile", "Open", "Exists", "Glob", "IsDirectory", "ListDirectory", "MakeDirs", "Remove"),
    ),
}
"""Module -> its public place below `tf.compat.v1`, and the names that are the same there (1.15.5)."""


def with_public_names(text: str) -> str:
    """Returns a text with public names in place of these, and without their imports. No line moves.

    A module of which the text uses other names too stays.
    """
    if not any(module.rpartition(".")[0] in text for module in _PUBLIC):
        return text
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    tf = names.alias_of("tensorflow")
    for statement in tree.body:
        if tf is None or not isinstance(statement, ast.ImportFrom) or len(statement.names) != 1:
            continue
        module, alias = f"{statement.module}.{statement.names[0].name}", statement.names[0]
        bound = alias.asname or alias.name
        uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == bound]
        parts = [names.parents.get(use) for use in uses]
        place, known = _PUBLIC.get(module, ("", ()))
        chains = [part for part in parts if isinstance(part, ast.Attribute) and part.attr in known]
        if len(chains) != len(uses) or any(names.qualified(part) != f"{module}.{part.attr}" for part in chains):
            continue
        if not source.is_alone(statement):
            continue
        for part in chains:
            source.replace(source.span(part), f"{tf}.compat.v1.{place}{part.attr}")
        start, end = source.span(statement)
        source.replace((start, end), "\n" * source.data[start:end].count(b"\n"))
    return source.result()
