"""What a report says: numbers, groups of failures, the slowest and the largest items."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from tf2bridge.fleet.outcome import Verdict
from tf2bridge.fleet.reporting.rows import Row

MOST = 20
"""The slowest and the largest items that are named."""
_EXAMPLES = 3
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_NUMBER = re.compile(r"\d[\d,.]*")
_LONGEST = 300


@dataclass
class Group:
    """Items that failed, or differ, for the same reason.

    Attributes:
        name: the cause of the failures, or the verdict.
        text: the error, with "…" for names and numbers that differ.
        count: how many items are in the group.
        needs_a_person: whether another attempt, or more time or memory, does not mend them.
        paths: the first of its items.
    """

    name: str
    text: str
    count: int = 0
    needs_a_person: bool = False
    paths: list[str] = field(default_factory=list)


@dataclass
class Report:
    """The results of a run, in numbers.

    Attributes:
        kinds: kind -> verdict -> number of items.
        groups: reason -> its group.
        duplicates: items that share the result of an equal one.
        size, written: bytes of the items (if known), and of what was written for them.
        seconds: the time of all workers together.
        slowest, largest: the first items by time and by size (or by what was written, if sizes are not known).
    """

    kinds: dict[str, Counter[Verdict]] = field(default_factory=dict)
    groups: dict[tuple[str, str], Group] = field(default_factory=dict)
    duplicates: int = 0
    size: int = 0
    written: int = 0
    seconds: float = 0.0
    slowest: list[Row] = field(default_factory=list)
    largest: list[Row] = field(default_factory=list)

    @property
    def verdicts(self) -> Counter[Verdict]:
        """The number of items of each verdict."""
        total: Counter[Verdict] = Counter()
        for counts in self.kinds.values():
            total.update(counts)
        return total

    @property
    def passes(self) -> bool:
        return all(verdict.passes for verdict in self.verdicts)

    def sorted_groups(self) -> list[Group]:
        """Returns the groups: first those that need a person, of these the largest."""
        return sorted(self.groups.values(), key=lambda group: (not group.needs_a_person, -group.count, group.text))


def report_of(rows: Iterable[Row]) -> Report:
    """Returns the report on rows."""
    report = Report()
    slowest, largest = _Most(lambda row: row.seconds), _Most(_size)
    for row in rows:
        report.kinds.setdefault(row.kind, Counter())[row.verdict] += 1
        report.duplicates += row.same_as is not None
        report.size += row.size or 0
        report.written += row.written if row.same_as is None else 0
        report.seconds += row.seconds or 0
        slowest.add(row)
        largest.add(row)
        if (reason := reason_of(row)) is not None:
            group = report.groups.setdefault(reason, Group(*reason, needs_a_person=row.needs_a_person))
            group.count += 1
            if len(group.paths) < _EXAMPLES:
                group.paths.append(row.path)
    report.slowest, report.largest = slowest.rows(), largest.rows()
    return report


def reason_of(row: Row) -> tuple[str, str] | None:
    """Returns the cause and the error, without what differs from item to item; None if the item passes."""
    if row.verdict.passes:
        return None
    name = row.cause.value if row.cause is not None else row.verdict.value
    text = (row.error or "the report of each item says what differs").replace(row.path, "…")
    last = row.path.replace("\\", "/").rpartition("/")[2]
    text = re.sub(rf"(?:[^\s'\"]*/)?{re.escape(last)}", "…", text) if len(last) > 1 else text
    return name, _NUMBER.sub("…", _QUOTED.sub("'…'", text))[:_LONGEST]


def _size(row: Row) -> float | None:
    return row.size if row.size is not None else row.written


class _Most:
    """The rows with the most of something, found one row after the other."""

    def __init__(self, measure: Callable[[Row], float | None]) -> None:
        self._measure = measure
        self._heap: list[tuple[float, int, Row]] = []
        self._count = 0

    def add(self, row: Row) -> None:
        amount = self._measure(row)
        if not amount:
            return
        self._count += 1
        entry = (amount, -self._count, row)
        if len(self._heap) < MOST:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)

    def rows(self) -> list[Row]:
        return [row for _, _, row in sorted(self._heap, reverse=True)]


def lines(report: Report) -> Iterator[str]:
    """Yields the report as lines of text."""
    verdicts = report.verdicts
    counts = ", ".join(f"{verdicts[verdict]:,} {verdict.value}" for verdict in Verdict if verdicts[verdict])
    yield f"{verdicts.total():,} items: {counts or 'none'}"
    for kind in sorted(report.kinds):
        parts = report.kinds[kind]
        yield f"  {kind}: " + ", ".join(f"{parts[verdict]:,} {verdict.value}" for verdict in Verdict if parts[verdict])
    yield f"{report.duplicates:,} share the result of an equal item; {report.written:,} bytes are written"
    yield f"{report.seconds:,.1f} s of work"
    for heading, needed in (("needs a person:", True), ("may pass with another attempt, more time or memory:", False)):
        groups = [group for group in report.sorted_groups() if group.needs_a_person is needed]
        if groups:
            yield heading
        for group in groups:
            yield f"  {group.count:,} {group.name}: {group.text}"
            yield f"    such as {group.paths[0]}"
    if report.slowest:
        yield "slowest:"
        yield from (f"  {row.seconds:,.2f} s {row.path}" for row in report.slowest[:_EXAMPLES])
    if report.largest:
        yield "largest:"
        yield from (f"  {_size(row):,} bytes {row.path}" for row in report.largest[:_EXAMPLES])
