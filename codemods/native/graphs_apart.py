"""Whether each function of a program builds a graph of its own, as `train()` and `test()` of one file do.

They do if a new graph begins between them, or if only one of them runs: then each can be rewritten as if it were alone.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import combinations

from codemods.names import Names
from codemods.native.call_order import are_apart, runs_again
from codemods.native.kinds import is_reset, v1_name
from codemods.native.mains import builds
from codemods.tree import walk


def builders_apart(tree: ast.Module, names: Names) -> list[ast.FunctionDef]:
    """Returns the functions that each build and run a graph of their own; none if this is not certain."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    building = [node for node in functions if builds(node, names)]
    inside = {id(below) for node in building for below in walk(node)}
    elsewhere = (node for node in walk(tree) if isinstance(node, ast.FunctionDef) and id(node) not in inside)
    own = (node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef)))
    if len(building) < 2 or any(builds(node, names) for node in (*elsewhere, *own)):
        return []
    calls: list[ast.Call] = []
    for node in walk(tree):
        if isinstance(node, ast.Name) and node.id in {function.name for function in building}:
            call = names.parents.get(node)
            if not isinstance(call, ast.Call) or call.func is not node or id(node) in inside:
                return []
            calls.append(call)
    begins = {function.name for function in building if _begins_anew(function, names)}
    apart = all(
        are_apart(one, other, names) or {ast.unparse(one.func), ast.unparse(other.func)} <= begins
        for one, other in combinations(calls, 2)
    )
    again = any(runs_again(call, tree, names) and ast.unparse(call.func) not in begins for call in calls)
    return building if apart and not again else []


def _begins_anew(function: ast.FunctionDef, names: Names) -> bool:
    """Returns whether a function begins a new graph before it builds anything."""
    for statement in function.body:
        if is_reset(statement, names):
            return True
        if isinstance(statement, ast.With):
            texts = [ast.unparse(item.context_expr) for item in statement.items]
            rest = function.body[function.body.index(statement) + 1 :]
            calls = [node for node in walk(statement.items[0].context_expr) if isinstance(node, ast.Call)]
            is_graph = any(v1_name(names, call.func) == "Graph" for call in calls)
            return is_graph and texts[0].endswith(".as_default()") and not any(builds(node, names) for node in rest)
        if any(v1_name(names, node) for node in walk(statement) if isinstance(node, (ast.Name, ast.Attribute))):
            return False
    return False


def hidden(text: str, gone: Sequence[ast.FunctionDef | ast.ClassDef]) -> str:
    """Returns a text with the same number of lines, where the bodies of functions or classes are `pass`."""
    lines = text.splitlines(keepends=True)
    for function in gone:
        first = function.body[0].lineno
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        lines[first - 1] = f"{indent}pass\n"
        for number in range(first, function.end_lineno or first):
            lines[number] = "\n"
    return "".join(lines)


def unneeded(tree: ast.Module, kept: ast.FunctionDef, building: Sequence[ast.FunctionDef]) -> list[ast.FunctionDef]:
    """Returns the functions of the module that one of the builders does not need, other builders among them."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    others = {function.name for function in building} - {kept.name}
    todo = [node for node in tree.body if not isinstance(node, ast.FunctionDef)] + [kept]
    todo += [node for node in functions.values() if not _is_read_by(node.name, tree)]
    needed: set[str] = {kept.name}
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef) and node.name in others:
            continue
        for below in walk(node):
            if isinstance(below, ast.Name) and below.id in functions.keys() - needed - others:
                needed.add(below.id)
                todo.append(functions[below.id])
    unread = {name for name in functions if not _is_read_by(name, tree)} - others
    return [node for name, node in functions.items() if name not in needed | unread]


def _is_read_by(name: str, tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in walk(tree))
