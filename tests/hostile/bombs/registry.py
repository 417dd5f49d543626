"""Small files that ask for much memory or time: one function for each, by what they are files of."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tf2bridge.formats.checkpoints.wire import written_varint

Bomb = Callable[[Path], tuple[str, Path]]
"""Writes into a folder; returns the reader (`readers.READERS`) and what it is given."""

BOMBS: dict[str, Bomb] = {}


def bomb(function: Bomb) -> Bomb:
    """Registers a bomb under the name of its function."""
    BOMBS[function.__name__] = function
    return function


def proto(number: int, content: bytes) -> bytes:
    """A field of bytes, text or a message."""
    return written_varint(number << 3 | 2) + written_varint(len(content)) + content


def sparse_file_in(folder: Path, name: str, beginning: bytes, kind: str = "graph") -> tuple[str, Path]:
    """A file that says to have a terabyte, and holds its beginning alone, for a reader."""
    (folder / name).write_bytes(beginning)
    os.truncate(folder / name, 1 << 40)
    return kind, folder / name


def file_in(folder: Path, name: str, content: bytes, kind: str = "graph") -> tuple[str, Path]:
    """A file of this content, for a reader."""
    (folder / name).write_bytes(content)
    return kind, folder / name
