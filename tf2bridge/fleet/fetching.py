"""Copies an item from a store to this machine, if it still is what the inventory says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tf2bridge.errors import NoSuchFileError
from tf2bridge.fleet import stores
from tf2bridge.fleet.inventory import Item
from tf2bridge.fleet.refusals import ChangedItemError, StoreError, UnreadableError

if TYPE_CHECKING:
    from tf2bridge.fleet.scanning.groups import Group


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
            raise ChangedItemError(item.path, f"it had {item.bytes:,} bytes, and has {sum(sizes.values()):,}")
        for url, size in sizes.items():
            path = folder / url.removeprefix(f"{group.folder}/")
            path.parent.mkdir(parents=True, exist_ok=True)
            stores.copy(url, size, path, lambda: None)
    except (StoreError, NoSuchFileError) as error:
        raise UnreadableError(str(error)) from error
    _require_digest(item, group, folder)
    return group.name, group.folder


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
    from tf2bridge.fleet.scanning.groups import Group
    from tf2bridge.fleet.unchanged import ANOTHER_DIGEST, digest_of_group

    local = Group(group.form, str(folder), group.name, group.files)
    if item.digest is not None and digest_of_group(item, local) != item.digest:
        raise ChangedItemError(item.path, ANOTHER_DIGEST)
