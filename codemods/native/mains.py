"""Finds what builds and runs the graph of a program: the module itself, one function, or the methods of one class."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from codemods.names import Names
from codemods.native import machinery
from codemods.native.datasets import makes_iterator
from codemods.native.instances import Instance, instance_of
from codemods.native.refusals import NotNativeError


@dataclass(frozen=True)
class Main:
    """What builds the graph.

    Attributes:
        function: The function, or the `__init__` of the class; None for the module.
        owner: The class.
        built: The methods that `__init__` calls once, without arguments, to build parts of the graph.
        instance: The only object of the class, where other code than the class runs it.
        driver: The function that runs it; None for the module.
    """

    function: ast.FunctionDef | None = None
    owner: ast.ClassDef | None = None
    built: tuple[ast.FunctionDef, ...] = ()
    instance: Instance | None = None
    driver: ast.FunctionDef | None = None

    def called_by(self, statement: ast.stmt) -> ast.FunctionDef | None:
        """Returns the method that a statement `self.method()` calls to build a part; None for other statements."""
        name = _own_call(statement)
        return next((method for method in self.built if method.name == name), None)


def main_of(tree: ast.Module, names: Names) -> Main:
    """Returns what builds the graph.

    Raises:
        NotNativeError: Several functions do, or methods that are called otherwise.
    """
    building = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and _builds(node, names)]
    own = (statement for statement in tree.body if not isinstance(statement, (ast.ClassDef, ast.FunctionDef)))
    driven = _driven(tree, building)
    if driven is not None:
        return driven
    if any(_builds(statement, names) for statement in own) or not building:
        return Main()
    if len(building) == 1 and building[0] in tree.body:
        return Main(building[0])
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef) and any(b in node.body for b in building)]
    if len(owners) != 1 or any(method not in owners[0].body for method in building):
        raise NotNativeError(
            building[-1], "NAT008", "several functions make placeholders or sessions; make one of them"
        )
    return _of_class(owners[0], building)


def _driven(tree: ast.Module, building: list[ast.FunctionDef]) -> Main | None:
    """Returns a class that builds the graph, and the function or module that makes its only object and runs it."""
    outside = [node for node in building if node in tree.body]
    owners = [node for node in tree.body if isinstance(node, ast.ClassDef) and any(b in node.body for b in building)]
    if len(owners) != 1 or len(outside) > 1 or any(b not in (*owners[0].body, *outside) for b in building):
        return None
    driver = outside[0] if outside else None
    instance = instance_of(owners[0], tree, driver)
    if instance is None:
        return None
    made = _of_class(owners[0], [node for node in building if node not in outside])
    return replace(made, instance=instance, driver=driver)


def _of_class(owner: ast.ClassDef, building: list[ast.FunctionDef]) -> Main:
    methods = {method.name: method for method in owner.body if isinstance(method, ast.FunctionDef)}
    first = methods.get("__init__")
    if first is None or owner.decorator_list:
        raise NotNativeError(owner, "NAT008", "the class that builds the graph has no __init__")
    calls = [name for node in ast.walk(owner) if (name := _own_call(node)) is not None]
    at_start = [name for node in first.body if (name := _own_call(node)) is not None]
    built = tuple(methods[name] for name in at_start if name in methods and calls.count(name) == 1)
    lost = next((method for method in building if method is not first and method not in built), None)
    if lost is not None:
        message = "this method makes placeholders or sessions; let __init__ call it once, without arguments"
        raise NotNativeError(lost, "NAT008", message)
    return Main(first, owner, tuple(method for method in built if method in building))


def _own_call(node: ast.AST) -> str | None:
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.args or call.keywords or not isinstance(call.func, ast.Attribute):
        return None
    return call.func.attr if isinstance(call.func.value, ast.Name) and call.func.value.id == "self" else None


def _builds(node: ast.AST, names: Names) -> bool:
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
