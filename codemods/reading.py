"""Reads a file as a source file. Its name decides the kind: a Python file or a notebook."""

from __future__ import annotations

import re
from pathlib import Path

from codemods.errors import CodemodsError, OtherLanguageError, TooLargeError
from codemods.limits import limited
from codemods.regular import read_regular
from codemods.results import Failed, Skipped
from codemods.settings import Settings
from codemods.source import SourceFile, decode
from codemods.systems import reported

# Larger files are mostly data. They are parsed only if they import something.
_LARGE_BYTES = 2_000_000
_IMPORTS = re.compile(rb"tensorflow|^[ \t]*(?:import|from)[ \t]", re.MULTILINE)


def open_source(data: bytes, path: Path | str) -> SourceFile:
    """Returns the source file of the bytes; a notebook if the name ends in .ipynb. Raises CodemodsError."""
    with limited(path, len(data)):
        if str(path).endswith(".ipynb"):
            from codemods.notebooks import notebook

            return notebook.read(data, path)
        return decode(data, path)


def read(path: Path, settings: Settings) -> SourceFile | Skipped | Failed:
    """Reads one file. A file that is too large, or not Python, gives a `Skipped` with the reason."""
    try:
        data = read_regular(path, settings.max_bytes)
        if len(data) > _LARGE_BYTES and not _IMPORTS.search(data):
            return Skipped(reported(path), f"{len(data) / 1e6:.1f} MB of data: it imports nothing")
        return open_source(data, path)
    except OSError as error:
        return Failed(reported(path), f"{path}: cannot be read ({error.strerror})")
    except TooLargeError as error:
        limit = settings.max_bytes / 1e6
        return Skipped(reported(path), f"{error.size / 1e6:.1f} MB is above the limit of {limit:g} MB (--max-size)")
    except OtherLanguageError as error:
        return Skipped(reported(path), f"a notebook of {error.language}")
    except CodemodsError as error:
        return Failed(reported(path), str(error))


def unread(source: SourceFile) -> list[Skipped]:
    """Returns a `Skipped` for each cell of a notebook that is not Python."""
    cells = getattr(source, "unread", ())
    return [Skipped(source.path, f"cell {number} is left as it is: {why}") for number, why in cells]
