"""What would change, as a unified diff that `patch -p1` and `git apply` take."""

from __future__ import annotations

import difflib
import re

from codemods.results import Changed


def unified(result: Changed) -> bytes:
    """The diff of one file, in the file's own encoding and with its own newlines."""
    path = result.path.lstrip("/").encode(errors="surrogateescape")
    parts: list[bytes] = []
    before, after = _lines(result.before), _lines(result.after)
    for line in difflib.diff_bytes(difflib.unified_diff, before, after, b"a/" + path, b"b/" + path):
        parts.append(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n")
    return b"".join(parts)


def _lines(data: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+\Z", data)
