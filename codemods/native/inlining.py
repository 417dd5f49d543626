"""Puts the statements of functions that build parts of a graph where the only call of them stands.

`logits, keep_prob = net(x)` makes placeholders, variables and tensors at once. Its statements, in place of the call,
are statements of the body like all others. Names that would clash become `net_NAME`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codemods import scopes
from codemods.names import Names
from codemods.native.generations import split_names
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.source_text import SourceText, reindented

_OUTSIDE = (ast.For, ast.AsyncFor, ast.While, ast.Try, ast.ClassDef)
_HIDING = (
    ast.FunctionDef,
    ast.ClassDef,
    ast.Global,
    ast.Nonlocal,
    ast.Import,
    ast.ImportFrom,
    ast.Yield,
    ast.YieldFrom,
)
_READING_NAMES = frozenset(("locals", "vars", "eval", "exec", "globals"))


@dataclass(frozen=True)
class Inlined:
    """A text with statements in place of calls. `origins` has the old number of each line."""

    text: str
    origins: tuple[int, ...]

    def line(self, number: int) -> int:
        """Returns the number that a line had."""
        return self.origins[number - 1] if 0 < number <= len(self.origins) else number


@dataclass(frozen=True)
class _Call:
    """A call of a builder: the statement, the function round it, and the function it calls."""

    statement: ast.Assign | ast.Expr
    node: ast.Call
    caller: ast.FunctionDef | ast.Module
    builder: ast.FunctionDef


def prepared(text: str) -> Inlined | None:
    """Returns a text whose builders stand where they are called, and whose variables have a name each.

    None means that this changes nothing.
    """
    inlined = inline_builders(text)
    split = split_names(inlined.text if inlined is not None else text)
    if split is None:
        return inlined
    return Inlined(split, inlined.origins if inlined is not None else tuple(range(1, text.count("\n") + 2)))


def inline_builders(text: str) -> Inlined | None:
    """Returns a text without functions that build parts of a graph and are called once; None if it has none."""
    origins = tuple(range(1, text.count("\n") + 2))
    start = text
    while True:
        step = _step(text)
        if step is None:
            return Inlined(text, origins) if text != start else None
        text, origins = step.text, tuple(origins[number - 1] for number in step.origins)


def _step(text: str) -> Inlined | None:
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for builder in functions.values():
        if _is_builder(builder, names, functions) and _is_plain(builder):
            call = _only_call(builder, tree, names, source)
            made = _inlined(call, text, source) if call is not None else None
            if made is not None:
                return made
    return None


def _is_builder(function: ast.FunctionDef, names: Names, functions: Mapping[str, ast.FunctionDef]) -> bool:
    """Returns whether a function makes placeholders, variables or training ops, itself or by others, and no session."""
    made: set[Kind | None] = set()
    todo, seen = [function], {function.name}
    while todo:
        for call in (node for node in ast.walk(todo.pop()) if isinstance(node, ast.Call)):
            name = v1_name(names, call.func)
            if name is not None:
                made.add(Kind.VARIABLE if name in LAYERS else kind_of_call(name))
            called = call.func.id if isinstance(call.func, ast.Name) else ""
            if called in functions and called not in seen:
                seen.add(called)
                todo.append(functions[called])
    return bool(made & {Kind.PLACEHOLDER, Kind.VARIABLE, Kind.OPTIMIZER, Kind.SUMMARY}) and Kind.SESSION not in made


def _is_plain(function: ast.FunctionDef) -> bool:
    """Returns whether the statements of a function mean the same in another function."""
    arguments = function.args
    below = [node for statement in function.body for node in ast.walk(statement)]
    returns = [node for node in below if isinstance(node, ast.Return)]
    return not (
        function.decorator_list
        or arguments.vararg
        or arguments.kwarg
        or arguments.posonlyargs
        or any(isinstance(node, _HIDING) for node in below)
        or any(isinstance(node, ast.ExceptHandler) and node.name for node in below)
        or any(isinstance(node, ast.Name) and node.id in _READING_NAMES for node in below)
        or (returns and (len(returns) > 1 or function.body[-1] is not returns[0]))
        or function.body[0].lineno == function.lineno
    )


def _only_call(builder: ast.FunctionDef, tree: ast.Module, names: Names, source: SourceText) -> _Call | None:
    """Returns the only call of a function, if its value is all that a statement outside loops has."""
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == builder.name]
    call = names.parents.get(uses[0]) if len(uses) == 1 else None
    statement = names.parents.get(call) if isinstance(call, ast.Call) and call.func is uses[0] else None
    if not isinstance(statement, (ast.Assign, ast.Expr)) or not isinstance(call, ast.Call):
        return None
    if not source.is_alone(statement) or (isinstance(statement, ast.Assign) and len(statement.targets) != 1):
        return None
    node: ast.AST = statement
    while not isinstance(node, (ast.FunctionDef, ast.Module)):
        node = names.parents[node]
        if isinstance(node, (*_OUTSIDE, ast.AsyncFunctionDef, ast.Lambda)):
            return None
    return _Call(statement, call, node, builder) if node is not builder and node in (*tree.body, tree) else None


def _inlined(call: _Call, text: str, source: SourceText) -> Inlined | None:
    given = _arguments(call)
    if given is None:
        return None
    builder = call.builder
    own = _stored(builder) | {argument.arg for argument in _parameters(builder)}
    if not any(isinstance(n, ast.Name) and n.id == "_" and isinstance(n.ctx, ast.Load) for n in ast.walk(builder)):
        own.discard("_")
    outside = _names_in(call.caller, builder)
    outside |= {n.id for value in given.values() for n in ast.walk(value) if isinstance(n, ast.Name)}
    free = {node.id for node in ast.walk(builder) if isinstance(node, ast.Name)} - own
    if isinstance(call.caller, ast.FunctionDef) and free & (_stored(call.caller) | _arguments_of(call.caller)):
        return None
    renamed, before = _parameters_as(call, given, own)
    returned = builder.body[-1].value if isinstance(builder.body[-1], ast.Return) else None
    results = _results(call, returned, own - given.keys(), free | set(renamed.values()))
    if results is None:
        return None
    renamed |= results
    for name in sorted(own - renamed.keys()):
        if name in outside or name in renamed.values():
            renamed[name] = f"{builder.name}_{name}"
    if len(set(renamed.values())) != len(renamed) or not _can_rename(builder, renamed, outside, results, free):
        return None
    for node in ast.walk(builder):
        if isinstance(node, ast.Name) and node.id in renamed:
            source.replace(source.span(node), renamed[node.id])
    after = _after(call, returned, source)
    return _put(call, text, source, [f"{renamed.get(name, name)} = {value}" for name, value in before], after)


def _parameters(builder: ast.FunctionDef) -> list[ast.arg]:
    return [*builder.args.args, *builder.args.kwonlyargs]


def _stored(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def _arguments_of(node: ast.AST) -> set[str]:
    return {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}


def _names_in(caller: ast.FunctionDef | ast.Module, builder: ast.FunctionDef) -> set[str]:
    """Returns the names that the caller has, without those of the builder."""
    inside = {id(node) for node in ast.walk(builder)}
    below = [node for node in ast.walk(caller) if id(node) not in inside]
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


def _arguments(call: _Call) -> dict[str, ast.expr] | None:
    """Returns the argument of each parameter; None if the source does not say it."""
    parameters = call.builder.args
    listed = [argument.arg for argument in parameters.args]
    if any(isinstance(part, ast.Starred) for part in call.node.args) or len(call.node.args) > len(listed):
        return None
    given = dict(zip(listed[len(listed) - len(parameters.defaults) :], parameters.defaults, strict=True))
    pairs = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
    given |= {argument.arg: value for argument, value in pairs if value is not None}
    given |= dict(zip(listed, call.node.args, strict=False))
    given |= {keyword.arg or "**": keyword.value for keyword in call.node.keywords}
    order = [argument.arg for argument in _parameters(call.builder)]
    return {name: given[name] for name in order} if given.keys() == {*order} else None


def _parameters_as(
    call: _Call, given: dict[str, ast.expr], own: set[str]
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Returns the parameters that are names of the caller, and those that need an assignment."""
    renamed: dict[str, str] = {}
    before: list[tuple[str, str]] = []
    stored = _stored(call.builder)
    for name, value in given.items():
        taken = isinstance(value, ast.Name) and value.id in (own - {name}) | set(renamed.values())
        if isinstance(value, ast.Name) and name not in stored and not taken:
            renamed[name] = value.id
        else:
            before.append((name, ast.unparse(value)))
    return renamed, before


def _results(call: _Call, returned: ast.expr | None, local: set[str], taken: set[str]) -> dict[str, str] | None:
    """Returns the names of the builder that become the names that the caller gives its results."""
    if isinstance(call.statement, ast.Expr):
        return {}
    if returned is None:
        return None
    renamed: dict[str, str] = {}
    for target, value in _pairs(call.statement.targets[0], returned):
        if not (isinstance(target, ast.Name) and isinstance(value, ast.Name) and value.id in local):
            continue
        clash = target.id in taken or (target.id in local and target.id != value.id) or target.id in renamed.values()
        if value.id not in renamed and not clash and not _used_before(call, target.id):
            renamed[value.id] = target.id
    return renamed


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    both = isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List))
    if both and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
        return list(zip(target.elts, value.elts, strict=True))  # type: ignore[attr-defined]
    return [(target, value)]


def _used_before(call: _Call, name: str) -> bool:
    """Returns whether the caller uses a name before the call."""
    inside = {id(node) for node in ast.walk(call.builder)}
    if isinstance(call.caller, ast.Module):
        # functions of the module may read the name at any time, but only what it is in the end
        statements = [node for node in call.caller.body if node is not call.builder]
        nodes = [n for s in statements if not isinstance(s, (ast.FunctionDef, ast.ClassDef)) for n in ast.walk(s)]
    else:
        nodes = [node for node in ast.walk(call.caller) if id(node) not in inside]
        if name in _arguments_of(call.caller):
            return True
    uses = (node for node in nodes if isinstance(node, ast.Name) and node.id == name)
    return any(node.lineno < call.statement.lineno for node in uses)


def _can_rename(
    builder: ast.FunctionDef,
    renamed: dict[str, str],
    outside: set[str],
    results: dict[str, str],
    free: set[str],
) -> bool:
    """Returns whether names can be written anew: their places are known, and the new ones are free."""
    changed = {old for old, new in renamed.items() if old != new}
    in_strings = {
        name.id
        for node in ast.walk(builder)
        if isinstance(node, ast.JoinedStr)
        for name in ast.walk(node)
        if isinstance(name, ast.Name)
    }
    lambdas = {n.arg for s in builder.body for n in ast.walk(s) if isinstance(n, ast.arg)}
    own = {node.id for node in ast.walk(builder) if isinstance(node, ast.Name)} | _arguments_of(builder)
    made = {new for old, new in renamed.items() if old not in results and new == f"{builder.name}_{old}"}
    return not (changed & in_strings or lambdas & (changed | set(renamed.values())) or made & (outside | own | free))


def _after(call: _Call, returned: ast.expr | None, source: SourceText) -> list[str]:
    """Returns the statement that gives the caller the results that have another name, or none."""
    if isinstance(call.statement, ast.Expr) or returned is None:
        return []
    rest = [
        (source.plain(target), source.text_of(value))
        for target, value in _pairs(call.statement.targets[0], returned)
        if source.plain(target) != source.text_of(value)
    ]
    if not rest:
        return []
    return [f"{', '.join(target for target, _ in rest)} = {', '.join(value for _, value in rest)}"]


def _put(call: _Call, text: str, source: SourceText, before: Sequence[str], after: Sequence[str]) -> Inlined:
    """Returns the text with the statements of the builder at the call, and without the builder."""
    builder, statement = call.builder, call.statement
    lines = text.splitlines(keepends=True)
    body = list(builder.body)
    first = body[0].lineno
    while not lines[first - 2].strip() or lines[first - 2].lstrip().startswith("#"):
        first -= 1
    last = builder.end_lineno or first
    if isinstance(body[-1], ast.Return):
        last = body[-1].lineno - 1
    indent = source.indent_of(statement)
    starts = source.positions.starts
    end = starts[last] if last < len(starts) else len(source.data)
    moved = source.rendered((starts[first - 1], end)) if first <= last else ""
    moved = reindented(_without_docstring(builder, moved, first), source.indent_of(body[0]), indent)
    new = [f"{indent}{line}\n" for line in before] + moved.splitlines(keepends=True) + [f"{indent}{x}\n" for x in after]
    origins = [statement.lineno] * len(before) + list(range(first, last + 1)) + [statement.lineno] * len(after)
    removed = source.lines_of(builder)
    gone = range(source.positions.line(removed[0]), (builder.end_lineno or 0) + 1)
    kept: list[tuple[str, int]] = []
    for number, line in enumerate(lines, 1):
        if number == statement.lineno:
            kept += zip(new, origins, strict=True)
        elif number not in gone and not statement.lineno < number <= (statement.end_lineno or 0):
            kept.append((line, number))
    return Inlined("".join(line for line, _ in kept), tuple(number for _, number in kept))


def _without_docstring(builder: ast.FunctionDef, text: str, first: int) -> str:
    """Returns the lines of a body, with its docstring as comments."""
    head = builder.body[0]
    if not (isinstance(head, ast.Expr) and isinstance(head.value, ast.Constant) and isinstance(head.value.value, str)):
        return text
    lines = text.splitlines(keepends=True)
    start, end = head.lineno - first, (head.end_lineno or head.lineno) - first
    indent = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
    for number in range(start, end + 1):
        words = lines[number].strip().strip("\"'").strip()
        lines[number] = f"{indent}# {words}".rstrip() + "\n" if words or number < end else "\n"
    return "".join(lines)
