"""Whether the checkpoints found beside a program fit the program as it is now."""

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
    """A checkpoint and the variables of the program.

    Attributes:
        path: of the checkpoint, relative to the legacy tree.
        complete: whether each of its tensors has its place, and each variable its tensor.
        said: the same for people, one line.
    """

    path: Path
    complete: bool
    said: str


def fits(root: Path, found: Iterable[Artifact], variables: Mapping[str, Mapping[str, Any]]) -> list[Fit]:
    """Plans the first checkpoints found in a tree into the variables of its program.

    Args:
        root: the legacy tree.
        found: what lies in it.
        variables: name -> {"shape", "dtype"}, as `Replay.variables`; nothing is planned where there are none.
    """
    checkpoints = [each for each in found if each.kind in _CHECKPOINTS]
    return [_fit(root, each, variables) for each in checkpoints[:_MOST]] if variables else []


def _fit(root: Path, artifact: Artifact, variables: Mapping[str, Mapping[str, Any]]) -> Fit:
    from tf2bridge.checkpoint.planning.matching import plan
    from tf2bridge.formats.checkpoints.opening import open as open_checkpoint

    try:
        with open_checkpoint(root / artifact.path) as checkpoint:
            made = plan(checkpoint, dict(variables))
    except BridgeError as error:
        return Fit(artifact.path, False, str(error).replace(f"{root}/", ""))
    renamed = sum(move.target != move.sources[0] for move in made.moves if move.sources)
    said = f"{len(made.moves)} of {len(variables)} variables of the program filled"
    said += f", {renamed} under new names" if renamed else ""
    said += f"; {len(made.drops)} tensors left out" if made.drops else ""
    if not made.complete:
        said += f"; open: {', '.join(each.name for each in made.questions[:5])}"
        said += f" and {len(made.questions) - 5} more" if len(made.questions) > 5 else ""
    return Fit(artifact.path, made.complete, said)
