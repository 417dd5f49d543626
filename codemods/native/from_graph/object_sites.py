"""Calls of sessions that run the part of the graph that belongs to an object, of which the program makes several."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from codemods.native.facts import LocatedFacts, Recorded
from codemods.native.from_graph.definitions import Definitions, Function
from codemods.native.from_graph.fed_tensors import PLACEHOLDERS


@dataclass(frozen=True)
class Objects:
    """What a call runs for each object.

    Attributes:
        owner: Makes the objects: `__init__` of their class.
        receiver: The expression of the object in the call, "net" or "self".
        runs: For each object, in the order of making, what was recorded. Of the runs of one, the later ones run the
            same operations, made anew.
    """

    owner: Function
    receiver: str
    runs: tuple[tuple[Recorded, ...], ...]


class ObjectSites:
    """Finds the objects behind calls.

    Args:
        definitions: What the program defines.
        located: What was recorded, and where.
    """

    def __init__(self, definitions: Definitions, located: LocatedFacts) -> None:
        self._definitions, self._located = definitions, located
        self._families: dict[str, list[str]] = {}
        self._places: dict[str, tuple[str, int]] = {}
        for number, graph in enumerate(located.facts.graphs):
            made: dict[tuple[str, int, int], list[str]] = {}
            for op in graph:
                if op.type in PLACEHOLDERS and op.file:
                    family = made.setdefault((op.file, op.line, number), [])
                    family.append(f"{op.name}:0")
                    self._families[f"{op.name}:0"] = family
                    self._places[f"{op.name}:0"] = op.file, op.line

    def objects(
        self, runs: Sequence[Recorded], parts: Sequence[ast.expr], feed: ast.expr | None
    ) -> tuple[Objects, list[list[str]]] | None:
        """Returns what a call runs for each object, and the placeholders of each kind in the order of the objects.

        Args:
            runs: What was recorded of the call.
            parts: What it fetches.
            feed: What it feeds.

        Returns:
            None if the trace and the source do not say it.
        """
        by_number: dict[int, list[Recorded]] = {}
        families: list[list[str]] = []
        for run in runs:
            own = [self._families[name] for name in run.feeds if len(self._families.get(name, ())) > 1]
            numbers = {family.index(name) for name in run.feeds for family in own if name in family}
            if len(numbers) != 1:
                return None
            by_number.setdefault(numbers.pop(), []).append(run)
            families += [family for family in own if family not in families]
        sizes = {len(family) for family in families}
        if len(sizes) != 1 or set(by_number) != set(range(sizes.pop())):
            return None
        every = tuple(tuple(by_number[number]) for number in sorted(by_number))
        owner = self._owner(families)
        receiver = _receiver(parts, feed)
        alike = all(len({run.first_leaves for run in own}) == 1 for own in every)
        forms = {tuple(":" in leaf for leaf in own[0].leaves) for own in every}
        if owner is None or not receiver or not alike or len(forms) != 1 or len({run.graph for run in runs}) != 1:
            return None
        return Objects(owner, receiver, every), families

    def _owner(self, families: Sequence[Sequence[str]]) -> Function | None:
        """Returns the `__init__` of the class whose objects made placeholders, if that makes them."""
        places = {self._places[family[0]] for family in families}
        for made in self._definitions.classes.values():
            span = self._located.span(made)
            methods = {node.name: node for node in made.body if isinstance(node, Function)}
            if not all(span.holds(*place) for place in places) or "__init__" not in methods:
                continue
            building = {"__init__"}
            size = -1
            while size != (size := len(building)):
                building |= {
                    name for name, method in methods.items() if self._only_called_in(method, methods, building)
                }
            spans = [self._located.span(methods[name]) for name in building]
            if all(any(span.holds(*place) for span in spans) for place in places):
                return methods["__init__"]
        return None

    def _only_called_in(self, method: Function, methods: dict[str, Function], building: set[str]) -> bool:
        """Returns whether a method is called once, by the object itself, while it is made."""
        calls = self._definitions.calls.get(method, ())
        callers = [self._definitions.function_of(call) for call in calls]
        return len(calls) == 1 and all(caller in [methods[name] for name in building] for caller in callers)


def _receiver(parts: Sequence[ast.expr], feed: ast.expr | None) -> str:
    """Returns the object whose attributes a call fetches and feeds; "" if they are of several."""
    keys = [key for key in feed.keys if key is not None] if isinstance(feed, ast.Dict) else []
    objects = {ast.unparse(part.value) for part in (*parts, *keys) if isinstance(part, ast.Attribute)}
    return objects.pop() if len(objects) == 1 and all(isinstance(part, ast.Attribute) for part in parts) else ""
