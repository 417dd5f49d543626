"""Functions and methods that build parts of a graph, and the calls in whose place their statements can stand."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from codemods.names import Names
from codemods.native.datasets import makes_iterator
from codemods.native.kinds import OF_VARIABLES, Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.meanings import Meanings
from codemods.native.places import place_of
from codemods.native.queues import MAKERS
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk

_BUILT = frozenset({Kind.PLACEHOLDER, Kind.VARIABLE, Kind.OPTIMIZER, Kind.SUMMARY, Kind.ITERATOR})
_OUTSIDE = (ast.For, ast.AsyncFor, ast.While, ast.Try, ast.ClassDef)
_HIDING = (
    ast.FunctionDef,
    ast.ClassDef,
    ast.Global,
    ast.Nonlocal,
    ast.Import,
    ast.ImportFrom,
    ast.Yield,
    ast.YieldFrom,
)
_MOST_LINES = 150
"""How many lines the copies of a function that is called several times may have."""
_MOST_AT_LAST = 900
"""The same, where the program cannot be native otherwise."""
_READING_NAMES = frozenset(("locals", "vars", "eval", "exec", "globals"))


@dataclass(frozen=True)
class BuilderCall:
    """A call of a builder: the statement, the function round it, and the function it calls."""

    statement: ast.Assign | ast.Expr
    node: ast.Call
    caller: ast.FunctionDef | ast.Module
    builder: ast.FunctionDef
    others: int = 0
    """How many calls of the function are left when this one is gone."""

    @property
    def is_method(self) -> bool:
        """Whether the builder is a method."""
        return isinstance(self.node.func, ast.Attribute)


def is_builder(function: ast.FunctionDef, names: Names, functions: Mapping[str, ast.FunctionDef]) -> bool:
    """Returns whether a function makes placeholders, variables, iterators or training ops, and no session."""
    made: set[Kind | None] = set()
    todo, seen = [function], {function.name}
    while todo:
        for call in (node for node in walk(todo.pop()) if isinstance(node, ast.Call)):
            name = v1_name(names, call.func)
            if makes_iterator(call, names) or name in MAKERS:
                made.add(Kind.ITERATOR)
            if name is not None:
                made.add(Kind.VARIABLE if name in LAYERS else kind_of_call(name))
            called = place_of(call.func) or ""
            if called in functions and called not in seen:
                seen.add(called)
                todo.append(functions[called])
    return bool(made & _BUILT) and Kind.SESSION not in made


def inner_functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Returns the functions that stand in functions of the module or methods, if nothing else has their names."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    body = [*tree.body, *(node for owner in classes for node in owner.body)]
    outer = [node for node in body if isinstance(node, ast.FunctionDef)]
    inner = [node for function in outer for node in function.body if isinstance(node, ast.FunctionDef)]
    bound = [node.name for node in walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    bound += [*stored(tree), *arguments_of(tree)]
    return {node.name: node for node in inner if bound.count(node.name) == 1}


def reads_graph(function: ast.FunctionDef, tree: ast.Module, names: Names) -> bool:
    """Returns whether a function reads tensors that statements of the module make, and runs no session."""
    read = {node.id for node in walk(function) if isinstance(node, ast.Name)} - stored(function)
    if any(isinstance(n, ast.Call) and ast.unparse(n.func).endswith(".run") for n in walk(function)):
        return False
    for statement in (node for node in tree.body if isinstance(node, ast.Assign)):
        calls = [node for node in walk(statement) if isinstance(node, ast.Call)]
        kinds = {kind_of_call(name) for call in calls if (name := v1_name(names, call.func)) is not None}
        makes = kinds & {Kind.CONSTANT, Kind.TENSOR} and not kinds & {Kind.VARIABLE}
        if makes and stored(statement) & (read - arguments_of(function)):
            return True
    return False


def sets_tensors(method: ast.FunctionDef, names: Names) -> bool:
    """Returns whether a method gives its object tensors, and returns nothing: `self.loss = tf.square(x)`."""
    below = list(walk(method))
    if any(isinstance(node, (ast.Return, ast.Yield)) for node in below) or Kind.SESSION in _kinds_made(method, names):
        return False
    if any(isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".run", ".eval")) for node in below):
        return False
    assigned = [node for node in below if isinstance(node, ast.Assign)]
    return any(
        _kinds_made(node.value, names) & {Kind.CONSTANT, Kind.TENSOR}
        and all((place_of(target) or "").startswith("self.") for target in node.targets)
        for node in assigned
    )


def runs_part(function: ast.FunctionDef, tree: ast.Module, names: Names) -> bool:
    """Returns whether a function builds the rest of a graph that the module begins, and runs it in a session."""
    made = _kinds_made(function, names)
    if Kind.SESSION not in made or not made & {Kind.OPTIMIZER, Kind.SAVER}:
        return False
    read = {node.id for node in walk(function) if isinstance(node, ast.Name)} - stored(function)
    begun = [node for node in tree.body if isinstance(node, ast.Assign)]
    return any(
        _kinds_made(statement, names) & {Kind.PLACEHOLDER, Kind.VARIABLE} and stored(statement) & read
        for statement in begun
    )


def makes_session(function: ast.FunctionDef, names: Names) -> bool:
    """Returns whether a function makes a session."""
    return Kind.SESSION in _kinds_made(function, names)


def _kinds_made(node: ast.AST, names: Names) -> set[Kind | None]:
    """Returns the kinds of what the calls of TensorFlow below a node give."""
    calls = (below for below in walk(node) if isinstance(below, ast.Call))
    return {kind_of_call(name) for call in calls if (name := v1_name(names, call.func)) is not None}


def is_plain(function: ast.FunctionDef) -> bool:
    """Returns whether the statements of a function mean the same in another function."""
    arguments = function.args
    below = [node for statement in function.body for node in walk(statement)]
    returns = [node for node in below if isinstance(node, ast.Return)]
    return not (
        function.decorator_list
        or arguments.vararg
        or arguments.kwarg
        or arguments.posonlyargs
        or any(isinstance(node, _HIDING) for node in below)
        or any(isinstance(node, ast.ExceptHandler) and node.name for node in below)
        or any(isinstance(node, ast.Name) and node.id in _READING_NAMES for node in below)
        or (returns and (len(returns) > 1 or last_statement(function.body) is not returns[0]))
        or function.body[0].lineno == function.lineno
    )


def last_statement(body: Sequence[ast.stmt]) -> ast.stmt:
    """Returns the last statement, that of a block of `with` if the body ends with one."""
    return last_statement(body[-1].body) if isinstance(body[-1], ast.With) else body[-1]


def next_call(
    builder: ast.FunctionDef,
    is_method: bool,
    tree: ast.Module,
    names: Names,
    source: SourceText,
    thorough: bool = False,
) -> BuilderCall | None:
    """Returns the first call of a function, if the value of each call is all that a statement outside loops has.

    `thorough`: whether it may stand at many calls.
    """
    outer = names.parents.get(builder)
    is_inner = isinstance(outer, ast.FunctionDef)
    uses: list[ast.AST] = [
        node
        for node in walk(outer if is_inner and outer is not None else tree)
        if (is_method and isinstance(node, ast.Attribute) and node.attr == builder.name and not names.qualified(node))
        or (isinstance(node, ast.Name) and node.id == builder.name)
    ]
    if is_method and any(_is_given(use) for use in uses):  # `self.loss = tf.square(x)` in the method `loss`
        uses = [use for use in uses if _is_called(use, names)]
    if builder.name in stored(builder):  # `residual = x + conv` in the function `residual`
        inside = {id(node) for node in walk(builder)}
        uses = [use for use in uses if id(use) not in inside]
    lines = (builder.end_lineno or 0) - builder.lineno
    if len(uses) > 1 and (
        len(uses) * lines > (_MOST_AT_LAST if thorough else _MOST_LINES) or only_makes(builder, names)
    ):
        return None
    if any(isinstance(node, ast.Attribute) and place_of(node) is None for node in uses):
        return None
    calls = [_call_at(use, builder, is_method, tree, names, source) for use in uses]
    if (
        not calls
        or None in calls
        or (is_inner and any(call is not None and outer not in _around(call.caller, names) for call in calls))
    ):
        return None
    first = calls[0]
    return None if first is None else replace(first, others=len(calls) - 1)


def _around(caller: ast.AST, names: Names) -> tuple[ast.AST | None, ...]:
    """Returns a function, and the one that it stands in."""
    return caller, names.parents.get(caller)


def _is_given(use: ast.AST) -> bool:
    """Returns whether this gives an object an attribute."""
    return isinstance(use, ast.Attribute) and isinstance(use.ctx, ast.Store) and place_of(use) is not None


def _is_called(use: ast.AST, names: Names) -> bool:
    call = names.parents.get(use)
    return isinstance(call, ast.Call) and call.func is use


def only_makes(builder: ast.FunctionDef, names: Names) -> bool:
    """Returns whether a function makes variables and nothing else, so that it can stay."""
    if any(v1_name(names, node.func) == "add_to_collection" for node in walk(builder) if isinstance(node, ast.Call)):
        return False
    try:
        call = ast.Call(func=ast.Name(id=builder.name, ctx=ast.Load()), args=[], keywords=[])
        return Meanings(names).called(builder, call, []) in OF_VARIABLES
    except NotNativeError:
        return False


def makes_variables(call: ast.Call, tree: ast.Module, names: Names) -> bool:
    """Returns whether a call makes variables: by TensorFlow 1, or by a function of the program that only makes some."""
    name = v1_name(names, call.func)
    if name is not None:
        return kind_of_call(name) is Kind.VARIABLE
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    called = next((node for node in functions if node.name == place_of(call.func)), None)
    return called is not None and only_makes(called, names)


def _call_at(
    use: ast.AST, builder: ast.FunctionDef, is_method: bool, tree: ast.Module, names: Names, source: SourceText
) -> BuilderCall | None:
    call = names.parents.get(use)
    if isinstance(use, ast.Attribute) is not is_method:
        return None
    statement = names.parents.get(call) if isinstance(call, ast.Call) and call.func is use else None
    if not isinstance(statement, (ast.Assign, ast.Expr)) or not isinstance(call, ast.Call):
        return None
    if not source.is_alone(statement) or (isinstance(statement, ast.Assign) and len(statement.targets) != 1):
        return None
    node: ast.AST = statement
    while not isinstance(node, (ast.FunctionDef, ast.Module)):
        node = names.parents[node]
        if isinstance(node, (*_OUTSIDE, ast.AsyncFunctionDef, ast.Lambda)):
            return None
    if is_method:
        owner = names.parents[builder]
        return (
            BuilderCall(statement, call, node, builder)
            if node is not builder and names.parents.get(node) is owner
            else None
        )
    known = node in (*tree.body, tree) or names.parents.get(node) in tree.body
    return BuilderCall(statement, call, node, builder) if node is not builder and known else None


def stored(node: ast.AST) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def arguments_of(node: ast.AST) -> set[str]:
    return {n.arg for n in walk(node) if isinstance(n, ast.arg)}
