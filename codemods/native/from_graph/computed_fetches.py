"""What calls fetch that the program makes of values of its own, at each call anew."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from codemods.native.facts import LocatedFacts, Operation, Recorded
from codemods.native.from_graph.definitions import Definitions
from codemods.native.kinds import v1_name
from codemods.tree import walk

_STATEFUL = re.compile("Random|Multinomial|TruncatedNormal|Sampler|Variable|VarHandle|Placeholder|Queue|Iterator")
"""Types of operations that hold a state, draw, or are fed."""


class ComputedFetches:
    """Tells what a fetched expression is made of.

    Args:
        definitions: What the program defines.
        located: What was recorded, and where.
        is_part: Tells parts of the graph.
    """

    def __init__(self, definitions: Definitions, located: LocatedFacts, is_part: Callable[[ast.AST], bool]) -> None:
        self._definitions, self._is_part = definitions, is_part
        self._located = located

    def value(self, node: ast.expr) -> ast.expr | None:
        """Returns a value of Python that an expression is made of and that may be another one later; None for none."""
        return next((name for name in self._read(node) if not self._is_constant(name)), None)

    def is_at_once(self, call: ast.Call, fetched: ast.expr, run: Recorded) -> bool:
        """Returns whether a call computes something of values of Python alone: all that it runs was made for it."""
        span = self._located.span(call)
        return self._is_of_values_alone(fetched) and all(
            span.holds(op.file, op.line) and not _STATEFUL.search(op.type) for op in self._behind(run)
        )

    def _behind(self, run: Recorded) -> Iterator[Operation]:
        """Yields the operations that a call ran."""
        ops = {op.name: op for op in self._located.facts.graphs[run.graph]}
        pending, seen = [leaf.partition(":")[0] for leaf in run.leaves], set[str]()
        while pending:
            name = pending.pop()
            if name not in seen and name in ops:
                seen.add(name)
                pending += ops[name].inputs
                yield ops[name]

    def _is_of_values_alone(self, node: ast.expr) -> bool:
        """Returns whether an expression calls functions of TensorFlow, and reads no part of the graph."""
        calls = [below for below in walk(node) if isinstance(below, ast.Call)]
        names = self._definitions.names
        return (
            isinstance(node, ast.Call)
            and v1_name(names, node.func) is not None
            and not any(self._definitions.called(call) for call in calls)
            and not any(
                self._is_part(below)
                for below in walk(node)
                if isinstance(below, (ast.Name, ast.Attribute)) and names.qualified(below) is None
            )
        )

    def _read(self, node: ast.AST) -> Iterator[ast.expr]:
        """Yields the names and attributes of Python values that an expression reads."""
        if isinstance(node, (ast.Name, ast.Attribute)):
            if self._definitions.names.qualified(node) is None and not self._is_part(node):
                yield node
            return
        for child in ast.iter_child_nodes(node):
            yield from self._read(child)

    def _is_constant(self, node: ast.expr) -> bool:
        """Returns whether a place always holds one plain value, or is no place, such as a function."""
        place = self._definitions.place(node)
        held = self._definitions.assigned.get(place, ()) if place is not None else ()
        if not held:
            return isinstance(node, ast.Name) and not self._definitions.names.bindings(node)
        return len(held) == 1 and isinstance(held[0][0], ast.Constant) and not self._is_rebound(node)

    def _is_rebound(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and len(self._definitions.names.bindings(node)) != 1
