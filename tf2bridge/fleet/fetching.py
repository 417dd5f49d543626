"""Copies an item from a store to this machine, if it still is what the inventory says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tf2bridge.errors import NoSuchFileError
from tf2bridge.fleet import stores
from tf2bridge.fleet.inventory import OF_ALL_BYTES, Item
from tf2bridge.fleet.refusals import StoreError, UnreadableError
from tf2bridge.formats.sidecars import digest_of

if TYPE_CHECKING:
    from tf2bridge.fleet.scanning.groups import Group

_OTHER = "its digest is another one"


def fetch(item: Item, folder: Path) -> tuple[str, str]:
    """Copies the files of an item into a folder; returns the item's name there, and the URL of what holds the files.

    No more bytes are copied than the inventory says.

    Raises:
        UnreadableError: The item is gone, has changed since the scan, or the store does not give it.
        MissingExtraError: fsspec is not installed.
    """
    try:
        group = _group(item)
        sizes = _sizes(group)
        if sum(sizes.values()) != item.bytes:
            raise _changed(item, f"it had {item.bytes:,} bytes, and has {sum(sizes.values()):,}")
        for url, size in sizes.items():
            path = folder / url.removeprefix(f"{group.folder}/")
            path.parent.mkdir(parents=True, exist_ok=True)
            stores.copy(url, size, path, lambda: None)
    except (StoreError, NoSuchFileError) as error:
        raise UnreadableError(str(error)) from error
    _require_digest(item, group, folder)
    return group.name, group.folder


def require_unchanged(item: Item, path: str) -> None:
    """Raises UnreadableError if a local file is not what the inventory says. Items of several files are not read."""
    is_known = item.files == 1 and item.has_whole_digest
    if is_known and os.path.isfile(path) and f"{OF_ALL_BYTES}{digest_of(Path(path))}" != item.digest:  # noqa: PTH113
        raise _changed(item, _OTHER)


def _group(item: Item) -> Group:
    from tf2bridge.fleet.scanning import in_stores
    from tf2bridge.fleet.scanning.groups import Group

    for found in in_stores.found(item.path):
        if isinstance(found, Group) and found.path == item.path:
            return found
    raise UnreadableError(f"{item.path}: it is not there any more: scan again")


def _sizes(group: Group) -> dict[str, int]:
    """Returns the URL of each file of a group -> its bytes."""
    sizes: dict[str, int] = {}
    for name in group.files:
        sizes |= stores.files_below(f"{group.folder}/{name}")
    return sizes


def _require_digest(item: Item, group: Group, folder: Path) -> None:
    from tf2bridge.fleet.scanning.digests import Digest, Reading
    from tf2bridge.fleet.scanning.groups import Group
    from tf2bridge.fleet.scanning.telling import digest_now

    if item.digest is None:
        return
    local = Group(group.form, str(folder), group.name, group.files)
    wanted = Digest.FULL if item.has_whole_digest else Digest.CHECKSUMS
    if digest_now(local, Reading(wanted, item.bytes)) != item.digest:
        raise _changed(item, _OTHER)


def _changed(item: Item, how: str) -> UnreadableError:
    return UnreadableError(f"{item.path}: it has changed since the scan ({how}): scan again")
