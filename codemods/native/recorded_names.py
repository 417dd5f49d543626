"""Names of scopes, layers and variables that a program computes, where a trace has one name for each.

`with tf.variable_scope(name):` becomes `with tf.variable_scope("actor"):`, if all variables that were made inside the
block have this name at this place. A block that ran under several names keeps its expression.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from codemods import scopes
from codemods.names import Names
from codemods.native.facts import Facts, span_of
from codemods.native.kinds import v1_name
from codemods.native.source_text import SourceText

_SCOPE = "variable_scope"
_LAYERS = frozenset(("layers.dense", "layers.conv1d", "layers.conv2d", "layers.conv2d_transpose"))
"""Layers with variables, which are called `kernel` and `bias` below the name of the layer."""


@dataclass(frozen=True)
class Named:
    """A text with recorded names, and (line of the text, expression, name) for each of them."""

    text: str
    decided: tuple[tuple[int, str, str], ...] = ()


@dataclass(frozen=True)
class _Computed:
    """An expression that gives a name, the node whose lines make the variables, and the blocks round it."""

    value: ast.expr
    around: ast.AST
    blocks: tuple[ast.With, ...]
    is_scope: bool


def with_names(text: str, facts: Facts, line: Callable[[int], int], file: Callable[[int], str]) -> Named:
    """Returns a text in which names that are computed are those that were recorded, where there is one.

    Args:
        text: A text whose lines stay as they are.
        facts: The facts of a trace.
        line: Gives the line of the legacy file for a line of the text.
        file: Gives the name of that file.
    """
    decided: list[tuple[int, str, str]] = []
    while True:
        tree = ast.parse(text)
        names, source = scopes.resolve(tree), SourceText(text, tree)
        for computed in _computed(tree, (), names):
            name = _name(computed, names, facts, line, file)
            if name is None:
                continue
            decided.append((computed.value.lineno, source.plain(computed.value), name))
            source.replace(source.span(computed.value), f'"{name}"')
            break
        else:
            return Named(text, tuple(decided))
        text = source.result()


def _computed(node: ast.AST, blocks: tuple[ast.With, ...], names: Names) -> Iterator[_Computed]:
    """Yields the computed names of a tree, the outermost first."""
    if isinstance(node, ast.With):
        for item in node.items:
            value = _argument(item.context_expr, 0, "name_or_scope")
            if _is_scope(item.context_expr, names) and value is not None and _is_open(value) and len(node.items) == 1:
                yield _Computed(value, node, blocks, True)
        blocks = (*blocks, node)
    if isinstance(node, ast.Call):
        name = v1_name(names, node.func) or ""
        layer = next((keyword.value for keyword in node.keywords if keyword.arg == "name"), None)
        value = _argument(node, 0, "name") if name == "get_variable" else layer if name in _LAYERS else None
        if value is not None and _is_open(value):
            yield _Computed(value, node, blocks, False)
    for child in ast.iter_child_nodes(node):
        yield from _computed(child, blocks, names)


def _is_open(value: ast.expr) -> bool:
    """Returns whether an expression of one line may be a text that the source does not say."""
    return not isinstance(value, ast.Constant) and value.lineno == value.end_lineno


def _is_scope(context: ast.expr, names: Names) -> bool:
    return isinstance(context, ast.Call) and v1_name(names, context.func) == _SCOPE


def _argument(call: ast.expr, at: int, name: str) -> ast.expr | None:
    if not isinstance(call, ast.Call):
        return None
    named = (keyword.value for keyword in call.keywords if keyword.arg == name)
    return call.args[at] if len(call.args) > at else next(named, None)


def _name(
    computed: _Computed, names: Names, facts: Facts, line: Callable[[int], int], file: Callable[[int], str]
) -> str | None:
    """Returns the one name that all recorded variables have at the place of an expression; None if there is none."""
    outer = _constant_scopes(computed.blocks, names)
    makers = list(_makers(computed.around, (), names))
    recorded: set[str] = set()
    for call, inner in makers:
        span = span_of(call, line, file)
        made = [op.name for op in facts.variables() if span.holds(op.file, op.line)]
        parts = 1 if v1_name(names, call.func) == "get_variable" else 2
        if outer is None or not made:
            return None
        for name in made:
            rest = name.removeprefix(outer)
            if not name.startswith(outer) or rest.count("/") != len(inner) + parts - 1:
                return None
            recorded.add(rest.split("/")[0])
    return recorded.pop() if len(recorded) == 1 and len(makers) > 0 else None


def _constant_scopes(blocks: tuple[ast.With, ...], names: Names) -> str | None:
    """Returns what variables begin with inside blocks; None if the source does not say it."""
    made = ""
    for block in blocks:
        for item in block.items:
            if _is_scope(item.context_expr, names):
                value = _argument(item.context_expr, 0, "name_or_scope")
                if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
                    return None
                made += f"{value.value}/"
    return made


def _makers(
    node: ast.AST, inner: tuple[ast.expr, ...], names: Names
) -> Iterator[tuple[ast.Call, tuple[ast.expr, ...]]]:
    """Yields the calls below a node that make variables, each with the scopes round it, the node's own among them."""
    if isinstance(node, ast.With):
        inner = (*inner, *(item.context_expr for item in node.items if _is_scope(item.context_expr, names)))
    if isinstance(node, ast.Call) and (v1_name(names, node.func) or "") in ("get_variable", *_LAYERS):
        yield node, inner
    for child in ast.iter_child_nodes(node):
        yield from _makers(child, inner, names)
