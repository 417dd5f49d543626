"""In what form a call of a session gave what it fetched: lists and tuples, also within each other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from codemods.native.from_graph.definitions import Definitions, Place
from codemods.native.kinds import v1_name
from codemods.native.recorded_models import Form
from codemods.tree import walk

_LISTS = frozenset(
    (
        "gradients", "split", "unstack", "get_collection", "trainable_variables", "global_variables",
        "local_variables", "model_variables", "moving_average_variables",
    )
)  # fmt: skip
"""Functions of TensorFlow 1 that give lists of tensors."""
_STRUCTURES = re.compile(
    r"(.*\.)?(\w*_rnn|\w*rnn_decoder|dynamic_decode|zero_state|while_loop|map_fn|scan|foldl|foldr|cond|case|top_k|moments"
    r"|meshgrid|get_next|unique\w*|weighted_moments|\w*batch\w*|py_func)$"
)
"""Functions that give, or may give, several tensors."""
_ADDING = ("append", "insert", "extend")
_ONE, _UNSURE = "", "?"
"""A tensor or operation without its name yet, and what may also be several."""


class _UnclearError(Exception):
    """The source does not say a form."""


@dataclass(frozen=True)
class _Rest:
    """A list of as many elements of one form as the other parts of a call leave over."""

    element: Form


_Shape = Any
"""A form without names, or a `_Rest`, also within lists and tuples."""


class FetchForms:
    """Finds the forms of fetches.

    Args:
        definitions: What the program defines.
    """

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._added: dict[Place, list[ast.expr]] = {}
        self._grown: set[Place | None] = set()
        for node in walk(definitions.names.tree):
            if isinstance(node, ast.AugAssign):
                self._grown.add(definitions.place(node.target))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDING:
                place = definitions.place(node.func.value)
                if place is not None and node.func.attr != "extend" and node.args:
                    self._added.setdefault(place, []).append(node.args[-1])
                else:
                    self._grown.add(place)

    def form(self, fetched: ast.expr, leaves: Sequence[str]) -> Form:
        """Returns the form of what an expression fetched; an empty text if the source does not say it.

        Args:
            fetched: The expression.
            leaves: The recorded tensors and operations, in their order.
        """
        try:
            shape = self._shape(fetched, set())
            filled = _filled(shape, len(leaves) - sum(1 for part in _flat(shape) if isinstance(part, str)))
        except _UnclearError:
            return ""
        if sum(1 for _ in _flat(filled)) != len(leaves):
            return ""
        return _named(filled, iter(leaves))

    def _shape(self, node: ast.expr, seen: set[ast.AST]) -> _Shape:
        """Returns a form whose tensors have no names yet."""
        if node in seen:
            raise _UnclearError
        seen = {*seen, node}
        if isinstance(node, (ast.List, ast.Tuple)):
            parts = [self._shape(part, seen) for part in node.elts]
            return parts if isinstance(node, ast.List) else tuple(parts)
        if isinstance(node, ast.ListComp):
            return self._several([node.elt], seen)
        if isinstance(node, ast.Call):
            return self._of_call(node, seen)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._of_place(self._definitions.place(node), seen)
        if isinstance(node, ast.Subscript):
            return _UNSURE
        if isinstance(node, (ast.Dict, ast.Starred, ast.DictComp, ast.GeneratorExp, ast.IfExp)):
            raise _UnclearError
        return _ONE

    def _of_place(self, place: Place | None, seen: set[ast.AST]) -> _Shape:
        held = self._definitions.assigned.get(place, ()) if place is not None else ()
        if place in self._added:
            elements = [part for value, _ in held if isinstance(value, ast.List) for part in value.elts]
            if place in self._grown or not all(isinstance(value, ast.List) for value, _ in held):
                raise _UnclearError
            return self._several([*elements, *self._added[place]], seen)
        shape = _agreed([self._element(value, number, seen) for value, number in held])
        if place in self._grown and not isinstance(shape, str):
            raise _UnclearError
        return shape

    def _several(self, elements: Sequence[ast.expr], seen: set[ast.AST]) -> _Rest:
        """Returns the shape of a list with elements that are made like these."""
        shape = _agreed([self._shape(part, seen) for part in elements])
        if isinstance(shape, _Rest):
            raise _UnclearError
        return _Rest(shape)

    def _of_call(self, call: ast.Call, seen: set[ast.AST]) -> _Shape:
        symbol = v1_name(self._definitions.names, call.func)
        if symbol is not None:
            return _Rest(_ONE) if symbol in _LISTS else _UNSURE if _STRUCTURES.match(symbol) else _ONE
        functions = self._definitions.called(call)
        if isinstance(call.func, ast.Attribute) and not functions and call.func.attr in _METHODS:
            return _METHODS[call.func.attr]
        return _agreed([self._shape(v, seen) for f in functions for v in self._definitions.returned(f)])

    def _element(self, value: ast.expr, number: int | None, seen: set[ast.AST]) -> _Shape:
        """Returns the shape of an element of a value, or of all of it."""
        if number is None:
            return self._shape(value, seen)
        whole = self._shape(value, seen)
        if isinstance(whole, _Rest):
            return whole.element
        return whole[number] if isinstance(whole, (list, tuple)) and number < len(whole) else _UNSURE


_METHODS: dict[str, _Shape] = {
    "compute_gradients": _Rest((_ONE, _ONE)),
    "minimize": _ONE,
    "apply_gradients": _ONE,
}


def _agreed(shapes: Sequence[_Shape]) -> _Shape:
    """Returns the shape that several values have; if there are none, that of a tensor, perhaps."""
    if shapes and all(isinstance(shape, str) for shape in shapes):
        return max(str(shape) for shape in shapes)
    if any(shape != shapes[0] or type(shape) is not type(shapes[0]) for shape in shapes):
        raise _UnclearError
    return shapes[0] if shapes else _UNSURE


def _flat(form: object) -> Iterator[object]:
    if isinstance(form, (list, tuple)):
        for part in form:
            yield from _flat(part)
    else:
        yield form


def _filled(shape: _Shape, left: int) -> Form:
    """Returns a shape whose only list of unknown length has this many tensors."""
    rests = [part for part in _flat(shape) if isinstance(part, _Rest)]
    widths = [sum(1 for _ in _flat(rest.element)) for rest in rests]
    is_unsure = any(_UNSURE in _flat(part) for part in (shape, *(rest.element for rest in rests)))
    if len(rests) > 1 or any(not width or left % width for width in widths) or (rests and is_unsure):
        raise _UnclearError

    def fill(part: _Shape) -> Form:
        if isinstance(part, _Rest):
            return [part.element for _ in range(left // widths[0])]
        if isinstance(part, list):
            return [fill(inner) for inner in part]
        return tuple(fill(inner) for inner in part) if isinstance(part, tuple) else part

    return fill(shape)


def _named(shape: Form, leaves: Iterator[str]) -> Form:
    """Returns a shape with the names of the tensors in it, and None for operations."""
    if isinstance(shape, list):
        return [_named(part, leaves) for part in shape]
    if isinstance(shape, tuple):
        return tuple(_named(part, leaves) for part in shape)
    leaf = next(leaves)
    return leaf if ":" in leaf else None


def is_plain(form: Form) -> bool:
    """Returns whether a form is one tensor or operation, or a list or tuple of these."""
    return not isinstance(form, (list, tuple)) or not any(isinstance(part, (list, tuple)) for part in form)


def names_of(form: Form) -> list[str]:
    """Returns the tensors of a form in its order, "" for each operation."""
    return [str(part or "") for part in _flat(form)]
