"""Checks whether the checkpoints beside a program fit the rewritten program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tf2bridge.errors import BridgeError
from tf2bridge.migration.artifacts import Artifact, Kind

_CHECKPOINTS = (Kind.CHECKPOINT_V1, Kind.CHECKPOINT_V2)
_MOST = 20


@dataclass(frozen=True)
class Fit:
    """How a checkpoint fits the variables of the program.

    Attributes:
        path: the path of the checkpoint, relative to the legacy tree.
        complete: whether every tensor has a variable, and every variable a tensor.
        summary: the same for people, in one line.
    """

    path: Path
    complete: bool
    summary: str


def fits(root: Path, artifacts: Iterable[Artifact], variables: Mapping[str, Mapping[str, Any]]) -> list[Fit]:
    """Returns how the first checkpoints of a tree fit the variables of its program.

    Args:
        root: the legacy tree.
        artifacts: the checkpoints and graphs in the tree.
        variables: name -> {"shape", "dtype"}, as `Replay.variables`; if empty, nothing is planned.
    """
    checkpoints = [checkpoint for checkpoint in artifacts if checkpoint.kind in _CHECKPOINTS]
    return [_fit(root, checkpoint, variables) for checkpoint in checkpoints[:_MOST]] if variables else []


def _fit(root: Path, artifact: Artifact, variables: Mapping[str, Mapping[str, Any]]) -> Fit:
    from tf2bridge.checkpoint.planning.matching import plan
    from tf2bridge.formats.checkpoints.opening import open as open_checkpoint

    try:
        with open_checkpoint(root / artifact.path) as checkpoint:
            mapping = plan(checkpoint, dict(variables))
    except BridgeError as error:
        return Fit(artifact.path, False, str(error).replace(f"{root}/", ""))
    renamed = sum(move.target != move.sources[0] for move in mapping.moves if move.sources)
    summary = f"{len(mapping.moves)} of {len(variables)} variables of the program filled"
    summary += f", {renamed} under new names" if renamed else ""
    summary += f"; {len(mapping.drops)} tensors left out" if mapping.drops else ""
    if not mapping.complete:
        summary += f"; open: {', '.join(question.name for question in mapping.questions[:5])}"
        summary += f" and {len(mapping.questions) - 5} more" if len(mapping.questions) > 5 else ""
    return Fit(artifact.path, mapping.complete, summary)
