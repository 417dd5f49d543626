"""Scans of folders for the tests, and the files of fixtures in them."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tf2bridge.fleet.inventory import Item
from tf2bridge.fleet.scanning.scan import Options, Summary, scan

FIXTURES = Path(__file__).parents[3] / "fixtures"


def scanned(*paths: Path | str, options: Options | None = None) -> list[Item]:
    """The inventory of paths."""
    found = scan([str(path) for path in paths], options or Options(), lambda _: None)
    return [item for item in found if not isinstance(item, Summary)]


def by_path(folder: Path, items: list[Item]) -> dict[str, Item]:
    """Items by their paths below a folder."""
    return {item.path.removeprefix(str(folder)).lstrip("/"): item for item in items}


def unpacked(archive: str, folder: Path) -> Path:
    """The content of an archive of the fixtures, in a folder."""
    with zipfile.ZipFile(FIXTURES / archive) as stored:
        stored.extractall(folder)
    return folder
