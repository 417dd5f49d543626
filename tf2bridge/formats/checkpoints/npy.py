"""Reads arrays in NumPy's format: archives (.npz) with a checksum for each array, and directories of .npy without.

Arrays of Python objects are refused: they are pickles, which run code when they are read.
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
    """The bytes of the stored array with its header."""


class Arrays(Checkpoint):
    """An open .npz file or directory of .npy files. Names are those of the files, without ".npy".

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
        """Yields the bytes of a tensor of numbers; see `Checkpoint`. A .npy file has no checksum.

        An array in column-major order is read whole, because its pieces are not contiguous.
        """
        if self.tensors[name].dtype == STRING:
            raise ValueError(f"{name!r} is of texts, which have no pieces: read it whole")
        header = self._headers[name]
        if header.fortran and len(header.shape) > 1:
            array = np.frombuffer(b"".join(self._stored(name)), header.dtype).reshape(header.shape, order="F")
            yield np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(-1).view(np.uint8).data
            return
        for piece in self._stored(name):
            values = np.frombuffer(piece, header.dtype)
            yield values.astype(values.dtype.newbyteorder("<"), copy=False).view(np.uint8).data

    def __getitem__(self, name: str) -> NDArray[Any]:
        info, header = self.tensors[name], self._headers[name]
        if info.dtype != STRING:
            return array_of(self.pieces(name), info.shape, info.dtype)
        texts = np.frombuffer(b"".join(self._stored(name)), header.dtype).tolist()
        array = np.empty(len(texts), object)
        array[:] = [text.encode() if isinstance(text, str) else text for text in texts]
        return array.reshape(info.shape, order="F" if header.fortran else "C")

    def close(self) -> None:
        if self._archive is not None:
            self._archive.close()

    def _in_archive(self) -> dict[str, _Array]:
        archive = self._archive
        assert archive is not None
        arrays: dict[str, _Array] = {}
        for member in archive.infolist():
            name = member.filename.removesuffix(_SUFFIX)
            if name in arrays:
                raise DamagedCheckpointError(self.path, "it is in the archive twice", name)
            arrays[name] = _Array(partial(archive.open, member), member.file_size)
        return arrays

    def _in_folder(self) -> Mapping[str, _Array]:
        return {
            file.relative_to(self.path).as_posix().removesuffix(_SUFFIX): _Array(
                partial(opened, file), file.stat().st_size
            )
            for file in self.path.rglob(f"*{_SUFFIX}")
            if file.is_file()
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
        """Yields the stored bytes after the header. For an archive, the checksum is compared before the last piece."""
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
            message = next(iter(str(error).splitlines()), type(error).__name__)[:200]
            raise DamagedCheckpointError(self.path, f"NumPy's format cannot be read ({message})", name) from error
