"""Which recorded tensor an expression of the program is that it feeds."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from codemods.native.facts import LocatedFacts
from codemods.native.from_graph.definitions import Definitions
from codemods.native.places import method_of

PLACEHOLDERS = ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault")


class FedTensors:
    """Finds the placeholders behind expressions, by the lines that made them.

    Args:
        definitions: What the program defines.
        located: What was recorded, and where.
    """

    def __init__(self, definitions: Definitions, located: LocatedFacts) -> None:
        self._definitions, self._located = definitions, located
        self._decided: dict[str, str] = {}
        self._first: dict[str, str] = {}

    def tensor(self, key: ast.expr) -> str | None:
        """Returns the tensor that an expression is; None if it is not certain."""
        tensors = set(self._tensors(key, set()))
        return tensors.pop() if len(tensors) == 1 else self._decided.get(ast.unparse(key))

    def first(self, tensor: str) -> str:
        """Returns the placeholder of the first object, for one of another; else the tensor itself."""
        return self._first.get(tensor, tensor)

    def note_objects(self, placeholders: Sequence[str]) -> None:
        """Notes placeholders that each object of a class makes for itself."""
        self._first |= dict.fromkeys(placeholders, placeholders[0])

    def decide(self, key: ast.expr, tensor: str) -> None:
        """Notes what an expression is, as a recorded call shows it."""
        self._decided[ast.unparse(key)] = tensor

    def _tensors(self, node: ast.expr, seen: set[ast.AST]) -> Iterator[str]:
        """Yields the tensors that an expression may be."""
        if node in seen:
            return
        seen.add(node)
        named = _named(node)
        if named:
            yield named
            return
        if isinstance(node, ast.Call):
            own = self._made_at(node)
            if own:
                yield from own
                return
            for function in self._definitions.called(node):
                for value in self._definitions.returned(function):
                    yield from self._tensors(value, seen)
            return
        place = self._definitions.place(node)
        if place is None:
            return
        for value, number in self._definitions.assigned.get(place, ()):
            yield from self._element(value, number, seen)
        if isinstance(node, ast.Name):
            yield from self._given(node, seen)

    def _element(self, value: ast.expr, number: int | None, seen: set[ast.AST]) -> Iterator[str]:
        """Yields the tensors that an element of a value may be; those of the value itself if there is no number."""
        if number is None:
            yield from self._tensors(value, seen)
        elif isinstance(value, (ast.Tuple, ast.List)) and number < len(value.elts):
            yield from self._tensors(value.elts[number], seen)
        elif isinstance(value, ast.Call):
            for function in self._definitions.called(value):
                for returned in self._definitions.returned(function):
                    yield from self._element(returned, number, seen)

    def _given(self, node: ast.Name, seen: set[ast.AST]) -> Iterator[str]:
        """Yields the tensors that calls give a parameter."""
        function = self._definitions.function_of(node)
        if function is None or all(parameter.arg != node.id for parameter in self._definitions.parameters(function)):
            return
        for call in self._definitions.calls.get(function, ()):
            for parameter, argument in self._definitions.arguments(function, call):
                if parameter.arg == node.id:
                    yield from self._tensors(argument, seen)

    def _made_at(self, call: ast.Call) -> list[str]:
        """Returns the placeholders that the lines of a call made; none if they made several."""
        span = self._located.span(call)
        made = [
            op.name
            for graph in self._located.facts.graphs
            for op in graph
            if op.type in PLACEHOLDERS and span.holds(op.file, op.line)
        ]
        first = {self.first(f"{name}:0") for name in made}
        return [*first] if len(first) == 1 else []


def _named(node: ast.expr) -> str:
    """Returns the tensor that an expression finds by its name; "" if it does not."""
    if isinstance(node, ast.Call) and method_of(node) == "get_tensor_by_name":
        return _text(node)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
        outputs = node.value
        if isinstance(outputs, ast.Attribute) and outputs.attr == "outputs":
            operation = outputs.value
            if isinstance(operation, ast.Call) and method_of(operation) == "get_operation_by_name" and _text(operation):
                return f"{_text(operation)}:{node.slice.value}"
    return ""


def _text(call: ast.Call) -> str:
    """Returns the text that is the only argument of a call; "" if it is none."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    value = given[0].value if len(given) == 1 and isinstance(given[0], ast.Constant) else None
    return value if isinstance(value, str) else ""
