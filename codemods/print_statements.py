"""Converts print statements in a text with `from __future__ import print_function`, which no Python can read."""

from __future__ import annotations

import re
from collections.abc import Callable

from codemods import parsing

_COMPLAINT = "Missing parentheses in call to 'print'"
_LIMIT = 500  # the most statements; each needs a parse of the whole text


def converted(text: str, convert: Callable[[str], str]) -> str:
    """Returns the text with each such statement as a call, or unchanged if there is none, or another error.

    `convert` turns the text of one Python 2 statement into Python 3.
    """
    new = text
    for _ in range(_LIMIT):
        problem = parsing.syntax_error(new)
        if problem is None or _COMPLAINT not in problem.msg:
            return new
        start, end, statement = _statement(new, problem.lineno or 1)
        try:
            call = convert(statement)
        except Exception:  # fissix raises its parser's and tokenizer's own kinds
            return text
        if call == statement:
            return text
        new = new[:start] + call + new[end:]
    return text


def _statement(text: str, line: int) -> tuple[int, int, str]:
    """Returns the lines of the statement that begins on a line, which continues after a backslash or open bracket."""
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text)), len(text)]
    indent = re.match(r"[ \t]*", text[starts[line - 1] :])
    start = starts[line - 1] + (indent.end() if indent else 0)
    last = line
    while last < len(starts) - 1 and _goes_on(text[start : starts[last]]):
        last += 1
    end = starts[last]
    return start, end, text[start:end]


def _goes_on(part: str) -> bool:
    opened = sum(part.count(mark) for mark in "([{") - sum(part.count(mark) for mark in ")]}")
    return part.rstrip("\r\n").endswith("\\") or opened > 0
