"""HDF5 files of Keras: weights and whole models of Keras 1 and 2 (.h5), and those of Keras 3 (.weights.h5, .keras).

HDF5 files, as Keras writes them, have no checksums: values that were damaged are not told from others. In a .keras file
the archive around them has one. The HDF5 library runs in a process of its own, since a damaged file may hang or crash
it; values that lie in one piece, as Keras writes them, are read here.
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
"""What a .keras file calls the HDF5 file within it (keras/src/saving/saving_lib.py)."""
_KERAS_3 = re.compile(r"(?:.*/)?vars/\d+")
_WRONG = (OSError, EOFError, KeyError, ValueError, RuntimeError, NotImplementedError, zlib.error, zipfile.BadZipFile)
"""What zipfile raises for damaged archives, and ours for the process of the library."""


class Hdf5(Checkpoint):
    """An HDF5 file that is open. Names are the paths of its datasets, in the order in which Keras would load them.

    The full name of a weight of Keras 1 or 2 is what Keras called the variable: "dense_1/kernel" of
    "model_weights/dense_1/dense_1/kernel:0". A group or dataset of several names is read under the first. Raises
    DamagedCheckpointError, MissingExtraError.
    """

    def __init__(self, path: Path) -> None:
        if importlib.util.find_spec("h5py") is None:
            raise MissingExtraError("h5py", "convert", "an HDF5 file of Keras")
        self.path = path
        self._archive: zipfile.ZipFile | None = None
        self._file: FileIO | None = None
        self._start = 0  # of the HDF5 file within this file
        self._process: Hdf5Process | None = None
        try:
            with self._reading():
                self._open()
        except BaseException:
            self.close()
            raise
        self.tensors = {
            name: TensorInfo(name, tuple(held["shape"]), held["kind"], held["bytes"], held["weight"], held["layer"])
            for name, held in self._held.items()
        }
        of_keras_3 = any(_KERAS_3.fullmatch(name) for name in self.tensors)
        self.format = "keras" if self._archive else "weights.h5" if of_keras_3 else "h5"

    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        """The bytes of a tensor that has no texts; see `Checkpoint`. Only of a .keras file are they checked."""
        held, info = self._data(name), self.tensors[name]
        if info.dtype == STRING:
            raise ValueError(f"{name!r} is of texts, which have no pieces: read it whole")
        if held["place"] is not None and self._file is not None and not held["type"].startswith(">"):
            yield from read_pieces(self._file, self._start + held["place"], info.nbytes)
            return
        assert self._process is not None
        for index in blocks(info.shape, item_bytes(info.dtype) or 1):
            lead, rows = (index[:-1], index[-1]) if index else ((), slice(None, None))
            with self._reading(name):
                found = self._process.ask(
                    "block", name=name, lead=list(map(int, lead)), start=rows.start, stop=rows.stop
                )
            yield found

    def __getitem__(self, name: str) -> NDArray[Any]:
        info = self.tensors[name]
        if info.dtype != STRING:
            return array_of(self.pieces(name), info.shape, info.dtype)
        import numpy as np

        self._data(name)
        assert self._process is not None
        with self._reading(name):
            texts = self._process.ask("texts", name=name)["texts"]
        made = np.empty(len(texts), object)
        made[:] = [text.encode("latin-1") for text in texts]
        return made.reshape(info.shape)

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
        found = self._process.ask("open", path=str(self.path.absolute()), member=inner)["datasets"]
        self._held = {held["name"]: held for held in found}

    def _data(self, name: str) -> dict[str, Any]:
        """What is known of the dataset of a name, once it is known that all its values are in this file."""
        held: dict[str, Any] = self._held[name]
        if held["kind"] == "unknown":
            raise UnsupportedTypeError(held["type"], f"of {self.path}, dataset {name!r}, is none of TensorFlow's")
        if held["elsewhere"]:
            remedy = "write it whole with h5py"
            raise UnsupportedCheckpointError(self.path, "its values lie in other files", remedy, name)
        if held["lies"]:
            raise DamagedCheckpointError(self.path, held["lies"], name)
        return held

    def _check_archive(self, archive: zipfile.ZipFile) -> None:
        """Reads all of an archived file: names, which have no checksum of their own, could be other ones else."""
        with archive.open(IN_ARCHIVE) as whole:
            while whole.read(PIECE):  # at its end the checksum is compared
                pass

    @contextmanager
    def _reading(self, name: str = "") -> Iterator[None]:
        try:
            yield
        except (Hdf5Error, *_WRONG) as error:
            said = next(iter(str(error).splitlines()), type(error).__name__)[:200]
            raise DamagedCheckpointError(self.path, f"HDF5 cannot read it ({said})", name) from error
