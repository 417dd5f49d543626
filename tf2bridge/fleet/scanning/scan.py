"""Scans paths and writes the inventory."""

from __future__ import annotations

import functools
import glob
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from tf2bridge.errors import BridgeError, NoSuchFileError, OwnBugError
from tf2bridge.fleet import stores
from tf2bridge.fleet.inventory import Item, Kind
from tf2bridge.fleet.scanning import in_stores, telling, walking
from tf2bridge.fleet.scanning.collected import Collected, collected
from tf2bridge.fleet.scanning.digests import Reading
from tf2bridge.fleet.scanning.groups import Group
from tf2bridge.fleet.scanning.in_archives import told_inside
from tf2bridge.fleet.scanning.local_files import Opener
from tf2bridge.fleet.scanning.telling import Beat, Told
from tf2bridge.fleet.scanning.workers import Limits, told
from tf2bridge.fleet.unpacking import Room
from tf2bridge.formats.graphs.failures import place_of
from tf2bridge.regular_files import opened

Tell = Callable[["Summary"], None]
"""Is called as the scan goes on."""


@dataclass(frozen=True)
class Options:
    """What a scan does: the digest that it computes, its processes, and the limits of each group and archive."""

    reading: Reading = Reading()  # noqa: RUF009 (a tuple)
    jobs: int = 1
    limits: Limits = field(default_factory=Limits)
    room: Room = field(default_factory=Room)


@dataclass
class Summary:
    """The numbers of a scan.

    Attributes:
        groups: groups of files that were found so far, models or not.
        done: groups that were looked at.
        walked: whether all groups are found.
        items, errors, duplicates, bytes: of the inventory.
        kinds: the number of items of each kind.
    """

    groups: int = 0
    done: int = 0
    walked: bool = False
    items: int = 0
    errors: int = 0
    duplicates: int = 0
    bytes: int = 0
    kinds: Counter[Kind] = field(default_factory=Counter)


def scan(paths: Sequence[str], options: Options, tell: Tell) -> Iterator[Item | Summary]:
    """Yields the items at and below paths, sorted by path, and at last the numbers of the scan.

    Raises NoSuchFileError.
    """
    summary = Summary()
    with collected() as items:
        _collect(_found(expanded(paths)), items, options, summary, tell)
        for item in items.sorted():
            summary.items += 1
            summary.errors += item.error is not None
            summary.duplicates += item.duplicate_of is not None
            summary.bytes += item.bytes
            summary.kinds[item.kind] += 1
            yield item
    yield summary


def write(items: Iterable[Item | Summary], file: BinaryIO) -> Summary:
    """Writes items as an inventory, and returns the numbers of the scan."""
    for item in items:
        if isinstance(item, Summary):
            return item
        file.write(item.line().encode("ascii"))
    raise AssertionError("a scan ends with its numbers")


def expanded(paths: Sequence[str]) -> list[str]:
    """Returns paths in place of patterns, each once. Raises NoSuchFileError for a pattern that nothing fits."""
    plain: dict[str, None] = {}
    for path in paths:
        if stores.is_url(path):
            fitting = stores.expanded(path) if glob.has_magic(path) else [path]
        elif os.path.lexists(path) or not glob.has_magic(path):
            fitting = [os.path.normpath(path)]
        else:
            fitting = [os.path.normpath(name) for name in sorted(glob.iglob(path, recursive=True))]  # noqa: PTH207
        if not fitting:
            raise NoSuchFileError(path, "file that fits this pattern")
        plain.update(dict.fromkeys(fitting))
    return list(plain)


def _found(paths: Sequence[str]) -> Iterator[Group | Told]:
    yield from walking.walked([path for path in paths if not stores.is_url(path)])
    for url in filter(stores.is_url, paths):
        yield from in_stores.found(url)


def _collect(
    groups_and_items: Iterator[Group | Told], items: Collected, options: Options, summary: Summary, tell: Tell
) -> None:
    def groups() -> Iterator[Group]:
        for group in groups_and_items:
            if isinstance(group, Told):
                items.add(group)
            else:
                summary.groups += 1
                yield group
        summary.walked = True

    teller = functools.partial(_told_of, options, items.folder)
    with closing(told(groups(), teller, options.jobs, options.limits)) as results:
        for result in results:
            if isinstance(result, Told):
                items.add(result)
            else:
                summary.done += result
                tell(summary)


def _told_of(options: Options, scratch: Path, group: Group, beat: Beat) -> Iterator[Told]:
    """Yields the items of a group. An unexpected error is an item's, and not the end of the scan."""
    try:
        if stores.is_url(group.folder):
            yield from _told_in_store(options, scratch, group, beat)
        else:
            yield from _told_here(options, scratch, group, beat, opened)
    except (BridgeError, OSError, MemoryError) as error:
        yield telling.failed(group.path, Kind.FILE, error, group.folder)
    except Exception as error:
        yield telling.failed(group.path, Kind.FILE, OwnBugError(group.name, error, place_of(error)), group.folder)


def _told_here(options: Options, scratch: Path, group: Group, beat: Beat, opener: Opener) -> Iterator[Told]:
    result = telling.tell(group, options.reading, beat, opener)
    if result is None:
        return
    if result.item.kind is Kind.ARCHIVE and result.item.error is None:
        tell = functools.partial(telling.tell, reading=options.reading, beat=beat)
        yield from told_inside(result.item, Path(group.folder, group.name), options.room, scratch, tell, beat)
    else:
        yield result


def _told_in_store(options: Options, scratch: Path, group: Group, beat: Beat) -> Iterator[Told]:
    with TemporaryDirectory(dir=scratch) as folder:
        fetched = in_stores.fetch(group, Path(folder), options.room.bytes, beat)
        if fetched is not None:
            for result in _told_here(options, scratch, fetched.group, beat, fetched.opened):
                yield telling.renamed(result, folder, group.folder, f"{group.folder}/")
