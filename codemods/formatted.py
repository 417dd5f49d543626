"""Formatted strings with so many places that Python's own parser takes minutes, and cannot be interrupted meanwhile.

Its time grows as the square of the places in one string, or in several put together: CPython 3.11 takes 4 seconds for
80,000 and half an hour for as many as 5 MB hold.
"""

from __future__ import annotations

import io
import re
import tokenize

_MOST = 10_000
_PREFIX = re.compile(r"(?<![A-Za-z0-9_])[rR]?[fF][rR]?[\"']")
_START, _END = getattr(tokenize, "FSTRING_START", None), getattr(tokenize, "FSTRING_END", None)  # since Python 3.12


def check(text: str) -> None:
    """Raises SyntaxError if the strings of one statement have too many places."""
    if text.count("{") <= _MOST or not _PREFIX.search(text):
        return
    try:
        for line, places in _places(text):
            if places > _MOST:
                raise SyntaxError(f"more than {_MOST:,} places in formatted strings", ("", line, 1, ""))
    except tokenize.TokenError:
        return  # the parser says so sooner


def _places(text: str) -> list[tuple[int, int]]:
    """For each statement its first line, and the places in its formatted strings."""
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
