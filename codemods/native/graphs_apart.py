"""Whether each function of a program builds a graph of its own, as `train()` and `test()` of one file do.

They do if a new graph begins between them, or if only one of them runs: then each can be rewritten as if it were alone.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import combinations

from codemods.names import Names
from codemods.native.kinds import is_reset, v1_name
from codemods.native.mains import builds
from codemods.tree import walk

_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.Try)
_BLOCKS = ("body", "orelse", "finalbody")


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
        _is_apart(one, other, names) or {ast.unparse(one.func), ast.unparse(other.func)} <= begins
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


def _is_apart(one: ast.AST, other: ast.AST, names: Names) -> bool:
    """Returns whether only one of two calls runs, or a new graph begins between them."""
    above = [one, *names.above(one)]
    met = next((node for node in [other, *names.above(other)] if any(node is a for a in above)), None)
    if met is None:
        return False
    first, second = (_below(node, met, names) for node in (one, other))
    for name in _BLOCKS:
        block = getattr(met, name, None)
        if not isinstance(block, list) or (first in block) is (second in block) is False:
            continue
        if first in block and second in block:
            low, high = sorted((block.index(first), block.index(second)))
            return any(is_reset(statement, names) for statement in block[low + 1 : high])
        return isinstance(met, ast.If)
    return False


def _below(node: ast.AST, above: ast.AST, names: Names) -> ast.AST:
    while node is not above and names.parents.get(node) is not above:
        node = names.parents[node]
    return node


def runs_again(call: ast.Call, tree: ast.Module, names: Names) -> bool:
    """Returns whether a call may run several times: in a loop, or in a function with several calls."""
    for node in names.above(call):
        if isinstance(node, (*_LOOPS, ast.ClassDef, ast.Lambda)):
            return True
        if isinstance(node, ast.FunctionDef):
            uses = [n for n in walk(tree) if isinstance(n, ast.Name) and n.id == node.name]
            above = [names.parents.get(use) for use in uses]
            outer = [a for a in above if isinstance(a, ast.Call)]
            return len(uses) > 1 or any(runs_again(use, tree, names) for use in outer)
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
