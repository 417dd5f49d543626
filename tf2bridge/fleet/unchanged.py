"""Whether an item on this machine still is what the inventory says.

Files of the same sizes whose newest was changed when the inventory says are taken for the same, as rsync and git take
them; others, such as copies, must have the digest.
"""

from __future__ import annotations

import os
import stat

from tf2bridge.errors import BridgeError
from tf2bridge.fleet.inventory import Item, Kind
from tf2bridge.fleet.refusals import ChangedItemError
from tf2bridge.fleet.scanning import groups
from tf2bridge.fleet.scanning.digests import Digest, Reading
from tf2bridge.fleet.scanning.groups import Form, Group
from tf2bridge.fleet.scanning.local_files import digest_now, modified, paths_of, stamp_of

ANOTHER_DIGEST = "its digest is another one"
_SHARDS = "-?????-of-"


def require_unchanged(item: Item, path: str) -> None:
    """Raises ChangedItemError if the files at a local path are not those of the item.

    Without a digest there is nothing to compare. What is not there at all is left to the command, whose error says so.

    Args:
        item: An item of the inventory.
        path: Where its files are: `item.path`, seen from where the run was started.
    """
    if item.digest is None or _is_the_same_file(item, path):
        return
    try:
        group = _group_at(item, path)
        if group is not None:
            _require_same(item, group)
    except (BridgeError, OSError) as error:
        if isinstance(error, ChangedItemError):
            raise
        raise ChangedItemError(item.path, str(error)) from error


def digest_of_group(item: Item, group: Group) -> str | None:
    """Returns the digest of local files, of the kind that an item has. Raises BridgeError, OSError."""
    wanted = Digest.FULL if item.has_whole_digest else Digest.CHECKSUMS
    return digest_now(group, Reading(wanted, item.bytes))


def _is_the_same_file(item: Item, path: str) -> bool:
    """Returns whether an item is one file, as most are, and has the size and the time of the inventory."""
    if item.files != 1:
        return False
    try:
        facts = os.stat(path)  # noqa: PTH116  # runs for each item, where pathlib is slow
    except OSError:
        return False
    stamp = facts.st_size, facts.st_mtime_ns
    return stat.S_ISREG(facts.st_mode) and facts.st_size == item.bytes and modified([stamp]) == item.modified


def _require_same(item: Item, group: Group) -> None:
    paths = paths_of(group)
    if len(paths) != item.files:
        raise ChangedItemError(item.path, f"it had {item.files:,} files, and has {len(paths):,}")
    stamps = [stamp_of(path) for path in paths]
    size = sum(size for size, _ in stamps)
    if size != item.bytes:
        raise ChangedItemError(item.path, f"it had {item.bytes:,} bytes, and has {size:,}")
    if modified(stamps) != item.modified and digest_of_group(item, group) != item.digest:
        raise ChangedItemError(item.path, ANOTHER_DIGEST)


def _group_at(item: Item, path: str) -> Group | None:
    """Returns the files that are read together at a path now; None if there are none."""
    if item.kind is Kind.REPOSITORY:
        return Group(Form.REPOSITORY, path, "")
    if os.path.isdir(path):  # noqa: PTH112
        return groups.whole(path, os.listdir(path))  # noqa: PTH208
    folder, name = os.path.split(path)
    if item.files == 1 and os.path.isfile(path):  # noqa: PTH113  # most items, so that the others' names are not tried
        return Group(Form.FILE, folder, name, (name,))
    names = _likely(folder, name)
    if len(names) != item.files:  # a checkpoint of several data files, or one that has changed
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.startswith(name.partition(_SHARDS)[0])]
    return next((group for group in groups.groups(folder, names) if group.name == name), None)


def _likely(folder: str, name: str) -> list[str]:
    """Returns those files of a checkpoint that can be named without a look at the whole folder, which may be large."""
    beginning, mark, count = name.partition(_SHARDS)
    if mark:
        likely = [f"{beginning}-{number:05}-of-{count}" for number in range(int(count))]
    else:
        likely = [name, f"{name}.index", f"{name}.data-00000-of-00001"]
    return [file for file in (*likely, f"{beginning}.meta") if os.path.isfile(os.path.join(folder, file))]  # noqa: PTH113, PTH118
