"""Measures the distance of two arrays by torch's rule `|a - b| <= atol + rtol * |b|`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from tf2bridge.formats.dtypes import STRING, tensorflow_type
from tf2bridge.proof.numbers.float_tally import FloatTally
from tf2bridge.proof.numbers.integer_tally import IntegerTally
from tf2bridge.proof.numbers.pieces import Array, Lazy, paired
from tf2bridge.proof.numbers.summaries import numbers_of
from tf2bridge.proof.numbers.tolerance import DEFAULTS, Tolerance, Verdict


@dataclass(frozen=True)
class Distance:
    """The distance of two arrays a and b, where b has the expected values of genuine TensorFlow.

    Attributes:
        verdict: The result.
        max_abs: max |a - b|; infinite if NaN or an infinity is compared with another value.
        max_rel: max |a - b| / max |b|. It is relative to the largest element, because an element that cancels to nearly
            zero has no meaningful relative error.
        needed_rtol: The smallest rtol that passes with the given atol, element by element.
        mismatches: The number of elements out of tolerance.
        worst: The index of the element that needs the largest tolerance.
        note: A remark.
        values: a and b at `worst`. It is None if several elements were compared and none differs.
        elements: The number of compared elements; 0 if none could be compared.
        quantiles: The 50, 90, 99 and 100 % quantiles of |a - b|.
        sampled: Whether the 50, 90 and 99 % quantiles are of a sample (for more than 8,192 elements).
        cosine: The cosine of the angle between a and b as vectors, over elements finite in both; 1 if both are 0.
        ulps: The greatest difference in units in the last place; None for integers, strings and different types.
        nans, infinities: The counts in a and in b.
        rtol, atol: The tolerance.
    """

    verdict: Verdict
    max_abs: float = 0.0
    max_rel: float = 0.0
    needed_rtol: float = 0.0
    mismatches: int = 0
    worst: tuple[int, ...] = ()
    note: str = ""
    values: tuple[Any, Any] | None = None
    elements: int = 0
    quantiles: tuple[float, ...] = ()
    sampled: bool = False
    cosine: float = 1.0
    ulps: int | None = None
    nans: tuple[int, int] = (0, 0)
    infinities: tuple[int, int] = (0, 0)
    rtol: float = 0.0
    atol: float = 0.0

    @property
    def needed_atol(self) -> float:
        """The smallest atol that passes with an rtol of 0: the greatest difference."""
        return self.max_abs


def distance(actual: Array | Lazy, expected: Array | Lazy, tolerance: Tolerance) -> Distance:
    """Compares `actual` with `expected`, the values of genuine TensorFlow.

    Each array is read once, a piece at a time. NaN equals NaN, unless the tolerance forbids it. An infinity equals
    itself. Any other pair with NaN or an infinity is different. Integers and booleans must be equal. Serialized
    summaries are compared by their numbers. Arrays of two types are different if the tolerance requires one type. Their
    distance is measured in any case, with the larger tolerance of the two types.
    """
    if actual.shape != expected.shape:
        return Distance(Verdict.SHAPE, note=f"{list(actual.shape)}, expected {list(expected.shape)}")
    kinds = tensorflow_type(actual.dtype), tensorflow_type(expected.dtype)
    wrong = f"{kinds[0]}, expected {kinds[1]}" if kinds[0] != kinds[1] else ""
    if STRING in kinds:
        return Distance(Verdict.TYPE, note=wrong) if wrong else _of_texts(actual, expected, tolerance)
    result = _of_numbers(actual, expected, kinds, tolerance)
    return replace(result, verdict=Verdict.TYPE, note=wrong) if wrong and tolerance.check_dtype else result


def _of_numbers(actual: Array | Lazy, expected: Array | Lazy, kinds: tuple[str, str], tolerance: Tolerance) -> Distance:
    size = prod(expected.shape)
    tally: FloatTally | IntegerTally
    if DEFAULTS.keys().isdisjoint(kinds):
        tally = IntegerTally(size)
    else:
        tally = FloatTally(size, (actual.dtype, expected.dtype), *tolerance.of(*kinds), tolerance.nan_equal)
    values: tuple[Any, ...] = ()
    with np.errstate(all="ignore"):
        for a, b in paired(actual, expected):
            tally.add(a, b)
            values = (a[0], b[0]) if size == 1 else ()
    passed = Verdict.EQUAL if tally.equal_bits and kinds[0] == kinds[1] else Verdict.CLOSE
    differs = tally.max_gap > 0
    values = tally.at_worst if differs else values
    return Distance(
        verdict=Verdict.DIFFERENT if tally.mismatches else passed,
        max_abs=tally.max_gap,
        max_rel=tally.max_rel,
        needed_rtol=tally.needed,
        mismatches=tally.mismatches,
        worst=_index(tally.worst, expected.shape) if differs else (),
        values=tuple(value.item() for value in values) if values else None,
        elements=size,
        quantiles=tally.quantiles,
        sampled=tally.sampled,
        cosine=tally.cosine if differs else 1.0,
        ulps=tally.ulps if kinds[0] == kinds[1] else None,
        nans=(tally.nans[0], tally.nans[1]),
        infinities=(tally.infinities[0], tally.infinities[1]),
        rtol=tally.rtol,
        atol=tally.atol,
    )


def _index(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(index) for index in np.unravel_index(place, shape)) if shape else ()


def _of_texts(actual: Array | Lazy, expected: Array | Lazy, tolerance: Tolerance) -> Distance:
    ours, theirs = (_texts(side) for side in (actual, expected))
    size = prod(expected.shape)
    unequal = [place for place in range(size) if ours[place] != theirs[place]]
    if not unequal:
        return Distance(Verdict.EQUAL, elements=size)
    parts: list[Distance] = []
    for place in unequal:
        left, right = numbers_of(ours[place]), numbers_of(theirs[place])
        if left is None or right is None or _layout(left) != _layout(right):
            return Distance(
                Verdict.DIFFERENT,
                mismatches=len(unequal),
                worst=_index(place, expected.shape),
                values=(ours[place], theirs[place]),
                note="texts differ",
                elements=size,
            )
        parts.extend(_of_statistics(left[tag], right[tag], tolerance) for tag in right)
    return replace(_worst_of(parts), elements=size)


def _texts(given: Array | Lazy) -> list[bytes]:
    array = given.whole() if isinstance(given, Lazy) else given
    return [text.encode() if isinstance(text, str) else bytes(text) for text in array.reshape(-1).tolist()]


def _of_statistics(actual: Array, expected: Array, tolerance: Tolerance) -> Distance:
    """Compares numbers of a summary with the tolerance of float32, the type in which they were computed."""
    rtol, atol = tolerance.of("float32")
    return _of_numbers(actual, expected, ("float64", "float64"), replace(tolerance, rtol=rtol, atol=atol))


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
        rtol=parts[0].rtol,
        atol=parts[0].atol,
    )
