"""How a model makes a lookup table that the graph does not change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.idioms.rule import Context
from tf2bridge.decompile.ir import Kind, Node, Value

MADE_AS = "made as"
"""The attribute of a table: the template that makes it. `_contents` stands for its keys and values, `_words` for the
texts in the order of their numbers."""
LOOKUP, SIZE = "LookupTableFindV2", "LookupTableSizeV2"
_READS = (LOOKUP, SIZE, Kind.EXPRESSION)
"""The types of nodes that take a table and do not change it."""


def readers(table: Value, context: Context) -> list[Node] | None:
    """Returns the nodes that take a table, or None if one of them may change it, or if it is dense."""
    users = [user for user in context.users(table) if user is not None]
    is_read = table.node.op == Kind.TABLE and not table.node.attributes["special keys"]
    return users if is_read and all(user.op in _READS for user in users) else None


def is_static(table: Node) -> bool:
    """Returns True for a table that is filled once, when the graph starts, and that no checkpoint holds."""
    return isinstance(table.attributes["live"], tf.lookup.StaticHashTable)


def made_as(table: Node, template: str) -> Value:
    """Returns a table with the contents of another one, made by a template."""
    attributes = {**table.attributes, MADE_AS: template}
    return Value(Node(table.name, Kind.TABLE, [], attributes, list(table.outputs), table.owner), 0)


def contents(table: Node) -> tuple[Any, Any]:
    """Returns the keys and values of a table. Those that have whole numbers are in the order of these."""
    keys, values = (tensor.numpy() for tensor in table.attributes["live"].export())
    numbers = next((part for part in (values, keys) if part.ndim == 1 and part.dtype.kind in "iu"), None)
    order = slice(None) if numbers is None else np.argsort(numbers, kind="stable")
    return keys[order], values[order]


def words(texts: Any, numbers: Any) -> list[str] | None:
    """Returns texts whose numbers are 0, 1, 2 and so on, if a layer of Keras can hold them as its vocabulary."""
    if texts.dtype != object or not len(texts) or not np.array_equal(numbers, np.arange(len(texts))):
        return None
    try:
        decoded = [text.decode() for text in texts]
    except UnicodeDecodeError:
        return None
    return decoded if all(decoded) and not _has_duplicates(decoded) else None


def _has_duplicates(texts: Sequence[str]) -> bool:
    return len(set(texts)) < len(texts)
