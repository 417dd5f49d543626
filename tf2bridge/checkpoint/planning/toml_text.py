"""TOML of plans and lists of shapes: read by the standard library, written with one line for each value."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


_KEY = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_DEEPEST = 100
_DOTTED = re.compile(rf"(?:^|[\[{{,])\s*(?:{_KEY}\s*\.\s*){{{_DEEPEST}}}")


def parsed(text: str) -> dict[str, Any]:
    """Returns the tables of a text. Raises ValueError with line and column."""
    for number, line in enumerate(text.split("\n"), 1):
        # The library's time grows with the square of the length of a dotted key.
        if line.count(".") >= _DEEPEST and _DOTTED.search(line):
            raise ValueError(f"its tables lie more than {_DEEPEST} deep (at line {number})")
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("its tables and lists lie too deep within one another") from error
    return tables


def written(value: Any) -> str:
    """Returns a value on one line: a text, number, truth value, list, or table."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key(name)} = {written(part)}" for name, part in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return json.dumps(value)


def key(name: str) -> str:
    """Returns a key, in quotes if necessary."""
    return (
        name
        if name and all(character.isascii() and (character.isalnum() or character in "_-") for character in name)
        else quoted(name)
    )


def quoted(text: str) -> str:
    """Returns a basic string: JSON's, with DEL escaped, too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
