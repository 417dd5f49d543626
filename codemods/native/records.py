"""Classes that only build a part of a graph in `__init__` become functions, where another function builds the rest.

`cnn = TextCNN(...)` with `cnn.loss` becomes `cnn_loss, cnn_input_x = TextCNN(...)`: the function that trains needs what
the class has built, and its names.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from codemods import scopes
from codemods.names import Names
from codemods.native.builders import is_builder, is_plain, stored
from codemods.native.one_by_one import Lines
from codemods.native.places import names_in_texts, variable_names
from codemods.native.source_text import SourceText, reindented
from codemods.tree import walk


@dataclass(frozen=True)
class _Record:
    """A class, its `__init__`, and the statement that makes its only object."""

    owner: ast.ClassDef
    builder: ast.FunctionDef
    statement: ast.Assign
    call: ast.Call
    name: str
    reads: Sequence[ast.Attribute]
    own: Sequence[ast.Attribute]


def has_records(text: str) -> bool:
    """Returns whether a text may have such a class."""
    classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)] if "class " in text else []
    return any(isinstance(part, ast.FunctionDef) and part.name == "__init__" for node in classes for part in node.body)


def with_functions(text: str) -> Lines | None:
    """Returns a text with a function in place of such a class, and the old number of each line; None if it has none."""
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        record = _record(owner, tree, names, source)
        if record is not None:
            return _written(record, text, source)
    return None


def _record(owner: ast.ClassDef, tree: ast.Module, names: Names, source: SourceText) -> _Record | None:
    rest = [node for node in owner.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    builder = rest[0] if len(rest) == 1 else None
    if not isinstance(builder, ast.FunctionDef) or builder.name != "__init__" or owner.decorator_list or owner.keywords:
        return None
    if any(ast.unparse(base) != "object" for base in owner.bases) or not is_plain(builder):
        return None
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if not builder.args.args or not is_builder(builder, names, functions):
        return None
    used = [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == owner.name]
    call = names.parents.get(used[0]) if len(used) == 1 else None
    statement = names.parents.get(call) if isinstance(call, ast.Call) and call.func is used[0] else None
    if not isinstance(call, ast.Call) or not isinstance(statement, ast.Assign) or not source.is_alone(statement):
        return None
    target = statement.targets[0]
    if len(statement.targets) != 1 or not isinstance(target, ast.Name):
        return None
    reads = _attributes(target.id, tree, names, [target])
    own = _attributes(builder.args.args[0].arg, builder, names, [])
    if reads is None or own is None or {node.attr for node in reads} - {node.attr for node in own if _is_set(node)}:
        return None
    return _Record(owner, builder, statement, call, target.id, reads, own) if reads else None


def _is_set(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store)


def _attributes(name: str, block: ast.AST, names: Names, bindings: Sequence[ast.expr]) -> list[ast.Attribute] | None:
    """Returns the attributes of an object that a block uses; None if it uses the object otherwise."""
    if name in names_in_texts(block):
        return None
    uses = [node for node in walk(block) if isinstance(node, ast.Name) and node.id == name and node not in bindings]
    readers = [names.parents.get(node) for node in uses]
    attributes = [node for node in readers if isinstance(node, ast.Attribute)]
    is_sure = len(attributes) == len(uses) and all(isinstance(node.ctx, ast.Load) for node in uses)
    if bindings and any(isinstance(node, ast.arg) and node.arg == name for node in walk(block)):
        return None
    if bindings and any(not isinstance(node.ctx, ast.Load) for node in attributes):
        return None
    return attributes if is_sure else None


def _written(record: _Record, text: str, source: SourceText) -> Lines | None:
    taken = variable_names(source.tree) | stored(source.tree)
    wished = {node.attr: f"{record.name}_{node.attr.strip('_')}" for node in record.own}
    if len(set(wished.values())) != len(wished) or set(wished.values()) & taken:
        return None
    for node in (*record.reads, *record.own):
        source.replace(source.span(node), wished[node.attr])
    returned = ", ".join(dict.fromkeys(wished[node.attr] for node in record.reads))
    target = record.statement.targets[0]
    source.replace(source.span(target), returned)
    builder, owner = record.builder, record.owner
    first = builder.args.args[0]
    following = [*builder.args.args[1:], *builder.args.kwonlyargs]
    if not following or builder.args.kwonlyargs:
        return None
    source.replace((source.span(first)[0], source.span(following[0])[0]), "")
    start = source.positions.line_start(source.span(builder)[0])
    name_at = source.data.index(b"__init__", start)
    source.replace((name_at, name_at + len("__init__")), owner.name)
    indent = source.indent_of(builder)
    end = source.lines_of(builder.body[-1])[1]
    moved = reindented(source.rendered((start, end)), indent, "")
    moved = moved if moved.endswith("\n") else moved + "\n"
    inner = source.indent_of(builder.body[0]).removeprefix(indent)
    new = [*moved.splitlines(keepends=True), f"{inner}return {returned}\n"]
    last = builder.end_lineno or builder.lineno
    first_line = builder.lineno
    origins = [*(min(first_line + number, last) for number in range(len(new) - 1)), last]
    return _joined(record, source, new, origins, text)


def _joined(record: _Record, source: SourceText, new: list[str], origins: list[int], text: str) -> Lines:
    """Returns the text with the function in place of the class."""
    owner = record.owner
    lines, numbers = source.result().splitlines(keepends=True), list(range(1, text.count("\n") + 2))
    start, end = owner.lineno, owner.end_lineno or owner.lineno
    rows = [(line, number) for line, number in zip(lines, numbers, strict=False) if number < start]
    rows += list(zip(new, origins, strict=True))
    rows += [(line, number) for line, number in zip(lines, numbers, strict=False) if number > end]
    return "".join(line for line, _ in rows), tuple(number for _, number in rows)
