"""The measured differences: table.json, written by fixtures/seeds.py from the genuine releases."""

from __future__ import annotations

import json
from pathlib import Path

from tf2bridge.behaviour.seeds.counter import NO_DIFFERENCE, Row
from tf2bridge.errors import UnknownReleaseError

FAMILIES = {
    "0.12.1": "0.12.1",
    "1.4.1": "1.4.1",
    "1.5.0": "1.4.1",
    "1.6.0": "1.12.3",
    "1.7.0": "1.12.3",
    "1.8.0": "1.12.3",
    "1.9.0": "1.12.3",
    "1.10.1": "1.12.3",
    "1.11.0": "1.12.3",
    "1.12.3": "1.12.3",
    "1.13.2": "1.12.3",
    "1.14.0": "1.15.5",
    "1.15.5": "1.15.5",
}
"""Each measured release, oldest first, and the release whose rules it follows. Its own table has the other differences.
"""

MEASURED = tuple(FAMILIES)
TABLE = Path(__file__).with_name("table.json")

Rows = dict[str, dict[str, Row]]


def measured_release(release: str) -> str:
    """Returns the latest measured release that is not later than `release` ("0.12", "1.4", "1.8.0", ...).

    0.x before 0.12 counts as 0.12.1, the oldest measured one. Raises UnknownReleaseError for what is not 0.x or 1.x.
    """
    parts = release.split(".")
    if parts[0] not in ("0", "1") or not all(part.isdigit() for part in parts[1:2]) or len(parts) < 2:
        raise UnknownReleaseError(release, MEASURED)
    wanted = (int(parts[0]), int(parts[1]))
    fitting = [known for known in MEASURED if _minor(known) <= wanted]
    return fitting[-1] if fitting else MEASURED[0]


def _minor(release: str) -> tuple[int, int]:
    major, minor = release.split(".")[:2]
    return int(major), int(minor)


def read(release: str) -> Rows:
    """Returns the rows of a measured release: function -> way of calling it -> row.

    A line of the table is {"function": ..., "way": ..., release: [total, before first seed, before second, ...]}; a
    release that has no difference there is left out.
    """
    rows: Rows = {}
    for entry in json.loads(TABLE.read_text(encoding="utf-8")):
        numbers = entry.get(release)
        row = Row(numbers[0], tuple(numbers[1:]) or (0,)) if numbers else NO_DIFFERENCE
        rows.setdefault(entry["function"], {})[entry["way"]] = row
    return rows
