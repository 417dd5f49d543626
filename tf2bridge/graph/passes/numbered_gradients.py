"""Gradients that an attribute chooses by a name: of those some are of another process.

`tf.custom_gradient` and `tf.function` register a Python function under a number and write its name into a node. In the
process that reads the graph from a file that number is another function's, which a tape would call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

CHOSEN = "_gradient_op_type"
"""The attribute by which TensorFlow looks for an operation's gradient."""
DERIVED = re.compile(r"(Stateful)?PartitionedCall(-\d+|Unused)")
"""The gradients that `tf.function` makes itself of what it calls; others were chosen (`gradient_override_map`)."""

_NUMBERED = re.compile(r".*-\d+")
_LOST = "tf2bridge: a gradient of another process, "
"""What the name of such a gradient begins with now: no function has such a name, and TensorFlow says so."""


def without_numbered_gradients(nodes: Iterable[Any], library: Any) -> Any:
    """Takes the gradients of another process from nodes, in place; returns the library without those in functions."""
    _forget(nodes)
    if any(_is_numbered(node) for function in library.function for node in function.node_def):
        kept = type(library)()
        kept.CopyFrom(library)
        for function in kept.function:
            _forget(function.node_def)
        return kept
    return library


def _forget(nodes: Iterable[Any]) -> None:
    for node in nodes:
        if CHOSEN in node.attr and _is_numbered(node):
            node.attr[CHOSEN].s = _LOST.encode() + node.attr[CHOSEN].s


def _is_numbered(node: Any) -> bool:
    return CHOSEN in node.attr and _NUMBERED.fullmatch(node.attr[CHOSEN].s.decode(errors="replace")) is not None
