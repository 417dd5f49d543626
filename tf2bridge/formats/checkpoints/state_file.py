"""Reads and writes the file `checkpoint` of a directory, in which a Saver names its newest checkpoint."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from google.protobuf import text_encoding

from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError
from tf2bridge.regular_files import SMALL, content_of
from tf2bridge.whole_file import write_whole

STATE = "checkpoint"
_PATH = re.compile(rb"""^[ \t]*(all_)?model_checkpoint_paths?\s*:\s*(["'])(.*)\2[ \t\r]*$""", re.MULTILINE)


@dataclass(frozen=True)
class State:
    """The content of the file, with paths as they are found from here."""

    newest: Path
    others: tuple[Path, ...]
    """The other checkpoints, oldest first."""


def is_state(content: bytes) -> bool:
    """Returns whether a file with this beginning is a state file. The name does not count."""
    return re.match(rb"\s*(all_)?model_checkpoint_paths?\s*:", content) is not None


def read_state(path: Path) -> State:
    """Returns what the file at `path` says. Raises DamagedCheckpointError where it names no checkpoint."""
    newest, others = None, []
    for match in _PATH.finditer(content_of(path, SMALL)):
        try:
            named = text_encoding.CUnescape(match[3].decode()).decode()
        except (UnicodeDecodeError, ValueError) as error:
            raise DamagedCheckpointError(path, f"a path in it cannot be read ({error})") from error
        if match[1]:
            others.append(_found(path.parent, named))
        else:
            newest = _found(path.parent, named)
    if newest is None:
        raise DamagedCheckpointError(path, "it has no model_checkpoint_path, so names no newest checkpoint")
    return State(newest, tuple(other for other in others if other != newest))


def write_state(path: Path, checkpoints: Sequence[tuple[str, float]]) -> None:
    """Writes the file: names beside it, oldest first, each with when it was made, in seconds since 1970.

    The last is the newest. The message is CheckpointState of python/training/checkpoint_state.proto, as text.
    """
    names = [text_encoding.CEscape(name.encode("utf-8"), as_utf8=False) for name, _ in checkpoints]
    lines = [f'model_checkpoint_path: "{names[-1]}"', *(f'all_model_checkpoint_paths: "{name}"' for name in names)]
    lines += [f"all_model_checkpoint_timestamps: {when!r}" for _, when in checkpoints]
    write_whole(path, "\n".join(lines) + "\n")


def _found(folder: Path, named: str) -> Path:
    """Returns the checkpoint of a name.

    TensorFlow writes absolute paths if it gets one. If such a path does not exist, because the directory was copied
    from another machine, this is the checkpoint with the last part of the path beside the file.
    """
    path = folder / named
    if is_there(path) or not (PurePosixPath(named).is_absolute() or PureWindowsPath(named).drive):
        return path
    return folder / PureWindowsPath(named).name  # it takes both kinds of slashes


def is_there(prefix: Path) -> bool:
    """Returns whether there is a checkpoint of that prefix, V1, sharded V1 or V2."""
    if prefix.is_file() or prefix.with_name(f"{prefix.name}.index").is_file():
        return True
    return "?" in prefix.name and any(prefix.parent.glob(prefix.name))
