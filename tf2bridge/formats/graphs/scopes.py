"""Arrange the nodes of a graph in a tree of name scopes, with groups so that no scope has too many parts to view."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

_MOST = 24
"""The most parts of a scope without groups. If there are more, similar parts are grouped."""
_ALIKE = 4
"""The least number of similar parts in a group: scopes that differ in a number, or nodes of one type without inputs."""
_STILL_MANY = 40
"""If more parts are left, neighbours are grouped: the nodes of a graph are in the order in which it was built."""
_NUMBER = re.compile(r"[_-]?\d+$")


@dataclass
class Scope:
    """A name scope, a group of similar parts, or a node.

    `parts` are in the order of the graph; `node` is None in a scope or group.
    """

    label: str
    path: str = ""
    parts: list[Scope] = field(default_factory=list)
    node: Any = None
    group: bool = False

    def nodes(self) -> Iterator[Any]:
        """Yields all nodes in the scope."""
        pending = [self]
        while pending:
            scope = pending.pop()
            if scope.node is not None:
                yield scope.node
            pending += reversed(scope.parts)


def tree(nodes: Iterable[Any]) -> Scope:
    """Returns the root of the tree of scopes of NodeDefs."""
    root = Scope("")
    scopes = {"": root}
    for node in nodes:
        path, _, label = node.name.rpartition("/")
        _scope(scopes, path).parts.append(Scope(label, node.name, node=node))
    for scope in scopes.values():
        _own_nodes(scope, scopes)
    for scope in scopes.values():
        scope.parts = _grouped(scope.path, scope.parts)
    return root


def opened(root: Scope, most: int) -> set[int]:
    """Returns the ids of the scopes to open, the smallest first, so that about `most` parts are visible."""
    ids = {id(root)}
    seen = len(root.parts)
    pending = [part for part in root.parts if part.parts]
    while pending:
        pending.sort(key=lambda part: -len(part.parts))
        scope = pending.pop()
        seen += len(scope.parts)
        if seen > most:
            break
        ids.add(id(scope))
        pending += [part for part in scope.parts if part.parts]
    return ids


def _scope(scopes: dict[str, Scope], path: str) -> Scope:
    """Returns the scope of a path; makes it and its parents if they do not exist."""
    missing = []
    while path not in scopes:
        missing.append(path)
        path = path.rpartition("/")[0]
    scope = scopes[path]
    for missing_path in reversed(missing):
        scopes[missing_path] = Scope(missing_path.rpartition("/")[2], missing_path)
        scope.parts.append(scopes[missing_path])
        scope = scopes[missing_path]
    return scope


def _own_nodes(scope: Scope, scopes: dict[str, Scope]) -> None:
    """Moves a node with the name of a scope into that scope, such as "w" beside "w/read"."""
    kept = []
    for part in scope.parts:
        if part.node is not None and part.path in scopes and part.path != scope.path:
            scopes[part.path].parts.insert(0, part)
        else:
            kept.append(part)
    scope.parts = kept


def _grouped(path: str, parts: list[Scope]) -> list[Scope]:
    if len(parts) <= _MOST:
        return parts
    alike: dict[tuple[bool, str], list[Scope]] = {}
    for part in parts:
        key = part.path
        if part.node is None:
            key = _NUMBER.sub("", part.label)
        elif not part.node.input:
            key = part.node.op
        alike.setdefault((part.node is None, key), []).append(part)
    groups = []
    for (is_scope, key), members in alike.items():
        if len(members) < _ALIKE:
            groups += members
        else:
            label = f"{len(members)} x {key}{'_*' if is_scope else ''}"
            groups.append(Scope(label, f"{path}/{label}", _pieces(path, members), group=True))
    return _pieces(path, groups)


def _pieces(path: str, parts: Sequence[Scope]) -> list[Scope]:
    """Returns the parts, in groups of neighbours if there are too many."""
    grouped = list(parts)
    while len(grouped) > _STILL_MANY:
        pieces = [grouped[start : start + _MOST] for start in range(0, len(grouped), _MOST)]
        grouped = [_piece(path, piece) for piece in pieces]
    return grouped


def _piece(path: str, parts: list[Scope]) -> Scope:
    label = f"{parts[0].label.partition(' to ')[0]} to {parts[-1].label.rpartition(' to ')[2]}"
    return Scope(label, f"{path}/{label}", parts, group=True)
