"""The tensors of a checkpoint told apart: weights, optimizers' slots, moving averages, counters and bookkeeping."""

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
    """What a checkpoint holds, by what it is for; each tensor is in one place."""

    weights: dict[str, str] = field(default_factory=dict)
    """Tensor -> what it is called today, without what only its file needs."""
    slots: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Slot -> (tensor of its variable, what TF 1.x calls the slot, as "Adam_1")."""
    averages: dict[str, str] = field(default_factory=dict)
    """Tensor of a variable -> the tensor of its moving average."""
    counters: dict[str, str] = field(default_factory=dict)
    """Tensor that counts steps -> what it is called: "global_step", "beta2_power", "gen/beta2_power_1"."""
    drops: dict[str, str] = field(default_factory=dict)
    """Tensor -> why no target needs it."""


def sort(checkpoint: Checkpoint) -> Sorted:
    """Tells the tensors of a checkpoint apart by their names, and slots by the shape of their variable too."""
    found = Sorted()
    called = called_in(checkpoint.tensors)
    tensor_of = {each: name for name, each in called.items()}
    infos = {each: checkpoint.tensors[name] for name, each in called.items()}
    for name, each in called.items():
        if power_of(each) or (counts_steps(each) and infos[each].shape == ()):
            found.counters[name] = each
        elif why := bookkeeping(each):
            found.drops[name] = why
        elif (variable := shadow_of(each, infos)) is not None and variable in tensor_of:
            found.averages[tensor_of[variable]] = name
        elif (slot := slot_of(each, infos)) is not None and slot.variable in tensor_of:
            found.slots[name] = tensor_of[slot.variable], slot.name
        else:
            found.weights[name] = each
    modern = modern_names(found.weights.values())
    found.weights = {name: modern[each] for name, each in found.weights.items()}
    return found


def called_in(tensors: Mapping[str, TensorInfo]) -> dict[str, str]:
    """Tensor -> what a Saver of TF 1.x calls it, or the path of its object; the latter where two would be called so."""
    found = {name: _plain(each.full_name or name) for name, each in tensors.items()}
    times = Counter(found.values())
    return {name: each if times[each] == 1 else _plain(name) for name, each in found.items()}


def _plain(name: str) -> str:
    return name.removesuffix(":0").removesuffix(ATTRIBUTE)
