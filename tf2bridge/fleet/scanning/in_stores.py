"""Finds groups of files in a store, and copies what has to be read of a group into a temporary folder.

Of a data file of a V2 checkpoint nothing is copied: a local file of its size, with a hole, stands for it. Of any other
file the ends are read first, and the rest only if it may be a model. Repositories are not looked for in stores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tf2bridge.errors import NoSuchFileError
from tf2bridge.fleet import stores
from tf2bridge.fleet.inventory import Kind
from tf2bridge.fleet.refusals import StoreError, TooLargeItemError
from tf2bridge.fleet.scanning.file_facts import may_be_item
from tf2bridge.fleet.scanning.groups import Form, Group, groups, whole
from tf2bridge.fleet.scanning.telling import Beat, Told, failed

_DATA = ".data-"
_SMALL = 4096
"""Bytes of a data file that is copied: it may be the pointer that Git LFS leaves."""


def found(url: str) -> Iterator[Group | Told]:
    """Yields the groups at and below a URL: of a folder, a file, or the prefix of a checkpoint.

    Raises NoSuchFileError, MissingExtraError, StoreError.
    """
    url = url.rstrip("/")
    if stores.is_folder(url):
        try:
            yield from _below(url)
        except StoreError as error:
            yield failed(url, Kind.FOLDER, error, url)
        return
    folder, _, name = url.rpartition("/")
    files = next(iter(stores.folders(folder)), ("", [], {}))[2]
    fitting = [group for group in groups(folder, files) if name in (group.name, *group.files)]
    if not fitting and name not in files:
        raise NoSuchFileError(url, "file, folder or checkpoint")
    yield from fitting


def _below(url: str) -> Iterator[Group | Told]:
    for folder, inner, files in stores.folders(url):
        model = whole(folder, {*inner, *files})
        if model is not None:
            yield model
        taken = model.files if model is not None else ()
        inner[:] = [name for name in inner if name not in taken]
        yield from groups(folder, (name for name in files if name not in taken))


@dataclass(frozen=True)
class Fetched:
    """A group of files in a store, and what stands for it on this machine.

    Attributes:
        group: the group in a temporary folder.
        sources: local file -> its URL.
    """

    group: Group
    sources: dict[Path, str]

    def opened(self, path: Path) -> BinaryIO:
        """Returns the file in the store that a local file stands for, open for reading."""
        return stores.opened(self.sources[path])


def fetch(group: Group, folder: Path, most: int, beat: Beat) -> Fetched | None:
    """Copies what has to be read of a group into a folder; returns None if the group cannot be an item.

    Raises StoreError, and TooLargeItemError if more than `most` bytes would have to be copied.
    """
    sizes: dict[str, int] = {}
    for url in (f"{group.folder}/{name}" for name in group.files):
        sizes |= stores.files_below(url) if group.form is Form.FOLDER else {url: stores.size_of(url)}
    sources = {folder / url.removeprefix(f"{group.folder}/"): url for url in sizes}
    first = next(iter(sources), None)
    if group.form in (Form.FILE, Form.SHARDS) and first is not None:
        stores.copy_ends(sources[first], sizes[sources[first]], first)
        if not may_be_item(first):
            return None
        first.unlink()
    left = most
    for path, url in sources.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if _DATA in path.name and sizes[url] > _SMALL:
            with path.open("xb") as file:
                file.truncate(sizes[url])
            continue
        left -= sizes[url]
        if left < 0:
            raise TooLargeItemError(most)
        stores.copy(url, sizes[url], path, beat)
    local = Group(group.form, str(folder), group.name, group.files)
    return Fetched(local, sources)
