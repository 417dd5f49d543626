"""Keys of lookup tables, for inputs that a graph looks up: other values lead to the defaults of tables alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf2bridge.decompile.ir import Function, Kind, Value, all_nodes, array_of

_SAME_ELEMENTS = ("Identity", "Reshape", "ExpandDims", "Squeeze", "Transpose", "Cast", "StopGradient", "Snapshot")
_SPLITS = ("StringSplit", "StringSplitV2")
_LOOKUPS = ("LookupTableFind", "LookupTableFindV2")
_MOST_KEYS = 8
_OTHERS: dict[str, list[Any]] = {"string": [b"word0", b"word1"], "int32": [0, 1], "int64": [0, 1]}
"""What is looked up beside keys: values that few tables have."""


def keys_for(function: Function, with_others: bool = True) -> dict[str, list[Any]]:
    """Returns the name of each input that a graph looks up, also after it splits texts -> values to draw it from.

    Args:
        function: The graph.
        with_others: Some values are no keys.
    """
    drawn: dict[str, list[Any]] = {}
    for node in all_nodes(function):
        if node.op in _LOOKUPS and node.inputs[0].node.op == Kind.TABLE:
            keys = node.inputs[0].node.attributes["live"].export()[0].numpy()
            parameter, separator = _origin(node.inputs[1])
            dtype = parameter.spec.dtype.name
            if parameter.node.op == Kind.PARAMETER and keys.ndim == 1 and keys.size and dtype in _OTHERS:
                values = sorted(keys.tolist())[:_MOST_KEYS] + (_OTHERS[dtype] if with_others else [])
                drawn.setdefault(parameter.node.name, []).extend(_sentences(values, separator))
    return drawn


def _origin(value: Value) -> tuple[Value, bytes | None]:
    """Returns the value that another one has the elements of, and what it is split at, if it is."""
    separator = None
    while value.node.inputs and value.node.op in (*_SAME_ELEMENTS, *_SPLITS):
        if value.node.op in _SPLITS:
            array = array_of(value.node.inputs[1])
            separator = (array.item() if array is not None and array.size else b"") or b" "
        value = value.node.inputs[0]
    return value, separator


def _sentences(words: Sequence[Any], separator: bytes | None) -> list[Any]:
    """Returns texts of three words each, which a graph splits again; or the words, if it splits none."""
    if separator is None:
        return list(words)
    return [separator.join([*words, *words][first : first + 3]) for first in range(len(words))]
