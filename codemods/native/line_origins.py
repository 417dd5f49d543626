"""Finds the line of the legacy text for each line of a rewritten text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence

_WORDS = re.compile(r"\w+|[^\w\s]")
_SLACK = 3
"""How far lines of a changed passage may be from where the lengths of both passages put them."""


def lines_before(old: str, new: str) -> Callable[[int], int]:
    """Returns the function that gives the line of an old text for a line of the new one."""
    first, second = old.splitlines(), new.splitlines()
    line_of: dict[int, int] = {}
    for _, start, end, new_start, new_end in difflib.SequenceMatcher(None, first, second, False).get_opcodes():
        if end - start == new_end - new_start:
            line_of |= {new_start + at + 1: start + at + 1 for at in range(end - start)}
            continue
        pairs = _paired(first[start:end], second[new_start:new_end])
        last = start
        for at in range(new_end - new_start):
            last = start + pairs[at] if at in pairs else last
            line_of[new_start + at + 1] = min(last, max(end - 1, start)) + 1
    return lambda line: line_of.get(line, line)


def _paired(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Returns new line -> old line, for the pairing in their order with the most words in common.

    A rewriting that adds lines above others leaves these lines alike.
    """
    words = [set(_WORDS.findall(line)) for line in old]
    wanted = [set(_WORDS.findall(line)) for line in new]
    low, high = min(0, len(new) - len(old)) - _SLACK, max(0, len(new) - len(old)) + _SLACK
    best: dict[tuple[int, int], tuple[float, str]] = {}

    def score(at: int, to: int) -> float:
        return best[at, to][0] if (at, to) in best else 0.0 if at == len(old) or to == len(new) else -1.0

    for at in range(len(old) - 1, -1, -1):
        for to in range(min(len(new), at + high + 1) - 1, max(0, at + low) - 1, -1):
            both = len(words[at] | wanted[to])
            alike = 2 * len(words[at] & wanted[to]) / both if both else 0.1
            options = [(score(at + 1, to), "old"), (score(at, to + 1), "new")]
            options += [(score(at + 1, to + 1) + alike, "both")] if alike else []
            best[at, to] = max(options, key=lambda option: option[0])
    pairs: dict[int, int] = {}
    at = to = 0
    while (at, to) in best:
        step = best[at, to][1]
        if step == "both":
            pairs[to] = at
        at, to = at + (step != "new"), to + (step != "old")
    return pairs
