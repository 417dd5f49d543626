"""A checkpoint written in another format: as it is, or as a plan says."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tf2bridge.checkpoint import atomic, bundle_writer, opening, reading_back
from tf2bridge.checkpoint.bundle_index import index_path
from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.checkpoint.outgoing import outgoing
from tf2bridge.checkpoint.refusals import SameFileError
from tf2bridge.checkpoint.stored import Checkpoint
from tf2bridge.checkpoint.written_names import for_objects, for_saver
from tf2bridge.errors import NoSuchFileError

FORMATS = ("checkpoint", "saver", "keras", "weights.h5", "safetensors", "npz")
StrPath = str | os.PathLike[str]


@dataclass(frozen=True)
class Converted:
    """What was written."""

    source: Path
    path: Path
    """As TensorFlow would be given it."""
    format: str
    tensors: int
    nbytes: int
    """Of all values together."""
    kept: bool
    """Whether the data files of the source were taken over, and only the index is new."""
    verified: bool


def convert(
    src: StrPath | Checkpoint,
    dst: StrPath,
    plan: Plan | None = None,
    format: str = "checkpoint",  # noqa: A002 (the public name)
    *,
    link: bool = False,
    verify: bool = True,
    force: bool = False,
) -> Converted:
    """Writes the checkpoint `src` to `dst`, all of it or nothing, and returns what was written; the source stays.

    plan: what is written under which name; without one, all of it under its own.
    format: "checkpoint" is for `tf.train.Checkpoint`, and for a `Saver` by the same names; "saver" for a `Saver` of any
        release from 0.12 on.
    link: share the data with the source (hard links) instead of copying it.
    verify: read what was written, and compare it; without, a source that is damaged may be copied as it is.
    force: replace what is at `dst`; it is there until what replaces it is complete.

    Raises ExistingDestinationError, SameFileError, NameClashError, NotLinkedError, BusyDestinationError, FullDiskError,
    DamagedCheckpointError, IncompletePlanError, NotWrittenError, OSError.
    """
    target = Path(dst)
    if isinstance(src, Checkpoint):
        return _converted(src, target, plan, format, link, verify, force)
    with opening.open(src) as source:
        return _converted(source, target, plan, format, link, verify, force)


def _converted(
    source: Checkpoint, target: Path, plan: Plan | None, form: str, link: bool, verify: bool, force: bool
) -> Converted:
    _require_other(source, target)
    if not target.parent.is_dir():
        raise NoSuchFileError(target.parent, "directory to write to")
    atomic.recover(target)
    present = bundle_writer.files_at(target)
    atomic.require_absent(target, present, force)
    tensors = outgoing(source, plan)
    named = for_objects(tensors, source, target, plan) if form == "checkpoint" else for_saver(tensors, target, plan)
    with atomic.replacing(target, index_path(target), durable=bool(present)) as replacement:
        kept = bundle_writer.write_bundle(replacement, target, named, source, link)
        if verify:
            reading_back.check_bundle(replacement.folder / target.name, target, named)
        replacement.move(present)
    nbytes = sum(each.info.nbytes for each in named.values())
    return Converted(source.path, target, form, len(tensors), nbytes, kept, verify)


def _require_other(source: Checkpoint, target: Path) -> None:
    """Raises SameFileError where source and destination are the same files, also through links."""
    for old in (source.path, index_path(source.path)):
        for new in (target, index_path(target)):
            if old.exists() and new.exists() and old.samefile(new):
                raise SameFileError(source.path, target)
