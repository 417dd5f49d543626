"""Finds the checkpoint that a path means: a prefix, a file of the checkpoint, a state file or a directory."""

from __future__ import annotations

import difflib
from itertools import islice
from pathlib import Path

from tf2bridge import regular_files
from tf2bridge.formats.checkpoints.bundle_index import index_path
from tf2bridge.formats.checkpoints.forms import (
    OF_PREFIX,
    Form,
    Place,
    beginning,
    escaped,
    form_of_file,
    held,
    unfinished,
    v1_files,
    v1_path,
)
from tf2bridge.formats.checkpoints.refusals import (
    DamagedCheckpointError,
    NewestGoneError,
    NoCheckpointError,
    NoIndexError,
    SeveralCheckpointsError,
    UnfinishedError,
)
from tf2bridge.formats.checkpoints.state_file import STATE, is_state, is_there, read_state
from tf2bridge.formats.kinds import is_table, other_kind

_SAVED_MODEL = ("saved_model.pb", "saved_model.pbtxt")


def located(path: Path) -> Place:
    """Returns the checkpoint that a path means: a prefix, one of its files, a state file, or a directory.

    Raises NoCheckpointError, NewestGoneError, SeveralCheckpointsError, NoIndexError, UnfinishedError,
    DamagedCheckpointError.
    """
    if path.is_dir():
        return _in_directory(path)
    if index_path(path).is_file():
        return _of_index(index_path(path), path)
    named = OF_PREFIX.fullmatch(path.name)
    if named and is_there(prefix := path.with_name(named[1])):
        return located(prefix)
    if files := v1_files(path):
        return Place(Form.V1, v1_path(files))
    prefix = path.with_name(named[1]) if named else path
    if data := sorted(prefix.parent.glob(f"{escaped(prefix.name)}.data-*-of-*")):
        raise UnfinishedError(path) if unfinished(prefix).is_dir() else NoIndexError(path, data[0].name)
    if path.is_file():
        return _of_file(path)
    regular_files.require(path)
    raise NoCheckpointError(path, _nearest(path))


def _of_index(index: Path, prefix: Path) -> Place:
    if not is_table(index) and (other := other_kind(beginning(index))):
        raise NoCheckpointError(index, (), other)
    return Place(Form.V2, prefix)


def _of_file(path: Path) -> Place:
    first = beginning(path)
    if not first:
        raise DamagedCheckpointError(path, "it is empty")
    if is_state(first):
        return _of_state(path)
    if path.name in _SAVED_MODEL:
        return _in_directory(path.parent)
    if is_table(path):
        raise NoIndexError(path, path.name, "it is the index of a V2 checkpoint under another name: call it NAME.index")
    if (form := form_of_file(path)) is not None:
        return Place(form, path)
    raise NoCheckpointError(
        path, _nearest(path), other_kind(first) or "a file of none of the formats that are read, or cut off at its end"
    )


def _in_directory(path: Path) -> Place:
    if (path / STATE).is_file():
        return _of_state(path / STATE)
    if any((path / name).is_file() for name in _SAVED_MODEL):
        return located(path / "variables" / "variables")
    places = held(path)
    if len(places) == 1:
        return places[0]
    if places:
        raise SeveralCheckpointsError(path, [file.path.name for file in places])
    if any(file.is_file() for file in path.rglob("*.npy")):
        return Place(Form.NPY, path)
    below = sorted(islice(path.rglob("*.index"), 3))
    raise NoCheckpointError(path, [str(file.with_suffix("")) for file in below], "a directory without one")


def _of_state(file: Path) -> Place:
    state = read_state(file)
    if not is_there(state.newest):
        raise NewestGoneError(file, state.newest, [str(place) for place in state.others if is_there(place)])
    if state.newest.is_file() and is_state(beginning(state.newest)):
        raise DamagedCheckpointError(file, f"it names {state.newest}, which is such a file itself and no checkpoint")
    return located(state.newest)


def _nearest(path: Path) -> list[str]:
    """Returns the checkpoints beside a path that is none, the most similar first."""
    if not path.parent.is_dir():
        return []
    names = [place.path.name for place in held(path.parent)]
    near = difflib.get_close_matches(path.name, names, n=3, cutoff=0)
    return [str(path.with_name(name)) for name in near if name != path.name]
