"""Collections of variables with a name of the program: `tf.get_variable(..., collections=c_names)`.

`tf.get_collection('target_net_params')` is the list of these variables, in the order in which they were made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from codemods import scopes
from codemods.names import Names
from codemods.native.branches_apart import branches_of, is_steady
from codemods.native.closed_classes import uses_of
from codemods.native.kinds import v1_name
from codemods.native.mains import straight
from codemods.native.places import bound_pairs, place_of, stores
from codemods.native.source_text import SourceText
from codemods.tree import walk

_KEYS = {
    "GraphKeys.GLOBAL_VARIABLES": "variables",
    "GraphKeys.VARIABLES": "variables",
    "GraphKeys.TRAINABLE_VARIABLES": "trainable_variables",
}
_GLOBAL = ("GraphKeys.GLOBAL_VARIABLES", "GraphKeys.VARIABLES")
_Listed = tuple[str, ...]


class _UnknownError(Exception):
    """The source does not say in which collections a variable is."""


@dataclass(frozen=True)
class _Made:
    """A variable: its place, the call that makes it, the collections it is in, and the branch that makes it."""

    place: str
    call: ast.Call
    collections: _Listed
    branch: tuple[ast.If, int] | None = None


def with_lists(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text that lists the variables of its collections, and the old number of each line.

    None if it has none, or they are not certain.
    """
    tree = ast.parse(text)
    names = scopes.resolve(tree)
    source = SourceText(text, tree)
    options = {
        keyword
        for call in walk(tree)
        if isinstance(call, ast.Call) and v1_name(names, call.func) == "get_variable"
        for keyword in call.keywords
        if keyword.arg == "collections"
    }
    if not options:
        return None
    functions = [node for node in walk(tree) if isinstance(node, (ast.FunctionDef, ast.Module))]
    try:
        for body in functions:
            made = list(_variables(list(straight(body.body)), body, names, source))
            options -= {keyword for known in made for keyword in known.call.keywords}
            owner = names.parents.get(body)
            if isinstance(owner, ast.ClassDef) and len(uses_of(owner, tree)) > 1:
                _write_for_all(body, owner, made, names, source)
            else:
                _write(body, made, names, source)
    except _UnknownError:
        return None
    return None if options else source.with_origins()


def _variables(
    statements: Sequence[ast.stmt], body: ast.FunctionDef | ast.Module, names: Names, source: SourceText
) -> Iterator[_Made]:
    """Yields the variables of straight statements that have the option `collections`."""
    lists: dict[str, _Listed] = {}
    for statement in statements:
        if isinstance(statement, ast.If):
            yield from _in_branches(statement, lists, body, names)
        if not isinstance(statement, ast.Assign):
            continue
        call, target = statement.value, statement.targets[0]
        if isinstance(call, ast.Call) and v1_name(names, call.func) == "get_variable":
            given = next((keyword.value for keyword in call.keywords if keyword.arg == "collections"), None)
            if given is None:
                continue
            place = place_of(target)
            if place is None or len(statement.targets) > 1 or _stores(body, place) != 1:
                raise _UnknownError
            yield _Made(place, call, _listed(given, lists, names))
        for part, value in bound_pairs(target, call):
            place = place_of(part)
            if place is not None:
                lists.pop(place, None)
            if place is not None and isinstance(value, (ast.List, ast.Tuple)) and not _is_changed(body, place):
                lists[place] = _strings(value, names)
                _write_keys(value, names, source)


def _in_branches(
    node: ast.If, lists: Mapping[str, _Listed], body: ast.FunctionDef | ast.Module, names: Names
) -> Iterator[_Made]:
    """Yields the variables that branches make, where the condition still holds when a collection is read."""
    branches, otherwise = branches_of(node)
    bodies = [*(branch.body for branch in branches), otherwise]
    counts: dict[str, int] = {}
    for number, statements in enumerate(bodies):
        for statement in statements:
            call = statement.value if isinstance(statement, ast.Assign) else None
            if not isinstance(statement, ast.Assign) or not isinstance(call, ast.Call):
                continue
            given = next((keyword.value for keyword in call.keywords if keyword.arg == "collections"), None)
            if given is None or v1_name(names, call.func) != "get_variable":
                continue
            place = place_of(statement.targets[0])
            if place is None or len(statement.targets) > 1 or not _keeps_its_conditions(branches, body, names):
                raise _UnknownError
            counts[place] = counts.get(place, 0) + 1
            yield _Made(place, call, _listed(given, lists, names), (node, number))
    for place, count in counts.items():
        own = max(sum(place in stores(statement) for statement in statements) for statements in bodies)
        if own > 1 or _stores(body, place) != count:
            raise _UnknownError


def _keeps_its_conditions(branches: Sequence[ast.If], body: ast.AST, names: Names) -> bool:
    """Returns whether nothing binds what the conditions read after they were asked."""
    asked = {
        ast.unparse(part)
        for branch in branches
        for part in walk(branch.test)
        if isinstance(part, (ast.Name, ast.Attribute))
    }
    first = branches[0].lineno
    owner = names.parents.get(body)
    whole = owner if isinstance(owner, ast.ClassDef) else body
    late = [node for node in walk(body) if getattr(node, "lineno", first) > first]
    late += [node for node in walk(whole) if isinstance(node, ast.Attribute) and not _is_in(node, body)]
    changed = {
        ast.unparse(node)
        for node in late
        if isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load)
    }
    return all(is_steady(branch.test) for branch in branches) and not asked & changed


def _is_in(node: ast.AST, body: ast.AST) -> bool:
    return any(below is node for below in walk(body))


def _stores(body: ast.AST, place: str) -> int:
    return sum(place_of(node) == place and isinstance(getattr(node, "ctx", None), ast.Store) for node in walk(body))


def _is_changed(body: ast.AST, place: str) -> bool:
    """Returns whether a method or an item of a list is used, such as `c_names.append(...)`."""
    return any(isinstance(n, (ast.Attribute, ast.Subscript)) and place_of(n.value) == place for n in walk(body))


def _listed(given: ast.expr, lists: Mapping[str, _Listed], names: Names) -> _Listed:
    """Returns the collections of an option.

    Raises:
        _UnknownError: The source does not say them, or the variables of the graph are not among them.
    """
    made = lists.get(place_of(given) or "") if place_of(given) else _strings(given, names)
    if not made or not any(name in _GLOBAL for name in made):
        raise _UnknownError
    return made


def _strings(value: ast.expr, names: Names) -> _Listed:
    """Returns the names in a list, those of TensorFlow as "GraphKeys.NAME"; empty if one is not certain."""
    parts = value.elts if isinstance(value, (ast.List, ast.Tuple)) else ()
    made = [
        part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else v1_name(names, part)
        for part in parts
    ]
    return tuple(name for name in made if name is not None) if None not in made else ()


def _write_keys(value: ast.List | ast.Tuple, names: Names, source: SourceText) -> None:
    """Writes the keys of TensorFlow in a list as the texts that they are."""
    for part in value.elts:
        key = _KEYS.get(v1_name(names, part) or "")
        if key is not None:
            source.replace(source.span(part), repr(key))


def _write(body: ast.FunctionDef | ast.Module, made: Sequence[_Made], names: Names, source: SourceText) -> None:
    """Writes the lists, and the variables without their option.

    Raises:
        _UnknownError: A collection is read where its variables are not known.
    """
    for call, listed in _read(body, made, names, source):
        source.replace(source.span(call), f"[{', '.join(listed)}]")


def _write_for_all(body: ast.AST, owner: ast.ClassDef, made: Sequence[_Made], names: Names, source: SourceText) -> None:
    """Writes lists of the class, to which each object adds its variables: collections are of the whole graph.

    Raises:
        _UnknownError: A collection is not read once by a statement of its own, or has the name of something else.
    """
    taken = {node.attr for node in walk(source.tree) if isinstance(node, ast.Attribute)}
    taken |= {node.id for node in walk(owner) if isinstance(node, ast.Name)}
    keys: list[str] = []
    for call, listed in _read(body, made, names, source):
        key = ast.literal_eval(call.args[0])
        statement = names.parents.get(call)
        known = isinstance(statement, ast.Assign) and len(statement.targets) == 1 and source.is_alone(statement)
        if not key.isidentifier() or key in (*taken, *keys) or not known or not isinstance(statement, ast.Assign):
            raise _UnknownError
        if not isinstance(statement.targets[0], ast.Name) or statement.value is not call:
            raise _UnknownError
        keys.append(key)
        source.replace(source.span(call), f"[*type(self).{key}, {', '.join(listed)}]")
        end = source.lines_of(statement)[1]
        added = f"type(self).{key} = {statement.targets[0].id}"
        source.replace((end, end), f"{source.indent_of(statement)}{added}\n")
    if keys:
        start, indent = source.lines_of(owner.body[0])[0], source.indent_of(owner.body[0])
        lines = "".join(f"{indent}{key} = []  # of all objects\n" for key in keys)
        source.replace((start, start), f"{lines}\n")


def _read(
    body: ast.AST, made: Sequence[_Made], names: Names, source: SourceText
) -> Iterator[tuple[ast.Call, list[str]]]:
    """Yields the calls that read collections, with the variables, and drops the options of these.

    Raises:
        _UnknownError: A collection is read where its variables are not known.
    """
    keys = {key for known in made for key in known.collections if not key.startswith("GraphKeys.")}
    for known in made:
        source.replace(_span_of_option(known.call, source), "")
    for call in (node for node in walk(body) if isinstance(node, ast.Call)):
        if v1_name(names, call.func) != "get_collection" or len(call.args) != 1 or call.keywords:
            continue
        key = call.args[0]
        if not isinstance(key, ast.Constant) or key.value not in keys:
            continue
        listed = [known for known in made if key.value in known.collections and _is_before(known.call, call)]
        if len(listed) != sum(key.value in known.collections for known in made):
            raise _UnknownError  # TensorFlow 1 gave those that were made by then
        yield call, list(_texts(listed, source))


def _texts(made: Sequence[_Made], source: SourceText) -> Iterator[str]:
    """Yields what a list has of variables: their places, or `*([w] if wide else [v])` for those of branches."""
    for node, group in groupby(made, lambda known: known.branch[0] if known.branch is not None else None):
        members = list(group)
        if node is None:
            yield from (known.place for known in members)
            continue
        branches, _ = branches_of(node)
        lists = [
            f"[{', '.join(known.place for known in members if known.branch == (node, number))}]"
            for number in range(len(branches) + 1)
        ]
        pairs = zip(lists, branches, strict=False)
        chosen = "".join(f"{held} if {' '.join(source.plain(b.test).split())} else " for held, b in pairs)
        yield f"*({chosen}{lists[-1]})"


def _is_before(one: ast.Call, other: ast.Call) -> bool:
    return one.lineno < other.lineno


def _span_of_option(call: ast.Call, source: SourceText) -> tuple[int, int]:
    """Returns the bytes of the option, with the comma before it."""
    keyword = next(keyword for keyword in call.keywords if keyword.arg == "collections")
    start, end = source.span(keyword)
    parts = [*call.args, *call.keywords]
    ends = [source.span(part)[1] for part in parts if source.span(part)[1] <= start]
    return (max(ends), end) if ends else (start, end)
