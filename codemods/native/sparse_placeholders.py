"""`tf.sparse_placeholder` is three placeholders, of the indices, values and shape of a sparse tensor, as it was inside.

What is fed, a `SparseTensorValue` or a tuple, is fed in three parts.
"""

from __future__ import annotations

import ast

from codemods import scopes
from codemods.names import Names
from codemods.native.edited_lines import EditedLines
from codemods.native.kinds import v1_alias, v1_name
from codemods.native.places import named_arguments, place_of
from codemods.tree import walk

NAME = "sparse_placeholder"
_PARTS = ("indices", "values", "shape")
_PLAIN = (ast.Name, ast.Attribute)


def with_dense_placeholders(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text without sparse placeholders, and the old number of each line; None if it has none.

    Those that are fed in a way that is not known stay, and are refused.
    """
    if NAME not in text:
        return None
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    lines = EditedLines(text, tree)
    places: dict[str, list[str]] = {}
    for node in [node for node in walk(tree) if isinstance(node, ast.Assign) and _is_made(node.value, names)]:
        if not _write(node, names, lines, places):
            return None
    if not places or not _feed(tree, names, places, lines):
        return None
    lines.lines = lines.source.result().splitlines(keepends=True)  # no line moved
    return lines.result()


def _is_made(node: ast.expr, names: Names) -> bool:
    return isinstance(node, ast.Call) and v1_name(names, node.func) == NAME


def _write(statement: ast.Assign, names: Names, lines: EditedLines, places: dict[str, list[str]]) -> bool:
    """Writes one that has no shape. Returns False for others."""
    call = statement.value
    assert isinstance(call, ast.Call)
    given = named_arguments(call, ("dtype", "shape", "name"))
    shape = given.get("shape")
    place = place_of(statement.targets[0]) if len(statement.targets) == 1 else None
    without = shape is None or (isinstance(shape, ast.Constant) and shape.value is None)
    if place is None or place in places or not without or "dtype" not in given or not lines.fits([statement]):
        return False
    tf = v1_alias(names)
    owner = "self." if place.startswith("self.") else ""
    parts = [owner + lines.free(f"{place.removeprefix('self.')}_{part}") for part in _PARTS]
    places[place] = parts
    name = given.get("name")
    stated = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else None
    kinds = [f"{tf}.int64, [None, None]", f"{ast.unparse(given['dtype'])}, [None]", f"{tf}.int64, [None]"]
    named = [f", name={f'{stated}/{part}'!r}" if stated else "" for part in _PARTS]
    made = [
        f"{part} = {tf}.placeholder({kind}{option})" for part, kind, option in zip(parts, kinds, named, strict=True)
    ]
    made.reverse()  # the order of `sparse_placeholder`, by which unnamed ones are numbered (`array_ops.py` of 1.15.5)
    lines.put(statement, [*made, f"{place} = {tf}.SparseTensor({', '.join(parts)})"])
    return True


def _feed(tree: ast.Module, names: Names, places: dict[str, list[str]], lines: EditedLines) -> bool:
    """Writes what is fed. Returns False if the source does not say its parts."""
    for node in (node for node in walk(tree) if isinstance(node, ast.Dict)):
        for key, value in zip(node.keys, node.values, strict=True):
            parts = places.get(_name(key)) if key is not None else None
            if parts is None or key is None:
                continue
            texts = _parts_of(value, names)
            if texts is None:
                return False
            owner = ast.unparse(key).removesuffix(_name(key).rpartition(".")[2])
            pairs = [f"{owner}{part.rpartition('.')[2]}: {text}" for part, text in zip(parts, texts, strict=True)]
            span = lines.source.span(key)[0], lines.source.span(value)[1]
            newlines = "\n" * lines.source.data[slice(*span)].count(b"\n")
            lines.source.replace(span, ", ".join(pairs) + newlines)
    return True


def _parts_of(value: ast.expr, names: Names) -> list[str] | None:
    """Returns the indices, values and shape of what is fed; None if the source does not say them."""
    fed = value.elts if isinstance(value, ast.Tuple) else []
    if isinstance(value, ast.Call) and v1_name(names, value.func) == "SparseTensorValue" and not value.keywords:
        fed = value.args
    if len(fed) == 1 and isinstance(fed[0], ast.Starred):
        value, fed = fed[0].value, []
    if len(fed) == len(_PARTS) and not any(isinstance(part, ast.Starred) for part in fed):
        return [ast.unparse(part) for part in fed]
    if not fed and isinstance(value, _PLAIN):
        return [f"{ast.unparse(value)}[{number}]" for number in range(len(_PARTS))]
    return None


def _name(key: ast.expr | None) -> str:
    """Returns the place that a key names; that of `model.x` is `self.x`."""
    if isinstance(key, ast.Attribute) and isinstance(key.value, ast.Name):
        return f"self.{key.attr}"
    return place_of(key) or "" if key is not None else ""
