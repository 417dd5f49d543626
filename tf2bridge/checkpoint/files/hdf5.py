"""HDF5 files of Keras: weights and whole models of Keras 1 and 2 (.h5), and those of Keras 3 (.weights.h5, .keras).

HDF5 files, as Keras writes them, have no checksums: values that were damaged are not told from others. In a .keras file
the archive around them has one.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.dtypes import STRING, array_of, item_bytes, tensorflow_type
from tf2bridge.checkpoint.files.archived import archive_at, opened
from tf2bridge.checkpoint.files.slices import blocks
from tf2bridge.checkpoint.refusals import DamagedCheckpointError, UnsupportedCheckpointError, UnsupportedTypeError
from tf2bridge.checkpoint.stored import PIECE, Checkpoint, TensorInfo
from tf2bridge.errors import BridgeError, MissingExtraError

IN_ARCHIVE = "model.weights.h5"
"""What a .keras file calls the HDF5 file within it (keras/src/saving/saving_lib.py)."""
_KERAS_3 = re.compile(r"(?:.*/)?vars/\d+")
_WRONG = (OSError, KeyError, RuntimeError, ValueError, TypeError, AttributeError, NotImplementedError, zlib.error)
"""What h5py raises for files that are damaged, by where the damage is."""


class Hdf5(Checkpoint):
    """An HDF5 file that is open. Names are the paths of its datasets, in the order in which Keras would load them.

    The full name of a weight of Keras 1 or 2 is what Keras called the variable: "dense_1/kernel" of
    "model_weights/dense_1/dense_1/kernel:0". Raises DamagedCheckpointError, MissingExtraError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._archive: zipfile.ZipFile | None = None
        self._file: Any = None
        try:
            with self._reading():
                self._archive = archive_at(path) if zipfile.is_zipfile(path) else None
                self._check_archive()
                self._file = _opened(opened(self._archive, path, IN_ARCHIVE) if self._archive else path)
                self._held = dict(_datasets(self._file))
                self.tensors = {name: _info(name, *held) for name, held in self._held.items()}
        except BaseException:
            self.close()
            raise
        of_keras_3 = any(_KERAS_3.fullmatch(name) for name in self.tensors)
        self.format = "keras" if self._archive else "weights.h5" if of_keras_3 else "h5"

    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        """The bytes of a tensor that has no texts; see `Checkpoint`. Only of a .keras file are they checked."""
        data, info = self._data(name), self.tensors[name]
        if info.dtype == STRING:
            raise ValueError(f"{name!r} is of texts, which have no pieces: read it whole")
        for index in blocks(info.shape, item_bytes(info.dtype) or 1):
            with self._reading(name):
                found = np.ascontiguousarray(data[index]).reshape(-1)
                if found.dtype.byteorder == ">":
                    found = found.astype(found.dtype.newbyteorder("<"))
            yield found.view(np.uint8).data.cast("B")

    def __getitem__(self, name: str) -> NDArray[Any]:
        info = self.tensors[name]
        if info.dtype != STRING:
            return array_of(self.pieces(name), info.shape, info.dtype)
        with self._reading(name):
            return np.asarray(self._data(name)[()], object)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._archive is not None:
            self._archive.close()

    def _data(self, name: str) -> Any:
        """The dataset of a name, once it is known that all its values are in this file."""
        data, kind = self._held[name][0], self.tensors[name].dtype
        if kind == "unknown":
            raise UnsupportedTypeError(str(data.dtype), f"of {self.path}, dataset {name!r}, is none of TensorFlow's")
        if data.external or data.is_virtual:
            remedy = "write it whole with h5py"
            raise UnsupportedCheckpointError(self.path, "its values lie in other files", remedy, name)
        with self._reading(name):
            filtered = data.id.get_create_plist().get_nfilters()
            stored = data.id.get_storage_size()
        if not filtered and stored < data.nbytes and kind != STRING:
            why = f"only {stored:,} of the {data.nbytes:,} bytes of its values are in the file"
            raise DamagedCheckpointError(self.path, why, name)
        return data

    def _check_archive(self) -> None:
        """Reads all of an archived file: names, which have no checksum of their own, could be other ones else."""
        if self._archive is not None:
            with self._archive.open(IN_ARCHIVE) as whole:
                while whole.read(PIECE):  # at its end the checksum is compared
                    pass

    @contextmanager
    def _reading(self, name: str = "") -> Iterator[None]:
        try:
            yield
        except BridgeError:
            raise
        except (*_WRONG, zipfile.BadZipFile, EOFError) as error:
            said = next(iter(str(error).splitlines()), type(error).__name__)[:200]
            raise DamagedCheckpointError(self.path, f"HDF5 cannot read it ({said})", name) from error


def _opened(file: Any) -> Any:
    try:
        import h5py
    except ImportError:
        raise MissingExtraError("h5py", "convert", "an HDF5 file of Keras") from None
    return h5py.File(file, "r")


def _info(name: str, data: Any, weight: str) -> TensorInfo:
    if data.shape is None:
        raise ValueError(f"{name} is an empty dataset")
    return TensorInfo(name, tuple(data.shape), _kind(data), int(data.nbytes), weight.removesuffix(":0"))


def _kind(data: Any) -> str:
    """The type of a dataset, "unknown" for one that no tensor has; Keras 3 says bfloat16 in an attribute."""
    if data.dtype.kind == "V" and data.dtype.itemsize == 2 and data.attrs.get("dtype") == "bfloat16":
        return "bfloat16"
    import h5py

    if data.dtype.kind == "O" and h5py.check_string_dtype(data.dtype) is None:
        return "unknown"
    try:
        return tensorflow_type(data.dtype)
    except UnsupportedTypeError:
        return "unknown"


def _datasets(
    group: Any, prefix: str = "", seen: frozenset[Any] = frozenset()
) -> Iterator[tuple[str, tuple[Any, str]]]:
    """Path -> dataset and name of its weight, of a group and all below: first what its attributes list."""
    import h5py

    given: set[str] = set()
    for weight in _listed(group, "weight_names"):
        if isinstance(data := _linked(group, weight), h5py.Dataset):
            given.add(f"{prefix}{weight}")
            yield f"{prefix}{weight}", (data, weight)
        else:
            raise ValueError(f"the weight {prefix}{weight} is listed and is not there")
    for name in dict.fromkeys([*_listed(group, "layer_names"), *sorted(group, key=_naturally)]):
        each = _linked(group, name)
        if isinstance(each, h5py.Dataset) and f"{prefix}{name}" not in given:
            yield f"{prefix}{name}", (each, "")
        elif isinstance(each, h5py.Group) and each.id not in seen:
            below = _datasets(each, f"{prefix}{name}/", seen | {group.id})
            yield from ((path, held) for path, held in below if path not in given)


def _linked(group: Any, path: str) -> Any:
    """What lies at a path in this very file; None for what is a link elsewhere, or not there."""
    import h5py

    for name in path.strip("/").split("/"):
        if not isinstance(group, h5py.Group) or not isinstance(group.get(name, getlink=True), h5py.HardLink):
            return None
        group = group[name]
    return group


def _listed(group: Any, attribute: str) -> list[str]:
    """The names in an attribute; Keras splits one that is too long for HDF5 into NAME0, NAME1, ..."""
    if attribute in group.attrs:
        found = list(group.attrs[attribute])
    else:
        found, number = [], 0
        while f"{attribute}{number}" in group.attrs:
            found += list(group.attrs[f"{attribute}{number}"])
            number += 1
    return [each.decode() if isinstance(each, bytes) else str(each) for each in found]


def _naturally(name: str) -> list[Any]:
    """A key by which "10" sorts behind "9"."""
    return [(int(each), "") if each.isdecimal() else (-1, each) for each in re.split(r"(\d+)", name)]
