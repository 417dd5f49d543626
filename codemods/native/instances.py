"""The only object of a class that builds a graph, as `model = Model(10)`, and what other code reads of it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from codemods.names import Names
from codemods.native.closed_classes import has_plain_bases, is_closed, uses_of
from codemods.native.kinds import v1_name
from codemods.native.places import COMPREHENSIONS
from codemods.native.refusals import NotNativeError
from codemods.native.session_arguments import given_for
from codemods.tree import walk


@dataclass(frozen=True)
class Instance:
    """The object of a class.

    Attributes:
        name: Its name.
        calls: The call that makes it, in each function that runs it.
        parameters: The functions that get it, each with the name of the parameter.
    """

    name: str
    calls: Sequence[ast.Call]
    parameters: Sequence[tuple[ast.FunctionDef, str]] = ()

    def name_at(self, node: ast.AST) -> str:
        """Returns the name that the object has at a node."""
        names = (name for function, name in self.parameters if any(below is node for below in walk(function)))
        return next(names, self.name)


def instance_of(
    owner: ast.ClassDef, tree: ast.Module, names: Names, drivers: Sequence[ast.FunctionDef], scoped: Set[str]
) -> Instance | None:
    """Returns the only object of a class; None if nothing outside the class makes one, or reads what it has.

    Reads of its attributes become places of the class in the tree: `model.loss` is `self.loss`. The text stays.

    Args:
        owner: The class.
        tree: The file.
        names: The meanings of its names.
        drivers: The functions that run the graph, of which one alone runs. Each makes the object, or the module does.
        scoped: The classes whose objects have a scope each.

    Raises:
        NotNativeError: The source does not say that there is one object with one name.
    """
    uses = uses_of(owner, tree)
    made = _objects(owner.name, tree, drivers)
    known_elsewhere = is_closed(owner, tree, names) and not _shares_names(owner, uses, names)
    if owner.name in scoped or (not made and (not uses or known_elsewhere)):
        return None
    if not made:
        message = f"{owner.name} is made in a way that is not known, and other code may read its tensors"
        raise NotNativeError(uses[0], "NAT008", f"{message}; make its object by a statement of its own")
    instance, statements = made[0][0], [statement for _, statement in made]
    if (
        len(uses) != len(made)
        or {known.name for known, _ in made} != {instance.name}
        or not has_plain_bases(owner, tree, names)
    ):
        message = f"{owner.name} is made several times, or has a base class; make one object of it"
        raise NotNativeError(uses[-1], "NAT008", message)
    running = [*drivers, *(_outermost(tree, statement) for statement in statements)]
    if any(tree.body.index(owner) > tree.body.index(known) for known in running):
        raise NotNativeError(owner, "NAT008", "put this class above the code that runs it")
    getting = _functions_that_get(instance.name, tree)
    parameters = [(function, argument.arg) for function, argument in getting]
    is_closed_here = is_closed(owner, tree, names)
    other = _other_meaning(instance.name, tree, statements, [argument for _, argument in getting])
    has_bases = any(ast.unparse(base) != "object" for base in owner.bases)
    if is_closed_here and (has_bases or (other is not None and len(made) == 1)):
        return None  # nothing outside the class reads a part of the graph
    if other is not None:
        message = f"{instance.name} is the object that builds the graph, and something else too"
        raise NotNativeError(other, "NAT008", message)
    inside = {id(node) for node in walk(owner)}
    known = replace(instance, calls=[call for made_here, _ in made for call in made_here.calls], parameters=parameters)
    named = [node for node in walk(tree) if isinstance(node, ast.Name) and id(node) not in inside]
    uses = [node for node in named if node.id == known.name_at(node) and names.parents[node] not in statements]
    read = [node for node in uses if isinstance(names.parents[node], ast.Attribute)]
    functions = [function for function, _ in getting]
    given = [node for node in uses if node not in read and not _is_given(node, names.parents, functions)]
    if given and is_closed_here:
        return None
    if given or has_bases:
        where = given[0] if given else statements[0]
        message = f"{instance.name} is given to other code here, which may read its tensors; name its attributes"
        raise NotNativeError(where, "NAT008", message)
    for node in read:
        node.id = "self"
    return known


def _shares_names(owner: ast.ClassDef, uses: Sequence[ast.Name], names: Names) -> bool:
    """Returns whether several objects may have variables of one name in checkpoints: TensorFlow 1 numbered them."""
    above = [names.parents.get(uses[0])] if uses else []
    while above and above[-1] is not None:
        above.append(names.parents.get(above[-1]))
    again = any(isinstance(node, (ast.For, ast.While, *COMPREHENSIONS)) for node in above)
    saves = any(v1_name(names, n.func) == "train.Saver" for n in walk(owner) if isinstance(n, ast.Call))
    return saves and (len(uses) > 1 or again)


def _functions_that_get(name: str, tree: ast.Module) -> list[tuple[ast.FunctionDef, ast.arg]]:
    """Returns the functions of the module that get an object in every call, each with the parameter for it."""
    getting: list[tuple[ast.FunctionDef, ast.arg]] = []
    below = list(walk(tree))
    called = {id(node.func): node for node in below if isinstance(node, ast.Call)}
    uses: dict[str, list[ast.Name]] = {}
    for node in (node for node in below if isinstance(node, ast.Name)):
        uses.setdefault(node.id, []).append(node)
    twins = Counter(node.name for node in below if isinstance(node, ast.FunctionDef))
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        calls = [called.get(id(use)) for use in uses.get(function.name, [])]
        if not calls or None in calls or twins[function.name] > 1 or function.decorator_list:
            continue
        for argument in function.args.args:
            given = [given_for(call, function, argument, False) for call in calls if call is not None]
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


def _objects(name: str, tree: ast.Module, drivers: Sequence[ast.FunctionDef]) -> list[tuple[Instance, ast.Assign]]:
    """Returns the object that each of some functions makes, or that the module makes for them; none if neither."""
    made = [known for driver in drivers if (known := _made(driver.body, name)) is not None]
    if made:
        return made if len(made) == len(drivers) else []
    known = _made(tree.body, name)
    return [known] if known is not None else []


def _made(body: Sequence[ast.stmt], name: str) -> tuple[Instance, ast.Assign] | None:
    """Returns the object that a statement outside loops and branches makes."""
    for statement in body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            value, target = statement.value, statement.targets[0]
            made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == name
            if made and isinstance(value, ast.Call) and isinstance(target, ast.Name):
                return Instance(target.id, [value]), statement
        if isinstance(statement, ast.With) or (isinstance(statement, ast.If) and "__main__" in ast.unparse(statement)):
            inner = _made(statement.body, name)
            if inner is not None:
                return inner
    return None


def _outermost(tree: ast.Module, statement: ast.stmt) -> ast.stmt:
    return next(node for node in tree.body if any(below is statement for below in walk(node)))


def _other_meaning(
    name: str, tree: ast.Module, statements: Sequence[ast.Assign], parameters: Sequence[ast.arg]
) -> ast.AST | None:
    """Returns what else in the file has a name, other than these statements, and parameters that get the object."""
    for node in walk(tree):
        stored = isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        bound = isinstance(node, ast.arg) and node.arg == name and node not in parameters
        bound = bound or (isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name)
        bound = bound or (isinstance(node, ast.alias) and (node.asname or node.name).split(".")[0] == name)
        if bound or (stored and all(node is not statement.targets[0] for statement in statements)):
            return node
    return None
