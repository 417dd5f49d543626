"""What waits for other ops: a step runs the updates of batch normalization, and an op that only waits runs others.

`with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS))` makes the step run all updates. In a function
a list has the updates, and the step runs the list before it changes variables.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.native.batch_norm import is_update_ops, normalization
from codemods.native.items import Body, Item, waited_for
from codemods.native.kinds import Kind
from codemods.native.meanings import Meanings
from codemods.native.places import place_of
from codemods.native.refusals import NotNativeError
from codemods.tree import walk

_WAITING = frozenset({Kind.TRAIN, Kind.GRADIENTS})
_NEUTRAL = frozenset(
    {Kind.PYTHON, Kind.OPTIMIZER, Kind.UPDATES, Kind.INIT, Kind.SAVER, Kind.SESSION, Kind.CONFIG, Kind.COLLECTED}
)


def link(body: Body, meanings: Meanings) -> dict[int, bool]:
    """Notes which steps run which updates.

    Returns:
        Number of a statement that normalizes -> whether its updates go to the collection.

    Raises:
        NotNativeError: Something else than a step waits for the updates, or the source does not say for which.
    """
    made: dict[int, bool] = {}
    for item in body.items:
        if item.effects.normalizes and not isinstance(item.node, ast.FunctionDef):
            made[item.index] = True
            item.writes |= {place_of_updates(item)}
        calls = [(c, known) for c in item.effects.layers if (known := normalization(c, meanings.names)) is not None]
        if not calls:
            continue
        if isinstance(item.node, ast.FunctionDef) or any(not _is_in(item, call) for call, _ in calls):
            raise NotNativeError(calls[0][0], "NAT005", "a function normalizes here; call it once, or make it a layer")
        made[item.index] = any(known.collected for _, known in calls)
        if made[item.index]:
            item.writes |= {place_of_updates(item)}
    for item in body.items:
        contexts = waited_for(item, meanings, Kind.UPDATES)
        if not contexts or item.kind in _NEUTRAL:
            continue
        if item.kind not in _WAITING:
            message = f"{item.kind.value} waits for updates here; let only the step wait"
            raise NotNativeError(item.node, "NAT008", message)
        item.controls = min(_collected_at(context, item, body, meanings) for context in contexts)
        item.reads |= {place_of_updates(other) for other in body.items[: item.controls] if made.get(other.index)}
    return made


def _is_in(item: Item, call: ast.Call) -> bool:
    return any(below is call for below in walk(item.node))


def _collected_at(context: ast.expr, item: Item, body: Body, meanings: Meanings) -> int:
    """Returns the number of the statement that reads the collection of updates.

    Raises:
        NotNativeError: It waits for other ops too, or for some of the updates.
    """
    place = place_of(context)
    known = body.definition(place, item.index) if place is not None else None
    value = known.node.value if known is not None and isinstance(known.node, ast.Assign) else context
    if not isinstance(value, ast.Call) or not is_update_ops(value, meanings.names):
        raise NotNativeError(item.node, "NAT001", "the source does not say that this waits for all updates alone")
    return known.index if known is not None else item.index


def place_of_updates(item: Item) -> str:
    """Returns the place that stands for the updates of a statement. No name of a program is like it."""
    return f"updates of statement {item.index}"


def require_all_before(made: Mapping[int, bool], items: Mapping[int, Item]) -> None:
    """Refuses a function whose step would run updates of a statement behind the one that reads the collection.

    Raises:
        NotNativeError: There is such a statement.
    """
    limits = [item.controls for item in items.values() if item.controls is not None]
    for index, item in items.items():
        if made.get(index) and limits and index >= min(limits):
            raise NotNativeError(item.node, "NAT008", "this normalizes after the updates were collected")
