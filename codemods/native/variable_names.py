"""The names of variables: those of TensorFlow 1, by which old checkpoints know them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from codemods.names import Names
from codemods.native.items import Body, Item
from codemods.native.kinds import v1_name
from codemods.native.layers import scope_name
from codemods.native.source_text import SourceText


def makes_plain_variables(block: ast.With, body: Body, names: Names) -> bool:
    """Returns whether tf.Variable is called in a scope, which then has to stay: it begins the variable's name."""
    inside = (item for item in body.items if block in item.blocks)
    return any(v1_name(names, call.func) == "Variable" for item in inside for call in item.effects.variables)


def prefix_of(prefix: str, kept: Sequence[ast.With], names: Names) -> str:
    """Returns what the name of get_variable begins with inside the scopes that stay."""
    outer = "".join(f"{_scope(block, names)}/" for block in kept if _scope(block, names))
    return prefix.removeprefix(outer)


def _scope(block: ast.With, names: Names) -> str:
    found = (scope_name(item.context_expr, names) for item in block.items)
    return "/".join(name for name in found if name)


def unnamed(body: Body, names: Names) -> Iterator[tuple[ast.Call, str]]:
    """Yields the calls of tf.Variable without a name, with the name that TensorFlow 1 gave it.

    The first in a scope is Variable, which needs no name; the second is Variable_1. A call in a function that several
    statements call has several names, and is left out.
    """
    calls = [(item, call) for item in body.items for call in item.effects.variables if _has_no_name(call, names)]
    times = Counter(id(call) for _, call in calls)
    numbers: Counter[tuple[str, ...]] = Counter()
    for item, call in calls:
        scopes = tuple(ast.unparse(block.items[0].context_expr) for block in item.blocks if isinstance(block, ast.With))
        number = numbers[scopes]
        numbers[scopes] += 1
        if number and times[id(call)] == 1 and _is_here(item, call):
            yield call, f"Variable_{number}"


def _has_no_name(call: ast.Call, names: Names) -> bool:
    given = {keyword.arg for keyword in call.keywords}
    return v1_name(names, call.func) == "Variable" and len(call.args) < 6 and not given & {"name", None}


def _is_here(item: Item, call: ast.Call) -> bool:
    """Returns whether a call stands in a statement itself, and not in a loop or comprehension."""
    loops = (ast.For, ast.While, ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.SetComp)
    looped = {id(below) for node in ast.walk(item.node) if isinstance(node, loops) for below in ast.walk(node)}
    return any(below is call for below in ast.walk(item.node)) and id(call) not in looped


def write_names(source: SourceText, calls: Iterator[tuple[ast.Call, str]]) -> None:
    """Writes names into calls."""
    for call, name in calls:
        end = source.span(call)[1] - 1
        before = source.data[:end].rstrip()
        comma = "" if before.endswith((b",", b"(")) else ", "
        source.replace((end, end), f"{comma}name={name!r}")
