"""Compares what a native program prints with what the recorded program printed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

import numpy as np

from tf2bridge.errors import some
from tf2bridge.proof.comparing.rows import PRINTED, Comparison
from tf2bridge.proof.numbers.distance import Distance
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict
from tf2bridge.proof.traces.reader import Trace

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])")
_OF_NUMPY_2 = re.compile(r"\bnp\.(?:float|int|uint)\d+\(([^()]*)\)|\bnp\.(True|False)_")
_INSIDE = re.compile(r"(?<=[\[(])\s+|\s+(?=[\])])")
"""Blanks within brackets, which NumPy before 1.14 printed otherwise."""
_OF_GRAPH = re.compile(r"Tensor\(\"[^\"]*:\d+\", |<tf\.(?:Tensor|Variable|Operation) '")
"""Tensors and variables of a graph, whose prints are comments in a native program."""
_NAMED = 2
_SHOWN = 100
_MOST = 2000
"""Lines of two texts with other numbers of lines that are aligned; it takes the square of their number in time."""


def printed_row(actual: Trace, recorded: Trace, tolerance: Tolerance) -> tuple[list[Comparison], list[str]]:
    """Returns a row for the text, if all of it is equal, and a note.

    Blanks do not count, and a number is equal if it is within the tolerance, or one unit of its last printed digit. A
    text with other lines makes no verdict, since it may hold times or names of files: the note says which lines to look
    at. Lines that show tensors of the graph are left out.

    Args:
        actual: What the native program did.
        recorded: The trace of genuine TensorFlow; an older recorder did not write what was printed.
        tolerance: For the numbers in the text.
    """
    if recorded.printed is None:
        return [], []
    now, then = (_lines(trace.printed or "") for trace in (actual, recorded))
    if not now and not then:
        return [], []
    other = list(_others(now, then, tolerance))
    if other:
        return [], [f"what it printed differs ({_counted(len(then))}): {some(other, _NAMED)}"]
    distance = Distance(Verdict.EQUAL if now == then else Verdict.CLOSE, elements=len(then), note="text")
    row = Comparison(PRINTED, None, "standard output", "", "", (len(then),), distance)
    return [row], [f"what it printed is equal ({_counted(len(then))})"]


def _counted(lines: int) -> str:
    return "1 line" if lines == 1 else f"{lines:,} lines"


def _lines(text: str) -> list[str]:
    plain = _OF_NUMPY_2.sub(lambda match: match[1] or match[2], text.replace("\r", "\n"))
    lines = (" ".join(_INSIDE.sub("", line).split()) for line in plain.split("\n"))
    return [line for line in lines if line and not _OF_GRAPH.search(line)]


def _others(now: Sequence[str], then: Sequence[str], tolerance: Tolerance) -> Iterator[str]:
    """Yields the recorded lines that were not printed now, each with what stands there."""
    for ours, theirs in _side_by_side(now, then):
        if ours is None or theirs is None or not _is_alike(ours, theirs, tolerance):
            yield f"{_shown(theirs)}, now {_shown(ours)}"


def _side_by_side(now: Sequence[str], then: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    if len(now) == len(then) or max(len(now), len(then)) > _MOST:
        width = max(len(now), len(then))
        sides = ([*side, *[None] * (width - len(side))] for side in (now, then))
        yield from zip(*sides, strict=True)
        return
    ours, theirs = ([_NUMBER.sub("0", line) for line in side] for side in (now, then))
    for _, start, stop, first, last in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        width = max(stop - start, last - first)
        for place in range(width):
            here = now[start + place] if start + place < stop else None
            yield here, then[first + place] if first + place < last else None


def _is_alike(ours: str, theirs: str, tolerance: Tolerance) -> bool:
    if _NUMBER.sub("0", ours) != _NUMBER.sub("0", theirs):
        return False
    pairs = zip(_NUMBER.findall(ours), _NUMBER.findall(theirs), strict=True)
    return all(_is_near(left, right, tolerance) for left, right in pairs)


def _is_near(ours: str, theirs: str, tolerance: Tolerance) -> bool:
    if ours == theirs:
        return True
    if not any(sign in ours + theirs for sign in ".eE"):
        return False  # whole numbers
    rtol, atol = tolerance.of("float32")
    unit = max(_unit(ours), _unit(theirs))
    return bool(np.isclose(float(ours), float(theirs), rtol=rtol, atol=max(atol, 1.01 * unit)))


def _unit(number: str) -> float:
    """Returns the value of one in the last printed digit of a number."""
    digits, _, power = number.lower().partition("e")
    return float(10.0 ** (int(power or 0) - len(digits.partition(".")[2])))


def _shown(line: str | None) -> str:
    if line is None:
        return "nothing"
    return f"'{line[:_SHOWN]}{'...' if len(line) > _SHOWN else ''}'"
