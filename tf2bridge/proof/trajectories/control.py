"""Controls: how far the old program moves if its initial values change by one unit in the last place.

If the difference of the two programs stays within the effect of such a change, it is no evidence against the new
program.
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
"""The largest accepted ratio of a difference to a control: other sums round at every step, a control only once."""


@dataclass(frozen=True)
class Control:
    """The comparison of a series with controls.

    Attributes:
        explained: Whether, at every step, the largest difference so far is at most FACTOR times that of a control.
        step: The first step that no control explains; None if all steps are explained.
        ratio: The greatest ratio of the difference to the control.
        why: The same as one line of text.
    """

    explained: bool
    step: int | None
    ratio: float
    why: str


def control(series: Series, disturbed: Sequence[Series]) -> Control:
    """Compares a series with series of the disturbed old program at the same steps.

    Raises:
        ValueError: There is no control, or a control has other steps.
    """
    if not disturbed:
        raise ValueError("no control is given: disturb the old program's initial values at least once")
    if any(run.steps != series.steps for run in disturbed):
        raise ValueError(f"a control of {series.name} has other steps than the series")
    ours = np.maximum.accumulate(series.values)
    theirs = np.maximum(np.maximum.accumulate(np.stack([run.values for run in disturbed]), axis=1).max(axis=0), UNIT)
    ratios = np.where(ours == 0, 0.0, ours / theirs)
    outside = np.flatnonzero(~(ratios <= FACTOR))  # NaN counts as outside: two infinite values explain nothing
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
    """Returns the values with every floating number moved by one unit in the last place, up or down at random.

    Args:
        values: Name -> array of any shape. Arrays of other types, and zeros, do not change.
        seed: The seed of the directions. Equal seeds move equal values alike.
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
