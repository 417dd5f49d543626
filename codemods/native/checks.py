"""Checks that nothing is lost, and that a result is native."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Set

from codemods import scopes
from codemods.names import Names
from codemods.native.binding_order import require_bound_in_time
from codemods.native.items import Body, Item
from codemods.native.kinds import GONE, Kind
from codemods.native.places import uses
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk

_FORBIDDEN = ("tf2bridge", "tensorflow.compat.v", "tensorflow.contrib", "tensorflow.python", "tensorflow.examples")
_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__name__", "__doc__"}


def require_tensors_inside(body: Body, calls: Iterable[ast.AST]) -> None:
    """Refuses a program whose other statements read what becomes part of functions.

    Raises:
        NotNativeError: There is such a statement.
    """
    inside = {id(node) for call in calls for node in walk(call)}
    for item in body.items:
        if item.moves or (item.kind in GONE and not item.effects.runs):
            continue
        _require_outside(body, item, inside)


def _require_outside(body: Body, item: Item, inside: set[int]) -> None:
    late = item.effects.runs or isinstance(item.node, (ast.FunctionDef, ast.ClassDef))
    for place, node in uses(item.node):
        if id(node) in inside:
            continue
        until = len(body.items) if isinstance(item.node, ast.FunctionDef) else item.index + (1 if late else 0)
        made = body.definition(place, until, item.home)
        if made is None or made is item:
            continue
        if item.kind is Kind.OPTIMIZER and made.moves:
            continue  # a learning rate, which comes with each step
        if item.kind is Kind.TRAIN:
            continue
        if made.moves:
            message = f"{place} is {made.kind.value} of line {made.node.lineno}, and Python code reads it here"
            raise NotNativeError(node, "NAT003", f"{message}; fetch its value, or read its shape from the data")
        if made.kind is Kind.CONSTANT and _is_printed(item.node, node):
            message = f"{place} is a tensor, whose name TensorFlow 1 prints here; fetch its value"
            raise NotNativeError(node, "NAT003", message)
        if made.kind in GONE and not made.effects.runs:
            raise NotNativeError(
                node, "NAT008", f"{place} is {made.kind.value}, and what is done with it here is not known"
            )


def _is_printed(statement: ast.stmt, node: ast.AST) -> bool:
    calls = (below for below in walk(statement) if isinstance(below, ast.Call))
    return any(ast.unparse(call.func) == "print" and any(part is node for part in call.args) for call in calls)


def require_alone(source: SourceText, items: Iterable[Item]) -> None:
    """Refuses statements that share a line with others.

    Raises:
        NotNativeError: A statement that is to be moved does.
    """
    for item in items:
        if not source.is_alone(item.node):
            raise NotNativeError(item.node, "NAT008", "several statements are on this line; give each its own line")


def own_names(tree: ast.Module) -> set[str]:
    """Returns the names that a program binds, other than by imports."""
    names = {node.id for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {node.arg for node in walk(tree) if isinstance(node, ast.arg)}
    return names | {node.name for node in walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def require_other_names(texts: Iterable[str], tree: ast.Module) -> None:
    """Refuses a program that binds the name of a class or function which the native program would get.

    Raises:
        NotNativeError: It does.
    """
    got = {
        node.name
        for text in texts
        for node in ast.parse(text).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    for node in walk(tree):
        bound = own_names(ast.Module(body=[node], type_ignores=[])) if isinstance(node, ast.stmt) else set()
        if bound & got:
            name = min(bound & got)
            raise NotNativeError(node, "NAT008", f"the native program gets a class or function {name}; rename this one")


def unbound_names(text: str) -> frozenset[str]:
    """Returns the names that a text reads and nothing in it binds."""
    names = scopes.resolve(ast.parse(text))
    read = (node for node in names.nodes.get(ast.Name, []) if isinstance(node, ast.Name))
    unbound = (node.id for node in read if isinstance(node.ctx, ast.Load) and names.is_unbound(node))
    return frozenset() if names.wildcards else frozenset(unbound) - _BUILTINS


def require_native(text: str, old: ast.Module, old_names: Names, unbound: Set[str] = frozenset()) -> None:
    """Refuses a result that is no native program.

    Args:
        text: The result.
        old: The tree of the program.
        old_names: The meanings of its names.
        unbound: The names that nothing bound in the author's file either.

    Raises:
        NotNativeError: It uses what a native program has not, or reads a name that nothing binds, or binds too late.
    """
    tree = ast.parse(text)
    require_bound_in_time(tree, old)
    names = scopes.resolve(tree)
    for module in sorted(names.imported):
        if module.startswith(_FORBIDDEN):
            raise NotNativeError(_like(old, module), "NAT001", f"{module} has no counterpart in native code")
    for chain in names.chains:
        qualified = names.qualified(chain)
        if qualified and qualified.startswith(_FORBIDDEN):
            where = next((c for c in old_names.chains if old_names.qualified(c) == qualified), old)
            name = qualified.removeprefix("tensorflow.compat.v1.").removeprefix("tf2bridge.v1.")
            raise NotNativeError(where, "NAT001", f"tf.{name}, as it is used here, has no counterpart in native code")
    wildcards = bool(names.wildcards)
    for name_node in names.nodes.get(ast.Name, []):
        assert isinstance(name_node, ast.Name)
        if wildcards or not isinstance(name_node.ctx, ast.Load) or name_node.id in _BUILTINS | unbound:
            continue
        if names.is_unbound(name_node):
            where = next((n for n in walk(old) if isinstance(n, ast.Name) and n.id == name_node.id), old)
            raise NotNativeError(where, "NAT009", f"nothing would bind {name_node.id} any more")


def _like(old: ast.Module, module: str) -> ast.AST:
    """Returns the import of a module in the old text."""
    for node in walk(old):
        if isinstance(node, ast.Import) and any(alias.name == module for alias in node.names):
            return node
        if isinstance(node, ast.ImportFrom) and node.module and module.startswith(node.module):
            return node
    return old
