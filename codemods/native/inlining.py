"""Puts the statements of functions and methods that build parts of a graph where they are called.

`logits, keep_prob = net(x)` makes placeholders, variables and tensors at once. Its statements, in place of the call,
are statements of the body like all others. Names that would clash become `net_NAME`. A function that is called a few
times, with other scopes or sizes, stands there as often: each time it makes other variables.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from codemods import scopes
from codemods.names import Names
from codemods.native.generations import part_attributes, split_names
from codemods.native.kinds import OF_VARIABLES, Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.meanings import Meanings
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
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
_MOST_LINES = 150
"""How many lines the copies of a function that is called several times may have."""
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
    others: int = 0
    """How many calls of the function are left when this one is gone."""

    @property
    def is_method(self) -> bool:
        """Whether the builder is a method."""
        return isinstance(self.node.func, ast.Attribute)


def prepared(text: str) -> Inlined | None:
    """Returns a text whose builders stand where they are called, and whose variables have a name each.

    None means that this changes nothing.
    """
    inlined = inline_builders(text)
    now = inlined.text if inlined is not None else text
    for renaming in (split_names, part_attributes):
        now = renaming(now) or now
    if now == text:
        return None
    return Inlined(now, inlined.origins if inlined is not None else tuple(range(1, text.count("\n") + 2)))


def inline_builders(text: str) -> Inlined | None:
    """Returns a text without functions that build parts of a graph; None if it has none, or they cannot be moved."""
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
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        methods = (node for node in owner.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"))
        functions |= {f"self.{node.name}": node for node in methods}
    for name, builder in functions.items():
        builds = _is_builder(builder, names, functions) or _reads_graph(builder, tree, names)
        if builds and _is_plain(builder):
            call = _next_call(builder, name.startswith("self."), tree, names, source)
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
            called = place_of(call.func) or ""
            if called in functions and called not in seen:
                seen.add(called)
                todo.append(functions[called])
    return bool(made & {Kind.PLACEHOLDER, Kind.VARIABLE, Kind.OPTIMIZER, Kind.SUMMARY}) and Kind.SESSION not in made


def _reads_graph(function: ast.FunctionDef, tree: ast.Module, names: Names) -> bool:
    """Returns whether a function reads tensors that statements of the module make, and runs no session."""
    read = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} - _stored(function)
    if any(isinstance(n, ast.Call) and ast.unparse(n.func).endswith(".run") for n in ast.walk(function)):
        return False
    for statement in tree.body:
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        kinds = {kind_of_call(name) for call in calls if (name := v1_name(names, call.func)) is not None}
        made = isinstance(statement, ast.Assign) and kinds & {Kind.CONSTANT, Kind.TENSOR}
        if made and _stored(statement) & (read - _arguments_of(function)) and not kinds & {Kind.VARIABLE}:
            return True
    return False


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
        or (returns and (len(returns) > 1 or _last_statement(function.body) is not returns[0]))
        or function.body[0].lineno == function.lineno
    )


def _last_statement(body: Sequence[ast.stmt]) -> ast.stmt:
    """Returns the last statement, that of a block of `with` if the body ends with one."""
    return _last_statement(body[-1].body) if isinstance(body[-1], ast.With) else body[-1]


def _next_call(
    builder: ast.FunctionDef, is_method: bool, tree: ast.Module, names: Names, source: SourceText
) -> _Call | None:
    """Returns the first call of a function, if the value of each call is all that a statement outside loops has."""
    uses: list[ast.AST] = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr == builder.name)
        or (isinstance(node, ast.Name) and node.id == builder.name)
    ]
    lines = (builder.end_lineno or 0) - builder.lineno
    if len(uses) > 1 and (len(uses) * lines > _MOST_LINES or _only_makes(builder, names)):
        return None
    if any(isinstance(node, ast.Attribute) and place_of(node) is None for node in uses):
        return None
    calls = [_call_at(use, builder, is_method, tree, names, source) for use in uses]
    if not calls or None in calls:
        return None
    first = calls[0]
    return None if first is None else replace(first, others=len(calls) - 1)


def _only_makes(builder: ast.FunctionDef, names: Names) -> bool:
    """Returns whether a function makes variables and nothing else, so that it can stay."""
    if any(
        v1_name(names, node.func) == "add_to_collection" for node in ast.walk(builder) if isinstance(node, ast.Call)
    ):
        return False
    try:
        call = ast.Call(func=ast.Name(id=builder.name, ctx=ast.Load()), args=[], keywords=[])
        return Meanings(names).called(builder, call, []) in OF_VARIABLES
    except NotNativeError:
        return False


def _call_at(
    use: ast.AST, builder: ast.FunctionDef, is_method: bool, tree: ast.Module, names: Names, source: SourceText
) -> _Call | None:
    call = names.parents.get(use)
    if isinstance(use, ast.Attribute) is not is_method:
        return None
    statement = names.parents.get(call) if isinstance(call, ast.Call) and call.func is use else None
    if not isinstance(statement, (ast.Assign, ast.Expr)) or not isinstance(call, ast.Call):
        return None
    if not source.is_alone(statement) or (isinstance(statement, ast.Assign) and len(statement.targets) != 1):
        return None
    node: ast.AST = statement
    while not isinstance(node, (ast.FunctionDef, ast.Module)):
        node = names.parents[node]
        if isinstance(node, (*_OUTSIDE, ast.AsyncFunctionDef, ast.Lambda)):
            return None
    if is_method:
        owner = names.parents[builder]
        return (
            _Call(statement, call, node, builder) if node is not builder and names.parents.get(node) is owner else None
        )
    known = node in (*tree.body, tree) or names.parents.get(node) in tree.body
    return _Call(statement, call, node, builder) if node is not builder and known else None


def _inlined(call: _Call, text: str, source: SourceText) -> Inlined | None:
    given = _arguments(call)
    if given is None:
        return None
    builder = call.builder
    own = _own(call)
    outside = _names_in(call.caller, builder)
    outside |= {n.id for value in given.values() for n in ast.walk(value) if isinstance(n, ast.Name)}
    free = {node.id for node in ast.walk(builder) if isinstance(node, ast.Name)} - own - {"self"}
    if isinstance(call.caller, ast.FunctionDef) and free & (_stored(call.caller) | _arguments_of(call.caller)):
        return None
    renamed, before = _parameters_as(call, given, own)
    end = _last_statement(builder.body)
    returned = end.value if isinstance(end, ast.Return) else None
    results = _results(call, returned, own - given.keys(), free | set(renamed.values()))
    if results is None:
        return None
    renamed |= results
    for name in sorted(own - renamed.keys()):
        if name in outside or name in renamed.values():
            renamed[name] = _fresh(f"{builder.name.lstrip('_')}_{name}", outside | own | free | set(renamed.values()))
    places = [new for new in renamed.values() if new.replace(".", "_").isidentifier()]
    if len(set(places)) != len(places) or not _can_rename(builder, renamed):
        return None
    for node in ast.walk(builder):
        if isinstance(node, ast.Name) and node.id in renamed:
            source.replace(source.span(node), renamed[node.id])
    after = _after(call, returned, source)
    return _put(call, text, source, [f"{renamed.get(name, name)} = {value}" for name, value in before], after)


def _own(call: _Call) -> set[str]:
    """Returns the names of a builder's own that mean something: not `self`, and not `_` if nothing reads it."""
    own = _stored(call.builder) | {argument.arg for argument in _parameters(call.builder)}
    read = {n.id for n in ast.walk(call.builder) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return own - ({"_"} - read) - ({"self"} if call.is_method else set())


def _fresh(name: str, taken: Set[str]) -> str:
    """Returns a name that is not taken, from a wished one."""
    return next(wished for wished in (name, *(f"{name}_{number}" for number in range(2, 99))) if wished not in taken)


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
    listed = [argument.arg for argument in parameters.args[call.is_method :]]
    if any(isinstance(part, ast.Starred) for part in call.node.args) or len(call.node.args) > len(listed):
        return None
    given = dict(zip(listed[len(listed) - len(parameters.defaults) :], parameters.defaults, strict=True))
    pairs = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
    given |= {argument.arg: value for argument, value in pairs if value is not None}
    given |= dict(zip(listed, call.node.args, strict=False))
    given |= {keyword.arg or "**": keyword.value for keyword in call.node.keywords}
    order = [argument.arg for argument in _parameters(call.builder)[call.is_method :]]
    return {name: given[name] for name in order} if given.keys() == {*order} else None


def _parameters_as(
    call: _Call, given: dict[str, ast.expr], own: set[str]
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Returns the parameters that are names of the caller or literals, and those that need an assignment."""
    renamed: dict[str, str] = {}
    before: list[tuple[str, str]] = []
    stored = _stored(call.builder)
    for name, value in given.items():
        taken = isinstance(value, ast.Name) and value.id in (own - {name}) | set(renamed.values())
        if isinstance(value, ast.Name) and name not in stored and not taken:
            renamed[name] = value.id
        elif (
            isinstance(value, ast.Constant) and isinstance(value.value, str | bool | type(None)) and name not in stored
        ):
            renamed[name] = ast.unparse(value)
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


def _is_new(call: _Call, place: str) -> bool:
    """Returns whether the caller and the builder do not use an attribute up to the call."""
    for body in (call.caller, call.builder):
        for node in ast.walk(body):
            early = body is call.builder or getattr(node, "lineno", 0) < call.statement.lineno
            if isinstance(node, ast.Attribute) and place_of(node) == place and early:
                return False
    return True


def _is_assigned(builder: ast.FunctionDef, name: str) -> bool:
    """Returns whether statements alone bind a name, outside functions and comprehensions."""
    stored = [n for n in ast.walk(builder) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    assigned = [part for n in ast.walk(builder) if isinstance(n, ast.Assign) for t in n.targets for part in ast.walk(t)]
    return bool(stored) and all(node in assigned for node in stored)


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


def _can_rename(builder: ast.FunctionDef, renamed: dict[str, str]) -> bool:
    """Returns whether names can be written anew: their places are known."""
    changed = {old for old, new in renamed.items() if old != new}
    in_strings = {
        name.id
        for node in ast.walk(builder)
        if isinstance(node, ast.JoinedStr)
        for name in ast.walk(node)
        if isinstance(name, ast.Name)
    }
    lambdas = {n.arg for s in builder.body for n in ast.walk(s) if isinstance(n, ast.arg)}
    return not (changed & in_strings or lambdas & (changed | set(renamed.values())))


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
    targets = {target for target, _ in rest}
    words = {word for _, value in rest for word in re.findall(r"[\w.]+", value)}
    if not targets & words:
        return [f"{target} = {value}" for target, value in rest]
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
    final, inner = _last_statement(body), ""
    if isinstance(final, ast.Return):
        last = final.lineno - 1
        inner = source.indent_of(final)[len(source.indent_of(body[0])) :]
        blocks = [node for node in ast.walk(builder) if isinstance(node, ast.With)]
        after = after or (["pass"] if any(block.body[0] is final for block in blocks) else [])
    indent = source.indent_of(statement)
    starts = source.positions.starts
    end = starts[last] if last < len(starts) else len(source.data)
    moved = source.rendered((starts[first - 1], end)) if first <= last else ""
    moved = reindented(_without_docstring(builder, moved, first), source.indent_of(body[0]), indent)
    new = (
        [f"{indent}{line}\n" for line in before]
        + moved.splitlines(keepends=True)
        + [f"{indent}{inner}{x}\n" for x in after]
    )
    origins = [statement.lineno] * len(before) + list(range(first, last + 1)) + [statement.lineno] * len(after)
    removed = source.lines_of(builder)
    end_of_builder = 0 if call.others else builder.end_lineno or 0
    gone = range(source.positions.line(removed[0]), end_of_builder + 1)
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
