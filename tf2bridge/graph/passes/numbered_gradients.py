"""Disable gradients that name a function of another process by a number.

`tf.custom_gradient` and `tf.function` register a Python function under a numbered name, and write the name into a node.
In a process that reads the graph from a file, that name may belong to another function, which a tape would call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

CHOSEN = "_gradient_op_type"
"""The attribute by which TensorFlow looks for an operation's gradient."""
DERIVED = re.compile(r"(Stateful)?PartitionedCall(-\d+|Unused)")
"""The names of gradients that `tf.function` derives itself. A program chose all others (`gradient_override_map`)."""

_NUMBERED = re.compile(r".*-\d+")
_LOST = "tf2bridge: a gradient of another process, "
"""The prefix of a disabled gradient. No function has such a name, so TensorFlow reports an error."""


def without_numbered_gradients(nodes: Iterable[Any], library: Any) -> Any:
    """Disables numbered gradients of nodes in place, and returns the library with those of its functions disabled."""
    _forget(nodes)
    if any(_is_numbered(node) for function in library.function for node in function.node_def):
        copy = type(library)()
        copy.CopyFrom(library)
        for function in copy.function:
            _forget(function.node_def)
        return copy
    return library


def _forget(nodes: Iterable[Any]) -> None:
    for node in nodes:
        if CHOSEN in node.attr and _is_numbered(node):
            node.attr[CHOSEN].s = _LOST.encode() + node.attr[CHOSEN].s


def _is_numbered(node: Any) -> bool:
    return CHOSEN in node.attr and _NUMBERED.fullmatch(node.attr[CHOSEN].s.decode(errors="replace")) is not None
