"""Inverts a plan: makes the tensors of the checkpoint from the variables of the target."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tf2bridge.checkpoint.moves import Move, Shape, Step, TargetVariable
from tf2bridge.checkpoint.planning.plan_data import AnyPlan, PlanData
from tf2bridge.checkpoint.planning.refusals import NotInvertibleError
from tf2bridge.checkpoint.planning.sorting import ATTRIBUTE
from tf2bridge.checkpoint.refusals import StepError
from tf2bridge.checkpoint.steps import Join, Rows, inverse
from tf2bridge.formats.checkpoints.companions import bookkeeping
from tf2bridge.formats.checkpoints.stored import Checkpoint


def inverted(plan: AnyPlan) -> AnyPlan:
    """Returns the plan that makes the tensors of the checkpoint from the variables of the target.

    Rearranged values come back bit for bit; added or scaled values come back to the rounding of their dtype. Tensors
    that the plan dropped are not made.

    Raises:
        NotInvertibleError: Only a part of a tensor was used, or the steps do not determine their input.
    """
    plan.require_complete()
    moves: dict[str, Move] = {}
    for sources, prefix, parts in _families(plan.moves):
        first = _joined(parts)
        for source, steps in zip(sources, _back(sources, prefix, plan), strict=True):
            if source in moves:
                raise NotInvertibleError(source, "several variables are made of it in different ways")
            targets = tuple(move.target for move in parts)
            moves[source] = Move(source, targets, (*first, *steps), "the plan turned round")
    made = {name: TargetVariable(name, *plan.tensors[name]) for name in moves}
    dropped = dict.fromkeys((*plan.keeps, *_without_source(plan.moves)), "the checkpoint had none of it")
    tensors = {name: (variable.shape, variable.dtype) for name, variable in plan.variables.items()}
    return type(plan)(plan.target, plan.source, tuple(moves.values()), dropped, {}, (), plan.notes, made, tensors)


def _without_source(moves: Sequence[Move]) -> list[str]:
    return [move.target for move in moves if not move.sources]


def _families(moves: Sequence[Move]) -> list[tuple[tuple[str, ...], tuple[Step, ...], list[Move]]]:
    """Returns sources, the steps that all moves take first, and the moves.

    Several moves if each takes some of the rows.
    """
    families: dict[tuple[tuple[str, ...], tuple[Step, ...]], list[Move]] = defaultdict(list)
    for move in moves:
        if move.sources:
            at = next((at for at, step in enumerate(move.steps) if isinstance(step, Rows)), len(move.steps))
            families[move.sources, move.steps[:at]].append(move)
    return [(sources, steps, parts) for (sources, steps), parts in families.items()]


def _joined(parts: list[Move]) -> tuple[Step, ...]:
    """Returns the steps that join the rows again, and sorts the parts by their rows. Raises NotInvertibleError."""
    rows = {move.target: _rows(move) for move in parts}
    if len(parts) == 1 and rows[parts[0].target] is None:
        return ()
    parts.sort(key=lambda move: _start(rows[move.target]))
    cuts = [rows[move.target] for move in parts]
    begin = 0
    for move, cut in zip(parts, cuts, strict=True):
        if cut is None or cut.start != begin or cut.axis != _axis(cuts):
            raise NotInvertibleError(move.sources[0], f"{move.target} takes other rows of it than are next")
        begin = cut.stop
    return (Join(_axis(cuts)),)


def _rows(move: Move) -> Rows | None:
    """Returns the rows that a move takes as its last step; None for all rows.

    Raises NotInvertibleError if steps follow.
    """
    last = move.steps[-1] if move.steps else None
    if isinstance(last, Rows):
        return last
    if any(isinstance(step, Rows) for step in move.steps):
        raise NotInvertibleError(move.sources[0], f"{move.target} changes the rows that it takes")
    return None


def _start(cut: Rows | None) -> int:
    return cut.start if cut is not None else 0


def _axis(cuts: Sequence[Rows | None]) -> int:
    return next(cut.axis for cut in cuts if cut is not None)


def _back(sources: tuple[str, ...], steps: tuple[Step, ...], plan: PlanData) -> list[tuple[Step, ...]]:
    """Returns, for each source, the steps that make it from the result of `steps`. Raises NotInvertibleError."""
    shapes: list[Shape] = [plan.tensors[name][0] for name in sources]
    back: list[tuple[Step, ...]] = []
    try:
        for at, step in enumerate(steps):
            turned = inverse(step, *shapes)
            shapes = [step.shape(*shapes)]
            back = [(*turned[0], *steps_back) for steps_back in back] if at else list(turned)
    except StepError as error:
        raise NotInvertibleError(sources[0], str(error)) from error
    return back or [()] * len(sources)


def facing(plan: AnyPlan, checkpoint: Checkpoint) -> AnyPlan:
    """Returns the plan for a checkpoint with the old names, or the inverse for one with the new names."""
    needed = {name for move in plan.moves for name in move.sources}
    if needed <= checkpoint.tensors.keys():
        return plan
    keys = {}
    for move in plan.moves:
        variable = plan.variables[move.target]
        keys[variable.name] = next((key for key in _keys(variable) if key in checkpoint), "")
    if not keys or not all(keys.values()):
        return plan
    turned = renamed(inverted(plan), keys)
    beside = {name: why for name in checkpoint if (why := bookkeeping(name.removesuffix(ATTRIBUTE)))}
    return replace(turned, drops={**beside, **turned.drops})


def _keys(variable: TargetVariable) -> tuple[str, ...]:
    return variable.key, variable.name, f"{variable.name}{ATTRIBUTE}"


def renamed(plan: AnyPlan, names: Mapping[str, str]) -> AnyPlan:
    """Returns the plan with other names of its sources: variable of a target -> its key in a file."""
    moves = tuple(
        replace(move, sources=tuple(names.get(source, source) for source in move.sources)) for move in plan.moves
    )
    drops = {names.get(name, name): why for name, why in plan.drops.items()}
    tensors = {names.get(name, name): facts for name, facts in plan.tensors.items()}
    return replace(plan, moves=moves, drops=drops, tensors=tensors)
