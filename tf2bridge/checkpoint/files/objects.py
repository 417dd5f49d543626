"""Object-based checkpoints: V2 files that also say, as a graph of objects, what each of their tensors is of.

`tf.train.Checkpoint`, Keras's `save_weights` in TensorFlow's format and `tf.saved_model.save` write them. The names of
their tensors are keys, as "model/d1/kernel/.ATTRIBUTES/VARIABLE_VALUE"; `described_objects` says of each key whose
attribute it is, what a Saver of TF 1.x calls the variable, and of which variable it is a slot.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError

from tf2bridge.checkpoint.refusals import DamagedCheckpointError
from tf2bridge.graph.messages import own

OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
"""The key under which the graph of objects lies, a TrackableObjectGraph (python/checkpoint/trackable/base.py)."""
VARIABLE = "VARIABLE_VALUE"
"""The attribute that is a variable's value; others are states, as OBJECT_CONFIG_JSON of a Keras layer, a text."""


@dataclass(frozen=True, slots=True)
class ObjectTensor:
    """A tensor of an object-based checkpoint, as the graph of objects tells it."""

    key: str
    """Under which the file holds it, the name of its TensorInfo."""
    path: str
    """The names by which its object is reached from the root, the shortest way, as "model/layers/0/kernel"; "" of one
    that is reached as a slot only."""
    attribute: str
    """VARIABLE for a variable's value."""
    full_name: str = ""
    """What a Saver calls the variable, as "dense/kernel" or "dense/kernel/Adam"."""
    slot: str = ""
    """Of a slot, the optimizer's name of it, as "m" or "momentum"; "" of what is none."""
    slot_of: str = ""
    """Of a slot, the key of the variable that it belongs to."""
    optimizer: str = ""
    """Of a slot, the path of its optimizer."""


def described_objects(path: Path, data: bytes) -> Mapping[str, ObjectTensor]:
    """Returns key -> what the graph of objects `data` says of it, in its order. Raises DamagedCheckpointError."""
    try:
        nodes = own("TrackableObjectGraph").FromString(data).nodes
        paths, slots = _paths(nodes), _slots(nodes)
    except (DecodeError, IndexError) as error:
        raise DamagedCheckpointError(path, f"its graph of objects cannot be read ({error})", OBJECT_GRAPH) from error
    found = {}
    for number, node in enumerate(nodes):
        slot, of, optimizer = slots.get(number, ("", "", 0))
        for each in node.attributes:
            found[each.checkpoint_key] = ObjectTensor(
                each.checkpoint_key,
                paths.get(number, ""),
                each.name,
                each.full_name,
                slot,
                of,
                paths.get(optimizer, "") if slot else "",
            )
    return found


def _paths(nodes: Any) -> dict[int, str]:
    """Number of an object -> its path from object 0, breadth first, so that the shortest is found."""
    found, waiting = {0: ""}, deque([0] if nodes else [])
    while waiting:
        at = waiting.popleft()
        for child in nodes[at].children:
            if child.node_id not in found:
                nodes[child.node_id]  # raises IndexError for an object that is not there
                found[child.node_id] = f"{found[at]}/{child.local_name}".lstrip("/")
                waiting.append(child.node_id)
    return found


def _slots(nodes: Any) -> dict[int, tuple[str, str, int]]:
    """Number of a slot's object -> (its name, key of the variable it belongs to, number of its optimizer)."""
    found = {}
    for optimizer, node in enumerate(nodes):
        for each in node.slot_variables:
            variable = nodes[each.original_variable_node_id]
            keys = [held.checkpoint_key for held in variable.attributes if held.name == VARIABLE]
            found[each.slot_variable_node_id] = each.slot_name, keys[0] if keys else "", optimizer
    return found
