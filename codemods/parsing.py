"""Parses texts of Python 3 without warnings, also deeply nested ones, and says why a text is not Python 3."""

from __future__ import annotations

import ast
import contextlib
import symtable
import sys
import warnings
from collections.abc import Iterator

from codemods import deep, formatted

# The most memory of a tree. The parser also raises MemoryError if a text is nested too deeply.
_BYTES_A_CHARACTER = 600


def syntax_error(text: str) -> SyntaxError | None:
    """Returns why this is not Python 3; None if it is."""
    try:
        formatted.check(text)
    except SyntaxError as error:
        return error
    # A table of symbols takes a quarter less time than a tree, and a little more than Python's grammar to be made.
    with contextlib.suppress(SyntaxError, RecursionError, MemoryError, ValueError), _quietly():
        symtable.symtable(text, "text", "exec")
        return None
    try:
        parse(text)
    except SyntaxError as error:
        return error
    return None


def parse(text: str) -> ast.Module:
    """Returns the tree of a Python 3 text, without the warnings that old string escapes give.

    Long chains of operators may nest deeper than Python's own parser goes. Raises SyntaxError, also where anything else
    is nested too deeply for it, and MemoryError.
    """
    formatted.check(text)
    with _quietly():
        try:
            return ast.parse(text)
        except (RecursionError, MemoryError, ValueError) as error:
            failed = error
        if isinstance(failed, MemoryError):
            bytes(_BYTES_A_CHARACTER * len(text))  # a MemoryError of its own, where there is no room for a tree
        with contextlib.suppress(RecursionError, MemoryError, ValueError):
            tree = None if isinstance(failed, ValueError) else deep.parse(text)
            if tree is not None:
                return tree
    raise SyntaxError(f"too deeply nested to parse ({type(failed).__name__})") from failed


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Suppresses warnings, and up to Python 3.11 allows 3,000 terms: there the recursion limit limits the parser."""
    limit = sys.getrecursionlimit()
    if sys.version_info < (3, 12):
        sys.setrecursionlimit(max(limit, 3_000))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.setrecursionlimit(limit)
