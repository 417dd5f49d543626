"""Tells whether two arrays of random first values are drawn alike, without the same random numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_CHANCE = 1e-6
"""The verdict "unlike" is wrong about once in a million arrays."""
_FEW = 8
"""Fewer numbers say nothing about a distribution."""


def unlike_draws(now: np.ndarray[Any, Any], recorded: np.ndarray[Any, Any]) -> str:
    """Returns how the distribution of new first values differs from that of the recorded; "" if it may be the same.

    The test is that of Kolmogorov and Smirnov for two samples, with its asymptotic probability (N. Smirnov, 1948).
    """
    if now.dtype.kind != "f" or recorded.dtype.kind != "f":
        return "" if np.array_equal(now, recorded) else "its values differ and are no drawn floating numbers"
    a, b = np.sort(now, axis=None).astype(np.float64), np.sort(recorded, axis=None).astype(np.float64)
    spread = f"mean {a.mean():.3g} and deviation {a.std():.3g} here, {b.mean():.3g} and {b.std():.3g} recorded"
    if (a[0] == a[-1]) != (b[0] == b[-1]):
        return f"its values are one number on one side only ({spread})"
    if a.size < _FEW:
        return ""
    both = np.concatenate([a, b])
    apart = np.abs(np.searchsorted(a, both, "right") / a.size - np.searchsorted(b, both, "right") / b.size).max()
    chance = 2 * math.exp(-2 * apart**2 * a.size * b.size / (a.size + b.size))
    return f"its values are drawn otherwise ({spread})" if chance < _CHANCE else ""
