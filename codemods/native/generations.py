"""Gives each variable its own name, where a program uses one name for several: `weights` of each layer in turn.

`self.a` becomes `a` in a function, so that a local name `a` beside it gets another one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.places import is_main_block, names_in_texts, place_of
from codemods.native.source_text import SourceText
from codemods.tree import walk

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def split_names(text: str) -> str | None:
    """Returns a text in which the second variable of a name is NAME_2; None if there is no such name.

    Only names that straight statements bind are split: there it is certain which variable a line reads.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    makers = _makers(tree, names)
    taken = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    taken |= {node.arg for node in walk(tree) if isinstance(node, (ast.arg, ast.keyword)) and node.arg}
    changed = False
    for body in (node for node in walk(tree) if isinstance(node, ast.FunctionDef | ast.Module)):
        statements = list(_straight(body.body))
        for name, numbers in _bindings(statements).items():
            variables = [n for n in numbers if _makes(statements[n], names, makers)]
            if len(numbers) > 1 and variables and _is_certain(name, body, statements, numbers):
                changed = _split(name, statements, numbers, taken, source) or changed
    return source.result() if changed else None


def part_attributes(text: str) -> str | None:
    """Returns a text in which a local name of a method is NAME_value where `self.NAME` is another thing; else None."""
    tree = ast.parse(text)
    source = SourceText(text, tree)
    changed = False
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        attributes = {node.attr for node in walk(owner) if (place_of(node) or "").startswith("self.")}  # type: ignore[attr-defined]
        for method in (node for node in owner.body if isinstance(node, ast.FunctionDef)):
            names = [node for node in walk(method) if isinstance(node, ast.Name)]
            stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
            given = {node.arg for node in walk(method) if isinstance(node, ast.arg)}
            for name in sorted((stored & attributes) - given - names_in_texts(method)):
                fresh = f"{name}_value"
                if fresh in attributes or any(node.id == fresh for node in names):
                    continue
                changed = True
                for node in names:
                    if node.id == name:
                        source.replace(source.span(node), fresh)
    return source.result() if changed else None


def _makers(tree: ast.Module, names: Names) -> set[str]:
    """Returns the functions of the module that make variables themselves."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {function.name for function in functions if _makes(function, names, set())}


def _makes(node: ast.AST, names: Names, makers: set[str]) -> bool:
    """Returns whether a statement makes a variable."""
    for call in (below for below in walk(node) if isinstance(below, ast.Call)):
        name = v1_name(names, call.func)
        if name is not None and kind_of_call(name) is Kind.VARIABLE:
            return True
        if isinstance(call.func, ast.Name) and call.func.id in makers:
            return True
    return False


def _straight(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements that run one after another, those of `with` and `if __name__` blocks among them."""
    for statement in body:
        if isinstance(statement, ast.With) or is_main_block(statement):
            yield from _straight(statement.body)
        else:
            yield statement


def _bindings(statements: Sequence[ast.stmt]) -> dict[str, list[int]]:
    """Returns the numbers of the statements that bind each name, as `name = value`."""
    bound: dict[str, list[int]] = {}
    for number, statement in enumerate(statements):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                bound.setdefault(target.id, []).append(number)
    return bound


def _is_certain(
    name: str, body: ast.FunctionDef | ast.Module, statements: Sequence[ast.stmt], numbers: Sequence[int]
) -> bool:
    """Returns whether every use of a name is of the last binding above it."""
    uses = [node for node in walk(body) if isinstance(node, ast.Name) and node.id == name]
    stored = [node for node in uses if not isinstance(node.ctx, ast.Load)]
    arguments = [node for node in walk(body) if isinstance(node, ast.arg) and node.arg == name]
    hidden = [node for node in walk(body) if isinstance(node, _INNER) and node is not body]
    inside = {id(below) for node in hidden for below in walk(node)}
    in_strings = {id(b) for node in walk(body) if isinstance(node, ast.JoinedStr) for b in walk(node)}
    first = numbers[0]
    early = {id(below) for statement in statements[:first] for below in walk(statement)}
    reached = {id(below) for statement in statements for below in walk(statement)}
    return (
        len(stored) == len(numbers)
        and not arguments
        and not any(id(node) in inside | in_strings | early or id(node) not in reached for node in uses)
        and not any(isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names for node in walk(body))
    )


def _split(
    name: str, statements: Sequence[ast.stmt], numbers: Sequence[int], taken: set[str], source: SourceText
) -> bool:
    """Renames the second and later generations of a name."""
    fresh = [f"{name}_{generation}" for generation in range(2, len(numbers) + 1)]
    if any(candidate in taken for candidate in fresh):
        return False
    taken |= set(fresh)
    current = name
    for number, statement in enumerate(statements):
        target = statement.targets[0] if number in numbers and isinstance(statement, ast.Assign) else None
        for node in walk(statement):
            if isinstance(node, ast.Name) and node.id == name and node is not target and current != name:
                source.replace(source.span(node), current)
        if target is not None:
            current = [name, *fresh][list(numbers).index(number)]
            if current != name:
                source.replace(source.span(target), current)
    return True
