"""Gives functions that end in a branch one `return`, so that their statements can stand at a call.

if with_w:                         if with_w:
    return y, w                        result = y, w
return y                 ->        else:
                                       result = y
                                   return result
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods import scopes
from codemods.names import Names
from codemods.native.builder_names import fresh
from codemods.native.builders import is_builder, last_statement
from codemods.native.one_by_one import Lines
from codemods.native.places import variable_names
from codemods.native.source_text import SourceText, reindented
from codemods.tree import walk


def with_single_returns(text: str) -> Lines | None:
    """Returns a text whose builders have one `return`, and the old number of each line; None if all have."""
    if text.count("return") < 2:
        return None
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    functions = {node.name: node for node in walk(tree) if isinstance(node, ast.FunctionDef)}
    for function in functions.values():
        ends = _ends(function)
        if ends is not None and _is_simple(function, source) and is_builder(function, names, functions):
            _write(*ends, names, source)
    made = source.with_origins()
    return made if made[0] != text else None


def _ends(function: ast.FunctionDef) -> tuple[list[ast.Return], ast.If, ast.Return | None] | None:
    """Returns the returns of a function, the branch it ends with, and a return behind that; None for all others."""
    returns = [node for node in walk(function) if isinstance(node, ast.Return)]
    last = last_statement(function.body)
    block: list[ast.stmt] = function.body
    while isinstance(block[-1], ast.With):
        block = block[-1].body
    behind = last if isinstance(last, ast.Return) else None
    branch = block[-2] if behind is not None and len(block) > 1 else last
    if not isinstance(branch, ast.If) or any(node.value is None for node in returns):
        return None
    if any(isinstance(node, (ast.FunctionDef, ast.Lambda)) for node in walk(function) if node is not function):
        return None
    if behind is not None and branch.orelse:
        return None
    ends = [*_branch_ends(branch), *([behind] if behind is not None else [])]
    sure = [end for end in ends if isinstance(end, ast.Return)]
    is_whole = len(sure) == len(ends) == len(returns) > 1
    return (sure, branch, behind) if is_whole and (behind is not None or branch.orelse) else None


def _branch_ends(branch: ast.If) -> Iterator[ast.stmt | None]:
    """Yields the last statement of each branch; None for a branch that may end without one."""
    for block in (branch.body, branch.orelse):
        last = block[-1] if block else None
        if isinstance(last, ast.If):
            yield from _branch_ends(last)
            yield from () if last.orelse else (None,)
        elif last is not None:
            yield last


def _is_simple(function: ast.FunctionDef, source: SourceText) -> bool:
    inside = [node for node in walk(function) if isinstance(node, ast.stmt) and node is not function]
    return all(source.is_alone(node) for node in inside) and function.body[0].lineno != function.lineno


def _write(
    returns: list[ast.Return],
    branch: ast.If,
    behind: ast.Return | None,
    names: Names,
    source: SourceText,
) -> None:
    taken = variable_names(names.tree)
    result = fresh("result", taken)
    indent = source.indent_of(branch)
    for node in returns:
        assert node.value is not None
        if node is not behind:
            source.replace((source.span(node)[0], source.span(node.value)[0]), f"{result} = ")
    if behind is None:
        end = source.lines_of(branch)[1]
        source.replace((end, end), f"{indent}return {result}\n")
        return
    assert behind.value is not None
    inner = source.indent_of(branch.body[0])
    start, end = source.lines_of(behind)
    text = reindented(source.rendered((start, end)), indent, inner)
    text = text.replace("return ", f"{result} = ", 1)
    source.replace(
        (start, end), f"{indent}else:\n{text if text.endswith(chr(10)) else text + chr(10)}{indent}return {result}\n"
    )
