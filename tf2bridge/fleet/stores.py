"""Object stores and other file systems, through fsspec: folders listed, and files read in ranges or copied."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from tf2bridge.errors import MissingExtraError
from tf2bridge.fleet.refusals import StoreError

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+://")
_PIECE = 1 << 20
_END = 4096


def is_url(path: str) -> bool:
    """Returns whether a path names something in a store, such as s3://bucket/models."""
    return _URL.match(path) is not None


def system_of(url: str) -> tuple[Any, str]:
    """Returns the file system of a URL, and the path there. Raises MissingExtraError, StoreError."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise MissingExtraError("fsspec", "stores", f"reading {url}") from None
    try:
        system, path = url_to_fs(url, use_listings_cache=False)  # listings of a million files would stay in memory
    except (ValueError, ImportError) as error:  # an unknown protocol, or one whose package is not installed
        raise StoreError(url, error) from error
    return system, path


def folders(url: str) -> Iterator[tuple[str, list[str], dict[str, int]]]:
    """Yields the URL of each folder at and below one, the names of its folders, and its files with their sizes.

    A name that is removed from the list of folders is not looked into. Raises StoreError.
    """
    system, path = system_of(url)
    try:
        for folder, inner, files in system.walk(path, detail=True, on_error="raise"):
            names = sorted(inner)
            yield system.unstrip_protocol(folder), names, {name: _size(facts) for name, facts in files.items() if name}
            for name in set(inner) - set(names):
                del inner[name]
    except Exception as error:  # of the store's own library: there is no common class
        raise StoreError(url, error) from error


def expanded(url: str) -> list[str]:
    """Returns the URLs that fit a pattern, sorted. Raises StoreError."""
    system, path = system_of(url)
    try:
        return sorted(system.unstrip_protocol(fitting) for fitting in system.glob(path))
    except Exception as error:
        raise StoreError(url, error) from error


def is_folder(url: str) -> bool:
    """Returns whether a URL is a folder. Raises StoreError."""
    system, path = system_of(url)
    try:
        return bool(system.isdir(path))
    except Exception as error:
        raise StoreError(url, error) from error


def files_below(url: str) -> dict[str, int]:
    """Returns the URLs of all files at or below one, with their sizes. Raises StoreError."""
    system, path = system_of(url)
    try:
        files = system.find(path, detail=True)
    except Exception as error:
        raise StoreError(url, error) from error
    return {system.unstrip_protocol(name): _size(facts) for name, facts in sorted(files.items())}


def size_of(url: str) -> int:
    """Returns the size of a file. Raises StoreError."""
    system, path = system_of(url)
    try:
        return _size(system.info(path))
    except Exception as error:
        raise StoreError(url, error) from error


def opened(url: str) -> BinaryIO:
    """Returns a file of a store, open for reading in ranges. Raises StoreError."""
    system, path = system_of(url)
    try:
        return cast("BinaryIO", system.open(path, "rb"))
    except Exception as error:
        raise StoreError(url, error) from error


def copy(url: str, size: int, target: Path, beat: Callable[[], None]) -> None:
    """Copies a file of this size to a local one. Raises StoreError, also if it ends before."""
    left = size
    try:
        with opened(url) as source, target.open("xb") as file:
            while left > 0 and (piece := source.read(min(_PIECE, left))):
                file.write(piece)
                left -= len(piece)
                beat()
    except StoreError:
        raise
    except Exception as error:
        raise StoreError(url, error) from error
    if left:
        raise StoreError(url, EOFError(f"it ends {left:,} bytes before its size"))


def copy_ends(url: str, size: int, target: Path) -> None:
    """Writes a local file of this size with the first and last bytes of one in a store, and a hole between them."""
    system, path = system_of(url)
    try:
        first = system.cat_file(path, start=0, end=min(size, _END))
        last = system.cat_file(path, start=max(0, size - _END), end=size) if size else b""
    except Exception as error:
        raise StoreError(url, error) from error
    with target.open("xb") as file:
        file.write(first)
        file.truncate(size)
        file.seek(max(0, size - _END))
        file.write(last)


def _size(facts: Any) -> int:
    return int(facts.get("size") or 0)
