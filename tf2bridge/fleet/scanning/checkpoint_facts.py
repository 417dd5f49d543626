"""The series that a checkpoint may belong to, and the structure of its tensors, which all of a series share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from tf2bridge.formats.checkpoints.bundle import Bundle
from tf2bridge.formats.checkpoints.forms import v1_files, v1_path
from tf2bridge.formats.checkpoints.refusals import NoIndexError
from tf2bridge.formats.checkpoints.slices_v1 import SlicesV1
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo

_STEP = re.compile(r"(.*[^-_.])[-_.]\d+(?:\.ckpt|-\?{5}-of-\d{5})?", re.DOTALL)
"""A Saver's model.ckpt-1000, its V1 shards, and cp-0001.ckpt of Keras's guides."""


def stem_of(path: str) -> str | None:
    """Returns what the paths of a training's checkpoints begin with, if a path ends with the number of a step."""
    match = _STEP.fullmatch(path)
    return match[1] if match else None


def structure_of_v2(prefix: Path, files: Iterable[str]) -> str:
    """Returns what identifies the names, shapes and types of the tensors of a V2 checkpoint.

    Raises NoIndexError, MissingShardError, DamagedCheckpointError, UnsupportedCheckpointError, OSError.
    """
    if f"{prefix.name}.index" not in files:
        raise NoIndexError(prefix, next(iter(files)))
    return _structure(Bundle(prefix))


def structure_of_v1(path: Path) -> str:
    """Returns the same for a V1 checkpoint: a file, or one of its shards."""
    files = v1_files(path)
    return _structure(SlicesV1(v1_path(files) if files else path, files or [path]))


def _structure(checkpoint: Checkpoint) -> str:
    with checkpoint:
        digest = hashlib.sha256()
        for line in sorted(map(_line, checkpoint.tensors.values())):
            digest.update(line)
    return digest.hexdigest()


def _line(info: TensorInfo) -> bytes:
    return f"{info.name!r} {info.shape} {info.dtype}\n".encode("utf-8", "surrogateescape")
