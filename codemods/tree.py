"""Walks over trees of ast quickly: `ast.iter_child_nodes` would take a fifth of a run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

# Fields that hold no nodes. Operators and contexts are nodes, but shared by the whole tree, so they have no parent,
# and no rule asks for them.
_PLAIN = frozenset(
    {
        "id", "ctx", "attr", "arg", "op", "ops", "kind", "module", "level", "asname", "conversion", "simple",
        "is_async", "type_comment", "rest", "kwd_attrs", "tag",
    }
)  # fmt: skip
# More than half of all nodes; nothing is below them.
_LEAVES = frozenset({ast.Name, ast.Constant, ast.alias, ast.Pass, ast.Global, ast.Nonlocal, ast.MatchSingleton})
# `**more` has no key, and `*, a` no default.
_WITH_GAPS = frozenset({ast.Dict, ast.arguments})


class _Fields(dict[type[ast.AST], tuple[str, ...]]):
    """Class of node -> the fields that may hold nodes."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        self[kind] = () if kind in _LEAVES else tuple(field for field in kind._fields if field not in _PLAIN)
        return self[kind]


_FIELDS = _Fields()


def children(node: ast.AST) -> list[ast.AST]:
    """Returns the nodes directly below a node, in the order of its fields, without operators and contexts."""
    nodes: list[ast.AST] = []
    kind = type(node)
    for field in _FIELDS[kind]:
        value = getattr(node, field, None)
        if type(value) is list:
            nodes += value
        elif value is not None and type(value) is not str:
            nodes.append(value)
    return [child for child in nodes if child is not None] if kind in _WITH_GAPS else nodes


def parents(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """Returns node -> its parent."""
    holders: dict[ast.AST, ast.AST] = {}
    stack = [tree]
    while stack:
        node = stack.pop()
        below = children(node)
        if below:
            holders.update(dict.fromkeys(below, node))
            stack += below
    return holders


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields a node and all nodes below it, level by level as `ast.walk`, without operators and contexts."""
    nodes = [tree]
    for node in nodes:  # which grows meanwhile
        nodes += children(node)
        yield node
