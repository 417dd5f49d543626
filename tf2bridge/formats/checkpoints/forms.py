"""Of which format a file of a checkpoint is, told by what it holds and not by its name, and which belong together."""

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
"""What the files beside a prefix are called."""
_SHARD = re.compile(r"(.+)-(?:\d{5}|\?{5})-of-(\d{5})")
_ZIP_MAGIC = b"PK\x03\x04"
_BEGINNING = 4096


class Form(Enum):
    """How a checkpoint is stored."""

    V1 = "V1"
    V2 = "V2"
    HDF5 = "h5"
    KERAS = "keras"
    NPZ = "npz"
    NPY = "npy"
    SAFETENSORS = "safetensors"


@dataclass(frozen=True)
class Place:
    """A checkpoint: its form, and the path it is known by: of a V2 one its prefix."""

    form: Form
    path: Path


def beginning(path: Path) -> bytes:
    """The first bytes of a file."""
    with opened(path) as file:
        return file.read(_BEGINNING)


def form_of_file(path: Path) -> Form | None:
    """The form of a file that is a checkpoint by itself, but for V1; None for any other.

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
    """A length of eight bytes, then JSON (https://github.com/huggingface/safetensors, "Format")."""
    return first[8:9] == b"{" and 2 <= int.from_bytes(first[:8], "little") <= 100_000_000


def v1_files(path: Path) -> list[Path]:
    """The files of a V1 checkpoint: it, or all of `NAME-00000-of-00002` by NAME, `NAME-?????-of-00002` or one of them.

    Those of the most shards, where NAME was written with several counts; [] where this is none.
    """
    if _SHARD.fullmatch(path.name) is not None:
        return _shards(path)
    if path.is_file():
        return [path] if _is_v1(path) else []
    found = sorted(path.parent.glob(f"{escaped(path.name)}-[0-9]*-of-[0-9]*")) if path.parent.is_dir() else []
    counts = [match[2] for each in found if (match := _SHARD.fullmatch(each.name)) and match[1] == path.name]
    return _shards(path.with_name(f"{path.name}-?????-of-{max(counts)}")) if counts else []


def v1_path(files: list[Path]) -> Path:
    """What TensorFlow calls a V1 checkpoint of these files: NAME, or NAME-?????-of-00002."""
    return files[0].with_name(re.sub(r"-\d{5}-of-(\d{5})$", r"-?????-of-\1", files[0].name))


def _shards(path: Path) -> list[Path]:
    """All files that a V1 checkpoint should have, some of which are there."""
    shard = _SHARD.fullmatch(path.name)
    assert shard is not None
    paths = [path.with_name(f"{shard[1]}-{number:05d}-of-{shard[2]}") for number in range(int(shard[2]))]
    there = [each for each in paths if each.is_file()]
    return paths if there and all(map(_is_v1, there)) else []


def _is_v1(path: Path) -> bool:
    if not path.stat().st_size or not is_table(path):
        return False
    table = Table(path)
    try:
        header = table.find(b"")
        # What describes a V1 file begins with a message, the header of a V2 index with the number of its shards.
        return header is not None and table.read(header)[:1] == b"\x0a"
    finally:
        table.close()


def unfinished(path: Path) -> Path:
    """The directory that holds what is written for a checkpoint of this name, until all of it is in place."""
    return path.with_name(f".{path.name}.tf2bridge")


def escaped(name: str) -> str:
    """A name as a pattern of `glob` that only it matches."""
    return re.sub(r"([*?\[])", r"[\1]", name)


def held(folder: Path) -> list[Place]:
    """The checkpoints that lie in a directory, by name; not its .npy files, and not files that are damaged."""
    found: dict[Path, Form] = {}
    for each in sorted(folder.iterdir()):
        if each.suffix == ".index" and each.is_file() and is_table(each):
            found[each.with_suffix("")] = Form.V2
        elif each.is_file() and not OF_PREFIX.fullmatch(each.name) and (place := _alone(each)) is not None:
            found[place.path] = place.form
    return [Place(form, path) for path, form in found.items()]


def _alone(path: Path) -> Place | None:
    try:
        if files := v1_files(path):
            return Place(Form.V1, v1_path(files))
        form = None if is_state(beginning(path)) else form_of_file(path)
        return Place(form, path) if form is not None else None
    except BridgeError:
        return None
