"""Takes sessions out of what makes objects: `Model(sess, 10)` becomes `Model(10)`, whose session is its own.

A session has no value in a native program, so that it makes no difference whose it is. An object may also make a
session where it gets none: `if sess is None: self.sess = tf.Session()`, with `else: self.sess = sess`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set
from dataclasses import dataclass

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import Kind, kind_of_call, v1_alias, v1_name
from codemods.native.places import place_of
from codemods.native.session_arguments import drop_span, dropped, given_for, sessions_in
from codemods.native.source_text import SourceText
from codemods.tree import walk


@dataclass(frozen=True)
class _Kept:
    """How an object keeps the session that it gets.

    Attributes:
        statement: `self.sess = sess`.
        branch: The `if` that it is in, if there is one.
        own: The statements of the other branch, which makes a session.
    """

    statement: ast.Assign
    branch: ast.If | None = None
    own: Sequence[ast.stmt] = ()


def without_given_sessions(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text whose objects get no session, and the old number of each line; None for nothing to change.

    Only classes are changed whose every use is a call that gives a session, and whose `__init__` keeps it once. Where
    `__init__` makes a session if it gets none, no call may give one either.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    sessions = set(sessions_in(tree, names))
    tensorflow = v1_alias(names)
    source = SourceText(text, tree)
    changed = False
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        first = next((n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == owner.name]
        calls = [node for node in walk(tree) if isinstance(node, ast.Call) and node.func in uses]
        if first is None or len(calls) != len(uses):
            continue
        for parameter in first.args.args[1:]:
            given = [given_for(call, first, parameter, True) for call in calls]
            kept = _kept(first, parameter.arg, names)
            are_given = bool(calls) and all(_is_session(part, sessions) for part in given)
            if kept is None or not (are_given or (kept.own and all(part is None for part in given))):
                continue
            for call, part in zip(calls, given, strict=True):
                if part is not None:
                    dropped(source, part, [*call.args, *call.keywords])
            _drop_parameter(source, parameter, first.args)
            _write(kept, parameter.arg, first, are_given, f"{tensorflow}.Session()", source)
            changed = True
            break  # one at a time: spans of neighbours would overlap
    return source.with_origins() if changed else None


def _write(kept: _Kept, name: str, first: ast.FunctionDef, is_given: bool, made: str, source: SourceText) -> None:
    """Writes a session of the object's own in place of the one that it got."""
    target = ast.unparse(kept.statement.targets[0])
    if kept.branch is None:
        source.replace(source.span(kept.statement.value), made)
        for node in walk(first):
            if isinstance(node, ast.Name) and node.id == name and node is not kept.statement.value:
                source.replace(source.span(node), target)
    elif is_given:
        _put_for(kept.branch, {kept.statement: f"{target} = {made}"}, source)
    else:
        _put_for(kept.branch, {statement: source.plain(statement) for statement in kept.own}, source)


def _drop_parameter(source: SourceText, parameter: ast.arg, arguments: ast.arguments) -> None:
    """Removes a parameter, with its default."""
    spans = {argument: source.span(argument) for argument in arguments.args}
    for argument, default in zip(reversed(arguments.args), reversed(arguments.defaults), strict=False):
        spans[argument] = spans[argument][0], source.span(default)[1]
    drop_span(source, spans[parameter], list(spans.values()))


def _put_for(branch: ast.If, kept: dict[ast.Assign, str] | dict[ast.stmt, str], source: SourceText) -> None:
    """Writes statements in place of an `if`, each at its line. They need one line each."""
    lines = [""] * ((branch.end_lineno or branch.lineno) - branch.lineno + 1)
    for statement, text in kept.items():
        lines[statement.lineno - branch.lineno] = source.indent_of(branch) + text
    source.replace(source.lines_of(branch), "".join(f"{line}\n" for line in lines))


def _is_session(part: ast.expr | ast.keyword | None, sessions: Set[str]) -> bool:
    value = part.value if isinstance(part, ast.keyword) else part
    return isinstance(value, ast.Name) and value.id in sessions


def _kept(first: ast.FunctionDef, name: str, names: Names) -> _Kept | None:
    """Returns the statement `self.sess = sess`, if it stands before all other uses, and nothing binds the name anew."""
    uses = [node for node in walk(first) if isinstance(node, ast.Name) and node.id == name]
    if not uses or any(not isinstance(node.ctx, ast.Load) for node in uses):
        return None
    for statement in first.body:
        if isinstance(statement, ast.Assign) and statement.value in uses and len(statement.targets) == 1:
            is_first = all(node.lineno >= statement.lineno for node in uses)
            is_kept = is_first and (place_of(statement.targets[0]) or "").startswith("self.")
            return _Kept(statement) if is_kept else None
        if isinstance(statement, ast.If) and any(node in uses for node in walk(statement.test)):
            return _kept_or_made(statement, name, names) if len(uses) == 2 else None
    return None


def _kept_or_made(branch: ast.If, name: str, names: Names) -> _Kept | None:
    """Returns the statement that keeps a session, of an `if` whose other branch makes one."""
    makes_first = ast.unparse(branch.test) in (f"{name} is None", f"not {name}")
    if not makes_first and ast.unparse(branch.test) not in (f"{name} is not None", name):
        return None
    own, given = (branch.body, branch.orelse) if makes_first else (branch.orelse, branch.body)
    made = own[0] if own else None
    kept = given[0] if len(given) == 1 else None
    if not isinstance(kept, ast.Assign) or not isinstance(made, ast.Assign):
        return None
    targets = [ast.unparse(target) for target in kept.targets]
    is_made = isinstance(made.value, ast.Call) and kind_of_call(v1_name(names, made.value.func) or "") is Kind.SESSION
    is_kept = isinstance(kept.value, ast.Name) and kept.value.id == name and targets[0].startswith("self.")
    alone = all(statement.lineno == statement.end_lineno for statement in (kept, *own))
    same = len(targets) == 1 and targets == [ast.unparse(target) for target in made.targets]
    return _Kept(kept, branch, own) if is_made and is_kept and alone and same else None
