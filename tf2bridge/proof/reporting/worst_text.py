"""Shows a search for the worst inputs: lines for people, plain values for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from codemods.printable import printable
from tf2bridge.errors import some
from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.reporting.figures import figure, plain
from tf2bridge.proof.worst.outcome import Found, SearchedInput, Way, WorstInputs, WorstOutput

FIGURE = "the largest |B-A| of an output, as a part of its largest |A| on the same or on the starting inputs"
_NUMBERS = 8
"""Up to this many numbers of an input are shown."""
_REASONS = 3


def lines(worst: WorstInputs) -> list[str]:
    """Returns the lines of the search for standard output."""
    return [printable(line) for line in (conclusion(worst), f"  figure: {FIGURE}", *_details(worst))]


def conclusion(worst: WorstInputs) -> str:
    """Returns the sentence with both figures, and where the worst one was found."""
    output = worst.worst
    starts = f"on the starting inputs ({worst.starts})"
    if worst.figure > worst.start:
        text = f"figure {figure(worst.start)} {starts}, {figure(worst.figure)} on the worst inputs"
    else:
        text = f"figure {figure(worst.start)} {starts}; nothing worse was found"
    place = f" at {list(output.judged.row.distance.worst)}" if output.judged.row.distance.worst else ""
    where = f"; output {output.name}{place}, run {output.judged.run} of {worst.runs}" if worst.figure else ""
    return f"worst inputs: {text}{where}"


def effort(worst: WorstInputs) -> str:
    """Returns what the search did."""
    times = f"{worst.ascents} climbs, {worst.runs} runs of both sides"
    return f"searched for {worst.seconds:.1f} s: {times}, seed {worst.seed}"


def _details(worst: WorstInputs) -> Iterator[str]:
    yield f"  {effort(worst)}"
    shown = worst.worst.judged
    for searched in worst.searched:
        yield f"  {searched.name} ({kind(searched, shown)}): {how(searched)}"
    if worst.figure:
        yield from (f"  {text}" for text in values(shown))
    yield from (f"  {text}" for text in remarks(worst))
    if worst.saved:
        yield f"  saved: {worst.saved}; compare --inputs {worst.saved} runs both sides on it again"


def remarks(worst: WorstInputs) -> Iterator[str]:
    """Yields what a person should know of the search besides its figures."""
    for output in worst.outputs:
        if output.failing is not None:
            needed = figure(output.failing.row.distance.needed_rtol)
            yield (
                f"output {output.name}: the greatest figure is within the tolerance, but on other inputs, of run "
                f"{output.failing.run}, single numbers are not: they need rtol {needed}"
            )
    if worst.failed:
        reasons = some([f"{reason} ({times} times)" for reason, times in worst.failed.items()], _REASONS)
        yield f"{sum(worst.failed.values())} inputs could not be run, and are no candidates: {reasons}"
    if not any(searched.way is Way.GRADIENT for searched in worst.searched):
        yield "no input has a gradient: all were sampled, which finds less than climbing does"


def kind(searched: SearchedInput, measured: Found) -> str:
    """Returns the type and shape of an input."""
    array = measured.inputs.get(searched.name)
    return searched.dtype if array is None else f"{searched.dtype} {list(array.shape)}"


def how(searched: SearchedInput) -> str:
    """Returns how an input was searched, in which range, and why."""
    ends = searched.range
    within = f" from {ends} ({ends.source})" if ends is not None and searched.way is not Way.FIXED else ""
    return f"{searched.way.value}{within}" + (f"; {searched.why}" if searched.why else "")


def values(measured: Found) -> Iterator[str]:
    """Yields the worst inputs: those of the worst example, if the first dimension tells the examples apart."""
    row = measured.row
    for name, array in measured.inputs.items():
        is_example = bool(row.distance.worst) and array.ndim > 0 and array.shape[0] == row.shape[0]
        part = array[row.distance.worst[0]] if is_example else array
        yield f"{name}{list(row.distance.worst[:1]) if is_example else ''} = {_numbers(np.asarray(part))}"


def _numbers(array: Array) -> str:
    if array.size <= _NUMBERS or array.dtype.kind in "OSU":
        numbers = [_number(value) for value in array.reshape(-1)[:_NUMBERS].tolist()]
        more = f", and {array.size - _NUMBERS} more" if array.size > _NUMBERS else ""
        return f"[{', '.join(numbers)}{more}]" if array.ndim else ", ".join(numbers)
    if array.dtype.kind == "c":
        return f"{array.size} complex numbers"
    wide = array.astype(np.float64)
    return f"{array.size} numbers from {_number(float(wide.min()))} to {_number(float(wide.max()))}"


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)


def as_json(worst: WorstInputs) -> dict[str, Any]:
    """Returns the search as plain JSON values."""
    return {
        "start": plain(worst.start),
        "figure": plain(worst.figure),
        "output": worst.worst.name,
        "starts": worst.starts,
        "runs": worst.runs,
        "climbs": worst.ascents,
        "seconds": round(worst.seconds, 3),
        "seed": worst.seed,
        "failed": dict(worst.failed),
        "saved": worst.saved,
        "outputs": [_output(output) for output in worst.outputs],
        "inputs": [_input(searched, worst.worst.judged) for searched in worst.searched],
        "progress": [[run, plain(value)] for run, value in worst.progress],
    }


def _output(output: WorstOutput) -> dict[str, Any]:
    return {
        "tensor": output.name,
        "start": plain(output.start.figure),
        "figure": plain(output.worst.figure),
        "run": output.worst.run,
        "passed": output.judged.row.passed,
        "at": list(output.judged.row.distance.worst),
    }


def _input(searched: SearchedInput, measured: Found) -> dict[str, Any]:
    array, ends = measured.inputs.get(searched.name), searched.range
    return {
        "name": searched.name,
        "dtype": searched.dtype,
        "shape": None if array is None else list(array.shape),
        "low": None if ends is None else ends.low,
        "high": None if ends is None else ends.high,
        "range": "" if ends is None else ends.source,
        "way": searched.way.value,
        "why": searched.why,
    }
