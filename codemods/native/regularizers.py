"""Penalties of variables: `tf.get_variable(..., regularizer=r)` and the collection of regularization losses.

TensorFlow 1 put the penalty of each variable that has a regularizer into a collection. The program does the same by a
call of its own, `tf.add_to_collection("regularization_losses", r(w))`, which `collections_of_graph` knows. Where
nothing reads the collection, a regularizer does nothing, and goes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import calls_bound_to, place_of
from codemods.native.source_text import SourceText
from codemods.tree import walk

_COLLECTION = "regularization_losses"
_KEYS = ("GraphKeys.REGULARIZATION_LOSSES",)
_READERS = ("losses.get_regularization_loss", "losses.get_regularization_losses")
_TOTALS = ("total_loss", "get_losses")
"""Ends of the names of functions that read the collection, and others beside it."""
_REGULARIZERS = ("contrib.layers.l1_regularizer", "contrib.layers.l2_regularizer")
_MODULES = ("layers.", "contrib.layers.", "contrib.slim.")


def with_penalties(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text without regularizers as options, and the old number of each line; None if it has none."""
    if "regularizer=" not in text:
        return None
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    options = list(_options(tree, names))
    added: list[int] = []
    if not _is_read(tree, names):
        for call, option in options:
            _delete(call, option, source)
    elif "reuse" not in text:  # a variable that is used again has one penalty
        for statement in [node for node in walk(tree) if isinstance(node, ast.Assign)]:
            mine = [option for call, option in options if call is statement.value and _is_variable(call, names)]
            if mine and source.is_alone(statement) and _adds(statement, mine[0], tree, names, source):
                added.append(statement.end_lineno or statement.lineno)
        for call in [node for node in walk(tree) if isinstance(node, ast.Call)] if added else ():
            _read(call, names, source)
    result = source.result()
    if result == text:
        return None
    return result, (*sorted([*range(1, len(text.splitlines()) + 1), *added]), len(text.splitlines()))


def _options(tree: ast.Module, names: Names) -> Iterator[tuple[ast.Call, ast.keyword]]:
    """Yields the calls that have a regularizer by name, with this option."""
    for node in walk(tree):
        if isinstance(node, ast.Call):
            name = v1_name(names, node.func) or ""
            for keyword in node.keywords if name == "get_variable" or name.startswith(_MODULES) else ():
                if (keyword.arg or "").endswith("regularizer"):
                    yield node, keyword


def _is_variable(call: ast.Call, names: Names) -> bool:
    return v1_name(names, call.func) == "get_variable"


def _is_read(tree: ast.Module, names: Names) -> bool:
    """Returns whether the program may read the collection."""
    for node in walk(tree):
        name = v1_name(names, node) if isinstance(node, (ast.Attribute, ast.Name)) else None
        if name is not None and (name in (*_KEYS, *_READERS) or name.endswith(_TOTALS)):
            return True
        if isinstance(node, ast.Constant) and node.value == _COLLECTION:
            return True
    return bool(names.wildcards)


def _adds(statement: ast.Assign, option: ast.keyword, tree: ast.Module, names: Names, source: SourceText) -> bool:
    """Writes the call that adds a penalty below a variable. Returns whether the source says the regularizer."""
    target = place_of(statement.targets[0]) if len(statement.targets) == 1 else None
    if target is None or not (_makes(option.value, names) or _is_bound(option.value, tree, names)):
        return False
    assert isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Attribute)
    module = source.plain(statement.value.func.value)
    regularizer = source.plain(option.value) if "\n" not in source.plain(option.value) else ast.unparse(option.value)
    added = f'{module}.add_to_collection("{_COLLECTION}", {regularizer}({target}))'
    _delete(statement.value, option, source)
    end = source.positions.line_end(source.span(statement)[1])
    source.replace((end, end), f"\n{source.indent_of(statement)}{added}")
    return True


def _makes(value: ast.expr, names: Names) -> bool:
    return isinstance(value, ast.Call) and v1_name(names, value.func) in _REGULARIZERS


def _is_bound(value: ast.expr, tree: ast.Module, names: Names) -> bool:
    """Returns whether a name has a regularizer, and nothing else, in the whole file."""
    calls = calls_bound_to(value.id, tree) if isinstance(value, ast.Name) else []
    statement = names.parents.get(calls[0]) if len(calls) == 1 else None
    is_alone = isinstance(statement, ast.Assign) and len(statement.targets) == 1 and statement.value is calls[0]
    return is_alone and _makes(calls[0], names)


def _read(call: ast.Call, names: Names, source: SourceText) -> None:
    """Writes a call that reads the collection."""
    name = v1_name(names, call.func)
    if name == "get_collection" and len(call.args) == 1 and not call.keywords:
        if v1_name(names, call.args[0]) in _KEYS:
            source.replace(source.span(call.args[0]), f'"{_COLLECTION}"')
    elif name in _READERS and not call.args and not call.keywords:
        assert isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Attribute)
        module = source.plain(call.func.value.value)
        listed = f'{module}.get_collection("{_COLLECTION}")'
        source.replace(source.span(call), f"{module}.add_n({listed})" if name == _READERS[0] else listed)


def _delete(call: ast.Call, option: ast.keyword, source: SourceText) -> None:
    """Deletes an option, with the comma before it, or behind it if it is the first. Its lines stay, so none moves."""
    parts: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    parts.sort(key=source.span)
    place = parts.index(option)
    start, end = source.span(option)
    if place:
        start = source.span(parts[place - 1])[1]
    elif len(parts) > 1:
        end = source.span(parts[1])[0]
    source.replace((start, end), "\n" * source.data[start:end].count(b"\n"))
