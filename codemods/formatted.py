"""Refuses formatted strings with so many fields that Python's own parser takes minutes, without a way to interrupt it.

The time grows as the square of the number of fields in one string, or in several joined ones: CPython 3.11 takes 4
seconds for 80,000 fields, and half an hour for the fields of 5 MB.
"""

from __future__ import annotations

import io
import re
import tokenize

_MOST = 10_000
_PREFIX = re.compile(r"(?<![A-Za-z0-9_])[rR]?[fF][rR]?[\"']")
_START, _END = getattr(tokenize, "FSTRING_START", None), getattr(tokenize, "FSTRING_END", None)  # since Python 3.12


def check(text: str) -> None:
    """Raises SyntaxError if the strings of one statement have too many fields."""
    if text.count("{") <= _MOST or not _PREFIX.search(text):
        return
    try:
        for line, places in _places(text):
            if places > _MOST:
                raise SyntaxError(f"more than {_MOST:,} places in formatted strings", ("", line, 1, ""))
    except tokenize.TokenError:
        return  # the parser reports the error earlier


def _places(text: str) -> list[tuple[int, int]]:
    """Yields for each statement its first line, and the number of fields in its formatted strings."""
    counts = [(1, 0)]
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        line, places = counts[-1]
        depth += (token.type == _START) - (token.type == _END)
        inside = depth > 0 if _START is not None else token.type == tokenize.STRING and _PREFIX.match(token.string)
        if inside and (_START is None or token.type == tokenize.OP):
            counts[-1] = line, places + token.string.count("{")
        elif token.type == tokenize.NEWLINE:
            counts.append((token.end[0] + 1, 0))
    return counts
