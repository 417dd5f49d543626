"""A control: what a change of one unit in the last place makes of the old program itself.

Where the difference of two programs stays within that of the old one with itself so disturbed, it says nothing against
the new one; where it does not, the program is not the cause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.proof.trajectories.growth import UNIT
from tf2bridge.proof.trajectories.series import Series

FACTOR = 30.0
"""A difference may be so many times that of the largest control: other sums round at every step, a control but once."""


@dataclass(frozen=True)
class Control:
    """A series held against controls.

    Attributes:
        explained: whether the largest difference so far is, at every step, at most FACTOR times that of a control.
        step: the first step that no control explains; None if all are.
        ratio: the greatest difference / control.
        why: the same for people, one line.
    """

    explained: bool
    step: int | None
    ratio: float
    why: str


def control(series: Series, disturbed: Sequence[Series]) -> Control:
    """Holds a series against those of the old program disturbed, one or more, at the same steps.

    Raises:
        ValueError: there is no control, or one has other steps.
    """
    if not disturbed:
        raise ValueError("no control is given: disturb the old program's initial values once at least")
    if any(run.steps != series.steps for run in disturbed):
        raise ValueError(f"a control of {series.name} has other steps than the series")
    ours = np.maximum.accumulate(series.values)
    theirs = np.maximum(np.maximum.accumulate(np.stack([run.values for run in disturbed]), axis=1).max(axis=0), UNIT)
    ratios = np.where(ours == 0, 0.0, ours / theirs)
    outside = np.flatnonzero(~(ratios <= FACTOR))  # NaN too: where both are infinite nothing is explained
    ratio = float(ratios.max(initial=0.0))
    runs = f"{len(disturbed)} disturbed runs" if len(disturbed) > 1 else "a disturbed run"
    if len(outside):
        place = int(outside[0])
        step = series.steps[place]
        why = f"{ours[place]:.1e} at {step}, where {runs} of the old program differ by {theirs[place]:.1e}"
        return Control(False, step, ratio, why)
    return Control(
        True, None, ratio, f"never above {max(ratio, 0.0):.2g} times what {runs} of the old program differ by"
    )


def disturbed(values: Mapping[str, Any], seed: int) -> dict[str, NDArray[Any]]:
    """Returns values of which each floating one is moved by one unit in its last place, up or down by a draw.

    Args:
        values: name -> array of any shape; arrays of other types, and zeros, are left as they are.
        seed: of the draws; the same one moves the same values alike.
    """
    generator = np.random.default_rng(seed)
    moved = {}
    for name in sorted(values):
        value = np.asarray(values[name])
        if value.dtype.kind == "f":
            towards = np.where(generator.random(value.shape) < 0.5, -np.inf, np.inf).astype(value.dtype)
            value = np.where(value == 0, value, np.nextafter(value, towards))
        moved[name] = value
    return moved
