"""Gives calls of builders statements of their own: `h = tf.nn.relu(conv(x, 32))`, `return dense(h, 10)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from codemods import scopes
from codemods.names import Names
from codemods.native.builders import is_builder, only_makes
from codemods.native.edited_lines import EditedLines
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.places import COMPREHENSIONS, place_of
from codemods.tree import walk

_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Return, ast.Expr)
_MAYBE = (ast.Lambda, ast.IfExp, ast.BoolOp, *COMPREHENSIONS)
"""Expressions that evaluate their parts perhaps, or several times."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.Try)


def with_separate_calls(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose calls of builders are statements, and the old number of each line; None if all are.

    A call is evaluated before what stands round it, so that nothing changes its place among the ops of the graph, but
    for calls that make variables before it in the same statement: these statements stay.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    builders = _builders(tree, names)
    edited = EditedLines(text, tree)
    changed = False
    for statement in _outside_loops(tree) if builders else ():
        value = statement.value if isinstance(statement, _STATEMENTS) else None
        calls = list(_calls(value, builders)) if value is not None else []
        if isinstance(statement, (ast.Assign, ast.Expr)) and value in calls:
            calls.remove(value)
        if calls and edited.fits([statement]) and not _makes_before(statement, calls, names):
            changed = _separate(statement, calls, edited) or changed
    return edited.result() if changed else None


def _builders(tree: ast.Module, names: Names) -> dict[str, ast.FunctionDef]:
    """Returns the functions and methods that build parts of a graph, by the place that calls them."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        functions |= {f"self.{node.name}": node for node in owner.body if isinstance(node, ast.FunctionDef)}
    return {
        place: function
        for place, function in functions.items()
        if is_builder(function, names, functions) and not only_makes(function, names)
    }


def _outside_loops(node: ast.AST) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _LOOPS):
            continue
        if isinstance(child, ast.stmt):
            yield child
            yield from _outside_loops(child)


def _calls(node: ast.AST, builders: Mapping[str, ast.FunctionDef]) -> Iterator[ast.Call]:
    """Yields the calls of builders in an expression in the order in which Python makes them."""
    if isinstance(node, _MAYBE):
        return
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, builders)
    if isinstance(node, ast.Call) and (place_of(node.func) or "") in builders:
        yield node


def _makes_before(statement: ast.stmt, calls: list[ast.Call], names: Names) -> bool:
    """Returns whether a statement makes variables in other calls than those that get a statement."""
    inside = {id(below) for call in calls for below in walk(call)}
    for node in walk(statement):
        if isinstance(node, ast.Call) and id(node) not in inside:
            name = v1_name(names, node.func)
            if name is not None and kind_of_call(name) is Kind.VARIABLE:
                return True
    return False


def _separate(statement: ast.stmt, calls: list[ast.Call], edited: EditedLines) -> bool:
    """Puts calls before a statement. Returns whether their text allows it."""
    source = edited.source
    indent = source.indent_of(statement)
    if any("#" in source.plain(call) or '"""' in source.plain(call) for call in calls):
        return False
    before: list[str] = []
    for call in calls:
        name = edited.free(f"{(place_of(call.func) or '').removeprefix('self.').lstrip('_')}_out")
        lines = source.text_of(call).splitlines()
        before.append(f"{name} = {' '.join(line.strip() for line in lines)}")
        source.replace(source.span(call), name)
    rest = source.rendered((source.span(statement)[0], source.positions.line_end(source.span(statement)[1])))
    edited.put(statement, [*before, *(line.removeprefix(indent) for line in rest.splitlines())])
    return True
