"""The inventory of a fleet: a file of JSON lines, one item a line, sorted by path.

An inventory is read and written an item at a time, so that its length does not matter for memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from tf2bridge import regular_files
from tf2bridge.fleet.refusals import InventoryError

LONGEST = 1 << 20
"""The most bytes of a line. The longest path and the longest list of operations that `scan` writes need less."""

MARK = "!"
"""Stands in the path of an item between the archive and the member."""


class Kind(str, Enum):
    """What an item is."""

    CHECKPOINT = "checkpoint"
    FROZEN = "frozen graph"
    GRAPH = "graph"
    METAGRAPH = "metagraph"
    SAVED_MODEL = "SavedModel"
    HUB = "hub module"
    EVENTS = "event file"
    TRACE = "trace"
    KERAS = "keras file"
    ARRAYS = "NumPy file"
    SAFETENSORS = "safetensors"
    TFLITE = "TFLite"
    REPOSITORY = "repository"
    ARCHIVE = "archive"
    FOLDER = "folder"
    FILE = "file"
    """ARCHIVE, FOLDER and FILE: not looked into, for the reason that `error` says."""


OF_ALL_BYTES = "sha256:"
"""The beginning of digests of all bytes. Items with another equal digest may differ, if one of them is damaged."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of the inventory: a file, or the files that belong together.

    Attributes:
        path: a local path, the URL of a store, or "ARCHIVE!MEMBER". It is the path that the other commands take: the
            prefix of a checkpoint, the folder of a SavedModel. A byte that is not UTF-8 is a surrogate, as in
            `os.fsdecode`.
        kind: what it is.
        release: the release of TensorFlow that wrote it, or a range, where the files say so.
        bytes: the bytes of all its files.
        files: how many files it has.
        digest: "sha256:" and the digest of the content of its files; None where it was not computed.
        series: what the paths of all checkpoints of one training begin with, such as "run/model.ckpt"; None for one
            checkpoint alone and for other kinds.
        refused: types of operations that `audit` refuses, sorted.
        modified: when the newest of its files was changed, in microseconds since 1970; None for members of archives,
            items of stores, repositories and what cannot be read.
        duplicate_of: the path of the first item with the same digest.
        error: why it cannot be read, in one line.
    """

    path: str
    kind: Kind
    release: str | None = None
    bytes: int = 0
    files: int = 1
    digest: str | None = None
    series: str | None = None
    refused: tuple[str, ...] = ()
    modified: int | None = None
    duplicate_of: str | None = None
    error: str | None = None

    @property
    def has_whole_digest(self) -> bool:
        """Whether its digest is one of all its bytes."""
        return self.digest is not None and self.digest.startswith(OF_ALL_BYTES)

    def line(self) -> str:
        """Returns the item as a line of JSON, in ASCII, which ends with a line break."""
        return ENCODER.encode({name: getattr(self, name) for name in _TYPES}) + "\n"


ENCODER = json.JSONEncoder(separators=(",", ":"))
"""Makes short lines of JSON. It is made once: each call of json.dumps with separators would make one."""


def item_of(line: str) -> Item:
    """Returns the item of a line. Raises ValueError, which says why it is none."""
    try:
        stored = json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(stored, dict) or stored.keys() != _TYPES.keys():
        raise ValueError(f"it is no object with the keys {', '.join(_TYPES)}")
    for name, types in _TYPES.items():
        if type(stored[name]) not in types:  # not isinstance: True is no number of bytes
            raise ValueError(f"the type of {name!r} is wrong")
    refused = stored["refused"]
    if refused and not all(isinstance(operation, str) for operation in refused):
        raise ValueError("the type of 'refused' is wrong")
    stored["kind"], stored["refused"] = Kind(stored["kind"]), tuple(refused)
    return Item(**stored)


_TEXT: tuple[type[Any], ...] = (str, type(None))
_TYPES: dict[str, tuple[type[Any], ...]] = {
    "path": (str,),
    "kind": (str,),
    "release": _TEXT,
    "bytes": (int,),
    "files": (int,),
    "digest": _TEXT,
    "series": _TEXT,
    "refused": (list,),
    "modified": (int, type(None)),
    "duplicate_of": _TEXT,
    "error": _TEXT,
}


def read(path: Path) -> Iterator[Item]:
    """Yields the items of an inventory, in the order of the file.

    Raises InventoryError at a line that is no item, NotRegularFileError, and OSError.
    """
    return (item for _, item in placed(path))


def placed(path: Path) -> Iterator[tuple[int, Item]]:
    """Yields the items as `read` does, each after the byte at which its line begins."""
    place = 0
    with regular_files.opened(path) as raw, open(raw.fileno(), "rb", closefd=False) as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), b""), 1):
            if len(line) > LONGEST:
                raise InventoryError(path, number, f"it has more than {LONGEST:,} bytes")
            try:
                yield place, item_of(line.decode("ascii"))
            except ValueError as error:  # also of JSON and of ASCII
                raise InventoryError(path, number, str(error)) from error
            place += len(line)
