"""The HTML page of a report. All items are in it as JSON; the browser draws a hundred of them at a time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from codemods.printable import visible
from tf2bridge.fleet.outcome import Verdict
from tf2bridge.fleet.reporting import parts
from tf2bridge.fleet.reporting.report import Group, Report
from tf2bridge.fleet.reporting.rows import Row
from tf2bridge.html_page import filled_page, inert_json, section, table

_PAGE = Path(__file__).with_name("page.html")
_STATES = {Verdict.RIGHT: "equal", Verdict.DIFFERENT: "other", Verdict.FAILED: "different"}
"""Verdict -> the class of its tile in the style of the pages."""


def dumps(report: Report, rows: Sequence[Row], base: str) -> str:
    """Returns the page. `base`: the URL of the run's folder, as `link` returns it."""
    needed = sum(group.count for group in report.groups.values() if group.needs_a_person)
    groups = {(group.name, group.text): place for place, group in enumerate(report.sorted_groups())}
    return filled_page(
        _PAGE,
        {
            "STATE": "equal" if report.passes else "different",
            "VERDICT": escape("nothing is left to do" if report.passes else f"{needed:,} items need a person"),
            "SIDES": escape(f"{len(rows):,} items, {report.seconds:,.0f} s of work"),
            "TILES": "".join(_tiles(report)),
            "GROUPS": _groups(report.sorted_groups()),
            "SECTIONS": _kinds(report) + _extremes(report),
            "PARTS": "".join(parts.elements(rows, groups)),
            "DATA": inert_json(
                {
                    "base": base,
                    "count": len(rows),
                    "part": parts.SIZE,
                    "verdicts": [verdict.value for verdict in Verdict if report.verdicts[verdict]],
                }
            ),
        },
    )


def facts(report: Report) -> dict[str, Any]:
    """Returns the report as plain JSON values."""
    return {
        "items": report.verdicts.total(),
        "verdicts": {verdict.value: report.verdicts[verdict] for verdict in Verdict},
        "kinds": {
            kind: {verdict.value: count for verdict, count in sorted(counts.items())}
            for kind, counts in sorted(report.kinds.items())
        },
        "duplicates": report.duplicates,
        "bytes": report.size,
        "written": report.written,
        "seconds": report.seconds,
        "groups": [
            {
                "cause": group.name,
                "error": group.text,
                "items": group.count,
                "needs a person": group.needs_a_person,
                "such as": group.paths,
            }
            for group in report.sorted_groups()
        ],
        "slowest": [{"path": row.path, "seconds": row.seconds} for row in report.slowest],
        "largest": [{"path": row.path, "bytes": row.size, "written": row.written} for row in report.largest],
    }


def link(page: Path, out: Path) -> str:
    """Returns the URL of a run's folder as the page sees it: relative, so that both can be moved together."""
    try:
        relative = os.path.relpath(out.resolve(), page.resolve().parent)
    except ValueError:  # another drive of Windows
        return out.resolve().as_uri()
    return quote(os.fsencode(Path(relative).as_posix()))


def _tiles(report: Report) -> Iterable[str]:
    for verdict in Verdict:
        yield _tile(f"{report.verdicts[verdict]:,}", verdict.value, _STATES.get(verdict, ""))
    yield _tile(f"{report.duplicates:,}", "share the result of an equal item")
    if report.size:
        yield _tile(size_text(report.size), "in the items")
    yield _tile(size_text(report.written), "written")


def _tile(number: str, text: str, state: str = "") -> str:
    return f'<div class="tile {state}"><b>{escape(number)}</b>{escape(text)}</div>'


def size_text(size: int) -> str:
    """Returns bytes as a text with three digits, such as "1.23 GB"."""
    amount = float(size)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.3g} {unit}"
        amount /= 1000
    return f"{amount:,.3g} TB"


def _groups(groups: Sequence[Group]) -> str:
    """Returns the groups as rows of a table; a click on one shows its items."""
    return "".join(
        f'<tr data-group="{number}"><td>{group.count:,}<td>{"a person" if group.needs_a_person else "another attempt"}'
        f"<td>{escape(group.name)}<td>{escape(visible(group.text))}<td>{escape(visible(group.paths[0]))}"
        for number, group in enumerate(groups)
    )


def _kinds(report: Report) -> str:
    verdicts = [verdict for verdict in Verdict if report.verdicts[verdict]]
    rows = [
        [kind, *(f"{report.kinds[kind][verdict]:,}" for verdict in verdicts), f"{report.kinds[kind].total():,}"]
        for kind in sorted(report.kinds)
    ]
    return section("Kinds", table(["kind", *(verdict.value for verdict in verdicts), "items"], rows))


def _extremes(report: Report) -> str:
    slowest = [[f"{row.seconds:,.2f} s", visible(row.path), row.kind] for row in report.slowest]
    largest = [
        [size_text(row.size if row.size is not None else row.written), visible(row.path), row.kind]
        for row in report.largest
    ]
    return section("Slowest", table(["time", "item", "kind"], slowest)) + section(
        "Largest", table(["size", "item", "kind"], largest)
    )
