"""Finds the keys under which `tf.train.Checkpoint(model=...)` stores the variables of an object."""

from __future__ import annotations

from collections import deque
from typing import Any

import tensorflow as tf

from tf2bridge.checkpoint.writing.object_graph import escaped

_LAST = "_trainable_variables"
"""The attribute of an optimizer that repeats the weights. A path through layers is preferred."""


def keys_of(made: Any, root: str = "model") -> dict[int, str]:
    """Returns id of a variable -> its key in `tf.train.Checkpoint(model=made)`, the shortest path through layers.

    Variables without a path are absent: those of a Keras 3 model whose layers are in plain lists and dicts.
    `tf.train.Checkpoint` neither writes nor restores them.
    """
    keys: dict[int, str] = {}
    seen = {id(made): made}  # keeps the objects alive: the id of a temporary object could be used again
    near, last = deque([(made, root)]), deque[tuple[Any, str]]()
    while near or last:
        owner, path = (near or last).popleft()
        for name, child in tf.train.TrackableView.children(owner).items():
            if id(child) in seen:
                continue
            place = f"{path}/{escaped(name)}"
            if name == _LAST:
                last.append((child, place))
                continue
            seen[id(child)] = child
            near.append((child, place))
            if hasattr(child, "assign"):
                keys[id(child)] = f"{place}/.ATTRIBUTES/VARIABLE_VALUE"
    return keys
