"""Sorts the tensors of a checkpoint: weights, optimizers' slots, moving averages, counters and bookkeeping."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tf2bridge.formats.checkpoints.companions import bookkeeping, counts_steps, power_of, shadow_of, slot_of
from tf2bridge.formats.checkpoints.names import modern_names
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo

ATTRIBUTE = "/.ATTRIBUTES/VARIABLE_VALUE"
STEP = "global_step"


@dataclass
class Sorted:
    """The tensors of a checkpoint by their purpose. Each tensor is in one place."""

    weights: dict[str, str] = field(default_factory=dict)
    """Tensor -> its name in today's TensorFlow, without parts that only its file needs."""
    slots: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Slot -> (tensor of its variable, the slot's name in TF 1.x, such as "Adam_1")."""
    averages: dict[str, str] = field(default_factory=dict)
    """Tensor of a variable -> the tensor of its moving average."""
    counters: dict[str, str] = field(default_factory=dict)
    """Tensor that counts steps -> its name: "global_step", "beta2_power", "gen/beta2_power_1"."""
    drops: dict[str, str] = field(default_factory=dict)
    """Tensor -> why no target needs it."""


def sort(checkpoint: Checkpoint) -> Sorted:
    """Sorts the tensors of a checkpoint by their names, and slots also by the shape of their variable."""
    kinds = Sorted()
    called = called_in(checkpoint.tensors)
    tensor_of = {called_name: name for name, called_name in called.items()}
    infos = {called_name: checkpoint.tensors[name] for name, called_name in called.items()}
    for name, called_name in called.items():
        if power_of(called_name) or (counts_steps(called_name) and infos[called_name].shape == ()):
            kinds.counters[name] = called_name
        elif why := bookkeeping(called_name):
            kinds.drops[name] = why
        elif (variable := shadow_of(called_name, infos)) is not None and variable in tensor_of:
            kinds.averages[tensor_of[variable]] = name
        elif (slot := slot_of(called_name, infos)) is not None and slot.variable in tensor_of:
            kinds.slots[name] = tensor_of[slot.variable], slot.name
        else:
            kinds.weights[name] = called_name
    modern = modern_names(kinds.weights.values())
    kinds.weights = {name: modern[modern_name] for name, modern_name in kinds.weights.items()}
    return kinds


def called_in(tensors: Mapping[str, TensorInfo]) -> dict[str, str]:
    """Returns tensor -> its name for a Saver of TF 1.x; its object's path if two tensors would have the same name."""
    called = {name: _plain(info.full_name or name) for name, info in tensors.items()}
    times = Counter(called.values())
    return {name: called_name if times[called_name] == 1 else _plain(name) for name, called_name in called.items()}


def _plain(name: str) -> str:
    return name.removesuffix(":0").removesuffix(ATTRIBUTE)
