"""Checks that what a native program gets is bound before it is used: functions, layers, optimizers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from codemods.native.places import COMPREHENSIONS, FUNCTIONS, bound_names
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_Scope = ast.Module | ast.FunctionDef


def require_bound_in_time(tree: ast.Module, old: ast.Module) -> None:
    """Refuses a result that would use a new name before the statement that binds it.

    A function needs the names that its body reads when it is called, not when it is defined.

    Args:
        tree: The native program.
        old: The program that it is made of.

    Raises:
        NotNativeError: There is such a name.
    """
    before = {binding for scope in _scopes(old) for binding in _bindings_in(scope)}
    for scope in _scopes(tree):
        new = {name for name, kind in _bindings_in(scope) if (name, kind) not in before}
        if not new:
            continue
        for name in _Order(scope).late():
            if name in new:
                where = next((n for n in walk(old) if isinstance(n, ast.Name) and n.id == name), old)
                message = f"{name} would be used above the statement that makes it; build the graph before it is run"
                raise NotNativeError(where, "NAT008", message)


def _scopes(tree: ast.Module) -> list[_Scope]:
    return [tree, *(node for node in walk(tree) if isinstance(node, ast.FunctionDef))]


def _bindings_in(scope: _Scope) -> Iterator[tuple[str, bool]]:
    """Yields each name that a scope binds, and whether a function or class has it."""
    for node in _own(scope):
        yield from ((name, isinstance(node, (ast.FunctionDef, ast.ClassDef))) for name in _binds(node))


def _own(node: ast.AST, hidden: frozenset[str] = frozenset()) -> Iterator[ast.AST]:
    """Yields what belongs to a scope itself: inner functions and classes as such, and not what is in them.

    Names that a comprehension binds, which are hidden, are its own.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Name) and child.id in hidden:
            continue
        yield child
        if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
            for part in [*getattr(child, "decorator_list", []), *getattr(getattr(child, "args", None), "defaults", [])]:
                yield part
                yield from _own(part, hidden)
        else:
            yield from _own(child, hidden | bound_names(child) if isinstance(child, COMPREHENSIONS) else hidden)


@dataclass
class _Order:
    """The order in which the statements of a scope bind and read names.

    Attributes:
        scope: The module or function.
        bound: The first line that binds a name.
        functions: The functions of the scope; a class stands for what makes its objects.
    """

    scope: _Scope
    bound: dict[str, int] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parameters = self.scope.args if isinstance(self.scope, ast.FunctionDef) else None
        for argument in walk(parameters) if parameters is not None else ():
            if isinstance(argument, ast.arg):
                self.bound[argument.arg] = 0
        for node in _own(self.scope):
            if isinstance(node, ast.FunctionDef):
                self.functions.setdefault(node.name, node)
            if isinstance(node, ast.ClassDef):
                for part in node.body:
                    if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                        self.functions.setdefault(node.name, part)
            for name in _binds(node):
                self.bound[name] = min(self.bound.get(name, node.lineno), node.lineno)  # type: ignore[attr-defined]

    def late(self) -> Iterator[str]:
        """Yields each name that is read above the line that binds it first."""
        for node in _own(self.scope):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                needed = self._needed(node.id)
                yield from (name for name in sorted(needed) if self.bound.get(name, 0) > node.lineno)

    def _needed(self, name: str) -> set[str]:
        """Returns a name, and if it is a function's all names of this scope that a call of it may read."""
        needed: set[str] = set()
        waiting = [name]
        while waiting:
            name = waiting.pop()
            if name in needed:
                continue
            needed.add(name)
            if name in self.functions:
                function = self.functions[name]
                own = bound_names(function)
                read = (node for statement in function.body for node in walk(statement))
                waiting += [node.id for node in read if isinstance(node, ast.Name) and node.id not in own]
        return needed


def _binds(node: ast.AST) -> Iterator[str]:
    """Yields the names that a node itself binds."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name
