"""Texts of Python 3, parsed: without warnings, however deeply they nest, or with the reason why they are none."""

from __future__ import annotations

import ast
import contextlib
import symtable
import sys
import warnings
from collections.abc import Iterator

from codemods import deep, formatted

# What a tree takes at most. The parser calls it a lack of memory, too, where it nests no deeper.
_BYTES_A_CHARACTER = 600


def syntax_error(text: str) -> SyntaxError | None:
    """Why this is not Python 3; None if it is."""
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
    """No warnings; and up to Python 3.11, where the recursion limit holds for the parser too, 3,000 terms."""
    limit = sys.getrecursionlimit()
    if sys.version_info < (3, 12):
        sys.setrecursionlimit(max(limit, 3_000))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.setrecursionlimit(limit)
