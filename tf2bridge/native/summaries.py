"""Compares the summaries that a native program writes with those that the recorded calls returned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from tf2bridge.proof.comparing.rows import SUMMARY, Comparison
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.summaries import numbers_of
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict
from tf2bridge.proof.traces.reader import Array, Trace
from tf2bridge.proof.traces.records import CallRecord, Leaf

_OF_BOTH = 3
"""Of a histogram, both releases store the least and the largest value and the number."""


def summary_in(trace: Trace, leaf: Leaf) -> Mapping[str, Array]:
    """Returns tag -> numbers of a fetched Summary; empty if the value is something else."""
    if leaf.value is None or trace.manifest["values"][leaf.value]["kind"] != "string":
        return {}
    value = trace.value(leaf.value)
    return (numbers_of(value.item(), True) or {}) if value.shape == () else {}


def summary_rows(
    written: Mapping[str, Sequence[Array]], recorded: Trace, calls: Iterable[CallRecord], tolerance: Tolerance
) -> Iterator[tuple[int, Comparison]]:
    """Yields the rows of summaries, each with the index of its recorded call.

    Args:
        written: Tag -> the values that were written now, in their order.
        recorded: The trace.
        calls: The recorded calls that are compared.
        tolerance: For the numbers.
    """
    places: dict[str, int] = {}
    for call in calls:
        for leaf in call.fetches:
            for tag, expected in summary_in(recorded, leaf).items():
                place = places[tag] = places.get(tag, -1) + 1
                values = written.get(tag, ())
                if place < len(values):
                    new, old = (side[:_OF_BOTH].astype(np.float32) for side in (values[place], expected))
                    apart = distance(new, old, tolerance)
                else:
                    apart = Distance(Verdict.MISSING, note=_missing(tag, written))
                yield call.index, Comparison(SUMMARY, call.position, tag, "", call.where, np.shape(expected), apart)


def _missing(tag: str, written: Mapping[str, Sequence[Array]]) -> str:
    if not written:
        return "no summary was written"
    return f"it was written {len(written[tag])} times" if tag in written else "no such summary was written"
