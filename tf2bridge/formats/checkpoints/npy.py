"""Arrays in NumPy's own format: archives (.npz), which have a checksum of each array, and directories of .npy, without.

Arrays of Python objects are pickles, which run code when they are read: they are refused.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.formats.checkpoints.archived import Archive
from tf2bridge.formats.checkpoints.npy_header import LONGEST, Header, UnknownVersionError, header_of
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, UnsupportedCheckpointError
from tf2bridge.formats.checkpoints.stored import PIECE, Checkpoint, TensorInfo
from tf2bridge.formats.dtypes import STRING, array_of, tensorflow_type
from tf2bridge.formats.refusals import UnsupportedTypeError
from tf2bridge.regular_files import opened

_SUFFIX = ".npy"
_WRONG = (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)


@dataclass(frozen=True)
class _Array:
    open: Callable[[], Any]
    size: int
    """Of the stored array with its header, in bytes."""


class Arrays(Checkpoint):
    """An .npz file or a directory of .npy files that is open; its names are theirs, without ".npy".

    Raises DamagedCheckpointError, UnsupportedCheckpointError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._archive: zipfile.ZipFile | None = None
        with self._reading():
            self._archive = None if path.is_dir() else Archive(path)
        self.format = "npz" if self._archive else "npy"
        try:
            self._arrays = dict(sorted(self._in_folder().items())) if self._archive is None else self._in_archive()
            self._headers = {name: self._header(name) for name in self._arrays}
            self.tensors = {name: self._info(name, header) for name, header in self._headers.items()}
        except BaseException:
            self.close()
            raise

    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        """The bytes of a tensor that has no texts; see `Checkpoint`. Of a .npy file nothing can be checked.

        An array that is stored with its first dimension fastest is read whole: its pieces lie nowhere together.
        """
        if self.tensors[name].dtype == STRING:
            raise ValueError(f"{name!r} is of texts, which have no pieces: read it whole")
        header = self._headers[name]
        if header.fortran and len(header.shape) > 1:
            whole = np.frombuffer(b"".join(self._stored(name)), header.dtype).reshape(header.shape, order="F")
            yield np.ascontiguousarray(whole, whole.dtype.newbyteorder("<")).reshape(-1).view(np.uint8).data
            return
        for piece in self._stored(name):
            found = np.frombuffer(piece, header.dtype)
            yield found.astype(found.dtype.newbyteorder("<"), copy=False).view(np.uint8).data

    def __getitem__(self, name: str) -> NDArray[Any]:
        info, header = self.tensors[name], self._headers[name]
        if info.dtype != STRING:
            return array_of(self.pieces(name), info.shape, info.dtype)
        texts = np.frombuffer(b"".join(self._stored(name)), header.dtype).tolist()
        made = np.empty(len(texts), object)
        made[:] = [each.encode() if isinstance(each, str) else each for each in texts]
        return made.reshape(info.shape, order="F" if header.fortran else "C")

    def close(self) -> None:
        if self._archive is not None:
            self._archive.close()

    def _in_archive(self) -> dict[str, _Array]:
        archive = self._archive
        assert archive is not None
        found: dict[str, _Array] = {}
        for each in archive.infolist():
            name = each.filename.removesuffix(_SUFFIX)
            if name in found:
                raise DamagedCheckpointError(self.path, "it is in the archive twice", name)
            found[name] = _Array(partial(archive.open, each), each.file_size)
        return found

    def _in_folder(self) -> Mapping[str, _Array]:
        return {
            each.relative_to(self.path).as_posix().removesuffix(_SUFFIX): _Array(
                partial(opened, each), each.stat().st_size
            )
            for each in self.path.rglob(f"*{_SUFFIX}")
            if each.is_file()
        }

    def _header(self, name: str) -> Header:
        with self._reading(name), self._arrays[name].open() as file:
            header = header_of(file.read(LONGEST))
        dtype = header.dtype
        if dtype.hasobject:
            remedy = "write it again as numbers or texts, with a NumPy that you trust it to"
            why = "it holds Python objects, a pickle, which is not read since reading it runs code"
            raise UnsupportedCheckpointError(self.path, why, remedy, name)
        if header.offset + header.count * dtype.itemsize != self._arrays[name].size:
            why = f"{self._arrays[name].size - header.offset:,} bytes are not {dtype} of shape {list(header.shape)}"
            raise DamagedCheckpointError(self.path, why, name)
        return header

    def _info(self, name: str, header: Header) -> TensorInfo:
        try:
            kind = tensorflow_type(header.dtype)
        except UnsupportedTypeError as error:
            remedy = "write it again as an array of plain numbers"
            raise UnsupportedCheckpointError(self.path, str(error).partition(";")[0], remedy, name) from error
        return TensorInfo(name, header.shape, kind, prod(header.shape) * header.dtype.itemsize)

    def _stored(self, name: str) -> Iterator[memoryview]:
        """The stored bytes behind the header; of an archive, checked before the last of them is given."""
        header = self._headers[name]
        at_once = max(1, PIECE // max(1, header.dtype.itemsize)) * header.dtype.itemsize
        skipped, left = header.offset, self._arrays[name].size - header.offset
        with self._reading(name), self._arrays[name].open() as file:
            while left:
                # The header comes with the first piece: zipfile would keep what it read behind it, and copy all of it.
                size = min(at_once, left)
                piece = memoryview(file.read(skipped + size))[skipped:]
                if len(piece) != size:
                    raise EOFError("it is cut off")
                skipped, left = 0, left - size
                if not left and file.read(1):  # a zip archive compares its checksum when its end is read
                    raise EOFError("it goes on behind its end")
                yield piece

    @contextmanager
    def _reading(self, name: str = "") -> Iterator[None]:
        try:
            yield
        except UnknownVersionError as error:
            remedy = "write it again as an array of plain numbers"
            raise UnsupportedCheckpointError(self.path, str(error), remedy, name) from error
        except _WRONG as error:
            said = next(iter(str(error).splitlines()), type(error).__name__)[:200]
            raise DamagedCheckpointError(self.path, f"NumPy's format cannot be read ({said})", name) from error
