"""A plan carried out: values computed from the tensors of a checkpoint, and given to live variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.moves import Move, Shape, TargetVariable
from tf2bridge.checkpoint.planning.plan_data import PlanData
from tf2bridge.checkpoint.planning.refusals import (
    MissingTensorError,
    NotANumberError,
    NotAssignedError,
    NotLiveError,
    ShapeClashError,
)
from tf2bridge.checkpoint.refusals import StepError
from tf2bridge.formats.checkpoints.stored import Checkpoint
from tf2bridge.formats.dtypes import numpy_type


def values(plan: PlanData, checkpoint: Checkpoint | None) -> Iterator[tuple[TargetVariable, NDArray[Any]]]:
    """Yields each variable that is moved, and its value, one at a time. See `Plan.values`."""
    plan.require_complete()
    source = source_of(plan, checkpoint)
    for move in plan.moves:
        yield plan.variables[move.target], value(move, source, plan.variables[move.target])


def source_of(plan: PlanData, checkpoint: Checkpoint | None) -> Checkpoint:
    """The checkpoint that a plan is applied to, opened if need be. Raises MissingTensorError."""
    from tf2bridge.formats.checkpoints.opening import open as opened

    source = checkpoint or plan.checkpoint or opened(plan.source)
    absent = [name for move in plan.moves for name in move.sources if name not in source]
    if absent:
        raise MissingTensorError(source.path, absent, list(source.tensors))
    return source


def value(move: Move, source: Checkpoint, variable: TargetVariable) -> NDArray[Any]:
    """What a move makes of the tensors it takes. Raises StepError, ShapeClashError, DamagedCheckpointError."""
    arrays = [source[name] for name in move.sources]
    for step in move.steps:
        arrays = [step(*arrays)]
    if len(arrays) != 1:
        why = f"{variable.name} is one array, and no step makes it of {len(arrays)}"
        raise StepError("(none)", why, *(array.shape for array in arrays))
    check(move, arrays[0], variable, variable.shape)
    return arrays[0]


def check(move: Move, found: NDArray[Any], variable: TargetVariable, shape: Shape) -> None:
    """Raises ShapeClashError for what is not of the shape given, or not of the variable's dtype."""
    if found.shape != shape:
        raise ShapeClashError(", ".join(move.sources), found.shape, variable.name, shape)
    if variable.dtype != "string" and found.dtype != numpy_type(variable.dtype):
        raise ShapeClashError(", ".join(move.sources), found.dtype.name, variable.name, variable.dtype)


def apply(plan: PlanData, checkpoint: Checkpoint | None, allow_nan: bool) -> None:
    """Gives the live target its values. See `Plan.apply`."""
    plan.require_complete()
    if not plan.live:
        raise NotLiveError(plan.target)
    found = list(values(plan, checkpoint))  # all before the first is assigned: a damaged tensor leaves the target whole
    if not allow_nan and (broken := [variable.name for variable, array in found if _has_nan(array)]):
        raise NotANumberError(plan.source, broken)
    for variable, array in found:
        plan.live[variable.name].assign(array)
    for variable, array in found:
        if not _same(np.asarray(plan.live[variable.name]), array):
            raise NotAssignedError(variable.name)


def _has_nan(array: NDArray[Any]) -> bool:
    return array.dtype.kind not in "biuO" and bool(np.isnan(array).any())


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Bit for bit, whatever NaNs there are."""
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
