"""Names of a builder's statements in place of a call: parameters, results, and names that would clash."""

from __future__ import annotations

import ast
import re
from collections.abc import Set

from codemods.native.builders import BuilderCall, arguments_of, stored
from codemods.native.places import named_arguments, names_in_texts, place_of
from codemods.native.source_text import SourceText
from codemods.tree import walk


def own_names(call: BuilderCall) -> set[str]:
    """Returns the names of a builder's own that mean something: not `self`, and not `_` if nothing reads it."""
    own = stored(call.builder) | {argument.arg for argument in _parameters(call.builder)}
    read = {n.id for n in walk(call.builder) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return own - ({"_"} - read) - ({"self"} if call.is_method else set())


def fresh(name: str, taken: Set[str]) -> str:
    """Returns a name that is not taken, from a wished one."""
    return next(wished for wished in (name, *(f"{name}_{number}" for number in range(2, 99))) if wished not in taken)


def _parameters(builder: ast.FunctionDef) -> list[ast.arg]:
    return [*builder.args.args, *builder.args.kwonlyargs]


def names_in(caller: ast.FunctionDef | ast.Module, builder: ast.FunctionDef) -> set[str]:
    """Returns the names that the caller has, without those of the builder."""
    inside = {id(node) for node in walk(builder)}
    below = [node for node in walk(caller) if id(node) not in inside]
    listed = {node.id for node in below if isinstance(node, ast.Name)} | {
        n.arg for n in below if isinstance(n, ast.arg)
    }
    listed |= {node.name for node in below if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return listed | {
        (alias.asname or alias.name).split(".")[0]
        for node in below
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }


def arguments_of_call(call: BuilderCall) -> dict[str, ast.expr] | None:
    """Returns the argument of each parameter; None if the source does not say it."""
    parameters = call.builder.args
    listed = [argument.arg for argument in parameters.args[call.is_method :]]
    if any(isinstance(part, ast.Starred) for part in call.node.args) or len(call.node.args) > len(listed):
        return None
    given = dict(zip(listed[len(listed) - len(parameters.defaults) :], parameters.defaults, strict=True))
    pairs = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
    given |= {argument.arg: value for argument, value in pairs if value is not None}
    given |= named_arguments(call.node, listed)
    order = [argument.arg for argument in _parameters(call.builder)[call.is_method :]]
    return {name: given[name] for name in order} if given.keys() == {*order} else None


def parameters_as(
    call: BuilderCall, given: dict[str, ast.expr], own: set[str]
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Returns the parameters that are names of the caller or literals, and those that need an assignment."""
    renamed: dict[str, str] = {}
    before: list[tuple[str, str]] = []
    assigned = stored(call.builder)
    for name, value in given.items():
        taken = isinstance(value, ast.Name) and value.id in (own - {name}) | set(renamed.values())
        if isinstance(value, ast.Name) and name not in assigned and not taken:
            renamed[name] = value.id
        elif (
            isinstance(value, ast.Constant)
            and isinstance(value.value, str | bool | type(None))
            and name not in assigned
        ):
            renamed[name] = ast.unparse(value)
        else:
            before.append((name, ast.unparse(value)))
    return renamed, before


def results_as(call: BuilderCall, returned: ast.expr | None, local: set[str], taken: set[str]) -> dict[str, str] | None:
    """Returns the names of the builder that become the names that the caller gives its results."""
    if isinstance(call.statement, ast.Expr):
        return {}
    if returned is None:
        return None
    renamed: dict[str, str] = {}
    for target, value in _pairs(call.statement.targets[0], returned):
        if not (isinstance(value, ast.Name) and value.id in local) or value.id in renamed:
            continue
        place = place_of(target) or ""
        if place.startswith("self.") and _is_new(call, place) and _is_assigned(call.builder, value.id):
            renamed[value.id] = place
        if not isinstance(target, ast.Name):
            continue
        clash = target.id in taken or (target.id in local and target.id != value.id) or target.id in renamed.values()
        if value.id not in renamed and not clash and not _used_before(call, target.id):
            renamed[value.id] = target.id
    return renamed


def _is_new(call: BuilderCall, place: str) -> bool:
    """Returns whether the caller and the builder do not use an attribute up to the call."""
    for body in (call.caller, call.builder):
        for node in walk(body):
            early = body is call.builder or getattr(node, "lineno", 0) < call.statement.lineno
            if isinstance(node, ast.Attribute) and place_of(node) == place and early:
                return False
    return True


def _is_assigned(builder: ast.FunctionDef, name: str) -> bool:
    """Returns whether statements alone bind a name, outside functions and comprehensions."""
    bound = [n for n in walk(builder) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    assigned = [part for n in walk(builder) if isinstance(n, ast.Assign) for t in n.targets for part in walk(t)]
    return bool(bound) and all(node in assigned for node in bound)


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    both = isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List))
    if both and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
        return list(zip(target.elts, value.elts, strict=True))  # type: ignore[attr-defined]
    return [(target, value)]


def _used_before(call: BuilderCall, name: str) -> bool:
    """Returns whether the caller uses a name before the call."""
    inside = {id(node) for node in walk(call.builder)}
    if isinstance(call.caller, ast.Module):
        # functions of the module may read the name at any time, but only what it is in the end
        statements = [node for node in call.caller.body if node is not call.builder]
        nodes = [n for s in statements if not isinstance(s, (ast.FunctionDef, ast.ClassDef)) for n in walk(s)]
    else:
        nodes = [node for node in walk(call.caller) if id(node) not in inside]
        if name in arguments_of(call.caller):
            return True
    uses = (node for node in nodes if isinstance(node, ast.Name) and node.id == name)
    return any(node.lineno < call.statement.lineno for node in uses)


def can_rename(builder: ast.FunctionDef, renamed: dict[str, str]) -> bool:
    """Returns whether names can be written anew: their places are known."""
    changed = {old for old, new in renamed.items() if old != new}
    lambdas = {n.arg for s in builder.body for n in walk(s) if isinstance(n, ast.arg)}
    return not (changed & names_in_texts(builder) or lambdas & (changed | set(renamed.values())))


def statement_after(call: BuilderCall, returned: ast.expr | None, source: SourceText) -> list[str]:
    """Returns the statement that gives the caller the results that have another name, or none."""
    if isinstance(call.statement, ast.Expr) or returned is None:
        return []
    pairs = [(t, _on_one_line(source.text_of(value))) for t, value in _pairs(call.statement.targets[0], returned)]
    rest = [(source.plain(target), value) for target, value in pairs if source.plain(target) != value]
    if not rest:
        return []
    targets = {target for target, _ in rest}
    words = {word for _, value in rest for word in re.findall(r"[\w.]+", value)}
    if not targets & words:
        return [f"{target} = {value}" for target, value in rest]
    return [f"{', '.join(target for target, _ in rest)} = {', '.join(value for _, value in rest)}"]


def _on_one_line(value: str) -> str:
    """Returns the text of an expression on one line, so that each line of the result is a statement."""
    return ast.unparse(ast.parse(f"({value}\n)", mode="eval").body) if "\n" in value else value
