"""The path under which a command reads an item: its own, or that of its files, unpacked from an archive."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from tf2bridge.fleet.fetching import fetch
from tf2bridge.fleet.inventory import MARK, Item
from tf2bridge.fleet.refusals import UnreadableError
from tf2bridge.fleet.stores import is_url
from tf2bridge.fleet.unchanged import require_unchanged
from tf2bridge.fleet.unpacking import Room, is_archive_name, unpack
from tf2bridge.fleet.verbs import NOT_LOOKED_INTO

_UNPACKED = "unpacked"
_FETCHED = "fetched"
_SHARDS = "-?????-of-"
"""What `fleet scan` writes for the numbers of the files of a sharded checkpoint."""


@dataclass(frozen=True)
class Input:
    """Where an item is read.

    Attributes:
        path: the path for the command.
        names: parts of paths that the command sees -> what the inventory has in their place.
        folder: the folder with the files that were copied for it; "" if there are none.
    """

    path: str
    names: tuple[tuple[str, str], ...] = ()
    folder: str = ""

    def named(self, text: str, *, is_json: bool = False) -> str:
        """Returns a text in which files have the names that the inventory gives them."""
        for path, name in self.names:
            old, new = (json.dumps(path)[1:-1], json.dumps(name)[1:-1]) if is_json else (path, name)
            text = text.replace(old, new)
        return text

    def remove(self) -> None:
        """Removes the files that were copied for it."""
        if self.folder:
            shutil.rmtree(self.folder)


def is_packed(item: Item) -> bool:
    """Returns whether an item is a member of an archive."""
    archive, mark, _ = item.path.partition(MARK)
    return bool(mark) and is_archive_name(os.path.basename(archive))  # noqa: PTH119  # runs for each item, where pathlib is slow


def input_of(item: Item, start: Path, folder: str) -> Input:
    """Returns where an item is read. Members of archives, and items of stores, are copied into `folder`.

    `folder` is the current directory.

    Args:
        item: the item.
        start: the folder from which its path is seen.
        folder: the folder in which the command will run.

    Raises:
        UnreadableError: The inventory says that nothing is known of it, or it has changed since the scan.
        ArchiveError: Its archive is damaged.
    """
    if item.kind in NOT_LOOKED_INTO:
        raise UnreadableError(item.error or f"{item.path}: the inventory does not say what it holds")
    if is_url(item.path):
        return _fetched(item, folder)
    if not is_packed(item):
        path = os.path.join(start, item.path)  # noqa: PTH118
        require_unchanged(item, path)
        return Input(path, ((path, item.path),))
    archive, _, member = item.path.partition(MARK)
    place = Path(folder, _UNPACKED)
    place.mkdir()
    beginning = member.partition(_SHARDS)[0]
    for refusal in unpack(start / archive, place, Room(), lambda: None, lambda name: name.startswith(beginning)):
        raise UnreadableError(f"{archive}{MARK}{refusal.member} {refusal.why}")
    names = ((f"{place}/", f"{archive}{MARK}"), (f"{_UNPACKED}/", f"{archive}{MARK}"))
    return Input(f"{_UNPACKED}/{member}", names, str(place))


def _fetched(item: Item, folder: str) -> Input:
    if is_packed(item):
        raise UnreadableError(f"{item.path}: it is in an archive of a store: copy the archive here, and scan the copy")
    place = Path(folder, _FETCHED)
    place.mkdir()
    name, url = fetch(item, place)
    names = ((f"{place}/", f"{url}/"), (f"{_FETCHED}/", f"{url}/"))
    return Input(f"{_FETCHED}/{name}", names, str(place))
