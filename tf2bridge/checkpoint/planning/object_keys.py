"""Under which keys `tf.train.Checkpoint(model=...)` stores the variables of an object."""

from __future__ import annotations

from collections import deque
from typing import Any

import tensorflow as tf

from tf2bridge.checkpoint.writing.object_graph import escaped

_LAST = "_trainable_variables"
"""Where an optimizer holds the weights a second time: the path through their layer holds without an optimizer too."""


def keys_of(made: Any, root: str = "model") -> dict[int, str]:
    """Returns id of a variable -> its key in `tf.train.Checkpoint(model=made)`, the shortest that leads through layers.

    Variables that no path leads to are absent: those of a Keras 3 model whose layers lie in plain lists and dicts,
    which `tf.train.Checkpoint` neither writes nor restores.
    """
    found: dict[int, str] = {}
    seen = {id(made): made}  # the objects too: those made for this look would leave their ids to others
    near, last = deque([(made, root)]), deque[tuple[Any, str]]()
    while near or last:
        each, path = (near or last).popleft()
        for name, child in tf.train.TrackableView.children(each).items():
            if id(child) in seen:
                continue
            place = f"{path}/{escaped(name)}"
            if name == _LAST:
                last.append((child, place))
                continue
            seen[id(child)] = child
            near.append((child, place))
            if hasattr(child, "assign"):
                found[id(child)] = f"{place}/.ATTRIBUTES/VARIABLE_VALUE"
    return found
