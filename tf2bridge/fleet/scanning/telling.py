"""Tells of a group of local files what item of the inventory it is. This runs in the worker processes."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tf2bridge.errors import BridgeError
from tf2bridge.fleet.inventory import Item, Kind
from tf2bridge.fleet.refusals import ChangedError, MemoryLimitError
from tf2bridge.fleet.scanning import repositories
from tf2bridge.fleet.scanning.checkpoint_facts import stem_of, structure_of_v1, structure_of_v2
from tf2bridge.fleet.scanning.digests import Reading, digest_of
from tf2bridge.fleet.scanning.file_facts import Facts, UntoldError, facts_of, release_of_trace
from tf2bridge.fleet.scanning.graph_facts import graph_facts
from tf2bridge.fleet.scanning.groups import Form, Group
from tf2bridge.fleet.scanning.local_files import DATA, Opener, modified, parts_of, paths_of, stamp_of
from tf2bridge.formats import sidecars
from tf2bridge.formats.kinds import is_table
from tf2bridge.proof.recording.folding import JOURNAL
from tf2bridge.regular_files import opened
from tf2bridge.systems.memory import is_out_of_memory

_LONGEST_ERROR = 1000
"""Characters of an error that are kept."""

Beat = Callable[[], None]
"""Is called after each piece of work, so that large files are not taken for hanging ones."""


class Told(NamedTuple):
    """An item, and what finds its series: what its path begins with, and the structure of its tensors."""

    item: Item
    stem: str | None = None
    structure: str | None = None


def failed(path: str, kind: Kind, error: BaseException, folder: Path | str, size: int = 0, files: int = 1) -> Told:
    """Returns the item for what cannot be read. The folder's own path is left out of the error's text."""
    if is_out_of_memory(error):
        error = MemoryLimitError()
    text = f"{error.strerror}" if isinstance(error, OSError) and error.strerror else str(error)
    text = text.replace(f"{folder}{os.sep}", "") or type(error).__name__
    if not isinstance(error, BridgeError | OSError):
        text = f"{type(error).__name__}: {text}" if str(error) else text
    shown = text.splitlines()[0][:_LONGEST_ERROR]
    return Told(Item(path, kind, bytes=size, files=files, error=shown))


def renamed(told: Told, folder: str, itself: str, inside: str) -> Told:
    """Returns an item of a temporary folder with what stands for the folder, and for its path before a name in it.

    When the files of the folder were changed says nothing of those that they are copies of.
    """

    def new(text: str) -> str:
        return text.replace(f"{folder}{os.sep}", inside).replace(folder, itself)

    error = None if told.item.error is None else new(told.item.error)
    item = dataclasses.replace(told.item, path=new(told.item.path), error=error, modified=None)
    return Told(item, told.stem and new(told.stem), told.structure)


def tell(group: Group, reading: Reading, beat: Beat, opener: Opener = opened) -> Told | None:
    """Returns the item of a group, or None if it does not belong into the inventory. An archive is not looked into.

    `opener` opens the files for the digest: those in a store have only stand-ins here.
    """
    folder = Path(group.folder)
    if group.form is Form.REPOSITORY:
        return _repository(group, folder, reading, beat)
    try:
        paths = paths_of(group)
        before = [stamp_of(path) for path in paths]
    except (OSError, BridgeError) as error:
        return failed(group.path, _KINDS[group.form], error, folder)
    size = sum(stamp[0] for stamp in before)
    try:
        facts = _FACTS[group.form](folder / group.name, group.files)
        if facts is None:
            return None
        if facts.kind is Kind.ARCHIVE:
            return Told(Item(group.path, facts.kind, bytes=size))
        if Path(f"{folder / group.name}{sidecars.SUFFIX}").is_file():
            sidecars.verify(folder / group.name)
        digest = digest_of(parts_of(group, paths, reading, opener), reading, beat)
        for path, stamp in zip(paths, before, strict=True):
            if stamp_of(path) != stamp:
                raise ChangedError(path)
    except UntoldError as error:
        assert error.__cause__ is not None
        return failed(group.path, error.kind, error.__cause__, folder, size, len(paths))
    except (BridgeError, OSError, MemoryError, RecursionError) as error:
        return failed(group.path, _KINDS[group.form], error, folder, size, len(paths))
    others = size, len(paths), digest, None, facts.refused, modified(before)
    item = Item(group.path, facts.kind, facts.release, *others)
    return Told(item, stem_of(group.path) if facts.structure else None, facts.structure)


def _repository(group: Group, folder: Path, reading: Reading, beat: Beat) -> Told | None:
    files = paths_of(group)
    if not repositories.uses_tensorflow(files):
        return None
    release = repositories.release_asked(files)
    try:
        size = sum(path.stat().st_size for path in files)
        digest = digest_of(parts_of(group, files, reading, opened), reading, beat)
    except (BridgeError, OSError) as error:
        return failed(group.path, Kind.REPOSITORY, error, folder)
    return Told(Item(group.path, Kind.REPOSITORY, release, size, len(files), digest))


def _of_v2(prefix: Path, files: tuple[str, ...]) -> Facts | None:
    if not any(DATA in name for name in files) and not is_table(prefix.with_name(f"{prefix.name}.index")):
        return None  # another program's file, such as an index of words
    structure = structure_of_v2(prefix, files)
    return _with_meta(prefix, files, Facts(Kind.CHECKPOINT, structure=structure))


def _of_shards(path: Path, files: tuple[str, ...]) -> Facts | None:
    shards = [path.with_name(name) for name in files if not name.endswith(".meta")]
    if not any(shard.stat().st_size and is_table(shard) for shard in shards):
        return None  # records of data are named like this, too
    return _with_meta(path, files, Facts(Kind.CHECKPOINT, structure=structure_of_v1(shards[0])))


def _of_file(path: Path, files: tuple[str, ...]) -> Facts | None:
    facts = facts_of(path)
    return _with_meta(path, files, facts) if facts is not None and facts.kind is Kind.CHECKPOINT else facts


def _with_meta(path: Path, files: tuple[str, ...], facts: Facts) -> Facts:
    """Returns the facts of a checkpoint with those of the metagraph among its files."""
    metas = [name for name in files if name.endswith(".meta") and name != path.name]
    if not metas:
        return facts
    graph = graph_facts(path.with_name(metas[0]))
    return Facts(facts.kind, graph.release, graph.refused, facts.structure)


def _of_folder(folder: Path, _: tuple[str, ...]) -> Facts:
    if (folder / JOURNAL).is_file():
        return Facts(Kind.TRACE, release_of_trace(folder))
    graphs = [path for name in ("saved_model.pb", "saved_model.pbtxt") if (path := folder / name).is_file()]
    facts = graph_facts(graphs[0])
    variables = folder / "variables"
    files = tuple(path.name for path in variables.iterdir()) if variables.is_dir() else ()
    if any(DATA in name or name.endswith(".index") for name in files):
        structure_of_v2(variables / "variables", files)
    return Facts(Kind.HUB if (folder / "tfhub_module.pb").is_file() else facts.kind, facts.release, facts.refused)


_FACTS: dict[Form, Callable[[Path, tuple[str, ...]], Facts | None]] = {
    Form.V2: _of_v2,
    Form.SHARDS: _of_shards,
    Form.FILE: _of_file,
    Form.FOLDER: _of_folder,
}
_KINDS = {Form.V2: Kind.CHECKPOINT, Form.SHARDS: Kind.CHECKPOINT, Form.FILE: Kind.FILE, Form.FOLDER: Kind.SAVED_MODEL}
