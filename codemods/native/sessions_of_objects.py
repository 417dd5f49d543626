"""Takes sessions out of what makes objects: `Model(sess, 10)` becomes `Model(10)`, whose session is its own.

A session has no value in a native program, so that it makes no difference whose it is.
"""

from __future__ import annotations

import ast
from collections.abc import Set

from codemods import scopes
from codemods.native.places import place_of
from codemods.native.session_arguments import dropped, given_for, sessions_in
from codemods.native.source_text import SourceText
from codemods.tree import walk


def without_given_sessions(text: str) -> str | None:
    """Returns a text whose objects get no session; None if there is nothing to change.

    Only classes are changed whose every use is a call that gives a session, and whose `__init__` keeps it once.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    sessions = set(sessions_in(tree, names))
    tensorflow = names.alias_of("tensorflow.compat.v1") or f"{names.alias_of('tensorflow') or 'tf'}.compat.v1"
    source = SourceText(text, tree)
    changed = False
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        first = next((n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == owner.name]
        calls = [node for node in walk(tree) if isinstance(node, ast.Call) and node.func in uses]
        if first is None or not calls or len(calls) != len(uses):
            continue
        for parameter in first.args.args[1:]:
            given = [given_for(call, first, parameter, True) for call in calls]
            kept = _kept(first, parameter.arg)
            if kept is None or not all(_is_session(part, sessions) for part in given):
                continue
            for call, part in zip(calls, given, strict=True):
                assert part is not None
                dropped(source, part, [*call.args, *call.keywords])
            dropped(source, parameter, first.args.args)
            source.replace(source.span(kept.value), f"{tensorflow}.Session()")
            for node in walk(first):
                if isinstance(node, ast.Name) and node.id == parameter.arg and node is not kept.value:
                    source.replace(source.span(node), ast.unparse(kept.targets[0]))
            changed = True
            break  # one at a time: spans of neighbours would overlap
    return source.result() if changed else None


def _is_session(part: ast.expr | ast.keyword | None, sessions: Set[str]) -> bool:
    value = part.value if isinstance(part, ast.keyword) else part
    return isinstance(value, ast.Name) and value.id in sessions


def _kept(first: ast.FunctionDef, name: str) -> ast.Assign | None:
    """Returns the statement `self.sess = sess`, if it stands before all other uses, and nothing binds the name anew."""
    uses = [node for node in walk(first) if isinstance(node, ast.Name) and node.id == name]
    if not uses or any(not isinstance(node.ctx, ast.Load) for node in uses):
        return None
    for statement in first.body:
        if isinstance(statement, ast.Assign) and statement.value in uses and len(statement.targets) == 1:
            is_first = all(node.lineno >= statement.lineno for node in uses)
            return statement if is_first and (place_of(statement.targets[0]) or "").startswith("self.") else None
    return None
