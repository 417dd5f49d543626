"""The digest of an item's content, by which duplicates are found.

- "sha256:" of a file alone: what `sha256sum` prints for it.
- "sha256:" of several files: of a list of their names in the item, their sizes and their own sums.
- "index:" of a V2 checkpoint: such a list, in which the size alone stands for a data file. The index has a checksum
  (CRC-32C) of each tensor, so another value has another digest. A data file that was damaged later has the same one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from enum import Enum
from typing import BinaryIO, NamedTuple

from tf2bridge.fleet.inventory import OF_ALL_BYTES
from tf2bridge.fleet.refusals import TooLargeItemError

_PIECE = 1 << 20


class Digest(Enum):
    """Which digest is computed."""

    CHECKSUMS = "checksums"
    """Of all bytes; of a V2 checkpoint by the checksums in its index."""
    FULL = "full"
    """Of all bytes."""
    NONE = "none"


class Reading(NamedTuple):
    """Which digest is computed, and the most bytes of an item that are read for it."""

    digest: Digest = Digest.CHECKSUMS
    largest: int = 32 << 30


class Part(NamedTuple):
    """A file of an item: its name in the item, its size, and a function that opens it, or None to take its size."""

    name: str
    size: int
    open: Callable[[], BinaryIO] | None


def digest_of(parts: Iterable[Part], reading: Reading, beat: Callable[[], None]) -> str | None:
    """Returns the digest of the files of an item, if one is wanted. `beat` is called after each piece that was read.

    Raises TooLargeItemError.
    """
    if reading.digest is Digest.NONE:
        return None
    files = sorted(parts, key=lambda part: part.name)
    if sum(part.size for part in files if part.open is not None) > reading.largest:
        raise TooLargeItemError(reading.largest)
    if len(files) == 1 and not files[0].name:
        return f"{OF_ALL_BYTES}{_sum(files[0], beat)}"
    listed = hashlib.sha256()
    for part in files:
        name = part.name.encode("utf-8", "surrogateescape")
        listed.update(b"%d %s %d %s\n" % (len(name), name, part.size, _sum(part, beat).encode()))
    is_index = any(part.open is None for part in files)
    return f"{'index' if is_index else 'sha256'}:{listed.hexdigest()}"


def _sum(part: Part, beat: Callable[[], None]) -> str:
    if part.open is None:
        return "-"
    digest, left = hashlib.sha256(), part.size
    with part.open() as file:
        # no more than it had, because a file may grow as fast as it is read
        while left > 0 and (piece := file.read(min(_PIECE, left))):
            digest.update(piece)
            left -= len(piece)
            beat()
    return digest.hexdigest()
