"""Writes what calls of sessions fetch into the calls, where the source builds it elsewhere, or as a sum or a dict.

`fetches = [train_op, loss]` and `sess.run(fetches)` become `sess.run([train_op, loss])`; `sess.run({"loss": loss})`
becomes `dict(zip(("loss",), sess.run([loss])))`. No line moves.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from codemods import scopes
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.places import place_of
from codemods.native.source_text import SourceText
from codemods.tree import walk

_LISTS = (ast.List, ast.Tuple)


def with_fetches(text: str) -> str:
    """Returns a text whose calls of sessions name what they fetch, one by one, where the source says it."""
    if ".run(" not in text:
        return text
    while True:
        made = _step(text)
        if made is None:
            return text
        text = made


def _step(text: str) -> str | None:
    tree = ast.parse(text)
    source = SourceText(text, tree)
    sessions = _sessions(tree)
    for call in walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "run"):
            continue
        if place_of(call.func.value) not in sessions:
            continue
        named = (keyword.value for keyword in call.keywords if keyword.arg == "fetches")
        fetched = call.args[0] if call.args else next(named, None)
        if isinstance(fetched, ast.BinOp) and isinstance(fetched.op, ast.Add):
            parts = _summands(fetched)
            if parts is not None:
                source.replace(source.span(fetched), f"[{', '.join(ast.unparse(part) for part in parts)}]")
                return source.result()
        if isinstance(fetched, ast.Dict) and _is_plain(fetched):
            _write_dict(call, fetched, source, tree)
            return source.result()
        if isinstance(fetched, ast.Name) and _put_in_place(fetched, tree, source):
            return source.result()
    return None


def _sessions(tree: ast.Module) -> set[str]:
    """Returns the places that hold sessions."""
    names = scopes.resolve(tree)
    made: list[tuple[ast.expr, ast.expr]] = []
    for node in walk(tree):
        if isinstance(node, ast.Assign):
            made += [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.With):
            made += [(item.optional_vars, item.context_expr) for item in node.items if item.optional_vars is not None]
    calls = ((place_of(target), value) for target, value in made if isinstance(value, ast.Call))
    return {place for place, call in calls if place and kind_of_call(v1_name(names, call.func) or "") is Kind.SESSION}


def _summands(node: ast.expr) -> list[ast.expr] | None:
    """Returns the parts of a sum of lists; None if one of them is no list in the source."""
    if isinstance(node, ast.List):
        return None if any(isinstance(part, ast.Starred) for part in node.elts) else list(node.elts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _summands(node.left), _summands(node.right)
        return None if left is None or right is None else [*left, *right]
    return None


def _is_plain(node: ast.Dict) -> bool:
    """Returns whether the source says the keys of a dict, and no value is a container."""
    keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    return len(set(keys)) == len(node.keys) > 0 and not any(isinstance(v, (*_LISTS, ast.Dict)) for v in node.values)


def _write_dict(call: ast.Call, fetched: ast.Dict, source: SourceText, tree: ast.Module) -> None:
    pairs = [
        (ast.unparse(key), ast.unparse(value)) for key, value in zip(fetched.keys, fetched.values, strict=True) if key
    ]
    if _is_looked_up(call, tree):
        pairs.sort(
            key=lambda pair: str(ast.literal_eval(pair[0]))
        )  # as the recorder does: a map is read without a trace
    values = ", ".join(value for _, value in pairs)
    keys = "".join(f"{key}, " for key, _ in pairs).rstrip()
    height = source.plain(fetched).count("\n")
    source.replace(source.span(fetched), f"[{values}]" + "\n" * height)
    source.replace(source.span(call), f"dict(zip(({keys}), {source.text_of(call)}))")


def _is_looked_up(call: ast.Call, tree: ast.Module) -> bool:
    """Returns whether the result of a call has a name, and is read by its keys alone, so that their order is free."""
    made = [node for node in walk(tree) if isinstance(node, ast.Assign) and node.value is call]
    target = made[0].targets[0] if made and len(made[0].targets) == 1 else None
    if not isinstance(target, ast.Name):
        return False
    by_key = {id(n.value) for n in walk(tree) if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Constant)}
    named = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == target.id]
    return all(id(node) in by_key for node in named if isinstance(node.ctx, ast.Load))


def keys_of_dict(call: ast.Call, parents: Mapping[ast.AST, ast.AST]) -> tuple[str, ...]:
    """Returns the keys of the dict that a call fetched before `with_fetches` wrote it; none if it was no dict."""
    zipped = parents.get(call)
    made = parents.get(zipped) if zipped is not None else None
    if not (isinstance(zipped, ast.Call) and isinstance(made, ast.Call) and ast.unparse(made.func) == "dict"):
        return ()
    first = zipped.args[0]
    return tuple(map(ast.literal_eval, first.elts)) if isinstance(first, ast.Tuple) else ()


def _put_in_place(fetched: ast.Name, tree: ast.Module, source: SourceText) -> bool:
    """Writes a list or dict that has a name into the only call that reads it. Returns whether it did."""
    uses = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == fetched.id]
    made = [statement for statement in _assignments(tree) if place_of(statement.targets[0]) == fetched.id]
    if len(made) != 1 or len(uses) != 2 or any(isinstance(n, ast.arg) and n.arg == fetched.id for n in walk(tree)):
        return False
    statement, value = made[0], made[0].value
    is_dict = isinstance(value, ast.Dict) and _is_plain(value)
    if not (isinstance(value, _LISTS) or is_dict or _summands(value) is not None):
        return False
    read = {node.id for node in walk(value) if isinstance(node, ast.Name)}
    if not source.is_alone(statement) or not _is_stable(tree, statement, read):
        return False
    source.replace(source.span(fetched), ast.unparse(value))
    start, end = source.span(statement)
    lines = "\n" * source.plain(statement).count("\n")
    if _is_only(statement, tree):
        source.replace((start, end), f"pass{lines}")
    else:
        source.replace((source.positions.line_start(start), end), lines)
    return True


def _is_only(statement: ast.stmt, tree: ast.Module) -> bool:
    """Returns whether a block has no other statement."""
    blocks = (getattr(node, name, None) for node in walk(tree) for name in ("body", "orelse", "finalbody"))
    return any(block == [statement] for block in blocks)


def _assignments(tree: ast.Module) -> Iterator[ast.Assign]:
    for node in walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            yield node


def _is_stable(tree: ast.Module, statement: ast.Assign, names: set[str]) -> bool:
    """Returns whether no later statement gives these names another value."""
    return not any(
        isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in names
        and node.lineno > statement.lineno
        for node in walk(tree)
    )  # fmt: skip
