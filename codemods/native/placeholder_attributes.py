"""What is fed and kept under a second name: `x = tf.placeholder(...)`, and later `self.x = x`.

Such a placeholder is `self.x` from the beginning, so that it is one thing: the methods feed it by this name. So is
another tensor that is fed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.mains import straight
from codemods.native.places import names_in_texts, place_of
from codemods.native.source_text import SourceText
from codemods.tree import walk


def with_placeholder_attributes(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose placeholders have one name each, and the old number of each line; None for no change."""
    if "class " not in text:
        return None
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    fed = {_attribute(key) for node in walk(tree) if isinstance(node, ast.Dict) for key in node.keys} - {""}
    changed = False
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        for method in (node for node in owner.body if isinstance(node, ast.FunctionDef)):
            statements = list(straight(method.body))
            for made, kept in _kept(statements, owner, method, names, fed):
                if source.is_alone(kept) and not _is_only_one(kept, method):
                    _write(made, kept, method, source)
                    changed = True
    return source.with_origins() if changed else None


def _kept(
    statements: Sequence[ast.stmt], owner: ast.ClassDef, method: ast.FunctionDef, names: Names, fed: Set[str]
) -> Iterator[tuple[ast.Assign, ast.Assign]]:
    """Yields the statements that make what is fed, each with the one that makes it an attribute."""
    assigned = [node for node in statements if isinstance(node, ast.Assign) and len(node.targets) == 1]
    for made in assigned:
        name = place_of(made.targets[0])
        if not isinstance(made.targets[0], ast.Name):
            continue
        kept = [node for node in assigned if isinstance(node.value, ast.Name) and node.value.id == name]
        places = [place_of(node.targets[0]) or "" for node in kept]
        if len(kept) != 1 or not places[0].startswith("self.") or name in names_in_texts(method):
            continue
        if not _is_placeholder(made.value, names) and places[0].removeprefix("self.") not in fed:
            continue
        if _times_bound(name or "", method) == 1 and _times_stored(places[0], owner) == 1:
            first = kept[0]
            early = [n for n in walk(method) if place_of(n) == places[0] and n.lineno < first.lineno]  # type: ignore[attr-defined]
            if made.lineno < first.lineno and not early:
                yield made, first


def _attribute(key: ast.expr | None) -> str:
    return key.attr if isinstance(key, ast.Attribute) else ""


def _is_placeholder(value: ast.expr, names: Names) -> bool:
    return isinstance(value, ast.Call) and kind_of_call(v1_name(names, value.func) or "") is Kind.PLACEHOLDER


def _times_bound(name: str, method: ast.FunctionDef) -> int:
    """Returns how often a method binds a name, functions and comprehensions in it too."""
    stored = [n for n in walk(method) if isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)]
    given = [n for n in walk(method) if isinstance(n, ast.arg) and n.arg == name]
    inner = [n for n in walk(method) if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == name]
    imported = [n for n in walk(method) if isinstance(n, ast.alias) and (n.asname or n.name).split(".")[0] == name]
    declared = [n for n in walk(method) if isinstance(n, (ast.Global, ast.Nonlocal)) and name in n.names]
    return len(stored) + len(given) + len(inner) + len(imported) + len(declared)


def _times_stored(place: str, owner: ast.ClassDef) -> int:
    return sum(place_of(node) == place and not isinstance(getattr(node, "ctx", None), ast.Load) for node in walk(owner))


def _is_only_one(statement: ast.stmt, method: ast.FunctionDef) -> bool:
    """Returns whether a statement is the only one of its block."""
    blocks = (getattr(node, "body", None) for node in walk(method))
    return any(isinstance(block, list) and block == [statement] for block in blocks)


def _write(made: ast.Assign, kept: ast.Assign, method: ast.FunctionDef, source: SourceText) -> None:
    """Writes the attribute for the name, and drops the statement that had both."""
    name, place = place_of(made.targets[0]), place_of(kept.targets[0]) or ""
    inside = {id(node) for node in walk(kept)}
    for node in walk(method):
        if isinstance(node, ast.Name) and node.id == name and id(node) not in inside:
            source.replace(source.span(node), place)
    start, end = source.span(kept)
    source.delete((source.positions.line_start(start), source.positions.after_newline(source.positions.line_end(end))))
