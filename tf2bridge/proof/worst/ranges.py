"""The ranges in which inputs are searched: stated ones, or those of the starting inputs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tf2bridge.proof.comparing.ports import Paired
from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.worst.refusals import RangeError, unknown_input

DEVIATIONS = 3.0
"""Made-up floating numbers have the standard normal distribution: 99.7 % of them lie between -3 and 3."""


@dataclass(frozen=True)
class Range:
    """The lowest and the highest number of an input, both included, and where they come from."""

    low: float
    high: float
    source: str = "stated"

    def __str__(self) -> str:
        return f"{self.low:.6g} to {self.high:.6g}"


def parsed(texts: Iterable[str]) -> dict[str, tuple[float, float]]:
    """Returns input -> (low, high) of texts such as "x=-1:1". Raises RangeError."""
    ranges: dict[str, tuple[float, float]] = {}
    for text in texts:
        name, equals, ends = text.rpartition("=")
        low, colon, high = ends.partition(":")
        if not equals or not colon or not name:
            raise RangeError(text, "it has not the form of a range")
        if name in ranges:
            raise RangeError(text, f"{name!r} has a range already", "give one range for each input")
        try:
            ranges[name] = float(low), float(high)
        except ValueError:
            raise RangeError(text, f"{ends!r} are not two numbers") from None
    return ranges


def by_input(stated: Mapping[str, tuple[float, float]], ports: Sequence[Paired]) -> dict[str, Range]:
    """Returns name of a `Paired` input -> stated range. Raises RangeError for an unknown name or an invalid range."""
    ranges: dict[str, Range] = {}
    for name, (low, high) in stated.items():
        text = f"{name}={low:g}:{high:g}"
        fitting = [port for port in ports if {name, name.removesuffix(":0")} & port.names]
        if len(fitting) != 1:
            raise unknown_input(name, text, [port.label for port in ports])
        if fitting[0].label in ranges:
            raise RangeError(text, f"{fitting[0].label!r} has a range already", "give one range for each input")
        if not (math.isfinite(low) and math.isfinite(high)):
            raise RangeError(text, "its ends are not finite")
        if low > high:
            why = f"its lower end {low:g} is above its upper end {high:g}"
            raise RangeError(text, why, f"write {name}={high:g}:{low:g}")
        ranges[fitting[0].label] = Range(low, high)
    return ranges


def check_type(name: str, dtype: np.dtype[Any], ends: Range) -> None:
    """Raises RangeError if no number of this type lies in a stated range, or if an end does not fit into the type."""
    text = f"{name}={ends.low:g}:{ends.high:g}"
    kind = dtype.kind
    if kind in "OSU":
        raise RangeError(text, f"{name!r} takes texts, which have no range", "leave it away")
    if kind in "iub":
        lowest, highest = (0, 1) if kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        if ends.low < lowest or ends.high > highest:
            raise RangeError(text, f"{name!r} is {dtype.name}, which goes from {lowest} to {highest}")
        if math.ceil(ends.low) > math.floor(ends.high):
            raise RangeError(text, f"{name!r} is {dtype.name}, and no whole number lies between these ends")


def spanned(values: Sequence[Array], limit: int, is_random: bool) -> Range | None:
    """Returns the range of an input without a stated one; None for texts, and for inputs without a finite number.

    Args:
        values: what the input is on the starting inputs.
        limit: see `Port.limit`.
        is_random: whether the starting inputs were made up.
    """
    dtype = values[0].dtype
    if dtype.kind in "OSU":
        return None
    if dtype.kind == "b":
        return Range(0, 1, "both booleans")
    if limit:
        return Range(0, limit - 1, "the rows of an embedding")
    if is_random and dtype.kind not in "iu":
        return Range(-DEVIATIONS, DEVIATIONS, "99.7 % of made-up numbers")
    ends = [end for array in values for end in _ends(array)]
    source = "what made-up inputs are" if is_random else "what the given inputs span"
    return Range(min(ends), max(ends), source) if ends else None


def _ends(array: Array) -> list[float]:
    parts = [array.real, array.imag] if array.dtype.kind == "c" else [array]
    flat = np.concatenate([np.asarray(part).astype(np.float64).reshape(-1) for part in parts])
    finite = flat[np.isfinite(flat)]
    return [float(finite.min()), float(finite.max())] if finite.size else []


def within(values: Array, ends: Range, dtype: np.dtype[Any]) -> Array:
    """Returns values in a type, none outside a range; NaN becomes the lower end."""
    if dtype.kind == "c":
        parts = [_clipped(part, ends, np.empty(0, dtype).real.dtype) for part in (values.real, values.imag)]
        return np.asarray(parts[0] + 1j * parts[1]).astype(dtype)
    return _clipped(values, ends, dtype)


def _clipped(values: Array, ends: Range, dtype: np.dtype[Any]) -> Array:
    if dtype.kind in "iub":
        lowest, highest = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        low, high = max(lowest, math.ceil(ends.low)), min(highest, math.floor(ends.high))
        return np.clip(values, low, high).astype(dtype)
    least, most = _end(ends.low, dtype, math.inf), _end(ends.high, dtype, -math.inf)
    clipped = np.clip(np.nan_to_num(values, nan=ends.low), ends.low, ends.high).astype(dtype)
    return np.asarray(np.minimum(np.maximum(clipped, least), most).astype(dtype))


def _end(end: float, dtype: np.dtype[Any], inwards: float) -> Any:
    """Returns an end of a range in a type; the next number inwards, if rounding would leave the range."""
    rounded = np.asarray(end).astype(dtype)
    is_outside = float(rounded) < end if inwards > 0 else float(rounded) > end
    return np.nextafter(rounded, np.asarray(inwards).astype(dtype)) if is_outside else rounded
