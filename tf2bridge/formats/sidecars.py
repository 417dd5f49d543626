"""The sidecar of a file, directory or checkpoint: PATH.sha256 beside it, as `sha256sum` writes it.

A GraphDef has no checksum of its own, so one changed bit can change a weight without a sign. A file with a sidecar is
compared with it whenever it is read.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tf2bridge import regular_files
from tf2bridge.formats.refusals import ChecksumError, UnsealableError
from tf2bridge.whole_file import write_whole

SUFFIX = ".sha256"
_LINE = re.compile(r"(\\?)([0-9a-fA-F]{64})(?: [ *](.+)|[ \t]+\*?(\S.*)|\s*)")
_ESCAPES = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}
_OF_CHECKPOINT = r"(?:\.index|\.meta|\.data-\d{5}-of-\d{5}|-\d{5}-of-\d{5})"
"""The text after the prefix of a checkpoint in the names of its files (core/util/tensor_bundle/naming.cc)."""
_PART = re.compile(rf"(.+?){_OF_CHECKPOINT}")
_SAVED_MODEL = ("saved_model.pb", "saved_model.pbtxt")
_PIECE = 1 << 20


@dataclass(frozen=True)
class Sidecar:
    """The content of a sidecar.

    Attributes:
        path: the path of the sidecar.
        covered: the absolute path of the file, directory or checkpoint prefix that it covers.
        digests: covered file -> SHA-256, in hexadecimal digits.
        names_others: whether it names other files, which are never opened.
    """

    path: Path
    covered: Path
    digests: Mapping[Path, str]
    names_others: bool = False

    def verify(self, file: Path, content: bytes | None = None) -> None:
        """Raises ChecksumError unless a file is listed and unchanged.

        `content` is the content of the file, if it is already read.
        """
        if file not in self.digests:
            raise ChecksumError(file, "is not listed", self.path)
        if not file.is_file():
            raise ChecksumError(file, "is missing", self.path)
        digest = digest_of(file) if content is None else hashlib.sha256(content).hexdigest()
        if digest != self.digests[file]:
            raise ChecksumError(file, "has another SHA-256 than it says", self.path)


def sidecar_of(path: Path) -> Path:
    """Returns the path of the sidecar of a file, directory or prefix."""
    return path.with_name(f"{path.name}{SUFFIX}")


def parts_of(path: Path) -> list[Path]:
    """Returns the files that belong to a path: the file itself, all files below a directory, or those of a checkpoint.

    Sidecars are left out. Raises UnsealableError for a link that leads out of the directory, or to another one.
    """
    if path.is_dir():
        return sorted(_below(path), key=lambda part: part.parts)  # as Linux sorts them
    names = (file.name for file in os.scandir(path.parent)) if path.parent.is_dir() else ()
    of_prefix = re.compile(re.escape(path.name) + _OF_CHECKPOINT)
    files = sorted(path.with_name(name) for name in names if of_prefix.fullmatch(name))
    return [path, *files] if os.path.lexists(path) else files


def _below(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder, onerror=_raised):
        for path in (Path(here, name) for name in (*folders, *names)):
            if path.is_symlink() and not (path.is_file() and path.resolve().is_relative_to(folder.resolve())):
                raise UnsealableError(path, "it is a link to a directory, to nothing, or out of the directory")
        yield from (Path(here, name) for name in names if not name.endswith(SUFFIX))


def _raised(error: OSError) -> None:
    raise error


def write(path: Path, digests: Mapping[Path, str] | None = None) -> Path:
    """Writes the sidecar of a path completely or not at all, and returns its path. `sha256sum -c` can check it.

    `digests`: file -> SHA-256, if they are known. Raises UnsealableError.
    """
    covered = path.absolute()
    if digests is None:
        digests = {part: digest_of(part) for part in parts_of(covered)}
    for file in digests:
        try:
            str(file).encode()
        except UnicodeEncodeError:
            raise UnsealableError(file, "its name is not UTF-8") from None
    write_whole(sidecar_of(covered), "".join(_line(file, covered, digest) for file, digest in digests.items()))
    return sidecar_of(covered)


def _line(file: Path, covered: Path, digest: str) -> str:
    name = file.relative_to(covered.parent).as_posix()
    escaped = "".join({char: code for code, char in _ESCAPES.items()}.get(char, char) for char in name)
    return f"{'' if escaped == name else chr(92)}{digest}  {escaped}\n"


def renew(path: Path, wanted: bool) -> None:
    """Removes the old sidecar of a path that was just written, and writes a new one if it is wanted."""
    sidecar_of(path).unlink(missing_ok=True)
    if wanted:
        write(path)


def verify(path: Path, content: bytes | None = None) -> None:
    """Raises ChecksumError unless a path matches its sidecar and the sidecars of the directories above it.

    `content`: the content of the file at `path`, if it is already read. All files of a SavedModel or checkpoint are
    compared. Without a sidecar there is nothing to check.
    """
    for place in dict.fromkeys((path.absolute(), path.resolve())):
        done: set[tuple[Path, Path]] = set()
        for part in _read_with(place):
            for sidecar in _sidecars(part):
                for file in _concerned(part, sidecar):
                    if (sidecar.path, file) not in done:
                        sidecar.verify(file, content if file == place else None)
                        done.add((sidecar.path, file))


def _read_with(place: Path) -> Iterator[Path]:
    """Yields the files that are read with a path: itself, files of a checkpoint, and files of a sealed directory."""
    yield place
    if not place.is_file() and (not place.is_dir() or next(_sidecars(place), None) is not None):
        yield from parts_of(place)


def _sidecars(place: Path) -> Iterator[Sidecar]:
    """Returns the sidecars of a path, of the checkpoint that it is a part of, and of the directories above it."""
    part = _PART.fullmatch(place.name)
    for covered in (place, *([place.with_name(part[1])] if part else ()), *place.parents):
        sidecar = read(covered) if covered.name else None
        # NAME.sha256 beside a directory NAME may be that of an archive NAME.tar.gz, and names nothing of the directory.
        if sidecar is not None and (sidecar.digests or covered == place or not sidecar.names_others):
            yield sidecar


def _concerned(place: Path, sidecar: Sidecar) -> Iterator[Path]:
    """Returns the files of a sidecar that are read together with a path. The path must be one of them."""
    group = place.parent if place.name in _SAVED_MODEL else place
    if place.is_file():
        yield place
    yield from (
        file for file in sidecar.digests if file != place and (sidecar.covered == place or group in file.parents)
    )


def read(covered: Path) -> Sidecar | None:
    """Returns the sidecar of an absolute path, or None.

    Raises ChecksumError, NotRegularFileError, TooLargeFileError.
    """
    path = sidecar_of(covered)
    try:
        text = regular_files.text_of(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise ChecksumError(covered, "cannot be checked: no text is in it", path) from error
    digests: dict[Path, str] = {}
    names_others = False
    for line in text.split("\n"):
        if not line.strip():
            continue
        entry = _LINE.fullmatch(line)
        if entry is None:
            raise ChecksumError(covered, f"cannot be checked: {line[:80]!r} is no line of sha256sum", path)
        file = _named(entry, covered)
        if file is not None and _is_of(file, covered):
            digests[file] = entry[2].lower()
        else:
            names_others = True
    return Sidecar(path, covered, digests, names_others)


def _named(entry: re.Match[str], covered: Path) -> Path | None:
    """Returns the file that a line names, or None if its path leads upwards."""
    name = entry[3] or entry[4]
    if name is None:
        return covered
    if entry[1]:
        name = re.sub(r"\\[\\nr]", lambda code: _ESCAPES[code[0]], name)
    return None if ".." in Path(name).parts else covered.parent / name


def _is_of(file: Path, covered: Path) -> bool:
    """Returns whether a named file is covered. Other files that a sidecar names are never opened."""
    part = _PART.fullmatch(file.name)
    is_part = file.parent == covered.parent and part is not None and part[1] == covered.name
    return file == covered or covered in file.parents or is_part


def digest_of(path: Path) -> str:
    """Returns the SHA-256 of a regular file in hexadecimal digits. Raises NotRegularFileError and OSError."""
    digest = hashlib.sha256()
    with regular_files.opened(path) as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()
