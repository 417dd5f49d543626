"""Where the checkpoint is that a path means, and of which format, told by what files hold and not by their names."""

from __future__ import annotations

import difflib
import re
import zipfile
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from pathlib import Path

from tf2bridge.checkpoint.bundle_index import index_path
from tf2bridge.checkpoint.refusals import (
    DamagedCheckpointError,
    NewestGoneError,
    NoCheckpointError,
    NoIndexError,
    SeveralCheckpointsError,
)
from tf2bridge.checkpoint.state_file import STATE, is_state, is_there, read_state
from tf2bridge.checkpoint.table import Table
from tf2bridge.errors import BridgeError
from tf2bridge.graph.kinds import HDF5_MAGIC, is_table, other_kind

_BEGINNING = 4096
_DATA = re.compile(r"(.+)\.(?:data-\d{5}-of-\d{5}|meta|index)")
_SHARD = re.compile(r"(.+)-(?:\d{5}|\?{5})-of-(\d{5})")
_ZIP_MAGIC = b"PK\x03\x04"


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


def located(path: Path) -> Place:
    """Returns the checkpoint that is meant by a prefix, one of its files, a state file, or a directory.

    Raises NoCheckpointError, NewestGoneError, SeveralCheckpointsError, NoIndexError, DamagedCheckpointError.
    """
    if path.is_dir():
        return _in_directory(path)
    if index_path(path).is_file():
        return _of_table(index_path(path), told=path)
    named = _DATA.fullmatch(path.name)
    if named and is_there(prefix := path.with_name(named[1])):
        return located(prefix)
    if shards := v1_files(path):
        return Place(Form.V1, path if len(shards) == 1 else _pattern(path))
    if path.is_file():
        return _of_file(path)
    if data := sorted(path.parent.glob(f"{_escaped(path.name)}.data-*-of-*")):
        raise NoIndexError(path, data[0].name)
    raise NoCheckpointError(path, _nearest(path))


def v1_files(path: Path) -> list[Path]:
    """The files of a V1 checkpoint: it, or all of `NAME-00000-of-00002` by NAME, `NAME-?????-of-00002` or one of them.

    Those of the most shards, where NAME was written with several counts; [] where this is none.
    """
    if _SHARD.fullmatch(path.name) is None:
        if path.is_file():
            return [path] if path.stat().st_size and is_table(path) and _is_v1(path) else []
        found = sorted(path.parent.glob(f"{_escaped(path.name)}-[0-9]*-of-[0-9]*")) if path.parent.is_dir() else []
        counts = [match[2] for each in found if (match := _SHARD.fullmatch(each.name)) and match[1] == path.name]
        return _shards(path.with_name(f"{path.name}-?????-of-{max(counts)}")) if counts else []
    return _shards(path)


def _shards(path: Path) -> list[Path]:
    shard = _SHARD.fullmatch(path.name)
    if shard is None:
        return []
    paths = [path.with_name(f"{shard[1]}-{number:05d}-of-{shard[2]}") for number in range(int(shard[2]))]
    there = [each for each in paths if each.is_file()]
    return paths if there and all(is_table(each) and _is_v1(each) for each in there) else []


def _pattern(path: Path) -> Path:
    first = v1_files(path)[0].name
    return path.with_name(re.sub(r"-\d{5}-of-(\d{5})$", r"-?????-of-\1", first))


def _escaped(name: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", name)


def _is_v1(path: Path) -> bool:
    table = Table(path)
    try:
        header = table.find(b"")
        # What describes a V1 file begins with a message, the header of a V2 index with the number of its shards.
        return header is not None and table.read(header)[:1] == b"\x0a"
    finally:
        table.close()


def _of_table(index: Path, told: Path) -> Place:
    with index.open("rb") as file:
        beginning = file.read(_BEGINNING)
    if not is_table(index) and (other := other_kind(beginning)):
        raise NoCheckpointError(index, (), other)
    return Place(Form.V2, told)


def _of_file(path: Path) -> Place:
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
    if not beginning:
        raise DamagedCheckpointError(path, "it is empty")
    if is_state(beginning):
        return _of_state(path)
    if path.name in ("saved_model.pb", "saved_model.pbtxt"):
        return _in_directory(path.parent)
    if is_table(path):
        raise NoIndexError(path, path.name, "it is the index of a V2 checkpoint under another name: call it NAME.index")
    if beginning.startswith(HDF5_MAGIC):
        return Place(Form.HDF5, path)
    if beginning.startswith(_ZIP_MAGIC):
        return Place(_of_archive(path), path)
    if _begins_safetensors(beginning):
        return Place(Form.SAFETENSORS, path)
    raise NoCheckpointError(
        path, _nearest(path), other_kind(beginning) or "a file of none of the formats that are read"
    )


def _of_archive(path: Path) -> Form:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DamagedCheckpointError(path, f"the archive cannot be read ({error})") from error
    if "model.weights.h5" in names:
        return Form.KERAS
    if names and all(name.endswith(".npy") for name in names):
        return Form.NPZ
    raise NoCheckpointError(path, (), "a zip archive, neither of NumPy's arrays nor of Keras: unpack it first")


def _begins_safetensors(beginning: bytes) -> bool:
    """A length of eight bytes, then JSON (https://github.com/huggingface/safetensors, "Format")."""
    return len(beginning) > 9 and beginning[8:9] == b"{" and 2 <= int.from_bytes(beginning[:8], "little") <= 100_000_000


def _in_directory(path: Path) -> Place:
    if (path / STATE).is_file():
        return _of_state(path / STATE)
    if any((path / name).is_file() for name in ("saved_model.pb", "saved_model.pbtxt")):
        return located(path / "variables" / "variables")
    found = held(path)
    if len(found) == 1:
        return found[0]
    if found:
        raise SeveralCheckpointsError(path, [each.path.name for each in found])
    if any(path.rglob("*.npy")):
        return Place(Form.NPY, path)
    raise NoCheckpointError(
        path, [str(each.relative_to(path).parent) for each in sorted(islice(path.rglob("*.index"), 3))]
    )


def _of_state(file: Path) -> Place:
    state = read_state(file)
    newest = state.newest
    if not is_there(newest):
        raise NewestGoneError(file, newest, [str(each) for each in state.others if is_there(each)])
    if newest.is_file() and is_state(newest.read_bytes()[:_BEGINNING]):
        raise DamagedCheckpointError(file, f"it names {newest}, which is such a file itself and no checkpoint")
    return located(newest)


def held(folder: Path) -> list[Place]:
    """The checkpoints that lie in a directory, by name; arrays of NumPy are none here."""
    found = {}
    for each in sorted(folder.iterdir()):
        if each.suffix == ".index" and each.is_file() and is_table(each):
            found[each.with_suffix("")] = Form.V2
        elif each.is_file() and not _DATA.fullmatch(each.name) and (place := _alone(each)) is not None:
            found[place.path] = place.form
    return [Place(form, path) for path, form in found.items()]


def _alone(path: Path) -> Place | None:
    """A file that is a checkpoint, or one file of a V1 one; None for any other file, and for one that is damaged."""
    try:
        if shards := v1_files(path):
            return Place(Form.V1, path if len(shards) == 1 else _pattern(path))
        with path.open("rb") as file:
            told_elsewhere = is_state(file.read(_BEGINNING)) or path.name.startswith("saved_model.")
        return None if told_elsewhere else _of_file(path)
    except BridgeError:
        return None


def _nearest(path: Path) -> list[str]:
    """The prefixes beside a path that is none, the most similar first."""
    if not path.parent.is_dir():
        return []
    names = [each.path.name for each in held(path.parent)]
    near = difflib.get_close_matches(path.name, names, n=3, cutoff=0)
    return [str(path.with_name(name)) for name in near if name != path.name]
