"""How far two arrays lie apart, by torch's rule `|a - b| <= atol + rtol * |b|`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tf2bridge.proof.numbers.summaries import numbers_of
from tf2bridge.proof.numbers.tolerance import EXACT, Tolerance, Verdict

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Distance:
    """The distance of two arrays a and b, where b is what genuine TensorFlow computed.

    Attributes:
        max_abs: max |a - b|.
        max_rel: max |a - b| / max |b|: relative to the size of the whole tensor, since an element that cancels to
            nearly zero has no figure of its own.
        needed_rtol: the smallest rtol that would have passed with the atol in force, element by element.
        mismatches: the number of elements out of tolerance.
        worst: the index of the element that needs the most tolerance.
    """

    verdict: Verdict
    max_abs: float = 0.0
    max_rel: float = 0.0
    needed_rtol: float = 0.0
    mismatches: int = 0
    worst: tuple[int, ...] = ()
    note: str = ""


def distance(actual: Array, expected: Array, tolerance: Tolerance) -> Distance:
    """Compares `actual` with `expected`, which is what genuine TensorFlow computed.

    NaN equals NaN and an infinity equals itself; any other pair with one of them is different. Integers and
    booleans must be equal. Serialized summaries are compared by the numbers they hold.
    """
    if actual.shape != expected.shape:
        return Distance(Verdict.SHAPE, note=f"{list(actual.shape)}, recorded {list(expected.shape)}")
    if expected.dtype == object or actual.dtype == object:
        return _strings(actual, expected, tolerance)
    if actual.dtype != expected.dtype:
        return Distance(Verdict.TYPE, note=f"{actual.dtype}, recorded {expected.dtype}")
    if actual.tobytes() == expected.tobytes():
        return Distance(Verdict.EQUAL)
    exact = not np.issubdtype(expected.dtype, np.inexact)
    return _numbers(actual, expected, EXACT if exact else tolerance)


def _numbers(actual: Array, expected: Array, tolerance: Tolerance) -> Distance:
    wide = np.complex128 if np.iscomplexobj(expected) else np.float64
    a, b = np.atleast_1d(actual).astype(wide), np.atleast_1d(expected).astype(wide)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        gap = np.where(same, 0.0, np.abs(a - b))
        gap = np.where(np.isfinite(gap), gap, np.inf)
        scale = np.abs(b)
        largest = scale[np.isfinite(scale)].max(initial=0.0)
        relative = np.where(gap == 0, 0.0, gap / largest)
        over = np.maximum(gap - tolerance.atol, 0.0)
        needed = np.where(over == 0, 0.0, over / scale)
        fine = gap <= tolerance.atol + tolerance.rtol * np.where(np.isfinite(scale), scale, 0.0)
    needed, relative = (np.where(np.isnan(x), np.inf, x) for x in (needed, relative))
    worst = np.unravel_index(int(np.argmax(np.where(np.isinf(needed), np.finfo(float).max, needed))), a.shape)
    if not over.any():
        worst = np.unravel_index(int(np.argmax(gap)), a.shape)
    return Distance(
        verdict=Verdict.CLOSE if bool(fine.all()) else Verdict.DIFFERENT,
        max_abs=float(gap.max(initial=0.0)),
        max_rel=float(relative.max(initial=0.0)),
        needed_rtol=float(needed.max(initial=0.0)),
        mismatches=int((~fine).sum()),
        worst=tuple(int(i) for i in worst) if np.ndim(actual) else (),
    )


def _strings(actual: Array, expected: Array, tolerance: Tolerance) -> Distance:
    if actual.dtype != expected.dtype:
        return Distance(Verdict.TYPE, note=f"{actual.dtype}, recorded {expected.dtype}")
    unequal = [(x, y) for x, y in zip(actual.flat, expected.flat, strict=True) if x != y]
    if not unequal:
        return Distance(Verdict.EQUAL)
    parts: list[Distance] = []
    for ours, theirs in unequal:
        left, right = numbers_of(ours), numbers_of(theirs)
        if left is None or right is None or _layout(left) != _layout(right):
            return Distance(Verdict.DIFFERENT, mismatches=len(unequal), note="strings differ")
        parts.extend(_numbers(left[tag], right[tag], tolerance) for tag in right)
    return _worst_of(parts)


def _layout(numbers: dict[str, Array]) -> dict[str, tuple[int, ...]]:
    return {tag: array.shape for tag, array in numbers.items()}


def _worst_of(parts: list[Distance]) -> Distance:
    passed = all(part.verdict.passed for part in parts)
    return Distance(
        verdict=Verdict.CLOSE if passed else Verdict.DIFFERENT,
        max_abs=max(part.max_abs for part in parts),
        max_rel=max(part.max_rel for part in parts),
        needed_rtol=max(part.needed_rtol for part in parts),
        mismatches=sum(part.mismatches for part in parts),
        note="serialized summaries, compared by their numbers",
    )
