"""Carries out a plan: computes values from the tensors of a checkpoint, and assigns them to live variables."""

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
    """Yields each variable that is moved with its value, one at a time. See `Plan.values`."""
    plan.require_complete()
    source = source_of(plan, checkpoint)
    for move in plan.moves:
        yield plan.variables[move.target], value(move, source, plan.variables[move.target])


def source_of(plan: PlanData, checkpoint: Checkpoint | None) -> Checkpoint:
    """Returns the checkpoint to which a plan is applied, and opens it if necessary. Raises MissingTensorError."""
    from tf2bridge.formats.checkpoints.opening import open as opened

    source = checkpoint or plan.checkpoint or opened(plan.source)
    absent = [name for move in plan.moves for name in move.sources if name not in source]
    if absent:
        raise MissingTensorError(source.path, absent, list(source.tensors))
    return source


def value(move: Move, source: Checkpoint, variable: TargetVariable) -> NDArray[Any]:
    """Returns what a move makes of its tensors. Raises StepError, ShapeClashError, DamagedCheckpointError."""
    arrays = [source[name] for name in move.sources]
    for step in move.steps:
        arrays = [step(*arrays)]
    if len(arrays) != 1:
        why = f"{variable.name} is one array, and no step joins {len(arrays)} arrays into it"
        raise StepError("(none)", why, *(array.shape for array in arrays))
    check(move, arrays[0], variable, variable.shape)
    return arrays[0]


def check(move: Move, array: NDArray[Any], variable: TargetVariable, shape: Shape) -> None:
    """Raises ShapeClashError if the array does not have the given shape, or the variable's dtype."""
    if array.shape != shape:
        raise ShapeClashError(", ".join(move.sources), array.shape, variable.name, shape)
    if variable.dtype != "string" and array.dtype != numpy_type(variable.dtype):
        raise ShapeClashError(", ".join(move.sources), array.dtype.name, variable.name, variable.dtype)


def apply(plan: PlanData, checkpoint: Checkpoint | None, allow_nan: bool) -> None:
    """Assigns the values to the live target. See `Plan.apply`."""
    plan.require_complete()
    if not plan.live:
        raise NotLiveError(plan.target)
    # All values are computed before the first assignment: a damaged tensor leaves the target unchanged.
    assignments = list(values(plan, checkpoint))
    if not allow_nan and (broken := [variable.name for variable, array in assignments if _has_nan(array)]):
        raise NotANumberError(plan.source, broken)
    for variable, array in assignments:
        plan.live[variable.name].assign(array)
    for variable, array in assignments:
        if not _same(np.asarray(plan.live[variable.name]), array):
            raise NotAssignedError(variable.name)


def _has_nan(array: NDArray[Any]) -> bool:
    return array.dtype.kind not in "biuO" and bool(np.isnan(array).any())


def _same(array: NDArray[Any], other: NDArray[Any]) -> bool:
    """Returns whether two arrays are equal bit for bit, NaNs included."""
    return array.dtype == other.dtype and array.shape == other.shape and array.tobytes() == other.tobytes()
