"""The figures of a distance, for people and as plain JSON values."""

from __future__ import annotations

import math
from typing import Any

from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.distance import Distance


def figure(value: float) -> str:
    """A difference, as it is shown."""
    return "0" if value == 0 else f"{value:.1e}"


def row_as_json(row: Comparison) -> dict[str, Any]:
    """One row as plain JSON values."""
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


def distance_as_json(found: Distance) -> dict[str, Any]:
    """All figures as plain JSON values: what is not finite is the string "inf", "-inf" or "nan"."""
    return {
        "max_abs": plain(found.max_abs),
        "max_rel": plain(found.max_rel),
        "needed_rtol": plain(found.needed_rtol),
        "needed_atol": plain(found.needed_atol),
        "rtol": plain(found.rtol),
        "atol": plain(found.atol),
        "mismatches": found.mismatches,
        "elements": found.elements,
        "worst": list(found.worst),
        "actual": None if found.values is None else plain(found.values[0]),
        "expected": None if found.values is None else plain(found.values[1]),
        "quantiles": dict(zip(("50", "90", "99", "100"), map(plain, found.quantiles), strict=False)),
        "sampled": found.sampled,
        "cosine": plain(found.cosine),
        "ulps": found.ulps,
        "nans": list(found.nans),
        "infinities": list(found.infinities),
    }


def plain(value: Any) -> Any:
    """A number as JSON can hold it; a text or a complex number as text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return value[:200].decode("utf-8", "backslashreplace")
    return value if isinstance(value, bool | int) else str(value)
