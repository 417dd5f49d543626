"""Programs whose seeds cannot be matched: many runs of each, and a stated test of whether they come out alike.

The test is the exact permutation test of the difference of means (R. A. Fisher, The Design of Experiments, 1935, sect.
21): under the assumption that it does not matter which program made a run, every way of calling half of the runs old is
as likely, and p is the share of these whose difference of means is at least the one seen. Where there are too many
ways, a fixed number of drawn ones is used, and said. What is not found different is not thereby equal: the interval of
the difference (Welch's, of B. L. Welch, Biometrika 34, 1947) says what difference the runs leave open.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tf2bridge.errors import MissingExtraError
from tf2bridge.proof.trajectories.refusals import NotFiniteRunError, TooFewRunsError

LEVEL = 0.05
"""A family of tests calls equal programs different this often (Holm's correction keeps it for all of them together)."""
_MOST = 200_000
"""So many ways of dividing the runs are gone through; if there are more, so many are drawn."""


@dataclass(frozen=True)
class Alike:
    """One quantity over runs of both programs.

    Attributes:
        name: of the quantity, "loss, last tenth".
        old, new: means over the runs.
        runs: (number of old runs, of new ones).
        p: of the permutation test, two-sided; corrected for all quantities of the family by Holm's method.
        interval: 95 % interval of new - old (Welch).
        different: whether p is at most LEVEL.
        test: the test in words, with its number of divisions.
    """

    name: str
    old: float
    new: float
    runs: tuple[int, int]
    p: float
    interval: tuple[float, float]
    different: bool
    test: str

    @property
    def why(self) -> str:
        """One line for people."""
        low, high = self.interval
        verdict = "DIFFERENT" if self.different else "not told apart"
        return (
            f"{self.name}: {verdict}, p = {self.p:.2g}; old {self.old:.6g}, new {self.new:.6g}, new - old between "
            f"{low:.3g} and {high:.3g} (95 %), {self.runs[0]} and {self.runs[1]} runs; {self.test}"
        )


def alike(old: Mapping[str, Sequence[float]], new: Mapping[str, Sequence[float]]) -> list[Alike]:
    """Tests every quantity that both programs have.

    Args:
        old, new: name -> one number for each run.

    Raises:
        NotFiniteRunError: a run gave NaN or infinity.
        TooFewRunsError: so few runs cannot show any difference at LEVEL, even if they do not overlap at all.
        MissingExtraError: scipy, which knows Student's t, is not installed.
    """
    names = [name for name in old if name in new]
    for name in names:
        require_enough(len(old[name]), len(new[name]), len(names))
        for side, runs in (("old", old[name]), ("new", new[name])):
            if bad := [place for place, value in enumerate(runs) if not math.isfinite(value)]:
                raise NotFiniteRunError(name, side, bad)
    tests = [(name, *_tested(_runs(old[name]), _runs(new[name]))) for name in names]
    corrected = holm([p for _, p, _ in tests])
    return [
        _alike(name, _runs(old[name]), _runs(new[name]), p, test)
        for (name, _, test), p in zip(tests, corrected, strict=True)
    ]


def require_enough(old: int, new: int, quantities: int) -> None:
    """Raises TooFewRunsError where so many runs of each can never reach LEVEL in so many quantities."""
    least = 2 / math.comb(old + new, old)
    if least * quantities > LEVEL or min(old, new) < 2:
        raise TooFewRunsError(old, new, quantities, LEVEL)


def holm(values: Sequence[float]) -> list[float]:
    """Corrects p values for being many (S. Holm, Scandinavian Journal of Statistics 6, 1979)."""
    corrected = [0.0] * len(values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, values[place] * (len(values) - rank)))
        corrected[place] = largest
    return corrected


def _runs(values: Sequence[float]) -> NDArray[np.float64]:
    return np.asarray(values, np.float64)


def _tested(old: NDArray[np.float64], new: NDArray[np.float64]) -> tuple[float, str]:
    """p of the permutation test, and the test in words."""
    both, count = np.concatenate([old, new]), len(old)
    seen = abs(old.mean() - new.mean())
    divisions = math.comb(len(both), count)
    if divisions <= _MOST:
        chosen = _divisions(len(both), count)
        test = f"exact permutation test of means, {divisions} divisions"
    else:
        places = np.tile(np.arange(len(both)), (_MOST, 1))
        chosen = np.random.default_rng(0).permuted(places, axis=1)[:, :count]
        test = f"permutation test of means, {_MOST} of {divisions} divisions drawn"
    sums = both[chosen].sum(axis=1)
    apart = np.abs(sums / count - (both.sum() - sums) / (len(both) - count))
    # Rounding must not take the division that was seen from those at least as far apart.
    reached = int((apart >= seen * (1 - 1e-12)).sum())
    p = reached / divisions if divisions <= _MOST else (reached + 1) / (_MOST + 1)
    return float(p), test


@functools.cache
def _divisions(total: int, count: int) -> NDArray[np.int64]:
    """[ways, count]: every way of taking `count` of `total` runs."""
    return np.asarray(list(itertools.combinations(range(total), count)))


def _alike(name: str, old: NDArray[np.float64], new: NDArray[np.float64], p: float, test: str) -> Alike:
    return Alike(
        name=name,
        old=float(old.mean()),
        new=float(new.mean()),
        runs=(len(old), len(new)),
        p=p,
        interval=_interval(old, new),
        different=p <= LEVEL,
        test=test,
    )


def _interval(old: NDArray[np.float64], new: NDArray[np.float64]) -> tuple[float, float]:
    try:
        from scipy.stats import t
    except ImportError:
        raise MissingExtraError("scipy", "convert", "the interval of a difference") from None
    parts = [runs.var(ddof=1) / len(runs) for runs in (old, new)]
    apart, error = float(new.mean() - old.mean()), math.sqrt(sum(parts))
    if error == 0:
        return apart, apart
    freedom = sum(parts) ** 2 / sum(part**2 / (len(runs) - 1) for part, runs in zip(parts, (old, new), strict=True))
    reach = float(t.ppf(1 - LEVEL / 2, freedom)) * error
    return apart - reach, apart + reach
