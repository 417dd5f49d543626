"""Writes named functions of `tf.cond` as lambdas: `def f1(): return tf.square(x)` and `tf.cond(a < b, f1, f2)`.

A function with one statement is evaluated where tf.cond calls it, and reads the names that its place has then. So does
the lambda, if the function stands in the same block, or reads only names of the module that no function hides.
"""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.one_by_one import Lines
from codemods.native.places import bound_names
from codemods.native.source_text import SourceText
from codemods.tree import walk

_BRANCHES = ("true_fn", "false_fn", "fn1", "fn2")


def with_branches_in_place(text: str) -> Lines | None:
    """Returns a text whose branches are lambdas, and the old number of each line; None if that is so already."""
    if ".cond(" not in text:
        return None
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    written: set[ast.FunctionDef] = set()
    for call in (node for node in walk(tree) if isinstance(node, ast.Call) and v1_name(names, node.func) == "cond"):
        parts = [*call.args[1:3], *(keyword.value for keyword in call.keywords if keyword.arg in _BRANCHES)]
        for part in parts:
            function = _function(part, names) if isinstance(part, ast.Name) else None
            value = _value(function) if function is not None else None
            if function is None or value is None or not _means_the_same(function, call, names):
                continue
            source.replace(source.span(part), f"lambda: {ast.unparse(value)}")
            written.add(function)
    if not written:
        return None
    uses = [node for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    left = {node.id for node in uses if source.text_of(node) == node.id}
    gone = [function for function in written if function.name not in left and _may_go(function, names, source)]
    lines = {n for node in gone for n in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    rows = [(line, n) for n, line in enumerate(source.result().splitlines(keepends=True), 1) if n not in lines]
    return "".join(line for line, _ in rows), (*(n for _, n in rows), len(text.splitlines()))


def _function(name: ast.Name, names: Names) -> ast.FunctionDef | None:
    """Returns the function that a name has, if nothing else binds it."""
    if len(names.bindings(name)) != 1:
        return None
    for block in (*names.above(name), names.tree):
        if isinstance(block, (ast.Module, ast.FunctionDef)):
            alike = [n for n in block.body if isinstance(n, ast.FunctionDef) and n.name == name.id]
            if alike or (isinstance(block, ast.FunctionDef) and name.id in bound_names(block)):
                return alike[0] if len(alike) == 1 and alike[0].lineno < name.lineno else None
    return None


def _value(function: ast.FunctionDef) -> ast.expr | None:
    """Returns what a function gives, if it has no parameters and one statement, and gives one tensor."""
    arguments = function.args
    if function.decorator_list or any(isinstance(node, ast.arg) for node in walk(arguments)):
        return None
    body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    return None if isinstance(value, (ast.List, ast.Tuple)) else value


def _means_the_same(function: ast.FunctionDef, call: ast.Call, names: Names) -> bool:
    """Returns whether the names of a function mean the same at a call."""
    blocks = [n for n in names.above(call) if isinstance(n, (ast.FunctionDef, ast.Lambda, ast.ClassDef))]
    home = names.parents[function]
    between = blocks[: blocks.index(home)] if home in blocks else blocks
    read = {node.id for node in walk(function) if isinstance(node, ast.Name)}
    return not any(isinstance(n, ast.ClassDef) for n in between) and not any(
        read & bound_names(block) for block in between
    )


def _may_go(function: ast.FunctionDef, names: Names, source: SourceText) -> bool:
    """Returns whether a function stands alone on its lines, and its block has other statements."""
    block = getattr(names.parents[function], "body", [])
    return len(block) > 1 and source.is_alone(function)
