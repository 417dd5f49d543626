"""Reads a trace: what a program fed to and fetched from its sessions, as the recorder wrote it.

The format is documented in `tf2bridge.proof.recording`; this reader refuses what it does not know and never unpickles.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.errors import NoSuchFileError
from tf2bridge.formats.checkpoints.npy_header import UnknownVersionError, array_in
from tf2bridge.proof.recording.encoding import check_of
from tf2bridge.proof.traces.known import UnknownContentError, check
from tf2bridge.proof.traces.patterns import fitting
from tf2bridge.proof.traces.records import CallRecord, GraphRecord, Leaf, Pair, call_record, graph_record
from tf2bridge.proof.traces.refusals import DamagedTraceError
from tf2bridge.proof.traces.storage import DAMAGE, opened

Array = np.ndarray[Any, Any]


class Trace:
    """A trace opened for reading: the manifest is read and checked, all else when it is asked for.

    Args:
        path: the trace, one zip file; or the folder that is left of a recording whose program was killed.

    Attributes:
        release: the TensorFlow that recorded it, "1.15.5".
        ended: whether the program ended and the recording with it; what a kill left reaches up to the last call.
        exit_status: the program's; -N if signal N ended it, 0 if it did not end.
        stopped: {"reason", "call"} if the recording was stopped before, None if not.
        pairs: the program's own calls with those of the trace that it is held against, if another part paired them.
        drawn: (random endpoint of that trace, endpoint here) that draw the same, if another part paired these.

    Raises:
        NoSuchFileError: there is no such file.
        DamagedTraceError: it is not a trace, is cut or altered, or is of a later version.
    """

    pairs: tuple[Pair, ...] | None = None
    drawn: tuple[tuple[str, str], ...] = ()

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise NoSuchFileError(self.path, "trace")
        try:
            self._storage = opened(self.path)
            self._manifest = self._storage.manifest
            check(self._manifest)
            self._members = {row["name"]: row for row in self._manifest["members"]}
            self.graphs: tuple[GraphRecord, ...] = tuple(graph_record(row) for row in self._manifest["graphs"])
            self.calls: tuple[CallRecord, ...] = tuple(call_record(row) for row in self._manifest["calls"])
            self.release = str(self._manifest["tensorflow"])
            self.ended = self._manifest["exit"] is not None
            self.exit_status = int(self._manifest["exit"]["status"]) if self.ended else 0
            self.stopped: dict[str, Any] | None = self._manifest["stopped"]
        except DAMAGE as error:
            raise self._damaged(error) from error

    @cached_property
    def program_calls(self) -> tuple[CallRecord, ...]:
        """The calls that the program itself made in its main thread, in order."""
        return tuple(call for call in self.calls if call.by_program)

    def call(self, index: int) -> CallRecord:
        """Returns the call of an index; a recording may have left out the calls before it."""
        return self._by_index[index]

    @cached_property
    def _by_index(self) -> dict[int, CallRecord]:
        return {call.index: call for call in self.calls}

    def inner(self, call: CallRecord) -> list[Leaf]:
        """Returns the inner tensors of a call that `--intermediate` asked for; draws of random ops are recorded beside
        them.
        """
        return [leaf for leaf in call.intermediate if leaf.name in self._asked_for]

    @cached_property
    def _asked_for(self) -> frozenset[str]:
        """The names of the inner tensors that fit a pattern of `--intermediate`."""
        names = {leaf.name for call in self.calls for leaf in call.intermediate}
        try:
            return fitting(self._manifest["intermediate"], names)
        except DAMAGE as error:
            raise self._damaged(error) from error

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest as it stands in the file."""
        return self._manifest

    def value(self, ref: int) -> Array:
        """Returns the array behind a reference; strings come as an object array of bytes, bfloat16 as float32.

        Raises:
            DamagedTraceError: the reference or its members are not in the file, or are not arrays.
        """
        try:
            row = self._manifest["values"][ref]
            if row["kind"] == "string":
                data, offsets = (self._array(member) for member in row["members"])
                return _strings(data, offsets, row["shape"])
            array = self._array(row["member"])
            return _decoded(array, row["dtype"], row["shape"]) if row["kind"] == "raw" else _checked(array, row)
        except DAMAGE as error:
            raise self._damaged(error, f"value {ref}: ") from error

    def graph_def(self, graph: int = 0) -> bytes:
        """Returns the serialized GraphDef of one graph, as it stood when the program ended."""
        try:
            return self._read(self.graphs[graph].member)
        except DAMAGE as error:
            raise self._damaged(error, f"graph {graph}: ") from error

    def lines(self, graph: int = 0) -> dict[str, str]:
        """Returns the line of the program that created each op of a graph, {"dense/MatMul": "model.py:45"}, where
        known.
        """
        try:
            ops_by_line: dict[str, list[str]] = json.loads(self._read(self.graphs[graph].lines))
            return {op: line for line, ops in ops_by_line.items() for op in ops}
        except DAMAGE as error:
            raise self._damaged(error, f"lines of graph {graph}: ") from error

    @cached_property
    def printed(self) -> str | None:
        """What the program wrote to standard output, cut at the recorder's limit; None if the trace does not say it."""
        row = self._manifest.get("printed")
        try:
            return None if row is None else self._read(row["member"]).decode("utf-8", "replace")
        except DAMAGE as error:
            raise self._damaged(error, "what it printed: ") from error

    def close(self) -> None:
        """Closes the file; arrays can no longer be read."""
        self._storage.close()

    def _read(self, name: str) -> bytes:
        row = self._members[name]
        if self._storage.size(name) != row["bytes"]:
            raise UnknownContentError(f"the member {name} has not the {row['bytes']:,} bytes that its manifest says")
        data = self._storage.read(name)
        if len(data) != row["bytes"] or not _is_sound(data, row):
            raise UnknownContentError(f"the member {name} fails its checksum")
        return data

    def _array(self, member: str) -> Array:
        return array_in(self._read(member))

    def _damaged(self, error: Exception, where: str = "") -> DamagedTraceError:
        known = isinstance(error, UnknownContentError | UnknownVersionError) or not str(error)
        text = str(error) if known else f"{type(error).__name__}: {error}"
        return DamagedTraceError(self.path, where + " ".join((text or type(error).__name__).split()))


def _is_sound(data: bytes, row: Mapping[str, Any]) -> bool:
    crc: int | None = row.get("crc32")
    if crc is not None:
        return zlib.crc32(data) == crc
    name, checksum = check_of([data])
    return row.get(name) == checksum


def _checked(array: Array, row: Mapping[str, Any]) -> Array:
    if list(array.shape) != row["shape"] or array.dtype.name != row["dtype"]:
        raise UnknownContentError(f"{row['member']} is {array.dtype} {array.shape}, not {row['dtype']} {row['shape']}")
    return array


def _decoded(raw: Array, dtype: str, shape: list[int]) -> Array:
    """bfloat16 as the float32 of the same value; other types that npy lacks as their bytes."""
    if dtype == "bfloat16":
        return (raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32).reshape(shape)
    return raw


def _strings(data: Array, offsets: Array, shape: list[int]) -> Array:
    raw = data.tobytes()
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(raw) or (np.diff(offsets) < 0).any():
        raise UnknownContentError("the places of its texts do not follow one another")
    out = np.empty(len(offsets) - 1, dtype=object)
    for i in range(len(out)):
        out[i] = raw[offsets[i] : offsets[i + 1]]
    return out.reshape(shape)
