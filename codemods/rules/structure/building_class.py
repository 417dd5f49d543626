"""What a class does with a graph: the placeholders and sessions it keeps, and the methods that build and that run."""

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

    sessions: attributes that it gives sessions of its own. inherits: the class that it inherits from, or that inherits
    from it, or "". built_late: a method that makes placeholders and that the constructor does not call, or "".
    own_names: its attributes and methods.
    """

    statement: ast.ClassDef
    sessions: frozenset[str]
    inherits: str
    built_late: str
    own_names: frozenset[str]

    @staticmethod
    def of(statement: ast.ClassDef, context: Context) -> BuildingClass | None:
        """What a class is, None if it is no such class."""
        methods = {each.name: each for each in statement.body if isinstance(each, _METHODS) and each.args.args}
        made = {name: list(_made(method, context)) for name, method in methods.items()}
        builders = [name for name, kinds in made.items() if any(kind in _PLACEHOLDERS for _, kind in kinds)]
        sessions = {attribute for kinds in made.values() for attribute, kind in kinds if kind in _SESSIONS}
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
    """Whether a qualified name of TensorFlow makes nothing in a graph."""
    return f"{_short(name)}.".startswith(_HARMLESS)


def outside(statement: ast.ClassDef, context: Context) -> str:
    """A name of TensorFlow that a file uses outside of a class and what only that uses, as it is written; else ""."""
    top = {each.name: each for each in context.tree.body if isinstance(each, (*_METHODS, ast.ClassDef))}
    helpers = _helpers(statement, top)
    inside: set[ast.AST] = {node for each in (statement, *helpers) for node in ast.walk(each)}
    for chain in context.names.chains:
        name = context.qualified(chain) or ""
        if chain not in inside and name.startswith(_HEADS) and not is_harmless(name):
            return context.source(chain)
    used = [each for each in context.names.nodes.get(ast.Name, []) if each not in inside]
    shared = {each.name for each in helpers} & {each.id for each in used if isinstance(each, ast.Name)}
    return min(shared, default="")


def _helpers(statement: ast.ClassDef, top: Mapping[str, ast.stmt]) -> list[ast.FunctionDef]:
    """The functions of the module that a class uses, and that these use."""
    found: dict[str, ast.FunctionDef] = {}
    pending: list[ast.AST] = [statement]
    while pending:
        for node in ast.walk(pending.pop()):
            helper = top.get(node.id) if isinstance(node, ast.Name) else None
            if isinstance(helper, ast.FunctionDef) and helper.name not in found:
                found[helper.name] = helper
                pending.append(helper)
    return list(found.values())


def _relative(statement: ast.ClassDef, context: Context) -> str:
    for base in statement.bases:
        if not (isinstance(base, ast.Name) and base.id == "object"):
            return context.source(base)
    for other in context.names.nodes.get(ast.ClassDef, []):
        assert isinstance(other, ast.ClassDef)
        if any(isinstance(base, ast.Name) and base.id == statement.name for base in other.bases):
            return other.name
    return ""


def _assigned(method: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """Attributes of the object that a method assigns, with the value where it is one."""
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
    """Attribute and "placeholder" or "Session", as a method makes them."""
    for attribute, value in _assigned(method):
        name = context.qualified(value.func) if isinstance(value, ast.Call) else None
        if name and name.startswith(_HEADS) and _short(name) in (*_SESSIONS, *_PLACEHOLDERS):
            yield attribute, _short(name)


def _given(method: ast.stmt) -> Iterator[str]:
    """Attributes that a method sets to one of its own arguments."""
    assert isinstance(method, _METHODS)
    names = {argument.arg for argument in (*method.args.args, *method.args.kwonlyargs)}
    yield from (
        attribute for attribute, value in _assigned(method) if isinstance(value, ast.Name) and value.id in names
    )


def _run(method: ast.stmt) -> Iterator[str]:
    """Attributes whose `run` a method calls: `self.sess.run(...)`."""
    for node in ast.walk(method):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "run":
            held = node.func.value
            if isinstance(held, ast.Attribute) and _is_own(held, method):
                yield held.attr


def _called_by(start: str, methods: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]) -> set[str]:
    """The method `start` and those that it calls on the object, directly or not."""
    found: set[str] = set()
    pending = [start]
    while pending:
        name = pending.pop()
        if name in methods and name not in found:
            found.add(name)
            for node in ast.walk(methods[name]):
                if isinstance(node, ast.Attribute) and _is_own(node, methods[name]):
                    pending.append(node.attr)
    return found


def _short(name: str) -> str:
    head = next((head for head in _HEADS if name.startswith(head)), "")
    return name.removeprefix(head)
