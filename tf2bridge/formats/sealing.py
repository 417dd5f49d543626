"""Writes sidecars for a collection of existing files, and compares the files with their sidecars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tf2bridge.errors import NoSuchFileError
from tf2bridge.formats import sidecars
from tf2bridge.formats.refusals import UnsealableError
from tf2bridge.formats.sidecars import SUFFIX, Sidecar


class State(Enum):
    """The outcome of sealing a path, or of comparing it with its seal."""

    SEALED = "sealed"
    UNCHANGED = "as it was sealed"
    DIFFERENT = "DIFFERENT"
    UNSEALED = "NOT SEALED"

    @property
    def passed(self) -> bool:
        return self in (State.SEALED, State.UNCHANGED)


@dataclass(frozen=True)
class Seal:
    """The result for a path.

    Attributes:
        path: the file, directory or checkpoint.
        sidecar: the path of its sidecar.
        state: the outcome.
        files: how many files belong to the path now.
        changed, missing, extra: files that differ from the sidecar, are gone, or are not listed, relative to the parent
            directory.
    """

    path: Path
    sidecar: Path
    state: State
    files: int
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()


def named(paths: Iterable[Path]) -> list[Path]:
    """Returns the paths, each once. A sidecar, as from `models/*`, stands for the path that it covers."""
    return list(dict.fromkeys(path.parent / path.name.removesuffix(SUFFIX) for path in paths))


def seal(path: Path, force: bool = False) -> Seal:
    """Writes the sidecar of a file, directory or checkpoint, unless it has one.

    A sidecar that does not match stays as it is, because the file may be damaged. `force` says that the change was
    intended. Raises NoSuchFileError, UnsealableError, ChecksumError, OSError.
    """
    covered, digests, sidecar = _look(path)
    if sidecar is not None and not force:
        return _compared(path, digests, sidecar)
    if not digests:
        raise UnsealableError(path, "it holds no file") if covered.exists() else NoSuchFileError(path)
    if sidecar is not None and sidecar.digests == digests:
        return _compared(path, digests, sidecar)
    return Seal(path, sidecars.write(covered, digests), State.SEALED, len(digests))


def check(path: Path) -> Seal:
    """Compares a file, directory or checkpoint with its sidecar. Raises what `seal` raises."""
    covered, digests, sidecar = _look(path)
    if sidecar is not None:
        return _compared(path, digests, sidecar)
    if not digests and not covered.exists():
        raise NoSuchFileError(path)
    return Seal(path, sidecars.sidecar_of(covered), State.UNSEALED, len(digests))


def _look(path: Path) -> tuple[Path, dict[Path, str], Sidecar | None]:
    """Returns the absolute path, the current checksums of its files, and its sidecar."""
    covered = path.absolute() if path.name not in ("", "..") else path.resolve()
    if not covered.name:
        raise UnsealableError(path, "it is the root of all files")
    digests = {part: sidecars.digest_of(part) for part in sidecars.parts_of(covered)}
    return covered, digests, sidecars.read(covered)


def _compared(path: Path, digests: Mapping[Path, str], sidecar: Sidecar) -> Seal:
    def relative(files: Iterable[Path]) -> tuple[str, ...]:
        return tuple(file.relative_to(sidecar.covered.parent).as_posix() for file in sorted(files))

    both = digests.keys() & sidecar.digests.keys()
    changed = relative(file for file in both if digests[file] != sidecar.digests[file])
    missing, extra = relative(sidecar.digests.keys() - both), relative(digests.keys() - both)
    is_equal = bool(both) and not (changed or missing or extra)
    state = State.UNCHANGED if is_equal else State.DIFFERENT
    return Seal(path, sidecar.path, state, len(digests), changed, missing, extra)
