"""Items in a database on the disk, so that they are sorted and compared with each other in little memory."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tf2bridge.fleet.inventory import Item, item_of
from tf2bridge.fleet.scanning.telling import Told

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA temp_store = FILE;
PRAGMA cache_size = -4096;
CREATE TABLE items (
    path BLOB, kind TEXT, line TEXT, digest TEXT, stem BLOB, structure TEXT, PRIMARY KEY (path, kind)
) WITHOUT ROWID;
"""
_COMPARED = """
CREATE TABLE firsts (digest TEXT PRIMARY KEY, path BLOB) WITHOUT ROWID;
INSERT INTO firsts SELECT digest, MIN(path) FROM items WHERE digest IS NOT NULL GROUP BY digest HAVING COUNT(*) > 1;
CREATE TABLE series (stem BLOB, structure TEXT, count INTEGER, path BLOB, PRIMARY KEY (stem, structure)) WITHOUT ROWID;
INSERT INTO series SELECT stem, structure, COUNT(*), MIN(path) FROM items
    WHERE stem IS NOT NULL GROUP BY stem, structure HAVING COUNT(*) > 1;
"""
_SORTED = """
SELECT items.line, items.path, firsts.path, series.stem FROM items
LEFT JOIN firsts ON firsts.digest = items.digest
LEFT JOIN series ON series.stem = items.stem AND series.structure = items.structure AND NOT EXISTS (
    SELECT 1 FROM series AS other WHERE other.stem = series.stem AND other.structure <> series.structure
    AND (other.count > series.count OR (other.count = series.count AND other.path < series.path))
)
ORDER BY items.path, items.kind
"""
"""If checkpoints of other tensors have the same stem, the series is that of the most checkpoints."""


class Collected:
    """Items that were told, in a database. An item that is told twice counts once.

    `folder` is the temporary folder of the database, which is removed at the end, and has room for other files.
    """

    def __init__(self, database: sqlite3.Connection, folder: Path) -> None:
        self._database, self.folder = database, folder
        database.executescript(_TABLES)

    def add(self, told: Told) -> bool:
        """Adds an item, and returns whether it is new."""
        item = told.item
        row = (
            *(_key(item.path), item.kind.value, item.line(), item.digest),
            *(None if told.stem is None else _key(told.stem), told.structure),
        )
        return self._database.execute("INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?)", row).rowcount == 1

    def sorted(self) -> Iterator[Item]:
        """Yields the items, sorted by path, with their duplicates and series."""
        self._database.executescript(_COMPARED)
        for line, path, first, stem in self._database.execute(_SORTED):
            item = item_of(line)
            yield dataclasses.replace(
                item,
                series=None if stem is None else _path(stem),
                duplicate_of=None if first is None or first == path else _path(first),
            )


@contextmanager
def collected() -> Iterator[Collected]:
    """Yields an empty collection of items, in a temporary file that is removed at the end."""
    with TemporaryDirectory(prefix="tf2bridge-scan-") as folder:
        database = sqlite3.connect(Path(folder) / "items.sqlite", isolation_level=None)
        try:
            yield Collected(database, Path(folder))
        finally:
            database.close()


def _key(path: str) -> bytes:
    return path.encode("utf-8", "surrogatepass")


def _path(key: bytes) -> str:
    return key.decode("utf-8", "surrogatepass")
