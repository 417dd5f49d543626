"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tf2bridge.systems import NO_FOLLOW


def write_whole(path: Path, text: str) -> None:
    """Writes a file, or replaces it, in one step; after an error what was there still is, with nothing beside it."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Writes or replaces a file of bytes, as `write_whole` does a text."""
    with written_whole(path) as file:
        file.write(content)


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """Yields a file to write to, which takes its place at the end of the with block, and is removed after an error."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    beside.unlink(missing_ok=True)  # of a process that was killed, or put there: a link would lead elsewhere
    try:
        with open(beside, "xb", opener=_not_through_links) as file:
            yield file
        beside.replace(path)
    except OSError as error:
        if error.filename in (None, os.fspath(beside)):
            error.filename = str(path)  # of writing there is none, and nobody knows the other
        raise
    finally:
        beside.unlink(missing_ok=True)


def _not_through_links(path: str, flags: int) -> int:
    return os.open(path, flags | NO_FOLLOW, 0o666)
