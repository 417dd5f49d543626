"""Takes sessions out of the parameters of a program's functions: `evaluate(sess, rows)` becomes `evaluate(rows)`.

A session has no value in a native program. The body of the function then reads the session round it, by the same name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.source_text import SourceText, Span
from codemods.tree import walk


def without_sessions(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose functions get no session, and the old number of each line; None for nothing to change.

    Only functions are changed whose every use is a call that gives the session under the parameter's own name.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    sessions = set(sessions_in(tree, names))
    source = SourceText(text, tree)
    changed = False
    for function in (node for node in walk(tree) if isinstance(node, ast.FunctionDef)):
        for parameter in function.args.args[len(function.args.args) * bool(function.decorator_list) :]:
            calls = _calls(function, tree, names) if parameter.arg in sessions else None
            given = [
                _named_alike(given_for(call, function, parameter, _is_method(function, names)), parameter)
                for call in calls or ()
            ]
            if calls and all(part is not None for part in given) and not _rebinds(function, parameter.arg):
                for call, part in zip(calls, given, strict=True):
                    assert part is not None
                    dropped(source, part, [*call.args, *call.keywords])
                dropped(source, parameter, function.args.args)
                changed = True
                break  # one at a time: spans of neighbours would overlap
    return source.with_origins() if changed else None


def sessions_in(tree: ast.Module, names: Names) -> Iterator[str]:
    """Yields the names that hold sessions, and nothing else."""
    made: set[str] = set()
    other: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            (made if _is_session(node.value, names) else other).add(node.targets[0].id)
        if isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
            (made if _is_session(node.context_expr, names) else other).add(node.optional_vars.id)
    yield from made - other


def _is_session(value: ast.expr, names: Names) -> bool:
    return isinstance(value, ast.Call) and kind_of_call(v1_name(names, value.func) or "") is Kind.SESSION


def _calls(function: ast.FunctionDef, tree: ast.Module, names: Names) -> list[ast.Call] | None:
    """Returns all calls of a function; None if it is used otherwise, or if another function has its name."""
    twins = [node for node in walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function.name]
    uses: list[ast.AST] = [node for node in walk(tree) if _names(node, function.name, _is_method(function, names))]
    calls = [parent for use in uses if isinstance(parent := names.parents.get(use), ast.Call) and parent.func is use]
    return calls if len(twins) == 1 and len(calls) == len(uses) else None


def _names(node: ast.AST, name: str, is_method: bool) -> bool:
    if is_method:
        return isinstance(node, ast.Attribute) and node.attr == name
    return isinstance(node, ast.Name) and node.id == name


def _is_method(function: ast.FunctionDef, names: Names) -> bool:
    return isinstance(names.parents.get(function), ast.ClassDef)


def given_for(
    call: ast.Call, function: ast.FunctionDef, parameter: ast.arg, is_method: bool
) -> ast.expr | ast.keyword | None:
    """Returns the argument of a call for a parameter, if the call shows it."""
    position = function.args.args.index(parameter) - is_method
    if any(isinstance(part, ast.Starred) for part in call.args) or any(word.arg is None for word in call.keywords):
        return None
    named: list[ast.keyword] = [word for word in call.keywords if word.arg == parameter.arg]
    return named[0] if named else call.args[position] if position < len(call.args) else None


def _named_alike(given: ast.expr | ast.keyword | None, parameter: ast.arg) -> ast.expr | ast.keyword | None:
    """Returns an argument if it is a name like the parameter's."""
    value = given.value if isinstance(given, ast.keyword) else given
    return given if isinstance(value, ast.Name) and value.id == parameter.arg else None


def _rebinds(function: ast.FunctionDef, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in walk(function))


def dropped(source: SourceText, part: ast.AST, parts: list[ast.AST] | list[ast.arg]) -> None:
    """Removes one part of a list of arguments, with its comma."""
    drop_span(source, source.span(part), [source.span(other) for other in parts])


def drop_span(source: SourceText, part: Span, parts: list[Span]) -> None:
    """Removes one part of a list, with its comma. Parts are spans."""
    start, end = part
    later = [first for first, _ in sorted(parts) if first >= end]
    earlier = [last for _, last in sorted(parts) if last <= start]
    source.replace((start, later[0]) if later else (earlier[-1], end) if earlier else part, "")
