"""The figures of a distance, for people and as plain JSON values."""

from __future__ import annotations

import math
from typing import Any

from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.distance import Distance


def figure(value: float) -> str:
    """Returns a difference as text."""
    return "0" if value == 0 else f"{value:.1e}"


def row_as_json(row: Comparison) -> dict[str, Any]:
    """Returns one row as plain JSON values."""
    return {
        "kind": row.kind,
        "call": row.call,
        "via": row.via,
        "tensor": row.tensor,
        "renamed": row.renamed,
        "where": row.where,
        "shape": list(row.shape),
        "verdict": row.distance.verdict.name.lower(),
        "note": row.distance.note,
        **distance_as_json(row.distance),
    }


def distance_as_json(distance: Distance) -> dict[str, Any]:
    """Returns all figures as plain JSON values. A number that is not finite is the string "inf", "-inf" or "nan"."""
    return {
        "max_abs": plain(distance.max_abs),
        "max_rel": plain(distance.max_rel),
        "needed_rtol": plain(distance.needed_rtol),
        "needed_atol": plain(distance.needed_atol),
        "rtol": plain(distance.rtol),
        "atol": plain(distance.atol),
        "mismatches": distance.mismatches,
        "elements": distance.elements,
        "worst": list(distance.worst),
        "actual": None if distance.values is None else plain(distance.values[0]),
        "expected": None if distance.values is None else plain(distance.values[1]),
        "quantiles": dict(zip(("50", "90", "99", "100"), map(plain, distance.quantiles), strict=False)),
        "sampled": distance.sampled,
        "cosine": plain(distance.cosine),
        "ulps": distance.ulps,
        "nans": list(distance.nans),
        "infinities": list(distance.infinities),
    }


def plain(value: Any) -> Any:
    """Returns a number as a JSON value; a text or a complex number becomes text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return value[:200].decode("utf-8", "backslashreplace")
    return value if isinstance(value, bool | int) else str(value)
