"""Takes sessions out of the parameters of a program's functions: `evaluate(sess, rows)` becomes `evaluate(rows)`.

A session has no value in a native program. The body of the function then reads the session round it, by its name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import makes_session
from codemods.native.source_text import SourceText, Span
from codemods.tree import walk


def without_sessions(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose functions get no session, and the old number of each line; None for nothing to change.

    Only functions are changed whose every use is a call that gives a session, of one name in all calls. A function
    that nothing calls gets a session where it only runs a parameter, `session.run(loss)`.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    sessions = set(sessions_in(tree, names))
    source = SourceText(text, tree)
    changed = False
    for function in (node for node in walk(tree) if isinstance(node, ast.FunctionDef)):
        for parameter in function.args.args[len(function.args.args) * bool(function.decorator_list) :]:
            calls = _calls(function, tree, names)
            given = [given_for(call, function, parameter, _is_method(function, names)) for call in calls or ()]
            session = _only_name(given, sessions) if calls else _held(function, parameter, calls, sessions, names)
            if session is None or _rebinds(function, parameter.arg) or not _can_read(function, session, parameter):
                continue
            for call, part in zip(calls or (), given, strict=True):
                assert part is not None
                dropped(source, part, [*call.args, *call.keywords])
            dropped(source, parameter, function.args.args)
            for node in walk(function):
                if isinstance(node, ast.Name) and node.id == parameter.arg != session:
                    source.replace(source.span(node), session)
            changed = True
            break  # one at a time: spans of neighbours would overlap
    return source.with_origins() if changed else None


def sessions_in(tree: ast.Module, names: Names) -> Iterator[str]:
    """Yields the names that hold sessions, and nothing else."""
    made: set[str] = set()
    other: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            (made if makes_session(node.value, names) else other).add(node.targets[0].id)
        if isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
            (made if makes_session(node.context_expr, names) else other).add(node.optional_vars.id)
    yield from made - other


def _calls(function: ast.FunctionDef, tree: ast.Module, names: Names) -> list[ast.Call] | None:
    """Returns all calls of a function; None if it is used otherwise, or if another function has its name."""
    is_method = _is_method(function, names)
    alike = [node for node in walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function.name]
    twins = [node for node in alike if _is_method(node, names) is is_method]
    named = (node for node in walk(tree) if _names(node, function.name, is_method))
    uses: list[ast.AST] = [node for node in named if not is_method or names.qualified(node) is None]  # tf.train is none
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
    return named[0] if named else call.args[position] if 0 <= position < len(call.args) else None


def _only_name(given: Sequence[ast.expr | ast.keyword | None], sessions: Set[str]) -> str | None:
    """Returns the name of the session that all calls give; None if one gives something else."""
    values = [part.value if isinstance(part, ast.keyword) else part for part in given]
    held = {value.id if isinstance(value, ast.Name) else "" for value in values}
    return held.pop() if len(held) == 1 and held <= sessions else None


def _held(
    function: ast.FunctionDef, parameter: ast.arg, calls: list[ast.Call] | None, sessions: Set[str], names: Names
) -> str | None:
    """Returns the only session of a program, for a parameter that a method without calls only runs; else None."""
    uses = [node for node in walk(function) if isinstance(node, ast.Name) and node.id == parameter.arg]
    runs = [names.parents.get(use) for use in uses]
    only_runs = all(isinstance(node, ast.Attribute) and node.attr == "run" for node in runs)
    is_session = calls == [] and _is_method(function, names) and bool(uses) and only_runs
    return next(iter(sessions)) if is_session and len(sessions) == 1 else None


def _can_read(function: ast.FunctionDef, session: str, parameter: ast.arg) -> bool:
    """Returns whether a session's name means nothing else in a function."""
    if session == parameter.arg:
        return True
    return not any(
        (isinstance(node, ast.Name) and node.id == session)
        or (isinstance(node, ast.arg) and node.arg in (session, parameter.arg) and node is not parameter)
        for node in walk(function)
    )


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
