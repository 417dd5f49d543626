"""Distinguishes amplified rounding from a real difference of programs, by the growth of the difference.

Two exact rewritings of one program differ by rounding: about one unit in the last place after the first step. What the
program makes of it is its own: the difference stays level where training converges, grows as a power of the number of
steps where errors add up (their random walk has the exponent 1/2, a bias 1: N. J. Higham, Accuracy and Stability of
Numerical Algorithms, 2nd ed., ch. 4.2), and exponentially where neighbouring states part (the greatest Lyapunov
exponent: E. Ott, Chaos in Dynamical Systems, ch. 4.4). Other mathematics shows at once: the difference jumps, in one
step, from the size of rounding to many times that. Growth alone cannot tell rounding from a fault that is no larger in
its first step; `control` can, by what a change of one unit in the last place makes of the old program itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.trajectories.series import Series, of_rows

Floats = NDArray[np.float64]

UNIT = float(np.finfo(np.float32).eps) / 2
"""Half a unit in the last place of float32: the smallest meaningful relative difference."""
ROUNDING = 1000 * UNIT
"""The largest effect of rounding in one step: sums of a million terms in another order (Higham: sqrt(n) units)."""
JUMP = math.log(1000.0)
"""The smallest ln(after / before) of a single outlying step that is a fault by itself."""
ODD = math.log(30.0)
"""The smallest ln(after / before) of a single outlying step for which growth decides nothing."""
STEEPEST = 2.0
"""The highest power of the number of steps with which errors accumulate: biased errors in a sum of sums."""
SATURATED = 0.1
"""The relative difference from which two chaotic trajectories are independent, so that it grows no further."""


class Form(Enum):
    """How a difference grows with the steps t."""

    NONE = "no difference"
    LEVEL = "level"
    POWER = "t^p"
    EXPONENTIAL = "e^(rt)"


class Reading(Enum):
    """The meaning of the growth of a difference."""

    EQUAL = "equal"
    ROUNDING = "rounding"
    CHAOS = "rounding, amplified by the program"
    FAULT = "a fault"
    OPEN = "not decided"


WORST_FIRST = (Reading.FAULT, Reading.OPEN, Reading.CHAOS, Reading.ROUNDING, Reading.EQUAL)


@dataclass(frozen=True)
class Growth:
    """The growth of the differences of one series.

    Attributes:
        series: what was looked at.
        form: the growth that fits best (least Bayesian information criterion of ln(difference), largest so far).
        rate: r of e^(rt) per step, p of t^p; 0 for the others.
        start: the fitted relative difference at the first step.
        spread: root mean square of ln(difference / fit).
        step: where a fault, or what may be one, shows first; None elsewhere.
        reading: what that says.
        why: the same for people, one line.
    """

    series: Series
    form: Form
    rate: float
    start: float
    spread: float
    step: int | None
    reading: Reading
    why: str


def growth(series: Series, rtol: float = 1e-5) -> Growth:
    """Fits the growth of the difference of a series, and returns its meaning.

    Args:
        series: with at least one step.
        rtol: relative differences up to this one are as good as none.
    """
    largest = np.maximum.accumulate(series.values) if series.steps else np.zeros(0)
    if not largest.any():
        return Growth(series, Form.NONE, 0.0, 0.0, 0.0, None, Reading.EQUAL, "equal bit for bit at every step")
    form, rate, start, spread = _fitted(np.asarray(series.steps, np.float64), largest)
    step, reading, why = _read(series, largest, form, rate, start, rtol)
    return Growth(series, form, rate, start, spread, step, reading, why)


def growths(rows: Iterable[Comparison]) -> list[Growth]:
    """Returns the growth of every tensor that was fetched at two steps or more; see `of_rows`."""
    return [growth(series) for series in of_rows(rows)]


def growths_of_bad(rows: Sequence[Comparison]) -> list[Growth]:
    """Returns the growth of the tensors with a row that did not pass."""
    bad = {row.tensor for row in rows if not row.passed}
    return growths(row for row in rows if row.tensor in bad)


def _fitted(steps: Floats, largest: Floats) -> tuple[Form, float, float, float]:
    """Returns the best form, its rate, its value at the first step, and the spread of the residuals."""
    used = (largest > 0) & (largest <= max(SATURATED, float(largest[largest > 0][0]))) & np.isfinite(largest)
    if not used.any():
        return Form.LEVEL, 0.0, math.inf, 0.0
    at, heights = steps[used] - steps[0], np.log(largest[used])
    if len(at) < 4 or np.ptp(heights) == 0:
        return Form.LEVEL, 0.0, float(np.exp(heights.mean())), float(heights.std())
    bases = {Form.LEVEL: None, Form.POWER: np.log(at + 1), Form.EXPONENTIAL: at}
    fits = [_fit(form, basis, heights) for form, basis in bases.items()]
    # Accumulated errors grow as t^(1/2) to t^2. A higher power is the beginning of an exponential.
    fits = [fit for fit in fits if fit[0] is not Form.POWER or fit[1] <= STEEPEST]
    form, rate, start, spread, _ = min(fits, key=lambda fit: fit[-1])
    return form, rate, start, spread


def _fit(form: Form, basis: Floats | None, heights: Floats) -> tuple[Form, float, float, float, float]:
    columns = [np.ones_like(heights)] if basis is None else [np.ones_like(heights), basis]
    matrix = np.stack(columns, axis=1)
    solution = np.linalg.lstsq(matrix, heights, rcond=None)[0]
    spread = float(np.sqrt(np.mean((heights - matrix @ solution) ** 2)))
    count = len(heights)
    criterion = count * math.log(spread**2 + 1e-6) + len(columns) * math.log(count)
    return form, float(solution[1]) if basis is not None else 0.0, float(np.exp(solution[0])), spread, criterion


def _read(
    series: Series, largest: Floats, form: Form, rate: float, start: float, rtol: float
) -> tuple[int | None, Reading, str]:
    """Returns the step of a fault, the reading, and the reason."""
    place, before, after = _jump(largest)
    step, last = series.steps[place], float(largest[-1])
    apart = step - (series.steps[place - 1] if place else 0) if series.spacing > 1 else 1
    description = _text(form, rate)
    seen = f"from {before:.1e} to {after:.1e} in {f'{apart} steps' if apart > 1 else 'one step'}, at {step}"
    if last <= rtol:
        return None, Reading.ROUNDING, f"at most {last:.1e} in {len(series.steps)} steps, {description}"
    if not place and apart > 1 and after > max(rtol, ROUNDING):
        return (
            None,
            Reading.OPEN,
            f"{after:.1e} at {step} already: how it grew in the {apart} steps before is not known",
        )
    if after > max(rtol, ROUNDING) and _stands_out(largest, place, JUMP):
        return step, Reading.FAULT, f"{seen}: rounding does not do that"
    if after > max(rtol, ROUNDING) and _stands_out(largest, place, ODD):
        return step, Reading.OPEN, f"{seen}, unlike the others"
    above = f"above {rtol:g} from {series.steps[int(np.argmax(largest > rtol))]} on"
    if form is Form.EXPONENTIAL and rate > 0 and start <= ROUNDING:
        return None, Reading.CHAOS, f"begins at {start:.1e}, the size of rounding, {description}; {above}"
    if form is Form.POWER and rate > 0 and start <= ROUNDING:
        return None, Reading.ROUNDING, f"begins at {start:.1e} and adds up, {description}; {above}"
    return None, Reading.OPEN, f"{description}, up to {last:.1e}: see the first divergence"


def _jump(largest: Floats) -> tuple[int, float, float]:
    """Returns (index, before, after) of the largest growth factor, with values of at least one rounding error."""
    levels = np.maximum(np.concatenate(([UNIT], largest)), UNIT)
    place = int(np.argmax(np.diff(np.log(np.minimum(levels, 1 / UNIT)))))
    return place, float(levels[place]), float(levels[place + 1])


def _stands_out(largest: Floats, place: int, least: float) -> bool:
    """Returns whether the greatest rise in ln is at least `least`, and an outlier."""
    rises = np.diff(np.log(np.clip(np.concatenate(([UNIT], largest)), UNIT, 1 / UNIT)))
    others = np.delete(rises, place)
    rising = others[others > 0]
    usual = float(np.median(rising)) if len(rising) else 0.0
    return bool(rises[place] > max(least, 4 * usual))


def _text(form: Form, rate: float) -> str:
    if form is Form.EXPONENTIAL:
        return f"doubling every {math.log(2) / rate:.3g} steps" if rate > 0 else "shrinking"
    return f"growing as t^{rate:.2f}" if form is Form.POWER else "level"
