"""Charts as SVG text: lines, bars and a heat map, drawn without a library and without JavaScript.

Colours are classes that the page's style gives: `equal`, `close`, `different`, `other` and `line0` to `line9`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 560, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 12, 12, 40
_TICKS = 5
_LEAST = 1e-12
"""The least number on a logarithmic axis, far below a rounding of any type. Smaller ones are drawn here."""


@dataclass(frozen=True)
class Line:
    """One line of a chart: points in rising x; on a logarithmic scale 0 lies on the axis and inf at the top."""

    name: str
    points: Sequence[tuple[float, float]]
    style: str


def line_chart(lines: Sequence[Line], x_label: str, y_label: str, log: bool = False, limit: float | None = None) -> str:
    """Returns lines over common axes. `limit` is a dashed line across, such as a tolerance."""
    ys = [y for line in lines for _, y in line.points if math.isfinite(y) and (y > 0 or not log)]
    low, high = _range([*ys, limit] if limit else ys, log)
    xs = [x for line in lines for x, _ in line.points]
    first, last = min(xs), max(*xs, min(xs) + 1)

    def place(x: float, y: float) -> str:
        return f"{_across(x, first, last):.1f},{_up(y, low, high, log):.1f}"

    parts = [_y_axis(low, high, log), _x_axis(first, last), _labels(x_label, y_label)]
    if limit is not None:
        y = _up(limit, low, high, log)
        parts.append(f'<path class="limit" d="M{_LEFT},{y:.1f}H{WIDTH - _RIGHT}"/>')
    for line in lines:
        dots = " ".join(place(x, y) for x, y in line.points if not math.isnan(y))
        parts.append(f'<polyline class="{line.style}" points="{dots}"><title>{escape(line.name)}</title></polyline>')
        if len(line.points) <= 40:
            parts += [
                f'<circle class="{line.style}" r="3" cx="{place(x, y).split(",")[0]}" cy="{place(x, y).split(",")[1]}">'
                f"<title>{escape(line.name)}, {x:g}: {y:.3g}</title></circle>"
                for x, y in line.points
                if not math.isnan(y)
            ]
    return _svg(WIDTH, HEIGHT, parts)


def stacked_bars(bars: Sequence[tuple[str, Mapping[str, int]]], x_label: str, y_label: str) -> str:
    """Returns one bar for each (label, style -> count), with its parts on top of each other."""
    most = max((sum(parts.values()) for _, parts in bars), default=1) or 1
    step = (WIDTH - _LEFT - _RIGHT) / max(len(bars), 1)
    drawn = [_y_axis(0.0, float(most), False), _labels(x_label, y_label)]
    for number, (label, parts) in enumerate(bars):
        x, base = _LEFT + number * step, float(HEIGHT - _BOTTOM)
        for style, count in parts.items():
            high = count / most * (HEIGHT - _TOP - _BOTTOM)
            base -= high
            drawn.append(
                f'<rect class="{style}" x="{x + 2:.1f}" y="{base:.1f}" width="{max(step - 4, 1):.1f}" '
                f'height="{high:.1f}">'
                f"<title>{escape(label)}: {count} {style}</title></rect>"
            )
        drawn.append(f'<text class="number" x="{x + step / 2:.1f}" y="{HEIGHT - _BOTTOM + 15}" '
                     f'text-anchor="middle">{escape(label)}</text>')  # fmt: skip
    return _svg(WIDTH, HEIGHT, drawn)


def heat_map(rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[float | None]]) -> str:
    """Returns a cell for each row and column, dark for a great number (a relative difference) and blank for None."""
    label = min(260, 14 + 6.6 * max(map(len, rows), default=0))
    size, step = 15, max(5.0, min(34.0, 640 / max(len(columns), 1)))
    drawn = []
    for down, (name, line) in enumerate(zip(rows, cells, strict=True)):
        y = down * size
        drawn.append(f'<text x="{label - 6:.0f}" y="{y + 12}" text-anchor="end">{escape(_short(name))}'
                     f"<title>{escape(name)}</title></text>")  # fmt: skip
        for across, value in enumerate(line):
            if value is not None:
                drawn.append(
                    f'<rect x="{label + across * step:.1f}" y="{y}" width="{step - 1:.1f}" height="{size - 1}" '
                    f'fill="{_heat(value)}"><title>{escape(name)}, {escape(columns[across])}: {value:.1e}</title>'
                    "</rect>"
                )
    foot = len(rows) * size + 14
    every = max(1, math.ceil(60 / step))
    drawn += [
        f'<text class="number" x="{label + across * step + step / 2:.1f}" y="{foot}" text-anchor="middle">'
        f"{escape(name)}</text>"
        for across, name in enumerate(columns)
        if across % every == 0
    ]
    return _svg(round(label + max(step * len(columns), 60) + 20), foot + 6, drawn)


def _heat(value: float) -> str:
    """Returns green for 0, then from pale yellow at 1e-8 over orange to dark red at 1 and above."""
    if value == 0:
        return "#2da44e"
    share = 1.0 if not math.isfinite(value) else min(1.0, max(0.0, (math.log10(value) + 8) / 8))
    return f"hsl({56 - 56 * share:.0f} 90% {86 - 56 * share:.0f}%)"


def _short(name: str) -> str:
    return name if len(name) <= 36 else f"{name[:12]}...{name[-21:]}"


def _range(values: Sequence[float], log: bool) -> tuple[float, float]:
    if not values:
        return (1e-8, 1.0) if log else (0.0, 1.0)
    if log:
        first = math.floor(math.log10(max(min(values), _LEAST)))
        return 10.0**first, 10.0 ** max(first + 1, math.ceil(math.log10(max(*values, _LEAST))))
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _across(x: float, first: float, last: float) -> float:
    return _LEFT + (x - first) / (last - first) * (WIDTH - _LEFT - _RIGHT)


def _up(y: float, low: float, high: float, log: bool) -> float:
    if log:
        return _up(math.log10(min(max(y, low), high)), math.log10(low), math.log10(high), False)
    share = (min(max(y, low), high) - low) / (high - low)
    return HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM)


def _y_axis(low: float, high: float, log: bool) -> str:
    if log:
        decades = range(round(math.log10(low)), round(math.log10(high)) + 1)
        ticks = [
            (10.0**power, f"1e{power}") for power in decades if power % max(1, math.ceil(len(decades) / _TICKS)) == 0
        ]
    else:
        ticks = [(low + (high - low) * n / _TICKS, f"{low + (high - low) * n / _TICKS:.4g}") for n in range(_TICKS + 1)]
    drawn = []
    for value, text in ticks:
        y = _up(value, low, high, log)
        drawn.append(f'<path class="grid" d="M{_LEFT},{y:.1f}H{WIDTH - _RIGHT}"/>')
        drawn.append(f'<text class="number" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    return "".join(drawn)


def _x_axis(first: float, last: float) -> str:
    count = min(_TICKS + 1, int(last - first) + 1)
    places = sorted({round(first + (last - first) * n / max(count - 1, 1)) for n in range(count)})
    return "".join(
        f'<text class="number" x="{_across(place, first, last):.1f}" y="{HEIGHT - _BOTTOM + 15}" '
        f'text-anchor="middle">{place}</text>'
        for place in places
    )


def _labels(x_label: str, y_label: str) -> str:
    middle = (HEIGHT - _BOTTOM + _TOP) / 2
    return (
        f'<path class="axis" d="M{_LEFT},{_TOP}V{HEIGHT - _BOTTOM}H{WIDTH - _RIGHT}"/>'
        f'<text x="{(WIDTH + _LEFT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_label)}</text>'
        f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{escape(y_label)}</text>'
    )


def _svg(width: int, height: int, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">{"".join(parts)}</svg>'
