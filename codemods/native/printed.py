"""Prints of tensors: TensorFlow 1 showed their names, types and shapes in the graph, which a native program has not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk

_SHOWN = frozenset(("get_shape", "as_list", "format", "str", "type", "len", "get_default_graph", "as_graph_def"))
"""Calls in a print that only show something."""
_STATIC = frozenset(("shape", "get_shape", "as_list", "value", "ndims", "dims", "name", "op"))
_PYTHON = frozenset(("int", "float", "str", "len", "list", "tuple", "sum", "range"))

WHY = "this showed the graph, or names, types or shapes of its tensors; it is a comment now"


def without_print(text: str, error: NotNativeError) -> tuple[str, int] | None:
    """Returns a text in which the print that an error is about is a comment, and the number of its line.

    No line moves. None means that the error is about something else, or that the print may do more than show tensors,
    such as running a session, showing a number that the program computed from a shape, or a step of a loop.
    """
    if error.code != "NAT003" and not (error.code == "NAT001" and "get_default_graph" in error.message):
        return None
    tree = ast.parse(text)
    source = SourceText(text, tree)
    number = getattr(error.node, "lineno", 0)
    for block in _blocks(tree):
        for statement in block:
            end = statement.end_lineno or statement.lineno
            if statement.lineno <= number <= end and _only_shows(statement, tree) and source.is_alone(statement):
                return _commented(text, statement, alone=len(block) == 1), statement.lineno
    return None


def _blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    loops = (node for node in walk(tree) if isinstance(node, (ast.For, ast.While)))
    repeated = {id(below) for loop in loops for below in walk(loop)}
    for node in walk(tree):
        for name in ("body", "orelse", "finalbody") if id(node) not in repeated else ():
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _only_shows(statement: ast.stmt, tree: ast.Module) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        return False
    if call.func.id != "print":
        return _only_calls_prints(call, tree)
    for node in walk(call):
        if isinstance(node, ast.Call) and node is not call and _last(node.func) not in _SHOWN:
            return False
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)):
            return False
    names = {node.id for node in walk(call) if isinstance(node, ast.Name)}
    values = (node for node in walk(tree) if isinstance(node, ast.Assign) and _binds(node, names))
    return not any(_is_number(node.value) for node in values)


def _only_calls_prints(call: ast.Call, tree: ast.Module) -> bool:
    """Returns whether a call is of a function of the file that shows its arguments: `print_activations(conv1)`."""
    made = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == ast.unparse(call.func)]
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if len(made) != 1 or not all(isinstance(part, (ast.Name, ast.Constant)) for part in given):
        return False
    shown = [s for s in made[0].body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    calls = [s.value for s in shown if isinstance(s, ast.Expr)]
    prints = [c for c in calls if isinstance(c, ast.Call) and ast.unparse(c.func) == "print"]
    return len(prints) == len(shown) and all(_only_shows(statement, tree) for statement in shown)


def _binds(statement: ast.Assign, names: set[str]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for target in statement.targets for n in walk(target))


def _is_number(value: ast.expr) -> bool:
    """Returns whether a value is one of Python that is computed from a shape, such as `int(x.shape[0])`."""
    while isinstance(value, (ast.Subscript, ast.Call, ast.Attribute)):
        if isinstance(value, ast.Attribute) and value.attr in _STATIC:
            return True
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            return value.func.id in _PYTHON
        value = value.func if isinstance(value, ast.Call) else value.value
    return isinstance(value, (ast.BinOp, ast.ListComp)) and any(map(_is_number, _parts(value)))


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    return (node for node in walk(value) if isinstance(node, (ast.Subscript, ast.Call, ast.Attribute)))


def _last(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _commented(text: str, statement: ast.stmt, alone: bool) -> str:
    lines = text.splitlines(keepends=True)
    for number in range(statement.lineno - 1, statement.end_lineno or statement.lineno):
        line = lines[number]
        indent = line[: len(line) - len(line.lstrip())]
        first = "pass  " if alone and number == statement.lineno - 1 else ""
        lines[number] = f"{indent}{first}# {line[len(indent) :]}"
    return "".join(lines)
