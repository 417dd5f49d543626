"""Maps slots, averages and counters into a target that is a TF 1.x graph itself, together with their variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tf2bridge.checkpoint.moves import Move, Step, TargetVariable
from tf2bridge.checkpoint.planning.sorting import STEP, Sorted
from tf2bridge.checkpoint.refusals import StepError
from tf2bridge.formats.checkpoints.companions import power_of, shadow_of, slot_of

Owners = Mapping[str, tuple[str, str]]
"""Slot or average -> (its variable, its kind: "Adam_1" or "average")."""
_AVERAGE = "average"


def owners_in(variables: Mapping[str, TargetVariable]) -> dict[str, tuple[str, str]]:
    """Returns the slots and averages among the variables of a target."""
    owners: dict[str, tuple[str, str]] = {}
    for name, variable in variables.items():
        if variable.layer_class or variable.slot_of:
            continue  # a layer of Keras, whose optimizers keep their slots elsewhere
        if (owner := shadow_of(name, variables)) in variables:
            owners[name] = str(owner), _AVERAGE
        elif (slot := slot_of(name, variables)) is not None and slot.variable in variables:
            owners[name] = slot.variable, slot.name
    return owners


def counters_in(variables: Mapping[str, TargetVariable]) -> list[str]:
    """Returns the counters of steps among the variables of a target."""
    return [
        name
        for name, variable in variables.items()
        if not variable.layer_class and (power_of(name) or (name.rpartition("/")[2] == STEP and variable.shape == ()))
    ]


def companion_moves(kinds: Sorted, owners: Owners, counters: list[str], moves: Mapping[str, Move]) -> Iterator[Move]:
    """Yields the moves of slots and averages of moved variables, and of counters with exactly one counterpart."""
    mine = {(variable, slot): name for name, (variable, slot) in kinds.slots.items()}
    mine |= {(variable, _AVERAGE): name for variable, name in kinds.averages.items()}
    for name, (owner, kind) in owners.items():
        move = moves.get(owner)
        steps = _steps(move) if move is not None else None
        sources = [mine.get((source, kind)) for source in move.sources] if move is not None else []
        if steps is not None and sources and all(sources):
            yield Move(name, tuple(map(str, sources)), steps, f"{kind} of its variable")
    for name in counters:
        same = [tensor for tensor, called in kinds.counters.items() if _kind(called) == _kind(name)]
        alike = [other for other in counters if _kind(other) == _kind(name)]
        if len(same) == len(alike) == 1:
            yield Move(name, (same[0],), (), "the only such counter")


def _kind(name: str) -> str:
    power = power_of(name)
    return power[0] if power else STEP


def _steps(move: Move) -> tuple[Step, ...] | None:
    try:
        return tuple(step for move_step in move.steps if (step := move_step.of_slots()) is not None)
    except StepError:
        return None
