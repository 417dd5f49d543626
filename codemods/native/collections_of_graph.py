"""Collections with a name of the program: `tf.add_to_collection("losses", loss)` puts a tensor into a list.

The list is one of the function that computes the tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.names import Names
from codemods.native.items import Body, Item
from codemods.native.kinds import Kind, calls_of, v1_name
from codemods.native.refusals import NotNativeError
from codemods.native.translations import Translation
from codemods.tree import walk

_ADDED = "add_to_collection"
_READ = "get_collection"


def name_of(call: ast.Call) -> str | None:
    """Returns the name of a collection that the program chose; None for those of TensorFlow."""
    first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg in ("name", "key")), None)
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def link(body: Body, names: Names, taken: set[str]) -> dict[str, str]:
    """Notes which statements add to collections and read them. Returns collection -> the list that stands for it.

    Raises:
        NotNativeError: The source does not say what is in a collection.
    """
    lists: dict[str, str] = {}
    for item in body.items:
        if isinstance(item.node, (ast.FunctionDef, ast.ClassDef)):
            continue
        added = list(calls_of(walk(item.node), names, (_ADDED,)))
        if item.effects.collects and not added:
            raise NotNativeError(item.node, "NAT008", "a function that this calls adds to a collection")
        for call in added:
            name = name_of(call)
            if name is None or not name.isidentifier() or len(call.args) != 2 or item.effects.variables:
                raise NotNativeError(call, "NAT008", "the source does not say what is in this collection")
            place = lists.setdefault(name, next(n for n in (name, f"{name}_of_graph") if n not in taken))
            _require_tensor(call, item)
            item.kind = Kind.TENSOR
            item.reads |= {place}
            item.writes |= {place}
        for call in calls_of(walk(item.node), names, (_READ,)):
            name = name_of(call)
            if name is not None and name not in lists:
                raise NotNativeError(call, "NAT008", "the source does not say what is in this collection")
            item.reads |= {lists[name]} if name is not None else set()
    return lists


def write_calls(translation: Translation, lists: Mapping[str, str]) -> None:
    """Writes the calls that add to collections and read them."""
    for call in translation.calls():
        name = v1_name(translation.names, call.func) or ""
        collection = name_of(call) or ""
        if name == _ADDED and collection in lists:
            translation.put(call, f"{lists[collection]}.append({translation.text(call.args[1])})")
        elif name == _READ and collection in lists:
            translation.put(call, lists[collection])


def _require_tensor(call: ast.Call, item: Item) -> None:
    if item.kind not in (Kind.TENSOR, Kind.PYTHON, Kind.CONSTANT) or item.effects.runs or item.effects.layers:
        raise NotNativeError(
            call, "NAT008", "add to the collection in a statement of its own, where the graph is built"
        )
