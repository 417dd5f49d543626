"""Where the values of a JSON text stand, so that one of them can be replaced and no other byte changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(strict=False)


class NotJsonError(Exception):
    """The text is no JSON; says where."""


def skip(text: str, at: int) -> int:
    """The next place that is not white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def value(text: str, at: int) -> tuple[Any, int]:
    """The value that starts at or after a place, and where it ends. Raises NotJsonError."""
    try:
        return _DECODER.raw_decode(text, skip(text, at))
    except (ValueError, RecursionError) as error:
        raise NotJsonError(str(error)) from error


def _next(text: str, end: int) -> int:
    """The start of what follows a comma; the text's end where none follows."""
    comma = skip(text, end)
    return skip(text, comma + 1) if text[comma : comma + 1] == "," else len(text)


def members(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Key, start and end of the value of each member of the object at a place; nothing if there is no object."""
    at = skip(text, at)
    if text[at : at + 1] != "{":
        return
    at = skip(text, at + 1)
    while text[at : at + 1] == '"':
        key, at = value(text, at)
        start = skip(text, skip(text, at) + 1)
        _, end = value(text, start)
        yield key, start, end
        at = _next(text, end)


def items(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Start and end of each item of the array at a place; nothing if there is no array."""
    at = skip(text, at)
    if text[at : at + 1] != "[":
        return
    at = skip(text, at + 1)
    while at < len(text) and text[at] != "]":
        _, end = value(text, at)
        yield at, end
        at = _next(text, end)


def member(text: str, at: int, key: str) -> tuple[int, int] | None:
    """Where the value of one member of the object at a place stands."""
    return next(((start, end) for name, start, end in members(text, at) if name == key), None)
