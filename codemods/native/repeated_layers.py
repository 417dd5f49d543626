"""`slim.repeat` and `slim.stack` as the calls that they make: each layer gets what the one before gave."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods import scopes
from codemods.names import Names
from codemods.native.contrib_layers import NAMES as LAYERS
from codemods.native.edited_lines import EditedLines
from codemods.native.kinds import v1_name
from codemods.native.one_by_one import Lines
from codemods.native.steady import Steady
from codemods.tree import walk

_MODULES = ("contrib.slim", "contrib.layers")
_REPEATS = frozenset(f"{module}.repeat" for module in _MODULES)
_STACKS = frozenset(f"{module}.stack" for module in _MODULES)
_MOST = 50


def with_single_layers(text: str) -> Lines | None:
    """Returns a text with one call for each layer, and the old number of each line; None if that is so already."""
    if ".repeat(" not in text and ".stack(" not in text:
        return None
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    edited = EditedLines(text, tree)
    steady = Steady(names)
    changed = False
    for statement in (node for node in walk(tree) if isinstance(node, (ast.Assign, ast.Return))):
        call = statement.value
        if not isinstance(call, ast.Call) or not edited.fits([statement]):
            continue
        name = v1_name(names, call.func)
        if name not in _REPEATS | _STACKS:
            continue
        target = ast.unparse(statement.targets[0]) if isinstance(statement, ast.Assign) else edited.free("net")
        lines = list(_lines(statement, target, call, name in _STACKS, names, steady))
        if lines:
            edited.put(statement, lines)
            changed = True
    return edited.result() if changed else None


def _lines(
    statement: ast.stmt, target: str, call: ast.Call, is_stack: bool, names: Names, steady: Steady
) -> Iterator[str]:
    """Yields the statements of the layers; none if the source does not say them."""
    options = {keyword.arg: keyword.value for keyword in call.keywords}
    keys = ("inputs", "layer", "stack_args") if is_stack else ("inputs", "repetitions", "layer")
    given = dict(zip(keys, call.args, strict=False))
    for key in keys:
        if key in options and key not in given:
            given[key] = options.pop(key)
    scope, layer = options.pop("scope", None), given.get("layer")
    if len(given) < 3 or layer is None or v1_name(names, layer) not in LAYERS or None in options:
        return
    if not isinstance(scope, ast.Constant) or not isinstance(scope.value, str):
        return
    shared = [*call.args[3:], *options.values()]
    if any(isinstance(part, ast.Starred) for part in call.args) or not all(map(steady.is_steady, shared)):
        return
    rows = _rows(given, is_stack)
    if not rows or (is_stack and len(call.args) > 3):
        return
    value = ast.unparse(given["inputs"])
    words = [f"{key}={ast.unparse(option)}" for key, option in options.items()]
    for number, row in enumerate(rows, 1):
        arguments = [value, *map(ast.unparse, [*row, *call.args[3:]]), *words]
        arguments.append(f"scope={f'{scope.value}/{scope.value}_{number}'!r}")
        is_last = number == len(rows)
        head = "return" if isinstance(statement, ast.Return) and is_last else f"{target} ="
        yield f"{head} {ast.unparse(layer)}({', '.join(arguments)})"
        value = target


def _rows(given: dict[str, ast.expr], is_stack: bool) -> list[list[ast.expr]]:
    """Returns the first arguments of each layer; none if the source does not say them."""
    if not is_stack:
        count = given["repetitions"]
        number = count.value if isinstance(count, ast.Constant) and isinstance(count.value, int) else 0
        return [[] for _ in range(number)] if number <= _MOST else []
    listed = given["stack_args"]
    if not isinstance(listed, (ast.List, ast.Tuple)) or any(isinstance(part, ast.Starred) for part in listed.elts):
        return []
    return [list(part.elts) if isinstance(part, (ast.List, ast.Tuple)) else [part] for part in listed.elts]
