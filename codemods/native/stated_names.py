"""Names that the program computes from texts and numbers that its source says: `'layer%s' % n` with `n = 1`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.object_constants import attributes_of_objects
from codemods.native.places import place_of
from codemods.native.scope_names import with_names_of_scopes
from codemods.native.source_text import SourceText
from codemods.tree import walk

_PLACES = {"variable_scope": "name_or_scope", "name_scope": "name", "get_variable": "name"}
"""Function -> its first parameter, which is a name."""
_TAGGED = frozenset(("summary.scalar", "summary.histogram"))
_NAMED = frozenset(("Variable", "layers.dense", "layers.conv1d", "layers.conv2d", "layers.conv2d_transpose"))
"""Functions that get names by the keyword `name` alone."""
_LONGEST = 200
"""The most characters of a name. A hostile source could compute one that fills the memory."""
_WIDE = re.compile(r"\d{3}")
_Block = ast.Module | ast.FunctionDef


def with_stated_names(text: str) -> str:
    """Returns a text whose names of scopes, variables, layers and summaries are texts, where the source says them."""
    text = with_names_of_scopes(text)
    if not any(word in text for word in ("_scope", "get_variable", "summary", "name=")):
        return text
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    attributes = attributes_of_objects(tree)
    for block in (node for node in walk(tree) if isinstance(node, _Block)):
        bound = BoundOnce(tree, block, attributes.get(block, {}))
        for value in _names_in(block, names):
            stated = bound.value(value)
            if isinstance(stated, str) and value.lineno == value.end_lineno:
                source.replace(source.span(value), repr(stated))
    return source.result()


def _names_in(block: _Block, names: Names) -> Iterator[ast.expr]:
    """Yields the names that a function or the module computes itself."""
    for call in (node for node in _own(block) if isinstance(node, ast.Call)):
        function = v1_name(names, call.func) or ""
        keyword = "name" if function in (_NAMED | _TAGGED) else _PLACES.get(function)
        given = next((known.value for known in call.keywords if known.arg == keyword), None)
        if given is None and call.args and function not in _NAMED:
            given = call.args[0]
        if keyword is not None and given is not None and not isinstance(given, ast.Constant):
            yield given


def _own(block: _Block) -> Iterator[ast.AST]:
    """Yields the nodes of a block without those of functions and classes in it."""
    todo: list[ast.AST] = list(block.body)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            todo += ast.iter_child_nodes(node)


class BoundOnce:
    """The values of names that a block binds once, in a statement that is certain to run before what follows it."""

    def __init__(self, tree: ast.Module, block: _Block, attributes: Mapping[str, str | int] | None = None) -> None:
        self._attributes = attributes or {}
        self.nodes = list(_own(block))
        stores = [node for node in self.nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
        counts: dict[str, int] = {}
        for store in stores:
            counts[store.id] = counts.get(store.id, 0) + 1
        taken = {node.arg for node in walk(block) if isinstance(node, ast.arg)}
        for node in walk(tree):
            taken |= set(node.names) if isinstance(node, (ast.Global, ast.Nonlocal)) else set()
        everything = 0  # the line of the last `from module import *`, which may bind any name
        for node in self.nodes:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                taken.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                bound = {alias.asname or alias.name.split(".")[0] for alias in node.names}
                everything = max(everything, node.lineno) if "*" in bound else everything
                taken |= bound
        self._values: dict[str, ast.Assign] = {}
        for node in _straight(block.body):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if counts[name] == 1 and name not in taken and node.lineno > everything:
                    self._values[name] = node

    def statement(self, name: ast.Name) -> ast.Assign | None:
        """Returns the statement that gives a name its only value; None if the source does not say it."""
        made = self._values.get(name.id)
        return made if made is not None and made.lineno < name.lineno else None

    def value(self, node: ast.expr, before: int | None = None) -> str | int | None:
        """Returns the text or number that an expression has; None if the source does not say it."""
        at = node.lineno if before is None else before
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, (str, int)) and not isinstance(node.value, bool) else None
        if isinstance(node, ast.Name):
            bound = self._values.get(node.id)
            return self.value(bound.value, bound.lineno) if bound is not None and bound.lineno < at else None
        if isinstance(node, ast.Attribute):
            return self._attributes.get(place_of(node) or "")
        if isinstance(node, ast.BinOp):
            return self._computed(node, at)
        if isinstance(node, ast.Call):
            return self._called(node, at)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            return self._chosen(node, at)
        return self._formatted(node, at) if isinstance(node, ast.JoinedStr) else None

    def _all(self, nodes: Sequence[ast.expr], at: int) -> tuple[str | int, ...] | None:
        values = [self.value(node, at) for node in nodes]
        known = tuple(value for value in values if value is not None)
        return known if len(known) == len(values) else None

    def _computed(self, node: ast.BinOp, at: int) -> str | int | None:
        left = self.value(node.left, at)
        if isinstance(node.op, ast.Mod) and isinstance(left, str):
            given = self._all(node.right.elts if isinstance(node.right, ast.Tuple) else [node.right], at)
            try:
                return left % given if given is not None and _is_short(left, given) else None
            except (TypeError, ValueError):
                return None
        right = self.value(node.right, at)
        if not isinstance(node.op, ast.Add):
            return None
        if isinstance(left, str) and isinstance(right, str):
            return left + right if len(left) + len(right) <= _LONGEST else None
        return left + right if isinstance(left, int) and isinstance(right, int) else None

    def _chosen(self, node: ast.BoolOp, at: int) -> str | int | None:
        """Returns the value of `scope or "Linear"`."""
        value: str | int | None = None
        for part in node.values:
            is_none = isinstance(part, ast.Constant) and part.value is None
            value = self.value(part, at)
            if value or (value is None and not is_none):
                return value
        return value

    def _called(self, node: ast.Call, at: int) -> str | None:
        given = self._all(node.args, at)
        if given is None or node.keywords:
            return None
        if isinstance(node.func, ast.Name) and node.func.id == "str" and len(given) == 1:
            return str(given[0]) if "str" not in self._values else None
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            text = self.value(node.func.value, at)
            try:
                return text.format(*given) if isinstance(text, str) and _is_short(text, given) else None
            except (IndexError, KeyError, ValueError, AttributeError):
                return None
        return None

    def _formatted(self, node: ast.JoinedStr, at: int) -> str | None:
        parts: list[str] = []
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            value = self.value(inner, at)
            plain = not isinstance(part, ast.FormattedValue) or (part.conversion == -1 and part.format_spec is None)
            if value is None or not plain:
                return None
            parts.append(str(value))
        return "".join(parts)


def _is_short(text: str, given: Sequence[str | int]) -> bool:
    """Returns whether a format cannot make a text that fills the memory: by a width in it, or in what it formats."""
    return not _WIDE.search(text) and all(abs(value) < 10**6 for value in given if isinstance(value, int))


def _straight(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements that are certain to run one after another."""
    for statement in statements:
        if isinstance(statement, ast.With):
            yield from _straight(statement.body)
        else:
            yield statement
