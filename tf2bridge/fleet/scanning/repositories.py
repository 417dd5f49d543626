"""Tells whether the files of a repository are TensorFlow programs, and for which release its lists of packages ask."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from codemods.requirements import is_requirements
from tf2bridge.fleet.scanning.repository_files import SOURCES
from tf2bridge.regular_files import opened

_IMPORT = re.compile(rb"^[ \t>.\"']*(?:import|from)[ \t]+tensorflow\b", re.MULTILINE)
_NEEDED = re.compile(
    rb"\btensorflow(?:[-_]gpu|[-_]cpu)?[ \t]*((?:[=<>~!]=?=?[ \t]*\d[\w.*]*[ \t]*,?[ \t]*)+)", re.IGNORECASE
)
_MOST = 4 << 20
"""Bytes of a source file that are looked at."""


def uses_tensorflow(files: Collection[Path]) -> bool:
    """Returns whether one of the Python files or notebooks imports TensorFlow."""
    return any(path.suffix in SOURCES and _IMPORT.search(_beginning(path)) for path in files)


def release_asked(files: Collection[Path]) -> str | None:
    """Returns what the lists of packages ask for, such as "==1.4.0" or ">=1.4,<2"; None if they say nothing."""
    asked = {
        re.sub(rb"\s", b"", match[1]).strip(b",").decode("ascii", "replace")
        for path in files
        if is_requirements(path) or path.name == "setup.py"
        for match in _NEEDED.finditer(_beginning(path))
    }
    return " and ".join(sorted(asked)) or None


def _beginning(path: Path) -> bytes:
    try:
        with opened(path) as file:
            return file.read(_MOST)
    except OSError:
        return b""
