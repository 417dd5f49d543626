"""Compares two directories with checkpoints of several steps, step by step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tf2bridge.checkpoint.writing.directories import by_step
from tf2bridge.proof.comparing.opening import is_trace
from tf2bridge.proof.comparing.outcome import Compared
from tf2bridge.proof.comparing.refusals import NothingInCommonError
from tf2bridge.proof.comparing.rows import CHECKPOINT

_SHOWN = 6
Steps = Mapping[int, Path]


def several(given: Any) -> Steps:
    """Returns step -> prefix, if a directory holds checkpoints of several steps; else {}.

    Also {} if two Savers wrote the same step there: then the checkpoint of a step is not certain.
    """
    if not isinstance(given, str | Path) or not Path(given).is_dir() or is_trace(Path(given)):
        return {}
    paths_by_step = by_step(Path(given))
    if len(paths_by_step) < 2 or any(len(paths) > 1 for paths in paths_by_step.values()):
        return {}
    return {step: paths[0] for step, paths in paths_by_step.items()}


def compared(
    a: tuple[Any, Steps], b: tuple[Any, Steps], one_step: Callable[[Path, Path], Compared], subset: bool
) -> Compared:
    """Compares the steps that both directories hold, and names the others.

    a, b: the directory, and what `several` gave of it. one_step: compares two checkpoints. subset: whether a step that
    one directory alone holds is no difference. The result is that of the newest common step, with the rows of all.
    Raises NothingInCommonError where they have no step in common.
    """
    common = [step for step in a[1] if step in b[1]]
    if not common:
        raise NothingInCommonError(
            str(a[0]),
            str(b[0]),
            f"they hold other steps ({_text(a[1])}, and {_text(b[1])}); name one checkpoint of each",
        )
    left_out = list(_left_out(a[1], b[1]))
    rows, notes, incomplete = [], left_out if subset else [], [] if subset else left_out
    for step in common:
        result = one_step(a[1][step], b[1][step])
        rows += [replace(row, kind=CHECKPOINT, call=step) for row in result.rows]
        notes += [note for note in result.notes if note not in notes]
        incomplete += [f"step {step}: {why}" for why in result.incomplete]
    kinds = [f"{len(steps)} steps, {kind}" for (_, steps), kind in zip((a, b), result.kinds, strict=True)]
    return replace(
        result,
        a=str(a[0]),
        b=str(b[0]),
        kinds=(kinds[0], kinds[1]),
        rows=tuple(rows),
        notes=tuple(notes),
        incomplete=tuple(incomplete),
    )


def _left_out(a: Steps, b: Steps) -> list[str]:
    return [
        f"{_text(left)} left out: {side} alone holds a checkpoint there"
        for side, left in (("A", a.keys() - b.keys()), ("B", b.keys() - a.keys()))
        if left
    ]


def _text(steps: Collection[int]) -> str:
    shown = ", ".join(map(str, sorted(steps)[:_SHOWN]))
    return f"step{'s' if len(steps) > 1 else ''} {shown}{f' and {len(steps) - _SHOWN} more' * (len(steps) > _SHOWN)}"
