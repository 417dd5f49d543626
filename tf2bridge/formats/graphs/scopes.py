"""The nodes of a graph as a tree of name scopes, none of which has more parts than a person can look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

_MOST = 24
"""So many parts of a scope are shown as they are; of more, those that are alike are put together."""
_ALIKE = 4
"""So many that are alike make a group: scopes that only a number tells apart, and nodes of one kind without inputs."""
_STILL_MANY = 40
"""Where there are more parts even so, neighbours are put together: a graph is in the order that it was built in."""
_NUMBER = re.compile(r"[_-]?\d+$")


@dataclass
class Scope:
    """A name scope, or a group of parts that are alike; `parts` in the order of the graph, `node` None in scopes."""

    label: str
    path: str = ""
    parts: list[Scope] = field(default_factory=list)
    node: Any = None
    group: bool = False

    def nodes(self) -> Iterator[Any]:
        """All nodes in it."""
        pending = [self]
        while pending:
            scope = pending.pop()
            if scope.node is not None:
                yield scope.node
            pending += reversed(scope.parts)


def tree(nodes: Iterable[Any]) -> Scope:
    """Returns the root of the scopes of some NodeDefs."""
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
    """Returns the ids of the scopes that are to be open, so that about `most` parts are seen; the smallest first."""
    found = {id(root)}
    seen = len(root.parts)
    pending = [part for part in root.parts if part.parts]
    while pending:
        pending.sort(key=lambda part: -len(part.parts))
        scope = pending.pop()
        seen += len(scope.parts)
        if seen > most:
            break
        found.add(id(scope))
        pending += [part for part in scope.parts if part.parts]
    return found


def _scope(scopes: dict[str, Scope], path: str) -> Scope:
    """The scope of a path, made with all above it where it is not there."""
    missing = []
    while path not in scopes:
        missing.append(path)
        path = path.rpartition("/")[0]
    found = scopes[path]
    for each in reversed(missing):
        scopes[each] = Scope(each.rpartition("/")[2], each)
        found.parts.append(scopes[each])
        found = scopes[each]
    return found


def _own_nodes(scope: Scope, scopes: dict[str, Scope]) -> None:
    """A node with the name of a scope goes into that scope: "w" beside "w/read"."""
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
    found = []
    for (is_scope, key), members in alike.items():
        if len(members) < _ALIKE:
            found += members
        else:
            label = f"{len(members)} x {key}{'_*' if is_scope else ''}"
            found.append(Scope(label, f"{path}/{label}", _pieces(path, members), group=True))
    return _pieces(path, found)


def _pieces(path: str, parts: Sequence[Scope]) -> list[Scope]:
    """The same parts, in groups of neighbours where they are too many."""
    found = list(parts)
    while len(found) > _STILL_MANY:
        pieces = [found[start : start + _MOST] for start in range(0, len(found), _MOST)]
        found = [_piece(path, piece) for piece in pieces]
    return found


def _piece(path: str, parts: list[Scope]) -> Scope:
    label = f"{parts[0].label.partition(' to ')[0]} to {parts[-1].label.rpartition(' to ')[2]}"
    return Scope(label, f"{path}/{label}", parts, group=True)
