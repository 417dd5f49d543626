"""The only object of a class that builds a graph, as `model = Model(10)`, and what other code reads of it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from codemods.native.refusals import NotNativeError
from codemods.tree import walk


@dataclass(frozen=True)
class Instance:
    """The object of a class.

    Attributes:
        name: Its name.
        call: The call that makes it.
    """

    name: str
    call: ast.Call


def instance_of(owner: ast.ClassDef, tree: ast.Module, driver: ast.FunctionDef | None) -> Instance | None:
    """Returns the only object of a class; None if nothing outside the class makes one.

    Reads of its attributes become places of the class in the tree: `model.loss` is `self.loss`. The text stays.

    Raises:
        NotNativeError: The source does not say that there is one object with one name.
    """
    uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == owner.name]
    made = _made(driver.body if driver is not None else tree.body, owner.name)
    if made is None:
        return None
    instance, statement = made
    if len(uses) != 1 or any(ast.unparse(base) != "object" for base in owner.bases) or owner.decorator_list:
        message = f"{owner.name} is made several times, or has a base class; make one object of it"
        raise NotNativeError(uses[-1], "NAT008", message)
    if tree.body.index(owner) > tree.body.index(driver if driver is not None else _outermost(tree, statement)):
        raise NotNativeError(owner, "NAT008", "put this class above the code that runs it")
    _require_one_name(instance.name, tree, statement)
    inside = {id(node) for node in walk(owner)}
    for node in walk(tree):
        if id(node) in inside or not isinstance(node, ast.Name) or node.id != instance.name:
            continue
        parent = next(other for other in walk(tree) if any(child is node for child in ast.iter_child_nodes(other)))
        if isinstance(parent, ast.Attribute):
            node.id = "self"
        elif parent is not statement:
            message = f"{instance.name} is given to other code here, which may read its tensors; name its attributes"
            raise NotNativeError(node, "NAT008", message)
    return instance


def _made(body: Sequence[ast.stmt], name: str) -> tuple[Instance, ast.Assign] | None:
    """Returns the object that a statement outside loops and branches makes."""
    for statement in body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            value, target = statement.value, statement.targets[0]
            made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == name
            if made and isinstance(value, ast.Call) and isinstance(target, ast.Name):
                return Instance(target.id, value), statement
        if isinstance(statement, ast.With) or (isinstance(statement, ast.If) and "__main__" in ast.unparse(statement)):
            inner = _made(statement.body, name)
            if inner is not None:
                return inner
    return None


def _outermost(tree: ast.Module, statement: ast.stmt) -> ast.stmt:
    return next(node for node in tree.body if any(below is statement for below in walk(node)))


def _require_one_name(name: str, tree: ast.Module, statement: ast.Assign) -> None:
    """Refuses a name that something else in the file has too.

    Raises:
        NotNativeError: There is such a thing.
    """
    for node in walk(tree):
        stored = isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        bound = isinstance(node, ast.arg) and node.arg == name
        bound = bound or (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name)
        bound = bound or (isinstance(node, ast.alias) and (node.asname or node.name).split(".")[0] == name)
        if bound or (stored and node is not statement.targets[0]):
            raise NotNativeError(node, "NAT008", f"{name} is the object that builds the graph, and something else too")
