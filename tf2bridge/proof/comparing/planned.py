"""Compares two sides by a plan: the plan's moves are applied to the old side, and compared with the new side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.checkpoint.moves import Move, TargetVariable
from tf2bridge.checkpoint.planning.applying import value
from tf2bridge.checkpoint.planning.plan_reading import load_plan
from tf2bridge.checkpoint.writing.by_rows import values_by_rows
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo
from tf2bridge.formats.dtypes import STRING, numpy_type, tensorflow_type
from tf2bridge.proof.comparing.keras_files import by_layers
from tf2bridge.proof.comparing.matching import Matching, by_name, by_position
from tf2bridge.proof.comparing.refusals import NothingInCommonError, PlanMisfitError
from tf2bridge.proof.comparing.sides import Side, Value
from tf2bridge.proof.numbers.pieces import Array, Lazy


def applied(old: Side, new: Side, given: Any) -> tuple[Side, Side, Matching]:
    """Returns the old side after the moves of the plan, the new side, and their pairs.

    given: a Plan or the path of its file. Tensors that it drops, and variables that it keeps, are left out and noted;
    other tensors stay alone. Raises IncompletePlanError, PlanMisfitError, NothingInCommonError.
    """
    if given is None:
        raise PlanMisfitError("--match plan", "no plan is given", "name its file with --plan")
    plan = given if isinstance(given, Plan) else load_plan(given)
    plan_name = "the plan" if isinstance(given, Plan) else f"the plan {given}"
    plan.require_complete()
    if old.values is None or new.values is None:
        bare = old if old.values is None else new
        raise NothingInCommonError(old.name, new.name, f"{bare.name} ({bare.kind}) stores no values to apply a plan to")
    source = old.checkpoint or _Held(old.values, old.name)
    if absent := [name for move in plan.moves for name in move.sources if name not in source]:
        remedy = f"it was made for {plan.source}: give that as A, or make a plan for this one"
        raise PlanMisfitError(plan_name, f"{old.name} has no tensor {absent[0]!r}", remedy)
    made = {move.target: Value(move.target, partial(_moved, move, source, plan)) for move in plan.moves}
    matching = _paired(plan, new, plan_name)
    used = {name for move in plan.moves for name in move.sources} | plan.drops.keys()
    unknown = tuple(name for name, stored in old.values.items() if name not in used and not stored.incidental)
    kept = _kept(plan, new)
    matching = replace(
        matching,
        only_a=(*matching.only_a, *unknown),
        only_b=tuple(n for n in matching.only_b if n not in kept and not new.values[n].incidental),
    )
    notes = (*old.notes, *_notes(plan, plan_name))
    return replace(old, values={**made, **{name: old.values[name] for name in unknown}}, notes=notes), new, matching


def _notes(plan: Plan, plan_name: str) -> Iterator[str]:
    yield f"A is what {plan_name} makes of it"
    if plan.drops:
        yield f"the plan drops {len(plan.drops)} tensors of A, which are not compared"
    if plan.keeps:
        yield f"the plan keeps {len(plan.keeps)} variables of B, which are not compared"


def _paired(plan: Plan, new: Side, plan_name: str) -> Matching:
    """Pairs each variable of the plan with its name on the new side."""
    names = _named(plan, new)
    targets = [move.target for move in plan.moves]
    if not any(target in names for target in targets):
        raise PlanMisfitError(
            plan_name,
            f"{new.name} has none of its variables ({', '.join(targets[:3])})",
            "give as B what the plan was made for, live or as it was converted with this plan",
        )
    pairs = tuple((target, names[target]) for target in targets if target in names)
    taken = {name for _, name in pairs}
    values = new.values or {}
    return Matching(
        pairs,
        tuple(target for target in targets if target not in names),
        tuple(name for name in values if name not in taken),
        {"plan": len(pairs)},
    )


def _named(plan: Plan, new: Side) -> dict[str, str]:
    """Variable of the plan -> name on the new side: the same, a key of objects, or the same with other numbers."""
    values = new.values or {}
    in_file = {name: new.checkpoint.tensors[name].layer for name in values} if new.checkpoint is not None else {}
    if paired := by_layers(plan.variables, in_file):
        return paired
    known = {name: (variable.key,) if variable.key else () for name, variable in plan.variables.items()}
    names = dict(by_name(known, {name: stored.aliases for name, stored in values.items()}).pairs)
    if names:
        return names
    # Keras numbers what a process makes, and what it writes, in the same order; some states it does not write.
    moved = [name for name in plan.variables if name not in plan.keeps]
    fitting = (names for names in (list(plan.variables), moved) if len(names) == len(values))
    return dict(by_position(next(fitting, []), list(values)).pairs)


def _kept(plan: Plan, new: Side) -> set[str]:
    names = _named(plan, new)
    return {names[name] for name in plan.keeps if name in names}


def _moved(move: Move, source: Checkpoint, plan: Plan) -> Array | Lazy:
    variable = plan.variables[move.target]
    if variable.dtype == STRING:
        return value(move, source, variable)
    return Lazy(variable.shape, numpy_type(variable.dtype), partial(_flat, move, source, variable))


def _flat(move: Move, source: Checkpoint, variable: TargetVariable) -> Iterator[NDArray[Any]]:
    for rows in values_by_rows(move, source, variable):
        yield rows.reshape(-1)


class _Held(Checkpoint):
    """The values of a side as a checkpoint, so that the moves of a plan can be applied; they are read whole."""

    def __init__(self, values: Mapping[str, Value], name: str) -> None:
        self.path = Path(name)
        self.format = "values"
        self._values = values
        arrays = {name: stored.read() for name, stored in values.items()}
        self.tensors = {
            name: TensorInfo(name, array.shape, tensorflow_type(array.dtype), prod(array.shape) * array.dtype.itemsize)
            for name, array in arrays.items()
        }

    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        yield np.ascontiguousarray(self[name]).reshape(-1).view(np.uint8).data

    def __getitem__(self, name: str) -> NDArray[Any]:
        array = self._values[name].read()
        return array.whole() if isinstance(array, Lazy) else array

    def close(self) -> None:
        """Its side is closed by who opened it."""
