"""Writes files of Keras. A plan fills a live model, and Keras itself writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.checkpoint.planning.binding import bound
from tf2bridge.checkpoint.planning.named_targets import target_of
from tf2bridge.checkpoint.writing.atomic import Replacement
from tf2bridge.checkpoint.writing.refusals import FormatError, NotWrittenError
from tf2bridge.formats.checkpoints.stored import Checkpoint

SUFFIXES = {"keras": ".keras", "weights.h5": ".weights.h5"}
"""Format -> the suffix that Keras requires."""


def filled(source: Checkpoint, plan: Plan | None, into: Any, destination: Path, allow_nan: bool) -> tuple[Plan, Any]:
    """Returns the plan, made if there is none, and the Keras model with its values.

    Raises:
        FormatError: There is no such model. What `plan`, `Plan.apply` and `target_of` raise is raised, too.
    """
    if into is None:
        raise FormatError(destination, "Keras's formats need a model: name the code that builds it by --into (into=)")
    target = target_of(into)
    if not hasattr(target.made, "save_weights"):
        raise FormatError(destination, f"{target.name} is no Keras model, and only these are written so")
    if plan is None:
        from tf2bridge.checkpoint.planning.matching import plan as planned

        plan = planned(source, target.made)
    plan = bound(plan, target)
    plan.apply(source, allow_nan)
    return plan, target.made


def write(replacement: Replacement, destination: Path, model: Any) -> Path:
    """Writes a .keras or .weights.h5 file of the model, and returns its path before it is moved."""
    part = replacement.part(destination)
    if destination.name.endswith(SUFFIXES["weights.h5"]):
        model.save_weights(part)
    else:
        model.save(part)
    return part


def check(part: Path, destination: Path, model: Any, plan: Plan) -> None:
    """Lets Keras load the written weights, and compares them. Raises NotWrittenError."""
    before = {move.target: np.asarray(plan.live[move.target]) for move in plan.moves}
    for name, value in before.items():
        plan.live[name].assign(np.zeros_like(value))
    model.load_weights(part)
    for name, value in before.items():
        if np.asarray(plan.live[name]).tobytes() != value.tobytes():
            raise NotWrittenError(destination, name, "its values are others")
