"""`tf.placeholder_with_default(False, ())` as a placeholder that each call feeds: with its default, where it fed none.

Only defaults that the source states as one value are known, and only calls whose feeds it says. A call gets the default
if what it fetches may depend on the placeholder.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from codemods import scopes
from codemods.names import Names
from codemods.native.kinds import v1_alias, v1_name
from codemods.native.places import last_name, named_arguments, place_of
from codemods.native.source_text import SourceText
from codemods.native.steady import value_of
from codemods.tree import walk

_NAME = "placeholder_with_default"
_RUNNING = frozenset(("run", "eval"))
_TYPES = {bool: "bool", int: "int32", float: "float32", str: "string"}


@dataclass(frozen=True)
class _Default:
    """A placeholder with a default: its place, the text of the default, and the call that makes it."""

    place: str
    text: str
    call: ast.Call
    statement: ast.Assign


def with_default_feeds(text: str) -> str | None:
    """Returns a text whose calls feed the defaults, with as many lines; None if it has none, or does not say all."""
    if _NAME not in text:
        return None
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    calls = [n for n in walk(tree) if isinstance(n, ast.Call) and v1_name(names, n.func) == _NAME]
    defaults = [_default(call, names, source) for call in calls]
    reading = _reading(tree, names)
    own = {node.name for node in walk(tree) if isinstance(node, ast.FunctionDef)}
    if own & _RUNNING:
        return None
    added: dict[tuple[int, str], list[str]] = {}
    for default in defaults:
        if default is None or not _is_bound_once(default, tree):
            return None
        last = default.place.split(".")[-1]
        needing = [call for call in _runs(tree, names) if last in _reached(_fetched(call, names), reading)]
        if not all(_feed(call, default, names, source, added) for call in needing):
            return None
    for (at, form), pairs in added.items():
        source.replace((at, at), form.format(", ".join(dict.fromkeys(pairs))))
    return source.result()


def _default(call: ast.Call, names: Names, source: SourceText) -> _Default | None:
    """Returns what a call makes; None if the source does not say it. Writes a placeholder in its place."""
    given = named_arguments(call, ("input", "shape", "name"))
    value, shape, statement = given.get("input"), given.get("shape"), names.parents.get(call)
    is_scalar = isinstance(shape, (ast.List, ast.Tuple)) and not shape.elts
    if not isinstance(value, ast.Constant) or type(value.value) not in _TYPES or not is_scalar:
        return None
    if (
        not isinstance(statement, ast.Assign)
        or len(statement.targets) != 1
        or given.keys() - {"input", "shape", "name"}
    ):
        return None
    place, alias = place_of(statement.targets[0]), names.alias_of("tensorflow")
    if place is None or alias is None or source.plain(call).count("\n"):
        return None
    name = f", name={source.plain(given['name'])}" if "name" in given else ""
    made = f"{v1_alias(names)}.placeholder({alias}.{_TYPES[type(value.value)]}, []{name})"
    source.replace(source.span(call), made)
    return _Default(place, source.plain(value), call, statement)


def _is_bound_once(default: _Default, tree: ast.Module) -> bool:
    last = default.place.split(".")[-1]
    bound = [n for n in walk(tree) if not isinstance(getattr(n, "ctx", ast.Load()), ast.Load) and last_name(n) == last]
    return len(bound) == 1 and not any(isinstance(n, ast.arg) and n.arg == last for n in walk(tree))


def _runs(tree: ast.Module, names: Names) -> Iterator[ast.Call]:
    """Yields the calls that may run a graph."""
    for node in walk(tree):
        is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if is_method and node.func.attr in _RUNNING and names.qualified(node.func) is None:  # type: ignore[attr-defined]
            yield node  # type: ignore[misc]


def _is_of_session(call: ast.Call, names: Names) -> bool:
    """Returns whether this is `sess.run(fetches)`, and not `op.run(feeds)`."""
    first = value_of(call.args[0], names) if call.args else None
    is_fetched = first is not None and not isinstance(first, ast.Dict)
    is_fetched = is_fetched or any(keyword.arg == "fetches" for keyword in call.keywords)
    return isinstance(call.func, ast.Attribute) and call.func.attr == "run" and is_fetched


def _fetched(call: ast.Call, names: Names) -> set[str]:
    """Returns the names in what a call fetches."""
    parts: list[ast.AST] = [call.func]
    if _is_of_session(call, names):
        parts = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "fetches")]
    return {last_name(node) for part in parts for node in walk(part)} - {""}


def _reading(tree: ast.Module, names: Names) -> dict[str, set[str]]:
    """Returns name -> the names that may be behind it: those in what is assigned to it, or in its function."""
    reading: dict[str, set[str]] = {}
    for node in walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For)):
            targets = [node.target]
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            targets = [node.optional_vars]
        value = node.iter if isinstance(node, ast.For) else getattr(node, "value", None)
        read = {last_name(below) for below in walk(value)} if isinstance(value, ast.AST) else set()
        for name in (last_name(below) for target in targets for below in walk(target)):
            reading.setdefault(name, set()).update(read)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            reading.setdefault(node.name, set()).update(last_name(below) for below in walk(node))
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if names.qualified(node.func) is None:  # what `losses.append(loss)` holds
            given = {last_name(below) for part in (*node.args, *node.keywords) for below in walk(part)}
            reading.setdefault(last_name(node.func.value), set()).update(given)
    return reading


def _reached(names: set[str], reading: dict[str, set[str]]) -> set[str]:
    reached, todo = set(names), list(names)
    while todo:
        more = reading.get(todo.pop(), set()) - reached
        reached |= more
        todo += more
    return reached


def _feed(
    call: ast.Call, default: _Default, names: Names, source: SourceText, added: dict[tuple[int, str], list[str]]
) -> bool:
    """Adds the default to a call that feeds no other value. Returns whether the source says what it feeds.

    `added` gets: offset and form of the text there -> pairs of a dict.
    """
    position = 1 if _is_of_session(call, names) else 0
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "feed_dict"), None)
    if given is None and len(call.args) > position:
        given = call.args[position]
    is_open = any(keyword.arg is None for keyword in call.keywords) or any(
        isinstance(a, ast.Starred) for a in call.args
    )
    if is_open or not _is_seen(call, default, names):
        return False
    pair = f"{default.place}: {default.text}"
    if given is None:
        form = "{}feed_dict={{{{{{}}}}}}".format(", " if call.args or call.keywords else "")
        added.setdefault((source.span(call)[1] - 1, form), []).append(pair)
        return True
    fed = value_of(given, names) if isinstance(given, ast.Name) else given
    if not isinstance(fed, ast.Dict) or None in fed.keys:
        return False
    if not any(key is not None and place_of(key) == default.place for key in fed.keys):
        at = source.span(fed.values[-1])[1] if fed.values else source.span(fed)[1] - 1
        added.setdefault((at, ", {}" if fed.values else "{}"), []).append(pair)
    return True


def _is_seen(call: ast.Call, default: _Default, names: Names) -> bool:
    """Returns whether the place of a placeholder means the same at a call."""
    home = next((n for n in names.above(default.statement) if isinstance(n, (ast.FunctionDef, ast.ClassDef))), None)
    around = list(names.above(call))
    if default.place.startswith("self."):
        owner = names.parents.get(home) if home is not None else None
        return owner in around and not any(isinstance(n, ast.Lambda) for n in around)
    return home is None or home in around
