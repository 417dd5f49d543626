"""Values that calls of sessions gave, and that the program then builds more of the graph with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set

from codemods.native.from_graph.building import Building
from codemods.native.from_graph.definitions import Function, Place
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_ADDING = ("append", "extend", "insert", "update", "add")


class ValuesOfRuns:
    """The places that hold what calls of sessions gave, and what Python code made of it.

    Args:
        building: Which expressions are parts of the graph.
        sites: The calls.
    """

    def __init__(self, building: Building, sites: Set[ast.Call]) -> None:
        self._building, self._sites = building, sites
        self._definitions = building.definitions
        self._places: set[Place] = set()
        self._giving: set[Function] = set()
        nodes = list(walk(building.names.tree))
        size = -1
        while size != (size := len(self._places) + len(self._giving)):
            for node in nodes:
                self._read(node)

    def require_unbuilt(self, gone: Iterable[ast.stmt]) -> None:
        """Refuses statements that put such a value into the graph, which would keep the recorded one.

        Raises:
            NotNativeError: One does.
        """
        for statement in sorted(gone, key=lambda node: node.lineno):
            for node in walk(statement):
                value = node.value if isinstance(node, ast.Assign) else None
                if value is not None and self._building.holds(value):
                    name = next(self._read_in(value), None)
                    if name is not None:
                        why = f"the graph has {ast.unparse(name)}, which calls of the session gave, as it was recorded"
                        raise NotNativeError(name, "NAT004", f"{why}; feed it, or compute with numpy")

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if self._has(node.value):
                for target in targets:
                    self._note(target)
        elif isinstance(node, (ast.For, ast.comprehension)) and self._has(node.iter):
            self._note(node.target)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDING:
            if any(map(self._has, node.args)):
                self._note(node.func.value)
        elif isinstance(node, Function) and any(map(self._has, self._definitions.returned(node))):
            self._giving.add(node)

    def _has(self, node: ast.expr) -> bool:
        """Returns whether an expression is made of what a call gave."""
        if not self._building.holds(node) and any(below in self._sites for below in walk(node)):
            return True
        return next(self._read_in(node), None) is not None

    def _read_in(self, node: ast.AST) -> Iterator[ast.expr]:
        """Yields what an expression reads of these places, and the calls of functions that give such values."""
        for below in walk(node):
            if isinstance(below, (ast.Name, ast.Attribute)) and not self._building.holds(below):
                if self._definitions.place(below) in self._places:
                    yield below
            elif isinstance(below, ast.Call) and any(f in self._giving for f in self._definitions.called(below)):
                yield below

    def _note(self, target: ast.expr) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._note(part)
            return
        while isinstance(target, (ast.Subscript, ast.Starred)):
            target = target.value
        place = self._definitions.place(target)
        if place is not None:
            self._places.add(place)
