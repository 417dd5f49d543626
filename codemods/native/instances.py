"""The only object of a class that builds a graph, as `model = Model(10)`, and what other code reads of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from codemods.native.refusals import NotNativeError
from codemods.native.session_arguments import given_for
from codemods.tree import walk


@dataclass(frozen=True)
class Instance:
    """The object of a class.

    Attributes:
        name: Its name.
        call: The call that makes it.
        parameters: The functions that get it, each with the name of the parameter.
    """

    name: str
    call: ast.Call
    parameters: Sequence[tuple[ast.FunctionDef, str]] = ()

    def name_at(self, node: ast.AST) -> str:
        """Returns the name that the object has at a node."""
        names = (name for function, name in self.parameters if any(below is node for below in walk(function)))
        return next(names, self.name)


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
    getting = _functions_that_get(instance.name, tree)
    parameters = [(function, argument.arg) for function, argument in getting]
    _require_one_name(instance.name, tree, statement, [argument for _, argument in getting])
    parents = {child: node for node in walk(tree) for child in ast.iter_child_nodes(node)}
    inside = {id(node) for node in walk(owner)}
    known = replace(instance, parameters=parameters)
    for node in walk(tree):
        if id(node) in inside or not isinstance(node, ast.Name) or node.id != known.name_at(node):
            continue
        parent = parents[node]
        if isinstance(parent, ast.Attribute):
            node.id = "self"
        elif parent is not statement and not _is_given(node, parents, [function for function, _ in getting]):
            message = f"{node.id} is given to other code here, which may read its tensors; name its attributes"
            raise NotNativeError(node, "NAT008", message)
    return known


def _functions_that_get(name: str, tree: ast.Module) -> list[tuple[ast.FunctionDef, ast.arg]]:
    """Returns the functions of the module that get an object in every call, each with the parameter for it."""
    getting: list[tuple[ast.FunctionDef, ast.arg]] = []
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == function.name]
        calls = [node for node in walk(tree) if isinstance(node, ast.Call) and node.func in uses]
        twins = [node for node in walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function.name]
        if not calls or len(calls) != len(uses) or len(twins) > 1 or function.decorator_list:
            continue
        for argument in function.args.args:
            given = [given_for(call, function, argument, False) for call in calls]
            values = [part.value if isinstance(part, ast.keyword) else part for part in given]
            if all(isinstance(value, ast.Name) and value.id == name for value in values):
                getting.append((function, argument))
    known = [function for function, _ in getting]
    return [
        (function, argument)
        for function, argument in getting
        if known.count(function) == 1 and not _binds(function, argument, name)
    ]


def _binds(function: ast.FunctionDef, parameter: ast.arg, name: str) -> bool:
    """Returns whether anything in a function binds the name of its parameter again, or reads the object by its name."""
    return any(
        (isinstance(node, ast.Name) and node.id == parameter.arg and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Name) and node.id == name != parameter.arg)
        or (isinstance(node, ast.arg) and node.arg == parameter.arg and node is not parameter)
        or (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == parameter.arg)
        or (isinstance(node, ast.alias) and (node.asname or node.name).split(".")[0] == parameter.arg)
        for node in walk(function)
    )


def _is_given(node: ast.Name, parents: Mapping[ast.AST, ast.AST], getting: Sequence[ast.FunctionDef]) -> bool:
    """Returns whether this is the argument of a call of a function that gets the object."""
    parent = parents[node]
    call = parents[parent] if isinstance(parent, ast.keyword) else parent
    called = call.func if isinstance(call, ast.Call) else None
    return isinstance(called, ast.Name) and called is not node and called.id in {known.name for known in getting}


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


def _require_one_name(name: str, tree: ast.Module, statement: ast.Assign, parameters: Sequence[ast.arg]) -> None:
    """Refuses a name that something else in the file has too, other than parameters that get the object.

    Raises:
        NotNativeError: There is such a thing.
    """
    for node in walk(tree):
        stored = isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        bound = isinstance(node, ast.arg) and node.arg == name and node not in parameters
        bound = bound or (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name)
        bound = bound or (isinstance(node, ast.alias) and (node.asname or node.name).split(".")[0] == name)
        if bound or (stored and node is not statement.targets[0]):
            raise NotNativeError(node, "NAT008", f"{name} is the object that builds the graph, and something else too")
