"""The page `report.html` of a package: graph and code side by side, what is left as operations, differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from codemods.native.choices import Choice
from codemods.printable import visible
from tf2bridge.decompile.idioms.raising import Place
from tf2bridge.decompile.ir import Spec
from tf2bridge.decompile.lines import Line
from tf2bridge.decompile.model_text import Written
from tf2bridge.decompile.source_map import lines_of_nodes
from tf2bridge.formats.graphs.scopes import Scope, tree
from tf2bridge.html_page import filled_page, inert_json, section, table

NOT_COMPARED = "not compared: its outputs are random, or it calls Python functions, which no file holds"
_PAGE = Path(__file__).with_name("report.html")
_LINKS = 20
_GROUP = -1
"""What stands in place of a set of lines for scopes that are shown together, and are no scope themselves."""


@dataclass(frozen=True)
class Report:
    """The contents of a page.

    Attributes:
        title: Of the page.
        source: What was decompiled: file, format and release.
        text: What was written.
        differences: Recorded array -> its largest difference, as a part of its largest number.
        limits: Recorded array -> the largest difference that is allowed.
        unequal: Where the result of a rule was not equal -> why.
        worst: The largest difference of an output on the worst inputs that were found; None without a search.
        unreached: A condition of the graph -> the branches of it that no example has reached.
        choices: What is taken of Keras in a training step, and what is not.
    """

    title: str
    source: str
    text: Written
    differences: Mapping[str, float]
    limits: Mapping[str, float]
    unequal: Mapping[Place, str]
    worst: float | None = None
    unreached: Mapping[str, str] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()


def dumps(report: Report) -> str:
    """Returns the HTML."""
    text = report.text
    sections = [
        ("Inputs and outputs", _ends(text)),
        ("Weights", _weights(text)),
        ("Operations left as calls of tf.raw_ops", _raw_calls(text.lines)),
        ("Rules that were not applied", _dropped({**text.unfit, **report.unequal})),
        ("Branches that no example reaches", table(("condition", "branches"), list(report.unreached.items()))),
        ("Training with Keras' own", _choices(report.choices)),
        ("Differences", _differences(report.differences, report.limits)),
    ]
    parts = {
        "TITLE": escape(report.title),
        "HEADING": escape(report.title),
        "SIDES": escape(report.source),
        "STATE": "equal" if report.differences else "different",
        "VERDICT": "equal" if report.differences else NOT_COMPARED,
        "TILES": _tiles(report),
        "CODE": "".join(f'<li class="line">{escape(line)}' for line in text.lines),
        "SECTIONS": "".join(section(heading, body) for heading, body in sections),
        "DATA": inert_json(_data(text)),
    }
    return visible(filled_page(_PAGE, parts), keep="\n\t")


def _tiles(report: Report) -> str:
    text = report.text
    tiles = [
        (str(len(text.graph)), "nodes that the outputs need"),
        (str(len(text.lines)), "lines of model.py"),
        (str(len(text.classes)), "scopes that are classes"),
        (str(len(text.contents.layers)), "layers of Keras with weights"),
        (str(sum(len(line.raw_calls) for line in text.lines)), "calls of tf.raw_ops"),
    ]
    if report.differences:
        worst = max(report.differences.values())
        tiles.append((f"{worst:.1e}" if worst else "0", f"largest of {len(report.differences)} differences"))
    if report.worst is not None:
        tiles.append((f"{report.worst:.1e}", "difference on the worst inputs that were found"))
    return "".join(f'<div class="tile"><b>{number}</b>{escape(label)}</div>' for number, label in tiles)


def _ends(text: Written) -> str:
    rows = [
        (role, name, spec.dtype.name, _shape(spec))
        for role, ends in (("input", text.inputs), ("output", text.outputs))
        for name, spec in ends.items()
    ]
    return table(("", "name in the old graph", "type", "shape"), rows)


def _shape(spec: Spec) -> str:
    return "unknown" if spec.shape is None else str(["?" if n is None else n for n in spec.shape]).replace("'", "")


def _weights(text: Written) -> str:
    contents = text.contents
    rows = [
        (
            path,
            contents.layers.get(path.rpartition(".")[0], "variable").removeprefix("keras.layers."),
            str(list(getattr(contents.weights.get(path), "shape", ()))),
            ", ".join(weight.variables),
            weight.transform or "as it is",
        )
        for path, weight in contents.names.items()
    ]
    return _scrolled(table(("attribute", "of", "shape", "old variables", "what is done with them"), rows))


def _raw_calls(lines: Sequence[Line]) -> str:
    places: dict[tuple[str, str], list[int]] = {}
    for number, line in enumerate(lines, 1):
        for call in line.raw_calls:
            places.setdefault((call.op, call.why), []).append(number)
    if not places:
        return ""
    rows = "".join(
        f"<tr><td>{escape(op)}<td>{escape(why)}<td>{len(numbers)}<td>{_links(numbers)}"
        for (op, why), numbers in sorted(places.items(), key=lambda item: -len(item[1]))
    )
    return f"<table><tr><th>operation<th>why<th>calls<th>lines</tr>{rows}</table>"


def _links(numbers: Sequence[int]) -> str:
    links = "".join(f'<a class="at" data-line="{number}">{number}</a>' for number in numbers[:_LINKS])
    return links + ("…" if len(numbers) > _LINKS else "")


def _dropped(places: Mapping[Place, str]) -> str:
    return table(("rule", "node", "why its operations stand"), [(*place, why) for place, why in places.items()])


def _choices(choices: Sequence[Choice]) -> str:
    if not choices:
        return ""
    about = (
        "<p>Differences from the old graph: of variables as a part of their largest move, beyond rounding; of a loss "
        "as a part of the loss.</p>"
    )
    rows = [
        (choice.part, choice.keras or "as the graph has it", choice.why, label, f"{own:.2g}", f"{exact:.2g}")
        for choice in choices
        for label, (own, exact) in (choice.figures or {"not measured": (math.nan, math.nan)}).items()
    ]
    heads = ("part", "what is taken", "how it differs, or why it stays", "compared", "with Keras", "exact")
    return about + table(heads, rows)


def _differences(differences: Mapping[str, float], limits: Mapping[str, float]) -> str:
    if not differences:
        return ""
    rows = sorted(differences.items(), key=lambda row: -row[1])
    about = (
        "<p>As a part of the largest number of the array. The limit is higher for what rounding of the inputs and "
        "variables changes in the old graph too.</p>"
    )
    shown = [(name, f"{gap:.2g}", f"{limits[name]:.2g}") for name, gap in rows]
    return about + _scrolled(table(("array", "largest difference", "limit"), shown))


def _scrolled(body: str) -> str:
    return f'<div class="scrolled">{body}</div>' if body else ""


class _Named(NamedTuple):
    """What `tree` needs of a node."""

    name: str
    op: str
    input: bool


def _data(text: Written) -> dict[str, Any]:
    """Returns the tree of scopes, each part with the index of its parent, and the sets of lines of the nodes."""
    used = {user for node in text.graph.values() for user in node.users}
    root = tree(_Named(name, node.op, name in used) for name, node in text.graph.items())
    numbers = lines_of_nodes(text.lines, text.graph)
    raw = Counter(call.node for line in text.lines for call in line.raw_calls)
    sets: dict[tuple[tuple[int, int], ...], int] = {}
    parts: list[list[Any]] = []
    for scope, parent in _parts(root):
        if scope.node is None:
            parts.append([scope.label, parent, None, _GROUP if scope.group else 0, text.classes.get(scope.path, 0), 0])
        else:
            ranges = tuple(_ranges(numbers[scope.path]))
            parts.append([scope.label, parent, scope.node.op, sets.setdefault(ranges, len(sets)), 0, raw[scope.path]])
    return {"parts": parts, "sets": list(sets)}


def _parts(root: Scope) -> Iterator[tuple[Scope, int]]:
    """Yields each part of a tree and the place of its parent, the root first."""
    pending = [(root, -1)]
    for place, (scope, parent) in enumerate(pending):  # the loop extends the list
        yield scope, parent
        pending += [(part, place) for part in scope.parts]


def _ranges(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = last = None
    for number in numbers:
        if first is None or last is None:
            first = last = number
        elif number == last + 1:
            last = number
        else:
            yield first, last
            first = last = number
    if first is not None and last is not None:
        yield first, last
