"""Chooses the charts of a comparison: differences by step and by layer, their sizes, and losses of both sides."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tf2bridge.proof.comparing.aligning import unnumbered
from tf2bridge.proof.comparing.rows import WORST, Comparison
from tf2bridge.proof.numbers.tolerance import Verdict
from tf2bridge.proof.reporting.charts import Line, heat_map, line_chart, stacked_bars

Pair = tuple[float, float]
"""A point of a curve: a number on both sides."""
_LINES = 10
_LAYERS, _COLUMNS = 40, 60
_CURVES = 6
_POINTS = 2000


@dataclass(frozen=True)
class Plot:
    """A chart with its title and caption."""

    title: str
    svg: str
    caption: str = ""


def plots(rows: Sequence[Comparison]) -> list[Plot]:
    """Returns the charts that have something to show."""
    numbers = [row for row in rows if row.distance.verdict in (Verdict.EQUAL, Verdict.CLOSE, Verdict.DIFFERENT)]
    if not numbers:
        return []
    return [*_curves(numbers), *_by_step(numbers), *_by_layer(numbers), _sizes(rows)]


def _by_step(rows: Sequence[Comparison]) -> list[Plot]:
    """Returns the greatest relative difference of each call, and of the tensors that differ most."""
    called = [row for row in rows if row.recurs]
    steps = sorted({row.call for row in called if row.call is not None})
    if len(steps) < 2:
        return []
    by_tensor: dict[str, dict[int, float]] = {}
    overall: dict[int, float] = dict.fromkeys(steps, 0.0)
    for row in called:
        assert row.call is not None
        mine = by_tensor.setdefault(row.tensor, {})
        mine[row.call] = max(mine.get(row.call, 0.0), row.distance.max_rel)
        overall[row.call] = max(overall[row.call], row.distance.max_rel)
    worst = sorted(by_tensor, key=lambda name: -max(by_tensor[name].values()))[:_LINES]
    lines = [Line("all tensors", _thinned(overall), "line whole")]
    lines += [Line(name, _thinned(by_tensor[name]), f"line line{place}") for place, name in enumerate(worst)]
    limit = max(row.distance.rtol for row in called) or None
    unit = "call" if called[0].kind == "fetch" else "step"
    svg = line_chart(lines, unit, "max |new-old| / max |old|", log=True, limit=limit)
    caption = f"Thick: all tensors. Thin: the {len(worst)} that differ most. Dashed: the tolerance. On the axis: equal."
    return [Plot("Difference per step", svg, caption)]


def _curves(rows: Sequence[Comparison]) -> list[Plot]:
    """Returns fetched single numbers over the calls, both sides in one chart: losses, accuracies."""
    pairs: dict[str, dict[int, Pair]] = {}
    for row in rows:
        if row.kind == "fetch" and row.call is not None and row.distance.elements == 1 and row.distance.values:
            try:
                pairs.setdefault(row.tensor, {})[row.call] = tuple(map(float, row.distance.values))  # type: ignore[assignment]
            except (TypeError, ValueError):
                continue  # texts
    drawn = []
    for name, values in _one_each(pairs).items():
        ours, theirs = ({call: pair[side] for call, pair in values.items()} for side in (0, 1))
        if len(values) > 2 and len(set(theirs.values())) > 2:
            every = math.ceil(len(values) / _POINTS)
            old, new = ([(float(call), side[call]) for call in sorted(side)[::every]] for side in (theirs, ours))
            lines = [Line("old", old, "line old"), Line("new", new, "line new")]
            drawn.append(Plot(name, line_chart(lines, "call", name), "Solid: old. Dotted: new."))
    return drawn[:_CURVES]


def _one_each(pairs: Mapping[str, Mapping[int, Pair]]) -> dict[str, dict[int, Pair]]:
    """Returns the curves without repetition.

    Two names of one number, such as a loss and its summary, are one curve. So are the names of a number in several
    graphs that are fetched in turn: they differ in the suffix that TensorFlow appends.
    """
    curves: dict[str, dict[int, Pair]] = {}
    for name, values in pairs.items():
        for known in list(curves):
            if curves[known] == values:
                break
            if unnumbered(known) == unnumbered(name) and not curves[known].keys() & values.keys():
                curves[known] |= values
                break
        else:
            curves[name] = dict(values)
    return curves


def _by_layer(rows: Sequence[Comparison]) -> list[Plot]:
    """Returns the greatest relative difference by layer and step."""
    layers = layered([row.tensor for row in rows])
    columns = _columns(rows)
    cells: dict[str, dict[str, float]] = {}
    for row in rows:
        column = columns[_time(row)]
        line = cells.setdefault(layers[row.tensor], {})
        line[column] = max(line.get(column, 0.0), row.distance.max_rel)
    names = list(dict.fromkeys(columns.values()))
    if len(cells) < 2:
        return []
    svg = heat_map(list(cells), names, [[line.get(name) for name in names] for line in cells.values()])
    caption = "Green: equal bit for bit. Pale to dark: a relative difference of 1e-8 to 1 and more."
    return [Plot("Difference by layer", svg, caption)]


def layered(names: Sequence[str]) -> Mapping[str, str]:
    """Returns the layer of each tensor: its name scope, so deep that there are at most 40 layers."""
    scopes = {name: name.partition(":")[0].split("/") for name in names}
    deepest = max((len(parts) for parts in scopes.values()), default=1)
    for depth in range(deepest, 0, -1):
        layers = {name: "/".join(parts[:-1][:depth] or parts) for name, parts in scopes.items()}
        if len(set(layers.values())) <= _LAYERS:
            return layers
    kept = [name for name, _ in Counter(parts[0] for parts in scopes.values()).most_common(_LAYERS - 1)]
    return {name: parts[0] if parts[0] in kept else "(others)" for name, parts in scopes.items()}


def _time(row: Comparison) -> tuple[int, int]:
    """Returns the time of a row: first values, then calls, then last values, or the results of the worst inputs."""
    return (1, row.call) if row.call is not None else ({"final": 2, WORST: 3}.get(row.kind, 0), 0)


def _columns(rows: Sequence[Comparison]) -> dict[tuple[int, int], str]:
    """Returns the label of each time; neighbouring calls share a column if there are many."""
    times = sorted({_time(row) for row in rows})
    calls = [number for part, number in times if part == 1]
    width = max(1, math.ceil(len(calls) / _COLUMNS))
    first = next((row.kind for row in rows if row.call is None and row.kind not in ("final", WORST)), "initial")
    labels = {0: first, 2: "final", 3: "worst"}
    return {time: labels.get(time[0]) or str(calls[calls.index(time[1]) // width * width]) for time in times}


def _sizes(rows: Sequence[Comparison]) -> Plot:
    """Returns the number of tensors by the size of their difference."""
    bins: dict[str, Counter[str]] = {label: Counter() for label in _BINS}
    for row in rows:
        style = {Verdict.EQUAL: "equal", Verdict.CLOSE: "close", Verdict.DIFFERENT: "different"}
        bins[_bin(row)][style.get(row.distance.verdict, "other")] += 1
    used = [place for place, label in enumerate(_BINS) if bins[label]]
    shown = _BINS[: max(used) + 1] if used else _BINS
    return Plot(
        "Sizes of the differences",
        stacked_bars([(label, bins[label]) for label in shown], "max |new-old| / max |old|, up to", "tensors"),
        "Green: equal or within the tolerance. Red: not. Grey: missing, another shape or type.",
    )


_BINS = ("0", *(f"1e{power}" for power in range(-8, 1)), "more", "none")


def _bin(row: Comparison) -> str:
    if row.distance.verdict not in (Verdict.EQUAL, Verdict.CLOSE, Verdict.DIFFERENT):
        return "none"
    relative = row.distance.max_rel
    if relative == 0:
        return "0"
    return next((label for label in _BINS[1:-2] if relative <= float(label)), "more")


def _thinned(values: Mapping[int, float]) -> list[tuple[float, float]]:
    """Returns the points of a line; if there are very many, the greatest of each group."""
    points = [(float(step), values[step]) for step in sorted(values)]
    width = math.ceil(len(points) / _POINTS)
    groups = [points[place : place + width] for place in range(0, len(points), width)]
    return [max(group, key=lambda point: point[1]) for group in groups]
