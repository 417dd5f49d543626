"""Reads the graph of objects of an object-based checkpoint, a V2 checkpoint that describes the owner of each tensor.

`tf.train.Checkpoint`, Keras's `save_weights` in TensorFlow's format and `tf.saved_model.save` write them. The names of
their tensors are keys, as "model/d1/kernel/.ATTRIBUTES/VARIABLE_VALUE"; `described_objects` says of each key whose
attribute it is, what a Saver of TF 1.x calls the variable, and of which variable it is a slot.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError

from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError
from tf2bridge.formats.messages import own

OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
"""The key under which the graph of objects lies, a TrackableObjectGraph (python/checkpoint/trackable/base.py)."""
VARIABLE = "VARIABLE_VALUE"
"""The attribute that is a variable's value; others are states, as OBJECT_CONFIG_JSON of a Keras layer, a text."""


@dataclass(frozen=True, slots=True)
class ObjectTensor:
    """A tensor of an object-based checkpoint, as the graph of objects describes it."""

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
    """Returns key -> tensor, in the order of the graph of objects `data`. Raises DamagedCheckpointError."""
    try:
        nodes = own("TrackableObjectGraph").FromString(data).nodes
        paths, slots = _Paths(nodes, len(data)), _slots(nodes)
        return dict(_tensors(nodes, paths, slots))
    except (DecodeError, ValueError) as error:
        raise DamagedCheckpointError(path, f"its graph of objects cannot be read ({error})", OBJECT_GRAPH) from error


def _tensors(
    nodes: Any, paths: _Paths, slots: Mapping[int, tuple[str, str, int]]
) -> Iterator[tuple[str, ObjectTensor]]:
    for number, node in enumerate(nodes):
        slot, of, optimizer = slots.get(number, ("", "", 0))
        for attribute in node.attributes:
            place, by = paths.of(number), paths.of(optimizer) if slot else ""
            yield (
                attribute.checkpoint_key,
                ObjectTensor(attribute.checkpoint_key, place, attribute.name, attribute.full_name, slot, of, by),
            )


class _Paths:
    """The shortest path of each object from object 0, made at its first use.

    The paths of a chain of objects are together as long as the square of its length. A sound graph says the path of a
    tensor in the tensor's key, too, so that all paths together are no longer than the graph.
    """

    def __init__(self, nodes: Any, length: int) -> None:
        self._left = 16 * length + 4096
        self._by_object: dict[int, str] = {}
        self._parents = {0: (0, "")}
        waiting = deque([0] if nodes else [])
        while waiting:  # breadth first: each object is reached the shortest way
            at = waiting.popleft()
            for child in nodes[at].children:
                if child.node_id not in self._parents:
                    _require(nodes, child.node_id)
                    self._parents[child.node_id] = at, child.local_name
                    waiting.append(child.node_id)

    def of(self, number: int) -> str:
        """Returns the path of an object, or "" if it is not reached. Raises ValueError if paths are far too long."""
        if number not in self._by_object:
            names, at = [], number if number in self._parents else 0
            while at:
                at, name = self._parents[at]
                names.append(name)
                self._left -= len(name) + 1
                if self._left < 0:
                    raise ValueError("the paths of its objects are far longer than it is itself")
            self._by_object[number] = "/".join(reversed(names)).lstrip("/")
        return self._by_object[number]


def _slots(nodes: Any) -> dict[int, tuple[str, str, int]]:
    """Returns number of a slot's object -> (its name, key of its variable, number of its optimizer)."""
    slots, keys = {}, dict[int, str]()
    for optimizer, node in enumerate(nodes):
        for slot in node.slot_variables:
            variable = slot.original_variable_node_id
            if variable not in keys:
                _require(nodes, variable)
                attributes = nodes[variable].attributes
                keys[variable] = next(
                    (attribute.checkpoint_key for attribute in attributes if attribute.name == VARIABLE), ""
                )
            slots[slot.slot_variable_node_id] = slot.slot_name, keys[variable], optimizer
    return slots


def _require(nodes: Any, number: int) -> None:
    if not 0 <= number < len(nodes):
        raise ValueError(f"it names object {number:,} of {len(nodes):,}")
