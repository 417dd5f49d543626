"""Tells whether two arrays of random first values are drawn alike, without the same random numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_DEVIATIONS = 4.5
"""A difference of so many standard errors is chance in 7 of a million arrays."""
_CHANCE = 7e-6
_FEW = 8
"""Fewer numbers say nothing about a distribution."""
_SAME_DRAWS = 0.999
"""The correlation of values that were made of the same random numbers."""
_LEAST_KURTOSIS = 1.8
"""That of uniform numbers, the least among distributions that initializers draw from."""


def unlike_draws(now: np.ndarray[Any, Any], recorded: np.ndarray[Any, Any]) -> str:
    """Returns how the distribution of new first values differs from that of the recorded; "" if it may be the same.

    Means and deviations are compared by their standard errors, and the whole by the test of Kolmogorov and Smirnov for
    two samples, with its asymptotic probability (N. Smirnov, 1948).
    """
    if now.dtype.kind != "f" or recorded.dtype.kind != "f":
        return "" if np.array_equal(now, recorded) else "its values differ and are no drawn floating numbers"
    a, b = np.sort(now, axis=None).astype(np.float64), np.sort(recorded, axis=None).astype(np.float64)
    spread = f"mean {a.mean():.3g} and deviation {a.std():.3g} here, {b.mean():.3g} and {b.std():.3g} recorded"
    if (a[0] == a[-1]) != (b[0] == b[-1]):
        return f"its values are one number on one side only ({spread})"
    if a.size < _FEW or a[0] == a[-1]:
        return ""
    if np.corrcoef(now.ravel(), recorded.ravel())[0, 1] > _SAME_DRAWS:
        return f"it makes other values of the same draws ({spread})"
    return f"its values are drawn otherwise ({spread})" if _is_otherwise(a, b) else ""


def _is_otherwise(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    sizes = a.size, b.size
    error_of_mean = math.sqrt(a.var() / sizes[0] + b.var() / sizes[1])
    error_of_scale = math.sqrt(sum((_kurtosis(side) - 1) / (4 * side.size) for side in (a, b)))
    most = _of_student(sum(sizes) - len(sizes))
    if abs(a.mean() - b.mean()) > most * error_of_mean:
        return True
    if abs(math.log(a.std() / b.std())) > most * error_of_scale:
        return True
    both = np.concatenate([a, b])
    apart = np.abs(np.searchsorted(a, both, "right") / sizes[0] - np.searchsorted(b, both, "right") / sizes[1]).max()
    return bool(2 * math.exp(-2 * apart**2 * sizes[0] * sizes[1] / sum(sizes)) < _CHANCE)


def _of_student(freedom: int) -> float:
    """Returns the quantile of Student's distribution as probable as `_DEVIATIONS` of a normal one.

    The deviations are those of the samples. By the expansion 26.7.5 of Abramowitz and Stegun, Handbook of Mathematical
    Functions (1964).
    """
    z = _DEVIATIONS
    terms = [
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    ]
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def _kurtosis(values: np.ndarray[Any, Any]) -> float:
    return max(_LEAST_KURTOSIS, float(np.mean((values - values.mean()) ** 4) / values.var() ** 2))
