"""Reads HDF5 files of Keras: weights and models of Keras 1 and 2 (.h5), and those of Keras 3 (.weights.h5, .keras).

Keras writes HDF5 files without checksums, so damaged values are not detected. Only the archive of a .keras file has a
checksum. The HDF5 library runs in its own process, since a damaged file may hang or crash it. Values that lie in one
piece, as Keras writes them, are read here.
"""

from __future__ import annotations

import importlib.util
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tf2bridge.errors import MissingExtraError
from tf2bridge.formats.checkpoints.archived import Archive, ArchivedFile
from tf2bridge.formats.checkpoints.checksums import read_pieces
from tf2bridge.formats.checkpoints.hdf5_process import Hdf5Error, Hdf5Process, waiting
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, UnsupportedCheckpointError
from tf2bridge.formats.checkpoints.slices import blocks
from tf2bridge.formats.checkpoints.stored import PIECE, Checkpoint, TensorInfo
from tf2bridge.formats.dtypes import STRING, array_of, item_bytes
from tf2bridge.formats.kinds import HDF5_MAGIC
from tf2bridge.formats.refusals import UnsupportedTypeError
from tf2bridge.regular_files import opened

if TYPE_CHECKING:
    from numpy.typing import NDArray

IN_ARCHIVE = "model.weights.h5"
"""The name of the HDF5 file in a .keras file (keras/src/saving/saving_lib.py)."""
_KERAS_3 = re.compile(r"(?:.*/)?vars/\d+")
_WRONG = (OSError, EOFError, KeyError, ValueError, RuntimeError, NotImplementedError, zlib.error, zipfile.BadZipFile)
"""The errors of zipfile for damaged archives, and those of the library's process."""


class Hdf5(Checkpoint):
    """An open HDF5 file. Names are the paths of its datasets, in the order in which Keras loads them.

    The full name of a weight of Keras 1 or 2 is Keras's name of the variable: "dense_1/kernel" for
    "model_weights/dense_1/dense_1/kernel:0". A group or dataset with several names has the first one. Raises
    DamagedCheckpointError, MissingExtraError.
    """

    def __init__(self, path: Path) -> None:
        if importlib.util.find_spec("h5py") is None:
            raise MissingExtraError("h5py", "convert", "an HDF5 file of Keras")
        self.path = path
        self._archive: zipfile.ZipFile | None = None
        self._file: FileIO | None = None
        self._start = 0  # the offset of the HDF5 file in this file
        self._process: Hdf5Process | None = None
        try:
            with self._reading():
                self._open()
        except BaseException:
            self.close()
            raise
        self.tensors = {
            name: TensorInfo(
                name, tuple(facts["shape"]), facts["kind"], facts["bytes"], facts["weight"], facts["layer"]
            )
            for name, facts in self._held.items()
        }
        of_keras_3 = any(_KERAS_3.fullmatch(name) for name in self.tensors)
        self.format = "keras" if self._archive else "weights.h5" if of_keras_3 else "h5"

    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        """Yields the bytes of a tensor of numbers; see `Checkpoint`. Only those of a .keras file are checked."""
        facts, info = self._data(name), self.tensors[name]
        if info.dtype == STRING:
            raise ValueError(f"{name!r} is of texts, which have no pieces: read it whole")
        if facts["place"] is not None and self._file is not None and not facts["type"].startswith(">"):
            yield from read_pieces(self._file, self._start + facts["place"], info.nbytes)
            return
        assert self._process is not None
        for index in blocks(info.shape, item_bytes(info.dtype) or 1):
            lead, rows = (index[:-1], index[-1]) if index else ((), slice(None, None))
            with self._reading(name):
                block = self._process.ask(
                    "block", name=name, lead=list(map(int, lead)), start=rows.start, stop=rows.stop
                )
            yield block

    def __getitem__(self, name: str) -> NDArray[Any]:
        info = self.tensors[name]
        if info.dtype != STRING:
            return array_of(self.pieces(name), info.shape, info.dtype)
        import numpy as np

        self._data(name)
        assert self._process is not None
        with self._reading(name):
            texts = self._process.ask("texts", name=name)["texts"]
        array = np.empty(len(texts), object)
        array[:] = [text.encode("latin-1") for text in texts]
        return array.reshape(info.shape)

    def close(self) -> None:
        if self._process is not None:
            self._process.leave()
            self._process = None
        for file in (self._file, self._archive):
            if file is not None:
                file.close()

    def _open(self) -> None:
        file = opened(self.path)
        if file.read(len(HDF5_MAGIC)) == HDF5_MAGIC:
            self._file = file
        else:
            file.close()
            self._archive = Archive(self.path)
            self._check_archive(self._archive)
            member = self._archive.getinfo(IN_ARCHIVE)
            if member.compress_type == zipfile.ZIP_STORED:
                with ArchivedFile(self.path, member) as stored:
                    self._start = stored.start
                self._file = opened(self.path)
        self._process = waiting()
        inner = IN_ARCHIVE if self._archive else ""
        datasets = self._process.ask("open", path=str(self.path.absolute()), member=inner)["datasets"]
        self._held = {facts["name"]: facts for facts in datasets}

    def _data(self, name: str) -> dict[str, Any]:
        """Returns the facts about a dataset. Raises an error if its values are not all in this file."""
        facts: dict[str, Any] = self._held[name]
        if facts["kind"] == "unknown":
            raise UnsupportedTypeError(facts["type"], f"of {self.path}, dataset {name!r}, is none of TensorFlow's")
        if facts["elsewhere"]:
            remedy = "write it whole with h5py"
            raise UnsupportedCheckpointError(self.path, "its values lie in other files", remedy, name)
        if facts["lies"]:
            raise DamagedCheckpointError(self.path, facts["lies"], name)
        return facts

    def _check_archive(self, archive: zipfile.ZipFile) -> None:
        """Reads a whole archived file to check its checksum, which also protects the names."""
        with archive.open(IN_ARCHIVE) as member:
            while member.read(PIECE):  # zipfile compares the checksum at the end
                pass

    @contextmanager
    def _reading(self, name: str = "") -> Iterator[None]:
        try:
            yield
        except (Hdf5Error, *_WRONG) as error:
            message = next(iter(str(error).splitlines()), type(error).__name__)[:200]
            raise DamagedCheckpointError(self.path, f"HDF5 cannot read it ({message})", name) from error
