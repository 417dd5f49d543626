"""Tells by the content of one file what it is, and what the inventory says of it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from tf2bridge.errors import BridgeError
from tf2bridge.fleet.inventory import Kind
from tf2bridge.fleet.scanning.checkpoint_facts import structure_of_v1
from tf2bridge.fleet.scanning.graph_facts import graph_facts
from tf2bridge.fleet.unpacking import is_archive_name
from tf2bridge.formats import kinds
from tf2bridge.formats.checkpoints.forms import Form, form_of_file
from tf2bridge.formats.checkpoints.hdf5 import Hdf5
from tf2bridge.formats.checkpoints.npy import Arrays
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, NoCheckpointError
from tf2bridge.formats.checkpoints.safetensors_file import Safetensors
from tf2bridge.formats.checkpoints.state_file import is_state
from tf2bridge.formats.graphs.refusals import NoGraphError
from tf2bridge.proof.traces.described import is_trace
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.regular_files import opened

_GRAPHS = (".pb", ".pbtxt", ".meta", ".graphdef")
_MODELS = {
    **dict.fromkeys((".pb", ".index"), Kind.FILE),
    **dict.fromkeys((".h5", ".hdf5", ".keras"), Kind.KERAS),
    ".ckpt": Kind.CHECKPOINT,
    ".npz": Kind.ARRAYS,
    ".safetensors": Kind.SAFETENSORS,
    ".tflite": Kind.TFLITE,
}
"""Suffix -> the kind of such files, which are told even where their content says nothing: it may be damaged."""
_TOLD: dict[kinds.Kind | None, Kind] = {
    kinds.Kind.EVENTS: Kind.EVENTS,
    kinds.Kind.GRAPH: Kind.GRAPH,
    kinds.Kind.METAGRAPH: Kind.METAGRAPH,
}
"""Kind of a graph by its beginning -> kind of the item."""
_CHECKPOINT_NAME = re.compile(r".+\.ckpt(?:-\d+)?", re.DOTALL)
_ZIP = b"PK"
_BEGINNING = 4096


@dataclass(frozen=True)
class Facts:
    """What a file is.

    Attributes:
        kind: the kind of the item.
        release, refused: as in `Item`.
        structure: what identifies the tensors of a checkpoint.
    """

    kind: Kind
    release: str | None = None
    refused: tuple[str, ...] = ()
    structure: str | None = None


class UntoldError(Exception):
    """A file seems to be of a kind and cannot be read. `__cause__` is the reason."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind.value)
        self.kind = kind


def may_be_item(path: Path) -> bool:
    """Returns whether a file may belong into the inventory, by its name and its first and last bytes alone."""
    head, tail = _ends(path)
    is_graph = head[:1] == b"\x0a" and kinds.kind_of(head) is kinds.Kind.GRAPH
    return is_graph or path.suffix in (*_GRAPHS, *_MODELS) or _seeming(path, head, tail) is not Kind.FILE


def _ends(path: Path) -> tuple[bytes, bytes]:
    with opened(path) as file:
        head = file.read(_BEGINNING)
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - len(kinds.TABLE_MAGIC)))
        return head, file.read(len(kinds.TABLE_MAGIC))


def facts_of(path: Path) -> Facts | None:
    """Returns what a file is, or None if it is nothing that belongs into the inventory. Raises UntoldError."""
    kind = Kind.FILE
    try:
        head, tail = _ends(path)
        kind = _seeming(path, head, tail)
        return _read(path, kind, head, tail)
    except (BridgeError, OSError, MemoryError, RecursionError) as error:
        raise UntoldError(kind) from error


def _seeming(path: Path, head: bytes, tail: bytes) -> Kind:
    """Returns the kind that a file has by its first and last bytes; FILE if these say nothing."""
    if tail == kinds.TABLE_MAGIC:
        return Kind.CHECKPOINT
    if head.startswith(kinds.HDF5_MAGIC):
        return Kind.KERAS
    if head[4:8] == b"TFL3":
        return Kind.TFLITE
    if head.startswith(_ZIP):
        return _of_zip(path)
    if is_archive_name(path.name):
        return Kind.ARCHIVE
    graph = kinds.kind_of(head)
    if graph is kinds.Kind.EVENTS or (graph in _TOLD and path.suffix in _GRAPHS):
        return _TOLD[graph]
    return _by_name(path)


def _by_name(path: Path) -> Kind:
    return Kind.CHECKPOINT if _CHECKPOINT_NAME.fullmatch(path.name) else _MODELS.get(path.suffix, Kind.FILE)


def _of_zip(path: Path) -> Kind:
    if is_trace(path):
        return Kind.TRACE
    return Kind.ARCHIVE if path.suffix == ".zip" else _by_name(path)


def _read(path: Path, kind: Kind, head: bytes, tail: bytes) -> Facts | None:
    if tail == kinds.TABLE_MAGIC:
        return Facts(kind, structure=structure_of_v1(path))
    if kind is Kind.ARCHIVE:
        return Facts(kind)
    if kind is Kind.TRACE:
        return Facts(kind, release_of_trace(path))
    if head[4:8] == b"TFL3":
        return Facts(kind)
    if head.startswith(kinds.HDF5_MAGIC):
        return _of_keras(path)
    if kind is Kind.EVENTS or path.suffix in _GRAPHS:
        return _of_graph(path, head)
    return _other(path, kind, head)


def release_of_trace(path: Path) -> str:
    """Returns the release that recorded a trace. Raises what `Trace` raises."""
    trace = Trace(path)
    try:
        return trace.release
    finally:
        trace.close()


def _of_keras(path: Path) -> Facts | None:
    """Returns the facts about an HDF5 file, or None if it has no weights of Keras: it may hold data."""
    with Hdf5(path) as weights:
        is_keras = weights.format != "h5" or any(info.full_name for info in weights.tensors.values())
    return Facts(Kind.KERAS) if is_keras else None


def _of_graph(path: Path, head: bytes) -> Facts | None:
    try:
        facts = graph_facts(path)
    except NoGraphError:
        # CIFAR's batches.meta, label maps in .pbtxt: the suffix is common among files that are no graphs
        if path.suffix == ".pb" or head.startswith(kinds.GIT_LFS):
            raise
        return None
    return Facts(facts.kind, facts.release, facts.refused)


def _other(path: Path, kind: Kind, head: bytes) -> Facts | None:
    form = None if is_state(head) else form_of_file(path) if head else None
    if form is Form.SAFETENSORS and path.suffix == ".safetensors":
        Safetensors(path).close()
        return Facts(Kind.SAFETENSORS)
    if form is Form.KERAS:
        return _of_keras(path)
    if form is Form.NPZ and path.suffix == ".npz":
        Arrays(path).close()
        return Facts(Kind.ARRAYS)
    if head[:1] == b"\x0a" and kinds.kind_of(head) is kinds.Kind.GRAPH:
        return _of_graph(path, head)
    if kind is not Kind.FILE or path.suffix in _MODELS:
        if not head:
            raise DamagedCheckpointError(path, "it is empty")
        raise NoCheckpointError(path, (), kinds.other_kind(head) or "its content is none of a known format")
    return None
