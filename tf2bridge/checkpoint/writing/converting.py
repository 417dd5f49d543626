"""Writes a checkpoint in another format: unchanged, or as a plan says."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.checkpoint.writing import atomic, bundle_writer, reading_back
from tf2bridge.checkpoint.writing.formats import BUNDLES, FORMATS, LIVE
from tf2bridge.checkpoint.writing.outgoing import Outgoing, outgoing
from tf2bridge.checkpoint.writing.refusals import FormatError, SameFileError
from tf2bridge.checkpoint.writing.written_names import BOOKKEEPING, by_names, for_objects, for_saver
from tf2bridge.errors import NoSuchFileError
from tf2bridge.formats import sidecars
from tf2bridge.formats.checkpoints import opening
from tf2bridge.formats.checkpoints.bundle_index import index_path
from tf2bridge.formats.checkpoints.forms import v1_files
from tf2bridge.formats.checkpoints.stored import Checkpoint

if TYPE_CHECKING:
    from tf2bridge.checkpoint.mapping import Plan

StrPath = str | os.PathLike[str]


@dataclass(frozen=True)
class Converted:
    """The result of a conversion."""

    source: Path
    path: Path
    """The path as TensorFlow takes it."""
    format: str
    tensors: int
    nbytes: int
    """Bytes of all values together."""
    kept: bool
    """Whether the data files of the source were kept, and only the index is new."""
    verified: bool
    dropped: tuple[str, ...] = ()
    """Tensors of the source that were not written: those that the plan drops, and objects' bookkeeping."""


@dataclass(frozen=True)
class _Work:
    source: Checkpoint
    target: Path
    plan: Plan | None
    format: str
    link: bool
    verify: bool
    present: list[Path]


def convert(
    src: StrPath | Checkpoint,
    dst: StrPath,
    plan: Plan | StrPath | None = None,
    format: str = "checkpoint",  # noqa: A002 (the public name)
    into: Any = None,
    *,
    link: bool = False,
    verify: bool = True,
    force: bool = False,
    allow_nan: bool = False,
) -> Converted:
    """Writes the checkpoint `src` to `dst`, completely or not at all, and returns what was written. The source stays.

    Args:
        src: The checkpoint, or its path.
        dst: The destination.
        plan: What is written under which name, or the file of a plan. By default everything keeps its name. If `src`
            has the names that the plan writes, the plan is inverted: new names become old ones.
        format: "checkpoint" is for `tf.train.Checkpoint`, and for a `Saver` by the same names. "saver" is for a `Saver`
            of any release from 0.12 on. "safetensors" and "npz" are single files. "keras" and "weights.h5" need `into`,
            TensorFlow, and a `dst` that ends in .keras or .weights.h5.
        into: The target (see `plan`), if there is no plan yet, or for one of Keras's formats.
        link: Share the data with the source (hard links) instead of copying it.
        verify: Read back what was written, and compare it. Otherwise a damaged source may be copied unnoticed.
        force: Replace what is at `dst`. It stays until the replacement is complete and on the disk.
        allow_nan: Give a Keras model NaN values, too. Files of other formats always get them.

    Raises:
        ExistingDestinationError, SameFileError, NotLinkedError, BusyDestinationError, FullDiskError, OSError: `dst`
            cannot be written.
        FormatError, UnwritableTypeError, NameClashError: The format does not permit it.
        IncompletePlanError: The plan has open questions.
        DamagedCheckpointError: The source is damaged.
        NotWrittenError: The written data reads back with other values.
    """
    if format not in FORMATS:
        raise FormatError(dst, f"there is no format {format!r}: use one of {', '.join(FORMATS)}")
    if isinstance(src, Checkpoint):
        return _converted(src, Path(dst), plan, format, into, link, verify, force, allow_nan)
    with opening.open(src) as source:
        return _converted(source, Path(dst), plan, format, into, link, verify, force, allow_nan)


def _converted(
    source: Checkpoint,
    target: Path,
    plan: Any,
    form: str,
    into: Any,
    link: bool,
    verify: bool,
    force: bool,
    allow_nan: bool,
) -> Converted:
    if not target.parent.is_dir():
        raise NoSuchFileError(target.parent, "directory to write to")
    if link and form not in BUNDLES:
        raise FormatError(target, f"--link is for {' and '.join(BUNDLES)}: {form} stores data in another way")
    if form not in BUNDLES and index_path(target).exists():
        raise FormatError(target, "a V2 checkpoint of that name exists and would still be read: give another name")
    atomic.recover(target)
    present = bundle_writer.files_at(target) if form in BUNDLES else [target] if target.exists() else []
    _require_other(source, target, present)
    atomic.require_absent(target, present, force)
    work = _Work(source, target, _facing(read_plan(plan), source), form, link, verify, present)
    if form in LIVE:
        return _keras(work, into, allow_nan)
    if plan is None and into is not None:
        from tf2bridge.checkpoint.planning.matching import plan as planned

        work = replace(work, plan=planned(source, into))
    return _bundle(work) if form in BUNDLES else _file(work)


def _facing(plan: Plan | None, source: Checkpoint) -> Plan | None:
    """Returns the plan, or its inverse if the plan wrote the source."""
    if plan is None or {name for move in plan.moves for name in move.sources} <= source.tensors.keys():
        return plan
    from tf2bridge.checkpoint.planning.inverse import facing

    return facing(plan, source)


def read_plan(plan: Plan | StrPath | None) -> Plan | None:
    """Returns the plan, read from its file if necessary."""
    if not isinstance(plan, str | os.PathLike):
        return plan
    from tf2bridge.checkpoint.planning.plan_reading import load_plan

    return load_plan(Path(plan))


def _bundle(work: _Work) -> Converted:
    tensors = outgoing(work.source, work.plan)
    if work.format == "checkpoint":
        named = for_objects(tensors, work.source, work.target, work.plan)
    else:
        named = for_saver(tensors, work.target, work.plan)
    target = work.target
    with atomic.replacing(target, index_path(target), durable=bool(work.present)) as replacement:
        kept = bundle_writer.write_bundle(replacement, target, named, work.source, work.link)
        if work.verify:
            reading_back.check_bundle(replacement.folder / target.name, target, named)
        replacement.move(work.present)
    return _done(work, named, kept)


def _file(work: _Work) -> Converted:
    from tf2bridge.checkpoint.writing import npz_writer, safetensors_writer

    writers = {"npz": npz_writer.write, "safetensors": safetensors_writer.write}
    named = by_names(outgoing(work.source, work.plan), work.target)
    with atomic.replacing(work.target, work.target, durable=bool(work.present)) as replacement:
        part = replacement.part(work.target)
        sums = writers[work.format](part, work.target, named)
        if work.verify:
            reading_back.check_file(part, work.target, named, sums)
        replacement.move()
    return _done(work, named, False)


def _keras(work: _Work, into: Any, allow_nan: bool) -> Converted:
    from tf2bridge.checkpoint.writing import keras_writer

    suffix = keras_writer.SUFFIXES[work.format]
    if not work.target.name.endswith(suffix):
        raise FormatError(work.target, f"Keras writes {work.format} to a name that ends in {suffix}: name it so")
    plan, model = keras_writer.filled(work.source, work.plan, into, work.target, allow_nan)
    with atomic.replacing(work.target, work.target, durable=bool(work.present)) as replacement:
        part = keras_writer.write(replacement, work.target, model)
        if work.verify:
            keras_writer.check(part, work.target, model, plan)
        replacement.move()
    work = replace(work, plan=plan)
    return _done(work, {tensor.info.name: tensor for tensor in outgoing(work.source, plan)}, False)


def _done(work: _Work, named: Mapping[str, Outgoing], kept: bool) -> Converted:
    sidecars.renew(work.target, wanted=False)  # an existing seal belongs to the former content
    named = {name: tensor for name, tensor in named.items() if name not in BOOKKEEPING or tensor.origin in work.source}
    nbytes = sum(tensor.info.nbytes for tensor in named.values())
    used = {tensor.origin for tensor in named.values()}
    if work.plan:
        used |= {source for move in work.plan.moves for source in move.sources}
    dropped = tuple(name for name in work.source if name not in used)
    return Converted(work.source.path, work.target, work.format, len(named), nbytes, kept, work.verify, dropped)


def _require_other(source: Checkpoint, target: Path, present: list[Path]) -> None:
    """Raises SameFileError if a file of the source would be replaced, also through links."""
    files = [*bundle_writer.files_at(source.path), *v1_files(source.path), source.path]
    old = {path.resolve() for path in files}
    last = [path for path in (source.path, index_path(source.path)) if path.exists()]
    if any(path.resolve() in old or any(path.samefile(other_path) for other_path in last) for path in present):
        raise SameFileError(source.path, target)
