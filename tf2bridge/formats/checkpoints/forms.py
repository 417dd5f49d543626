"""Recognizes the format of checkpoint files by their content, and finds the files that belong together."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tf2bridge.errors import BridgeError
from tf2bridge.formats.checkpoints.archived import Archive
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError
from tf2bridge.formats.checkpoints.state_file import is_state
from tf2bridge.formats.checkpoints.table import Table
from tf2bridge.formats.kinds import HDF5_MAGIC, is_table
from tf2bridge.regular_files import opened

OF_PREFIX = re.compile(r"(.+)\.(?:data-\d{5}-of-\d{5}|meta|index)")
"""The names of the files beside a prefix."""
_SHARD = re.compile(r"(.+)-(?:\d{5}|\?{5})-of-(\d{5})")
_ZIP_MAGIC = b"PK\x03\x04"
_BEGINNING = 4096


class Form(Enum):
    """The format of a checkpoint."""

    V1 = "V1"
    V2 = "V2"
    HDF5 = "h5"
    KERAS = "keras"
    NPZ = "npz"
    NPY = "npy"
    SAFETENSORS = "safetensors"


@dataclass(frozen=True)
class Place:
    """A checkpoint: its format and its path, which is the prefix of a V2 checkpoint."""

    form: Form
    path: Path


def beginning(path: Path) -> bytes:
    """Returns the first bytes of a file."""
    with opened(path) as file:
        return file.read(_BEGINNING)


def form_of_file(path: Path) -> Form | None:
    """Returns the format of a file that is a whole checkpoint, or None. V1 files are not recognized here.

    Raises DamagedCheckpointError for an archive that cannot be read.
    """
    first = beginning(path)
    if first.startswith(HDF5_MAGIC):
        return Form.HDF5
    if first.startswith(_ZIP_MAGIC):
        return _form_of_archive(path)
    return Form.SAFETENSORS if _begins_safetensors(first) else None


def _form_of_archive(path: Path) -> Form | None:
    try:
        with Archive(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DamagedCheckpointError(path, f"the archive cannot be read ({error})") from error
    if "model.weights.h5" in names:
        return Form.KERAS
    return Form.NPZ if names and all(name.endswith(".npy") for name in names) else None


def _begins_safetensors(first: bytes) -> bool:
    """Returns whether a file begins with a length of eight bytes and JSON (github.com/huggingface/safetensors)."""
    return first[8:9] == b"{" and 2 <= int.from_bytes(first[:8], "little") <= 100_000_000


def v1_files(path: Path) -> list[Path]:
    """Returns the files of a V1 checkpoint, or [] if there is none.

    The path may be the file itself. For files such as `NAME-00000-of-00002` it may be NAME, `NAME-?????-of-00002` or
    one of them. If NAME has files of several counts, the largest count is taken.
    """
    if _SHARD.fullmatch(path.name) is not None:
        return _shards(path)
    if path.is_file():
        return [path] if _is_v1(path) else []
    shards = sorted(path.parent.glob(f"{escaped(path.name)}-[0-9]*-of-[0-9]*")) if path.parent.is_dir() else []
    counts = [match[2] for shard in shards if (match := _SHARD.fullmatch(shard.name)) and match[1] == path.name]
    return _shards(path.with_name(f"{path.name}-?????-of-{max(counts)}")) if counts else []


def v1_path(files: list[Path]) -> Path:
    """Returns TensorFlow's name of a V1 checkpoint of these files: NAME, or NAME-?????-of-00002."""
    return files[0].with_name(re.sub(r"-\d{5}-of-(\d{5})$", r"-?????-of-\1", files[0].name))


def _shards(path: Path) -> list[Path]:
    """Returns all files that a V1 checkpoint should have, or [] if none exists or one is of another format."""
    shard = _SHARD.fullmatch(path.name)
    assert shard is not None
    paths = [path.with_name(f"{shard[1]}-{number:05d}-of-{shard[2]}") for number in range(int(shard[2]))]
    existing = [shard_path for shard_path in paths if shard_path.is_file()]
    return paths if existing and all(map(_is_v1, existing)) else []


def _is_v1(path: Path) -> bool:
    if not path.stat().st_size or not is_table(path):
        return False
    table = Table(path)
    try:
        header = table.find(b"")
        # The header of a V1 file begins with a message, that of a V2 index with the number of its shards.
        return header is not None and table.read(header)[:1] == b"\x0a"
    finally:
        table.close()


def unfinished(path: Path) -> Path:
    """Returns the directory of unfinished files for a checkpoint of this name."""
    return path.with_name(f".{path.name}.tf2bridge")


def escaped(name: str) -> str:
    """Returns a pattern for `glob` that only this name matches."""
    return re.sub(r"([*?\[])", r"[\1]", name)


def held(folder: Path) -> list[Place]:
    """Returns the checkpoints in a directory, sorted by name, without .npy files and damaged files."""
    forms: dict[Path, Form] = {}
    for file in sorted(folder.iterdir()):
        if file.suffix == ".index" and file.is_file() and is_table(file):
            forms[file.with_suffix("")] = Form.V2
        elif file.is_file() and not OF_PREFIX.fullmatch(file.name) and (place := _alone(file)) is not None:
            forms[place.path] = place.form
    return [Place(form, path) for path, form in forms.items()]


def _alone(path: Path) -> Place | None:
    try:
        if files := v1_files(path):
            return Place(Form.V1, v1_path(files))
        form = None if is_state(beginning(path)) else form_of_file(path)
        return Place(form, path) if form is not None else None
    except BridgeError:
        return None
