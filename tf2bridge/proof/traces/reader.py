"""Reads a trace: what a program fed to and fetched from its sessions, as `recorder.py` wrote it.

The format is documented in the recorder; this reader refuses what it does not know and never unpickles.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.errors import DamagedTraceError, NoSuchFileError
from tf2bridge.proof.traces.records import CallRecord, GraphRecord, Leaf, RandomOp, VariableRecord

FORMAT = "tf2bridge-trace"
VERSION = 1
_DIGEST_KEY = b',\n "sha256": "'


class Trace:
    """A trace opened for reading; arrays are read when asked for.

    Args:
        path: the trace, one zip file.

    Raises:
        NoSuchFileError: there is no such file.
        DamagedTraceError: it is not a trace, is cut or altered, or is of a later version.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise NoSuchFileError(self.path, "trace")
        try:
            self._archive = zipfile.ZipFile(self.path)
            bad = self._archive.testzip()
            if bad is not None:
                raise DamagedTraceError(self.path, f"the member {bad} fails its checksum")
            self._manifest = _manifest(self._archive, self.path)
            self._check_members()
            self.graphs = tuple(_graph(row) for row in self._manifest["graphs"])
            self.calls = tuple(_call(row) for row in self._manifest["calls"])
            self.release = str(self._manifest["tensorflow"])
            self.exit_status = int(self._manifest["exit"]["status"])
            self.stopped: dict[str, Any] | None = self._manifest["stopped"]
        except DamagedTraceError:
            raise
        except (KeyError, TypeError, ValueError, OSError, zipfile.BadZipFile, EOFError, zlib.error) as error:
            raise DamagedTraceError(self.path, f"{type(error).__name__}: {error}") from error

    @property
    def program_calls(self) -> tuple[CallRecord, ...]:
        """The calls that the program itself made in its main thread, in order."""
        return tuple(call for call in self.calls if call.by_program)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest as it stands in the file."""
        return self._manifest

    def value(self, ref: int) -> np.ndarray[Any, Any]:
        """The array behind a reference; strings come as an object array of bytes, bfloat16 as float32.

        Raises:
            DamagedTraceError: the reference or its members are not in the file, or are not arrays.
        """
        try:
            row = self._manifest["values"][ref]
            if row["kind"] == "string":
                data, offsets = (_array(self._archive, member) for member in row["members"])
                return _strings(data, offsets, row["shape"])
            array = _array(self._archive, row["member"])
            return _decoded(array, row["dtype"], row["shape"]) if row["kind"] == "raw" else array
        except (KeyError, IndexError, TypeError, ValueError, OSError, zipfile.BadZipFile) as error:
            raise DamagedTraceError(self.path, f"value {ref}: {error}") from error

    def graph_def(self, graph: int = 0) -> bytes:
        """The serialized GraphDef of one graph, as it stood when the program ended."""
        return self._archive.read(self.graphs[graph].member)

    def close(self) -> None:
        """Closes the file; arrays can no longer be read."""
        self._archive.close()

    def _check_members(self) -> None:
        present = set(self._archive.namelist())
        absent = [row["name"] for row in self._manifest["members"] if row["name"] not in present]
        if absent:
            raise DamagedTraceError(self.path, f"it lacks {len(absent)} of its members, {absent[0]} first")


def _manifest(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    try:
        raw = archive.read("manifest.json")
    except KeyError:
        raise DamagedTraceError(path, "it holds no manifest.json") from None
    body, found, tail = raw.rpartition(_DIGEST_KEY)
    if not found or hashlib.sha256(body).hexdigest().encode() != tail[:64]:
        raise DamagedTraceError(path, "its manifest does not match its own sha256")
    manifest = json.loads(raw)
    if manifest.get("format") != FORMAT:
        raise DamagedTraceError(path, f"its format is {manifest.get('format')!r}, not {FORMAT!r}")
    if manifest.get("version") != VERSION:
        raise DamagedTraceError(
            path, f"it is of version {manifest.get('version')!r}; this reader knows version {VERSION}"
        )
    return dict(manifest)


def _graph(row: Mapping[str, Any]) -> GraphRecord:
    return GraphRecord(
        member=row["member"],
        seed=row["seed"],
        random_ops=tuple(
            RandomOp(op["name"], op["type"], int(op["seed"]), int(op["seed2"])) for op in row["random_ops"]
        ),
        variables=tuple(
            VariableRecord(
                v["name"], v["dtype"], bool(v["trainable"]), v["initial"], v["final"], v["initial_after_call"]
            )
            for v in row["variables"]
        ),
    )


def _call(row: Mapping[str, Any]) -> CallRecord:
    where = row["where"]
    return CallRecord(
        index=row["index"],
        graph=row["graph"],
        thread=row["thread"],
        via=row["via"],
        where=f"{where[0]}:{where[1]}" if where else "",
        feeds=tuple(Leaf(leaf["name"], leaf["value"]) for leaf in row["feeds"]),
        fetches=tuple(Leaf(leaf["name"], leaf["value"]) for leaf in row["fetches"]),
        error=row["error"],
        session=row["session"],
    )


def _array(archive: zipfile.ZipFile, member: str) -> np.ndarray[Any, Any]:
    array = np.load(io.BytesIO(archive.read(member)), allow_pickle=False)
    return np.asarray(array)


def _decoded(raw: np.ndarray[Any, Any], dtype: str, shape: list[int]) -> np.ndarray[Any, Any]:
    """bfloat16 as the float32 of the same value; other types that npy lacks as their bytes."""
    if dtype == "bfloat16":
        return (raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32).reshape(shape)
    return raw


def _strings(data: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any], shape: list[int]) -> np.ndarray[Any, Any]:
    raw = data.tobytes()
    out = np.empty(len(offsets) - 1, dtype=object)
    for i in range(len(out)):
        out[i] = raw[offsets[i] : offsets[i + 1]]
    return out.reshape(shape)
