"""The names of variables: those of TensorFlow 1, by which old checkpoints know them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

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
    scopes = (scope_name(item.context_expr, names) for item in block.items)
    return "/".join(scope for scope in scopes if scope)


@dataclass(frozen=True)
class Unnamed:
    """A call that makes a variable without a name, by itself or by a function of the program, and its name."""

    call: ast.Call
    name: str
    maker: ast.FunctionDef | None


def unnamed(body: Body, names: Names, functions: Mapping[str, ast.FunctionDef]) -> Iterator[Unnamed]:
    """Yields the calls that make variables without a name, with the name that TensorFlow 1 gave the variable.

    The first in a scope is Variable, which needs no name; the second is Variable_1. Where the source does not say how
    many a statement makes, it and all later ones are left out.
    """
    makers = {name: node for name, node in functions.items() if _is_maker(node, names)}
    if len({item.home for item in body.items if any(_has_no_name(c, names) for c in item.effects.variables)}) > 1:
        return
    numbers: Counter[tuple[str, ...]] = Counter()
    for item in body.items:
        made = {id(call) for call in item.effects.variables if _has_no_name(call, names)}
        if not made:
            continue
        calls = sorted(_calls(item, names, makers), key=lambda call: (call.lineno, call.col_offset))
        known = {id(call) for call in calls} | {
            id(_made_by(makers[m], names)) for m in map(_called, calls) if m in makers
        }
        if not made <= known or not isinstance(item.node, ast.Assign):
            return
        opened = [part.context_expr for block in item.blocks if isinstance(block, ast.With) for part in block.items]
        scopes = tuple(ast.unparse(context) for context in opened if not _names_nothing(context, names))
        for call in calls:
            if numbers[scopes]:
                yield Unnamed(call, f"Variable_{numbers[scopes]}", makers.get(_called(call)))
            numbers[scopes] += 1


def _names_nothing(context: ast.expr, names: Names) -> bool:
    """Returns whether a `with` changes no names of variables."""
    return isinstance(context, ast.Call) and v1_name(names, context.func) in _NAMELESS


_NAMELESS = ("device", "Session", "InteractiveSession", "control_dependencies")


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _calls(item: Item, names: Names, makers: Mapping[str, ast.FunctionDef]) -> Iterator[ast.Call]:
    """Yields the calls of a statement that make one variable each: not those in loops and comprehensions."""
    todo: list[ast.AST] = [item.node]
    while todo:
        node = todo.pop()
        if isinstance(node, _LOOPS):
            continue
        if isinstance(node, ast.Call) and (_has_no_name(node, names) or _called(node) in makers):
            yield node
        todo += ast.iter_child_nodes(node)


_LOOPS = (ast.For, ast.While, ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.SetComp, ast.Lambda)


def _has_no_name(call: ast.Call, names: Names) -> bool:
    given = {keyword.arg for keyword in call.keywords}
    return v1_name(names, call.func) == "Variable" and len(call.args) < 6 and not given & {"name", None}


def _made_by(maker: ast.FunctionDef, names: Names) -> ast.Call:
    return next(node for node in ast.walk(maker) if isinstance(node, ast.Call) and _has_no_name(node, names))


def _is_maker(function: ast.FunctionDef, names: Names) -> bool:
    """Returns whether a function makes one variable at each call, and can get a parameter `name`."""
    below = list(ast.walk(function))
    made = [node for node in below if isinstance(node, ast.Call) and _has_no_name(node, names)]
    looped = {id(inner) for node in below if isinstance(node, (*_LOOPS, ast.If)) for inner in ast.walk(node)}
    taken = any(
        (isinstance(n, ast.Name) and n.id == "name") or (isinstance(n, ast.arg) and n.arg == "name") for n in below
    )
    arguments = function.args
    plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs)
    return len(made) == 1 and id(made[0]) not in looped and plain and not taken and bool(arguments.args)


def write_names(source: SourceText, calls: Iterable[Unnamed], names: Names) -> None:
    """Writes names into calls, and a parameter for them into functions."""
    makers: list[ast.FunctionDef] = []
    for known in calls:
        _add(source, known.call, repr(known.name))
        if known.maker is not None and known.maker not in makers:
            makers.append(known.maker)
            last = [*known.maker.args.args, *known.maker.args.defaults]
            end = max(source.span(argument)[1] for argument in last)
            source.replace((end, end), ', name="Variable"')
            _add(source, _made_by(known.maker, names), "name")


def _add(source: SourceText, call: ast.Call, name: str) -> None:
    end = source.span(call)[1] - 1
    comma = "" if source.data[:end].rstrip().endswith((b",", b"(")) else ", "
    source.replace((end, end), f"{comma}name={name}")
