"""Finds the checkpoints and graphs in a tree, told by their content, without TensorFlow."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

# The last eight bytes of a leveldb table: a V1 checkpoint is one, and so is the index of a V2 checkpoint.
# Source: tensorflow/core/lib/io/format.h, kTableMagicNumber.
_TABLE_MAGIC = 0xDB4775248B80FB57.to_bytes(8, "little")
_SKIPPED = {".git", ".hg", ".svn", "__pycache__", ".ipynb_checkpoints"}


class Kind(Enum):
    """What a found file is."""

    CHECKPOINT_V1 = "checkpoint (V1)"
    CHECKPOINT_V2 = "checkpoint (V2)"
    METAGRAPH = "metagraph"
    SAVED_MODEL = "SavedModel"
    GRAPH = "graph"
    KERAS_H5 = "Keras weights (HDF5)"


@dataclass(frozen=True)
class Artifact:
    """A checkpoint or graph; `path` is relative to the tree and is what TensorFlow would be given to load it."""

    kind: Kind
    path: Path
    size: int  # bytes


def find(root: Path) -> list[Artifact]:
    """Returns the checkpoints and graphs under `root`, sorted by path; unreadable files are passed over."""
    found = [artifact for path in _files(root) if (artifact := _recognise(root, path)) is not None]
    return sorted(found, key=lambda artifact: artifact.path)


def _files(root: Path) -> Iterator[Path]:
    for directory, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name not in _SKIPPED)
        yield from (Path(directory, name) for name in sorted(files))


def _recognise(root: Path, path: Path) -> Artifact | None:
    try:
        size = path.stat().st_size
        kind = _kind(path, size)
    except OSError:
        return None
    if kind is None:
        return None
    shown = path
    if kind is Kind.CHECKPOINT_V2:
        shown = path.with_suffix("")
        size += sum(shard.stat().st_size for shard in path.parent.glob(f"{shown.name}.data-?????-of-?????"))
    elif kind is Kind.SAVED_MODEL:
        shown = path.parent
    return Artifact(kind, shown.relative_to(root), size)


def _kind(path: Path, size: int) -> Kind | None:
    with path.open("rb") as file:
        head = file.read(64)
        file.seek(max(0, size - 8))
        tail = file.read(8)
    if tail == _TABLE_MAGIC:
        return Kind.CHECKPOINT_V2 if path.suffix == ".index" else Kind.CHECKPOINT_V1
    if head.startswith(b"\x89HDF\r\n\x1a\n"):
        return Kind.KERAS_H5
    if path.name in ("saved_model.pb", "saved_model.pbtxt"):
        return Kind.SAVED_MODEL
    if path.suffix == ".meta" and head[:1] == b"\x0a":
        return Kind.METAGRAPH
    # A GraphDef starts with its first node: field 1, a NodeDef whose own first field is its name.
    if path.suffix == ".pb" and re.match(rb"\x0a[\x80-\xff]*[\x00-\x7f]\x0a", head):
        return Kind.GRAPH
    if path.suffix == ".pbtxt" and re.match(rb"\s*(node|versions|library)\s*\{", head):
        return Kind.GRAPH
    return None
