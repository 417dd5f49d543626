"""The runs of a session with hooks: each fetches what the hooks ask for, and what the hooks did stands round it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods.native.places import COMPREHENSIONS, method_of
from codemods.native.refusals import NotNativeError
from codemods.native.session_hooks import Acts, Monitored
from codemods.tree import walk


def write_runs(at: Monitored, acts: Sequence[Acts], stop: str) -> None:
    """Writes the runs of a session, and its tests whether it stops.

    Args:
        at: The session.
        acts: What its hooks do.
        stop: The name of what says whether it stops; "" if no hook stops it.

    Raises:
        NotNativeError: A use of the session has no counterpart.
    """
    names = at.edited.names
    is_quiet = not stop and not any(act.before or act.fetched or act.after for act in acts)
    uses = [n for n in walk(at.block) if isinstance(n, ast.Name) and n.id == at.session]
    runs: list[ast.Call] = []
    for use in uses:
        attribute = names.parents[use]
        call = names.parents[attribute] if isinstance(attribute, ast.Attribute) else None
        if use is at.block.items[0].optional_vars:
            continue
        if isinstance(call, ast.Call) and method_of(call) == "should_stop":
            write_test(at, call, stop)
        elif isinstance(call, ast.Call) and method_of(call) == "run":
            runs.append(call)
        elif not is_quiet:
            raise NotNativeError(use, "NAT008", "this session has hooks, and is used in another way than `run`")
    if len(runs) > 1 and any(act.when for act in acts):
        raise NotNativeError(runs[1], "NAT008", "the steps of summaries of several runs have no counterpart")
    for call in runs if not is_quiet else ():
        _write_run(at, call, acts, stop)


def write_test(at: Monitored, call: ast.Call, stop: str) -> None:
    """Writes `sess.should_stop()`."""
    above = at.edited.names.parents[call]
    if stop:
        at.edited.source.replace(at.edited.source.span(call), stop)
    elif isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.Not):
        at.edited.source.replace(at.edited.source.span(above), "True")
    else:
        at.edited.source.replace(at.edited.source.span(call), "False")


def _write_run(at: Monitored, call: ast.Call, acts: Sequence[Acts], stop: str) -> None:
    edited, source = at.edited, at.edited.source
    statement = edited.names.parents[call]
    assigned = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    if not (assigned or isinstance(statement, ast.Expr)):
        statement = _around(at, call)
    assert isinstance(statement, (ast.Assign, ast.Expr, ast.AugAssign))
    if not call.args or not source.is_alone(statement):
        raise NotNativeError(call, "NAT002", "give what this run fetches first, and the statement a line of its own")
    target, rest = _target(at, statement, call)
    always = {text: name for act in acts if not act.when for text, name in act.fetched.items()}
    times = {text: name for act in acts if act.when for text, name in act.fetched.items()}
    lines = [line for act in acts for line in act.before]
    condition = next((act.when for act in acts if act.when), "")
    if condition:
        lines += [f"if {condition}:"]
        lines += (source.indent_step + line for line in _call(at, target, call, {**always, **times}))
        lines += ["else:", *(source.indent_step + line for line in _call(at, target, call, always))]
    else:
        lines += _call(at, target, call, always)
    if any(act.counts for act in acts):
        lines.append(f"{at.count} = {at.read_step()}")
    lines += [line for act in acts for line in act.after]
    stops = [act.stops for act in acts if act.stops]
    if stop:
        lines.append(f"{stop} = {' or '.join([*([stop] if len(stops) > 1 else []), *stops])}")
    edited.put(statement, [*lines, *rest])


def _around(at: Monitored, call: ast.Call) -> ast.stmt:
    """Returns the statement round a run that it evaluates once, before all other calls.

    Raises:
        NotNativeError: That is not certain.
    """
    above = list(at.edited.names.above(call))
    statement = next(node for node in above if isinstance(node, ast.stmt))
    between = above[: above.index(statement)]
    calls = (node for node in walk(statement) if isinstance(node, ast.Call) and node is not call)
    start = at.edited.source.span(call)[0]
    others = (node for node in calls if node not in between)
    early = any(at.edited.source.span(node)[0] < start or method_of(node) == "run" for node in others)
    maybe = any(isinstance(node, (ast.Lambda, ast.IfExp, ast.BoolOp, *COMPREHENSIONS)) for node in between)
    if early or maybe or not isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign)):
        raise NotNativeError(call, "NAT008", "this session has hooks; give its run a statement of its own")
    return statement


def _target(
    at: Monitored, statement: ast.Assign | ast.Expr | ast.AugAssign, call: ast.Call
) -> tuple[ast.expr | None, list[str]]:
    """Returns what a run is assigned to, and the lines of the statement behind it, if that does more."""
    if statement.value is call and not isinstance(statement, ast.AugAssign):
        return (statement.targets[0] if isinstance(statement, ast.Assign) else None), []
    source, name = at.edited.source, at.edited.free("run_value")
    start, end = source.span(statement)
    low, high = source.span(call)
    text = (source.data[start:low] + name.encode() + source.data[high:end]).decode()
    return ast.Name(id=name, ctx=ast.Store()), text.splitlines()


def _call(at: Monitored, target: ast.expr | None, call: ast.Call, extra: dict[str, str]) -> list[str]:
    """Returns the lines of a run that fetches more. What it fetched already under a name keeps this name."""
    source = at.edited.source
    fetched = call.args[0]
    parts = [source.plain(part) for part in fetched.elts] if isinstance(fetched, (ast.List, ast.Tuple)) else []
    behind = source.data[source.span(fetched)[1] : source.span(call)[1]].decode()
    if not extra:
        text = source.plain(call)
        return (f"{ast.unparse(target)} = {text}" if target is not None else text).splitlines()
    if parts and isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == len(parts):
        names = [ast.unparse(part) for part in target.elts]
    elif parts and target is None:
        names = ["_"] * len(parts)
    elif parts:
        raise NotNativeError(call, "NAT002", "this session has hooks; give each value of this run a name of its own")
    elif isinstance(target, (ast.Tuple, ast.List)):
        raise NotNativeError(call, "NAT002", "the source does not say what this run of a session with hooks fetches")
    else:
        parts, names = [source.plain(fetched)], [ast.unparse(target) if target is not None else "_"]
    for text, name in extra.items():
        if text in parts and names[parts.index(text)] == "_":
            names[parts.index(text)] = name
    more = {text: name for text, name in extra.items() if text not in parts}
    given = ", ".join([*parts, *more])
    run = f"{', '.join([*names, *more.values()])} = {source.plain(call.func)}([{given}]{_joined(behind)}"
    again = [f"{name} = {names[parts.index(text)]}" for text, name in extra.items() if text in parts]
    return [run, *(line for line in again if line.split(" = ")[0] != line.split(" = ")[1])]


def _joined(text: str) -> str:
    """Returns the rest of a call on one line, unless comments or long texts are in it."""
    lines = text.splitlines()
    return text if "#" in text or '"""' in text or "'''" in text else " ".join(line.strip() for line in lines)
