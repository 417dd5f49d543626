"""The sidecar of a graph: FILE.sha256 beside FILE, or DIRECTORY.sha256 beside a SavedModel, as `sha256sum` has it.

A GraphDef holds no checksum of its own: one bit that is changed may change a weight, and nothing shows it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from tf2bridge.graph.refusals import ChecksumError

_LINE = re.compile(r"(?P<digest>[0-9a-f]{64})(\s+\*?(?P<name>\S.*))?")
_PIECE = 1 << 20


def sidecar_of(path: Path) -> Path:
    """The place of the sidecar of a file or directory."""
    return path.with_name(f"{path.name}.sha256")


def write(path: Path) -> Path:
    """Writes the sidecar of a file, or of all files of a directory, and returns it: `sha256sum -c` checks it too."""
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    lines = [f"{_digest(each)}  {each.relative_to(path.parent).as_posix()}\n" for each in files]
    sidecar_of(path).write_text("".join(lines), "utf-8")
    return sidecar_of(path)


def renew(path: Path, wanted: bool) -> None:
    """Makes the sidecar of what was just written: a new one, or none instead of that of what was there before."""
    sidecar_of(path).unlink(missing_ok=True)
    if wanted:
        write(path)


def verify(path: Path) -> None:
    """Raises ChecksumError unless a file is as its sidecar says, and the whole directory that it lies in as its own.

    Where neither has a sidecar, there is nothing to check.
    """
    path = path.absolute()
    for covered in (path, path.parent):
        sidecar = sidecar_of(covered) if covered.name else None
        if sidecar is not None and sidecar.is_file():
            _verify(path, covered, sidecar)


def _verify(path: Path, covered: Path, sidecar: Path) -> None:
    listed = dict(_entries(covered, sidecar))
    if path not in listed:
        raise ChecksumError(path, "is not listed", sidecar)
    for file, digest in listed.items():
        if not file.is_file():
            raise ChecksumError(file, "is missing", sidecar)
        if _digest(file) != digest:
            raise ChecksumError(file, "has another SHA-256 than it says", sidecar)


def _entries(covered: Path, sidecar: Path) -> Iterator[tuple[Path, str]]:
    try:
        lines = sidecar.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ChecksumError(covered, "cannot be checked: no text is in it", sidecar) from error
    for line in lines:
        entry = _LINE.fullmatch(line.strip())
        if entry is None:
            raise ChecksumError(covered, f"cannot be checked: {line[:80]!r} is no line of sha256sum", sidecar)
        yield sidecar.parent / entry["name"] if entry["name"] else covered, entry["digest"]


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            found.update(piece)
    return found.hexdigest()
