"""A self-contained HTML page of a comparison: plots, the first divergence, every tensor, the graph."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from tf2bridge.html_page import filled_page, inert_json, section
from tf2bridge.proof.comparing.rows import Comparison, first_divergence
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.reporting.plots import plots
from tf2bridge.proof.reporting.replay_text import final_lines
from tf2bridge.proof.trajectories.control import Control
from tf2bridge.proof.trajectories.growth import WORST_FIRST, Growth, Reading

_PAGE = Path(__file__).with_name("page.html")
_GROWTHS = 12
_KINDS = {"feed": "fed", "intermediate": "inner"}
"""Labels of rows of a call that are not fetches."""


@dataclass(frozen=True)
class Page:
    """The contents of a page.

    Attributes:
        title: of the page, "train.trace and train.py".
        expected, actual: what both sides are, "train.trace, TensorFlow 0.12.1".
        equal: True if all was compared and is equal.
        verdict: the verdict; "" for the one that follows from `equal` and the rows.
        conclusion: the conclusion, a few lines.
        rows: one for each tensor.
        divergence: the first op that differs, and why; "" if there is none or it was not searched.
        growths: how differences grow over the steps.
        controls: the effect of rounding alone on the old program, by tensor.
        graph: a page of its own that draws the graph, its differing nodes marked; empty if there is none.
        sections: (heading, HTML) of further sections, before the plots.
    """

    title: str
    expected: str
    actual: str
    equal: bool
    conclusion: str
    rows: Sequence[Comparison]
    divergence: str = ""
    growths: Sequence[Growth] = ()
    controls: Mapping[str, Control] = field(default_factory=dict)
    graph: str = ""
    sections: Sequence[tuple[str, str]] = ()
    verdict: str = ""


def dumps(page: Page) -> str:
    """Returns the HTML."""
    first = first_divergence(page.rows)
    parts = {
        "TITLE": escape(page.title),
        "HEADING": escape(page.title),
        "SIDES": f"old: {escape(page.expected)}<br>new: {escape(page.actual)}",
        "STATE": "equal" if page.equal else "different",
        "VERDICT": escape(page.verdict)
        or ("equal" if page.equal else "NOT EQUAL" if first is not None else "NOT PROVEN"),
        "FOUND": escape(page.conclusion),
        "TILES": _tiles(page.rows),
        "DIVERGENCE": section("First divergence", f"<pre>{escape(page.divergence)}</pre>" if page.divergence else ""),
        "SECTIONS": "".join(section(heading, body) for heading, body in page.sections),
        "PLOTS": section("Plots", _plots(page.rows)),
        "GROWTH": section(
            "Growth of the differences", _growth(page.growths, page.controls) + _finals(page.rows, page.controls)
        ),
        "GRAPH": section("Graph", _GRAPH if page.graph else ""),
        "ROWS": inert_json(_table(page.rows)),
        "DRAWING": inert_json(page.graph),
    }
    return filled_page(_PAGE, parts)


_GRAPH = (
    '<p><button id="draw">draw the graph</button> '
    "red: out of tolerance; yellow: within; green: equal; "
    "violet, dashed: only in the old graph; blue: only in the new one</p>"
)


def _tiles(rows: Sequence[Comparison]) -> str:
    counts = {verdict: sum(row.distance.verdict is verdict for row in rows) for verdict in Verdict}
    needed = [row.distance.needed_rtol for row in rows if row.distance.verdict is Verdict.CLOSE]
    tiles = [
        ("equal", counts[Verdict.EQUAL], "equal bit for bit"),
        ("close", counts[Verdict.CLOSE], f"within tolerance, rtol {max(needed):.1e} needed" if needed else ""),
        ("different", counts[Verdict.DIFFERENT], "out of tolerance"),
        ("other", counts[Verdict.SHAPE] + counts[Verdict.TYPE], "of another shape or type"),
        ("other", counts[Verdict.MISSING], "missing"),
    ]
    return "".join(f'<div class="tile {style}"><b>{n}</b>{escape(label)}</div>' for style, n, label in tiles if n)


def _plots(rows: Sequence[Comparison]) -> str:
    drawn = "".join(
        f"<figure><figcaption>{escape(plot.title)}</figcaption>{plot.svg}<small>{escape(plot.caption)}</small></figure>"
        for plot in plots(rows)
    )
    return f'<div class="charts">{drawn}</div>' if drawn else ""


def _growth(growths: Sequence[Growth], controls: Mapping[str, Control]) -> str:
    """Returns a table of the differences that grow. Those that are not rounding come first."""
    grown = [growth for growth in growths if growth.reading is not Reading.EQUAL]
    grown.sort(key=lambda growth: (WORST_FIRST.index(growth.reading), growth.step or 0))
    lines = "".join(
        f"<tr><td>{escape(growth.series.name)}<td>{escape(growth.reading.value)}<td>{escape(growth.why)}"
        f"{_explained(controls.get(growth.series.name))}"
        for growth in grown[:_GROWTHS]
    )
    more = f"<p>and {len(grown) - _GROWTHS} more</p>" if len(grown) > _GROWTHS else ""
    return f"<table><tr><th>quantity<th>reading<th>why</tr>{lines}</table>{more}" if grown else ""


def _finals(rows: Sequence[Comparison], controls: Mapping[str, Control]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in final_lines(rows, controls))


def _explained(control: Control | None) -> str:
    if control is None:
        return ""
    explained = "rounding explains it" if control.explained else "<b>not explained by rounding</b>"
    return f"<br>{explained}: {escape(control.why)}"


def _table(rows: Sequence[Comparison]) -> dict[str, Any]:
    """Returns the rows as lists of numbers. Texts are indices into one list, because most of them repeat."""
    texts: dict[str, int] = {}

    def text(of: str) -> int:
        return texts.setdefault(of, len(texts))

    lines = [
        [
            *(text(_step(row)), text(row.tensor), text(row.renamed), text(row.where), text(str(list(row.shape)))),
            *map(_figure, (row.distance.max_abs, row.distance.max_rel, row.distance.needed_rtol)),
            row.distance.mismatches,
            text(_worst(row)),
            text(", ".join(f"{gap:.1e}" for gap in row.distance.quantiles)),
            _figure(row.distance.cosine),
            row.distance.ulps,
            text(row.distance.verdict.name.lower()),
            text(row.distance.note),
        ]
        for row in rows
    ]
    return {"texts": list(texts), "rows": lines}


def _step(row: Comparison) -> str:
    return f"{row.step}, {_KINDS[row.kind]}" if row.kind in _KINDS else row.step


def _worst(row: Comparison) -> str:
    apart = row.distance
    if not apart.mismatches and not apart.max_abs:
        return ""
    values = f": {_text(apart.values[0])} and {_text(apart.values[1])}" if apart.values else ""
    return f"{list(apart.worst)}{values}"


def _text(value: Any) -> str:
    return f"{value:.7g}" if isinstance(value, (int, float)) else str(value)[:60]


def _figure(value: float) -> float | str:
    return float(f"{value:.3g}") if math.isfinite(value) else "inf"
