"""Finds what builds and runs the graph of a program: the module itself, one function, or the methods of one class."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace

from codemods.names import Names
from codemods.native import machinery
from codemods.native.datasets import makes_iterator
from codemods.native.drivers import run_apart
from codemods.native.instances import Instance, instance_of
from codemods.native.places import is_main_block, place_of
from codemods.native.refusals import NotNativeError
from codemods.tree import walk


@dataclass(frozen=True)
class Main:
    """What builds the graph.

    Attributes:
        function: The function, or the `__init__` of the class; None for the module.
        owner: The class.
        built: The methods that are called once and build parts of the graph, or run it: `__init__` calls them without
            arguments, or what makes the only object calls them afterwards.
        instance: The only object of the class, where other code than the class runs it.
        drivers: The functions that run it, of which one alone runs; empty for the module.
    """

    function: ast.FunctionDef | None = None
    owner: ast.ClassDef | None = None
    built: tuple[ast.FunctionDef, ...] = ()
    instance: Instance | None = None
    drivers: tuple[ast.FunctionDef, ...] = ()

    def called_by(self, statement: ast.stmt) -> ast.FunctionDef | None:
        """Returns the method that a statement `self.method(...)` calls to build a part; None for other statements."""
        name = _own_call(statement, with_arguments=True)
        return next((method for method in self.built if method.name == name), None)


def main_of(tree: ast.Module, names: Names, scoped: Set[str] = frozenset()) -> Main:
    """Returns what builds the graph.

    Args:
        tree: The file.
        names: The meanings of its names.
        scoped: The classes whose objects have a scope each.

    Raises:
        NotNativeError: Several functions do, or methods that are called otherwise.
    """
    building = [node for node in walk(tree) if isinstance(node, ast.FunctionDef) and builds(node, names)]
    own = (statement for statement in tree.body if not isinstance(statement, (ast.ClassDef, ast.FunctionDef)))
    driven = _driven(tree, names, building, scoped)
    if driven is not None:
        return driven
    if any(builds(statement, names) for statement in own) or not building:
        return Main()
    if len(building) == 1 and building[0] in tree.body:
        return Main(building[0])
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef) and any(b in node.body for b in building)]
    if len(owners) != 1 or any(method not in owners[0].body for method in building):
        raise NotNativeError(
            building[-1], "NAT008", "several functions make placeholders or sessions; make one of them"
        )
    return _of_class(owners[0], building)


def _driven(tree: ast.Module, names: Names, building: list[ast.FunctionDef], scoped: Set[str]) -> Main | None:
    """Returns a class that builds the graph, and the function or module that makes its only object and runs it."""
    outside = [node for node in building if node in tree.body]
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef) and any(b in node.body for b in building)]
    if len(owners) != 1 or any(b not in (*owners[0].body, *outside) for b in building):
        return None
    if len(outside) > 1 and not run_apart(outside, tree, names):
        return None
    maker = _maker(owners[0].name, tree)
    drivers = tuple(outside) or ((maker,) if maker is not None else ())
    instance = instance_of(owners[0], tree, names, drivers, scoped)
    if instance is None:
        return None
    steps = list(straight(drivers[0].body if len(drivers) == 1 else () if drivers else tree.body))
    made = _of_class(owners[0], [node for node in building if node not in outside], _called_once(steps, tree))
    return replace(made, instance=instance, drivers=drivers)


def _maker(owner: str, tree: ast.Module) -> ast.FunctionDef | None:
    """Returns the function that makes an object of a class, if the module itself makes none."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    making = [node for node in functions if any(_makes(statement, owner) for statement in straight(node.body))]
    return making[0] if len(making) == 1 and not any(_makes(node, owner) for node in straight(tree.body)) else None


def _makes(statement: ast.stmt, owner: str) -> bool:
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == owner


def straight(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements that run one after another, those of `with` and `if __name__` blocks among them."""
    for statement in statements:
        if isinstance(statement, ast.With) or is_main_block(statement):
            yield from straight(statement.body)
        else:
            yield statement


def _called_once(statements: Iterable[ast.stmt], tree: ast.Module) -> frozenset[str]:
    """Returns the methods that these statements call with `self.method(...)`, and nothing else uses."""
    places = [place for node in walk(tree) if (place := place_of(node)) is not None]
    called = (_own_call(statement, with_arguments=True) for statement in statements)
    return frozenset(name for name in called if name is not None and places.count(f"self.{name}") == 1)


def _of_class(owner: ast.ClassDef, building: list[ast.FunctionDef], afterwards: frozenset[str] = frozenset()) -> Main:
    methods = {method.name: method for method in owner.body if isinstance(method, ast.FunctionDef)}
    first = methods.get("__init__")
    if first is None or owner.decorator_list:
        raise NotNativeError(owner, "NAT008", "the class that builds the graph has no __init__")
    calls = [name for node in walk(owner) if (name := _own_call(node)) is not None]
    at_start = [name for node in first.body if (name := _own_call(node)) is not None]
    built = tuple(methods[name] for name in at_start if name in methods and calls.count(name) == 1)
    built += tuple(method for method in building if method.name in afterwards and not _gives(method))
    lost = next((method for method in building if method is not first and method not in built), None)
    if lost is not None:
        message = "this method makes placeholders or sessions; let __init__ call it once, without arguments"
        raise NotNativeError(lost, "NAT008", message)
    return Main(first, owner, tuple(method for method in built if method in building))


def _gives(method: ast.FunctionDef) -> bool:
    """Returns whether a method ends with a value, or may end early."""
    return any(isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)) for node in walk(method))


def _own_call(node: ast.AST, with_arguments: bool = False) -> str | None:
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    if (call.args or call.keywords) and not with_arguments:
        return None
    return call.func.attr if isinstance(call.func.value, ast.Name) and call.func.value.id == "self" else None


def builds(node: ast.AST, names: Names) -> bool:
    """Returns whether a function, or a statement of the module, makes placeholders, iterators or sessions itself."""
    todo: list[ast.AST] = list(node.body) if isinstance(node, ast.FunctionDef) else [node]
    while todo:
        part = todo.pop()
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            continue
        if isinstance(part, ast.Call) and (machinery.is_machinery(part, names) or makes_iterator(part, names)):
            return True
        todo += ast.iter_child_nodes(part)
    return False
