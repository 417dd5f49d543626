"""Tells of the items inside an archive, which is unpacked into a temporary folder for that."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tf2bridge.errors import BridgeError
from tf2bridge.fleet.inventory import MARK, Item, Kind
from tf2bridge.fleet.refusals import ArchiveError
from tf2bridge.fleet.scanning.groups import Group
from tf2bridge.fleet.scanning.telling import Beat, Told, failed, renamed
from tf2bridge.fleet.scanning.walking import walked
from tf2bridge.fleet.unpacking import Room, unpack

_MOST_REFUSED = 20
"""Items for members that are refused; the archive's own item has the number of the others."""
_NESTED = "an archive inside an archive is not looked into; unpack the outer one, and scan the folder"


def told_inside(
    archive: Item, path: Path, room: Room, scratch: Path, tell: Callable[[Group], Told | None], beat: Beat
) -> Iterator[Told]:
    """Yields the items inside an archive, and items for what cannot be unpacked.

    Args:
        archive: the archive's item.
        path: its local path.
        room: what it may take.
        scratch: a folder for temporary files.
        tell: returns the item of a group.
        beat: is called after each piece of work.
    """
    with TemporaryDirectory(dir=scratch) as name:
        folder = Path(name)
        try:
            refused = 0
            for member, why in unpack(path, folder, room, beat):
                refused += 1
                if refused <= _MOST_REFUSED:
                    yield Told(Item(f"{archive.path}{MARK}{member}", Kind.FILE, error=str(ArchiveError(member, why))))
            if refused > _MOST_REFUSED:
                why = f"{refused - _MOST_REFUSED:,} more of its members are not unpacked"
                yield Told(dataclasses.replace(archive, error=str(ArchiveError(path.name, why))))
        except (BridgeError, OSError, MemoryError) as error:
            yield failed(archive.path, Kind.ARCHIVE, error, path.parent, archive.bytes)
            return
        for group in walked([name]):
            beat()
            told = group if isinstance(group, Told) else tell(group)
            if told is not None:
                yield _in_archive(renamed(told, name, f"{archive.path}{MARK}.", f"{archive.path}{MARK}"))


def _in_archive(told: Told) -> Told:
    if told.item.kind is not Kind.ARCHIVE or told.item.error is not None:
        return told
    error = str(ArchiveError(Path(told.item.path).name, _NESTED))
    return Told(dataclasses.replace(told.item, error=error))
