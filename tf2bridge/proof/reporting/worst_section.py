"""The section of a page that shows a search for the worst inputs."""

from __future__ import annotations

import itertools
import math
from html import escape

from tf2bridge.proof.reporting.charts import Line, line_chart
from tf2bridge.proof.reporting.figures import figure
from tf2bridge.proof.reporting.worst_text import FIGURE, conclusion, effort, how, kind, remarks, values
from tf2bridge.proof.worst.outcome import WorstInputs, WorstOutput


def section(worst: WorstInputs) -> tuple[str, str]:
    """Returns the heading and the HTML."""
    saved = [f"saved: {worst.saved}"] if worst.saved else []
    paragraphs = (
        [conclusion(worst).partition(": ")[2], effort(worst)],
        [f"figure: {FIGURE}"],
        list(remarks(worst)),
        saved,
    )
    text = "".join(f"<p>{escape(' '.join(map(_sentence, lines)))}</p>" for lines in paragraphs if lines)
    return "Worst inputs", text + _outputs(worst) + _inputs(worst) + _chart(worst)


def _sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."


def _outputs(worst: WorstInputs) -> str:
    head = "<tr><th>output<th>figure on the starts<th>worst figure<th>max |new-old|<th>at<th>run<th>verdict</tr>"
    return f"<table class='spaced'>{head}{''.join(map(_output, worst.outputs))}</table>"


def _output(output: WorstOutput) -> str:
    row = output.judged.row
    cells = (
        output.name,
        figure(output.start.figure),
        figure(output.worst.figure),
        figure(row.distance.max_abs),
        str(list(row.distance.worst)) if row.distance.worst else "",
        str(output.judged.run),
        row.distance.verdict.value,
    )
    style = "" if row.passed else ' class="different"'
    return f"<tr{style}>{''.join(f'<td>{escape(cell)}' for cell in cells)}</tr>"


def _inputs(worst: WorstInputs) -> str:
    shown = worst.worst.judged
    texts = dict(zip(shown.inputs, values(shown), strict=True))
    lines = "".join(
        f"<tr><td>{escape(searched.name)}<td>{escape(kind(searched, shown))}<td>{escape(how(searched))}"
        f"<td>{escape(texts.get(searched.name, ''))}</tr>"
        for searched in worst.searched
    )
    return f"<table class='spaced'><tr><th>input<th>type and shape<th>searched by<th>at the worst</tr>{lines}</table>"


def _chart(worst: WorstInputs) -> str:
    """Returns the greatest figure so far, over the runs; "" if it did not grow."""
    points = [(float(run), value) for run, value in worst.progress if value > 0 and math.isfinite(value)]
    if len(points) < 2:
        return ""
    points.append((float(worst.runs), points[-1][1]))
    pairs = itertools.pairwise(points)
    steps = [point for before, after in pairs for point in (before, (after[0], before[1]))]
    svg = line_chart([Line("worst so far", [*steps, points[-1]], "line whole")], "run", "figure", log=True)
    caption = "The greatest figure so far. The first runs are those of the starting inputs."
    return (
        f'<div class="charts"><figure><figcaption>Figure over the runs</figcaption>{svg}'
        f"<small>{caption}</small></figure></div>"
    )
