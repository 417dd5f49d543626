"""Describes what a class does with a graph: its placeholders and sessions, and the methods that build and run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codemods.context import Context

_HEADS = ("tensorflow.compat.v1.", "tensorflow.", "tf2bridge.v1.")
_SESSIONS = ("Session", "InteractiveSession")
_PLACEHOLDERS = ("placeholder", "placeholder_with_default", "sparse_placeholder")
_HARMLESS = ("app.", "flags.", "logging.", "gfile.", "__version__.", "python.platform.", "errors.", "compat.as_")
_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class BuildingClass:
    """A class that keeps placeholders and runs a session outside of its constructor.

    Attributes:
        statement: the class.
        sessions: attributes that hold sessions which the class makes itself.
        inherits: the class that it inherits from, or that inherits from it, or "".
        built_late: a method that makes placeholders and that the constructor does not call, or "".
        own_names: its attributes and methods.
    """

    statement: ast.ClassDef
    sessions: frozenset[str]
    inherits: str
    built_late: str
    own_names: frozenset[str]

    @staticmethod
    def of(statement: ast.ClassDef, context: Context) -> BuildingClass | None:
        """Returns the description of a class, None if it is no such class."""
        methods = {
            method.name: method for method in statement.body if isinstance(method, _METHODS) and method.args.args
        }
        made_by_method = {name: list(_made(method, context)) for name, method in methods.items()}
        builders = [name for name, kinds in made_by_method.items() if any(kind in _PLACEHOLDERS for _, kind in kinds)]
        sessions = {attribute for kinds in made_by_method.values() for attribute, kind in kinds if kind in _SESSIONS}
        given = {attribute for method in methods.values() for attribute in _given(method)}
        inside = _called_by("__init__", methods)
        runs = {attribute for name in methods.keys() - inside for attribute in _run(methods[name])}
        if not builders or not runs & (sessions | given):
            return None
        return BuildingClass(
            statement,
            frozenset(sessions & runs) if runs <= sessions else frozenset(),
            _relative(statement, context),
            next((name for name in builders if name not in inside), ""),
            frozenset(methods) | {attribute for method in methods.values() for attribute, _ in _assigned(method)},
        )


def is_harmless(name: str) -> bool:
    """Returns whether a use of this qualified name of TensorFlow adds nothing to a graph."""
    return f"{_short(name)}.".startswith(_HARMLESS)


def outside(statement: ast.ClassDef, context: Context) -> str:
    """Returns a name of TensorFlow that the file uses outside the class and its helpers, as written; else ""."""
    top = {
        definition.name: definition
        for definition in context.tree.body
        if isinstance(definition, (*_METHODS, ast.ClassDef))
    }
    helpers = _helpers(statement, top)
    inside: set[ast.AST] = {node for part in (statement, *helpers) for node in ast.walk(part)}
    for chain in context.names.chains:
        name = context.qualified(chain) or ""
        if chain not in inside and name.startswith(_HEADS) and not is_harmless(name):
            return context.source(chain)
    used = [node for node in context.names.nodes.get(ast.Name, []) if node not in inside]
    shared = {node.name for node in helpers} & {node.id for node in used if isinstance(node, ast.Name)}
    return min(shared, default="")


def _helpers(statement: ast.ClassDef, top: Mapping[str, ast.stmt]) -> list[ast.FunctionDef]:
    """Returns the functions of the module that the class calls, directly or through other such functions."""
    helpers: dict[str, ast.FunctionDef] = {}
    pending: list[ast.AST] = [statement]
    while pending:
        for node in ast.walk(pending.pop()):
            helper = top.get(node.id) if isinstance(node, ast.Name) else None
            if isinstance(helper, ast.FunctionDef) and helper.name not in helpers:
                helpers[helper.name] = helper
                pending.append(helper)
    return list(helpers.values())


def _relative(statement: ast.ClassDef, context: Context) -> str:
    for base in statement.bases:
        if not (isinstance(base, ast.Name) and base.id == "object"):
            return context.source(base)
    for node in context.names.nodes.get(ast.ClassDef, []):
        assert isinstance(node, ast.ClassDef)
        if any(isinstance(base, ast.Name) and base.id == statement.name for base in node.bases):
            return node.name
    return ""


def _assigned(method: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """Yields the attributes of the object that a method assigns, each with its value, or None in other assignments."""
    for node in ast.walk(method):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
        )
        for target in targets:
            parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
            value = node.value if isinstance(node, ast.Assign) and parts == [target] else None
            yield from (
                (part.attr, value) for part in parts if isinstance(part, ast.Attribute) and _is_own(part, method)
            )


def _is_own(part: ast.Attribute, method: ast.stmt) -> bool:
    assert isinstance(method, _METHODS)
    return isinstance(part.value, ast.Name) and part.value.id == method.args.args[0].arg


def _made(method: ast.stmt, context: Context) -> Iterator[tuple[str, str]]:
    """Yields the attributes to which a method assigns a placeholder or a session, with the name of the TF function."""
    for attribute, value in _assigned(method):
        name = context.qualified(value.func) if isinstance(value, ast.Call) else None
        if name and name.startswith(_HEADS) and _short(name) in (*_SESSIONS, *_PLACEHOLDERS):
            yield attribute, _short(name)


def _given(method: ast.stmt) -> Iterator[str]:
    """Yields the attributes that a method sets to one of its own arguments."""
    assert isinstance(method, _METHODS)
    names = {argument.arg for argument in (*method.args.args, *method.args.kwonlyargs)}
    yield from (
        attribute for attribute, value in _assigned(method) if isinstance(value, ast.Name) and value.id in names
    )


def _run(method: ast.stmt) -> Iterator[str]:
    """Yields the attributes whose `run` a method calls: `self.sess.run(...)`."""
    for node in ast.walk(method):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "run":
            session = node.func.value
            if isinstance(session, ast.Attribute) and _is_own(session, method):
                yield session.attr


def _called_by(start: str, methods: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]) -> set[str]:
    """Returns the method `start` and the methods of the object that it calls, directly or through others."""
    called: set[str] = set()
    pending = [start]
    while pending:
        name = pending.pop()
        if name in methods and name not in called:
            called.add(name)
            for node in ast.walk(methods[name]):
                if isinstance(node, ast.Attribute) and _is_own(node, methods[name]):
                    pending.append(node.attr)
    return called


def _short(name: str) -> str:
    head = next((head for head in _HEADS if name.startswith(head)), "")
    return name.removeprefix(head)
