"""What would change, as a unified diff that `patch -p1` and `git apply` take."""

from __future__ import annotations

import difflib
import re

from codemods.results import Changed
from codemods.source import decode


def unified(result: Changed) -> str:
    """The diff of one file; newlines inside lines are the file's own."""
    before, after = (_lines(decode(data, result.path).text) for data in (result.before, result.after))
    path = result.path.lstrip("/")
    parts: list[str] = []
    for line in difflib.unified_diff(before, after, f"a/{path}", f"b/{path}"):
        ended = line.endswith(("\n", "\r"))
        parts.append(line if ended else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)
