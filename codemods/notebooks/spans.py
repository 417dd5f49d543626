"""Finds the positions of values in a JSON text, so that one value can be replaced and no other byte changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(strict=False)


class NotJsonError(Exception):
    """The text is not JSON; the message says where."""


def skip(text: str, at: int) -> int:
    """Returns the next position that is not white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def value(text: str, at: int) -> tuple[Any, int]:
    """Returns the value that starts at or after a position, and its end. Raises NotJsonError."""
    try:
        return _DECODER.raw_decode(text, skip(text, at))
    except (ValueError, RecursionError) as error:
        raise NotJsonError(str(error)) from error


def _next(text: str, end: int) -> int:
    """Returns the start of the value after a comma; the text's end if no comma follows."""
    comma = skip(text, end)
    return skip(text, comma + 1) if text[comma : comma + 1] == "," else len(text)


def members(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Yields key, start and end of the value of each member of the object at a position; nothing if it is no object."""
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
    """Yields start and end of each item of the array at a position; nothing if it is no array."""
    at = skip(text, at)
    if text[at : at + 1] != "[":
        return
    at = skip(text, at + 1)
    while at < len(text) and text[at] != "]":
        _, end = value(text, at)
        yield at, end
        at = _next(text, end)


def member(text: str, at: int, key: str) -> tuple[int, int] | None:
    """Returns start and end of the value of one member of the object at a position; None if there is no such member."""
    return next(((start, end) for name, start, end in members(text, at) if name == key), None)
