"""Writes the changes as a unified diff that `patch -p1` and `git apply` accept."""

from __future__ import annotations

import difflib
import os
import re

from codemods import systems
from codemods.results import Changed

_ODD = re.compile(rb'[\x00-\x1f\x7f"\\]')


def unified(result: Changed) -> bytes:
    """Returns the diff of one file, in the file's own encoding and with its own newlines."""
    path = os.fsencode(systems.below(result.path))
    parts: list[bytes] = []
    before, after = _lines(result.before), _lines(result.after)
    for line in difflib.diff_bytes(difflib.unified_diff, before, after, _name(b"a/" + path), _name(b"b/" + path)):
        parts.append(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n")
    return b"".join(parts)


def _name(path: bytes) -> bytes:
    """Returns the name as git writes it: in quotes if it contains control characters, quotes or backslashes."""
    if not _ODD.search(path):
        return path
    return b'"%s"' % _ODD.sub(lambda match: b"\\%03o" % match[0][0], path)


def _lines(data: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+\Z", data)
