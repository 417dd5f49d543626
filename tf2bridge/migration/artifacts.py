"""Finds the checkpoints and graphs in a tree by their content, without TensorFlow."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from io import FileIO
from pathlib import Path

from tf2bridge.errors import NotRegularFileError
from tf2bridge.formats import kinds
from tf2bridge.formats.checkpoints.forms import escaped
from tf2bridge.formats.kinds import Kind as Graph
from tf2bridge.regular_files import opened

_SKIPPED = {".git", ".hg", ".svn", "__pycache__", ".ipynb_checkpoints"}


class Kind(Enum):
    """The kind of a file."""

    CHECKPOINT_V1 = "checkpoint (V1)"
    CHECKPOINT_V2 = "checkpoint (V2)"
    METAGRAPH = "metagraph"
    SAVED_MODEL = "SavedModel"
    GRAPH = "graph"
    KERAS_H5 = "Keras weights (HDF5)"


_GRAPHS = {Graph.GRAPH: Kind.GRAPH, Graph.METAGRAPH: Kind.METAGRAPH}
_SUFFIXES = (".meta", ".pb", ".pbtxt")
"""Suffixes of graph files. Other files of a tree could look like graphs by chance."""


@dataclass(frozen=True)
class Artifact:
    """A checkpoint or graph; `path` is relative to the tree, and is the path that loads it in TensorFlow."""

    kind: Kind
    path: Path
    size: int  # bytes


def find(root: Path) -> list[Artifact]:
    """Returns the checkpoints and graphs under `root`, sorted by path; unreadable files are skipped."""
    artifacts = [artifact for path in _files(root) if (artifact := _recognise(root, path)) is not None]
    return sorted(artifacts, key=lambda artifact: artifact.path.parts)  # the order of Linux on every system


def _files(root: Path) -> Iterator[Path]:
    for directory, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name not in _SKIPPED)
        yield from (Path(directory, name) for name in sorted(files))


def _recognise(root: Path, path: Path) -> Artifact | None:
    try:
        if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
            return None  # outside the tree
        kind, size = _kind(path)
    except (OSError, RuntimeError, NotRegularFileError):  # RuntimeError: circular links, before Python 3.13
        return None
    if kind is None:
        return None
    shown = path
    if kind is Kind.CHECKPOINT_V2:
        shown = path.with_suffix("")
        size += sum(shard.stat().st_size for shard in path.parent.glob(f"{escaped(shown.name)}.data-?????-of-?????"))
    elif kind is Kind.SAVED_MODEL:
        shown = path.parent
    return Artifact(kind, shown.relative_to(root), size)


def _kind(path: Path) -> tuple[Kind | None, int]:
    """Returns the kind of a file, None if it is neither checkpoint nor graph, and its size."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        return _kind_of(path, file) if size else None, size


def _kind_of(path: Path, file: FileIO) -> Kind | None:
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if content[-len(kinds.TABLE_MAGIC) :] == kinds.TABLE_MAGIC:
            return Kind.CHECKPOINT_V2 if path.suffix == ".index" else Kind.CHECKPOINT_V1
        if content[: len(kinds.HDF5_MAGIC)] == kinds.HDF5_MAGIC:
            return Kind.KERAS_H5
        if path.name in ("saved_model.pb", "saved_model.pbtxt"):
            return Kind.SAVED_MODEL
        graph_kind = kinds.kind_of(content) if path.suffix in _SUFFIXES else None
    return _GRAPHS.get(graph_kind) if graph_kind else None
