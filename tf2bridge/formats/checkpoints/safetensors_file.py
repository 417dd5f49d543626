"""Reads safetensors files: a JSON header with the place of each tensor, then the values, without a checksum."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from tf2bridge.errors import MissingExtraError
from tf2bridge.formats.checkpoints.checksums import read_pieces
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError, UnsupportedCheckpointError
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo
from tf2bridge.formats.dtypes import array_of, item_bytes
from tf2bridge.formats.sizes import elements
from tf2bridge.regular_files import opened

TYPES = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32", "I32": "int32",
    "U64": "uint64", "I64": "int64", "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64",
    "C64": "complex64", "F8_E5M2": "float8_e5m2", "F8_E4M3": "float8_e4m3fn",
}  # fmt: skip
"""Name of a type in safetensors -> its name in TensorFlow."""
_LONGEST_HEADER = 16 << 20
"""Bytes, for a hundred thousand tensors; the library itself reads 100 MB."""
_LENGTH = 8
"""Bytes at the beginning: the length of the header."""


class Safetensors(Checkpoint):
    """An open safetensors file. Raises DamagedCheckpointError, MissingExtraError."""

    format = "safetensors"
    by_place = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = opened(path)
        try:
            length = int.from_bytes(b"".join(read_pieces(self._file, 0, _LENGTH)), "little")
            if length > _LONGEST_HEADER:
                remedy = "write it again as several files of fewer tensors"
                why = f"its header has {length:,} bytes, and at most {_LONGEST_HEADER:,} are read"
                raise UnsupportedCheckpointError(path, why, remedy)
            _require_sound(path)
            header = json.loads(b"".join(read_pieces(self._file, _LENGTH, length)))
            header.pop("__metadata__", None)
            ordered = sorted(header.items(), key=lambda entry: entry[1]["data_offsets"])
            self._places = {name: entry["data_offsets"][0] + _LENGTH + length for name, entry in ordered}
            self.tensors = {name: _info(name, entry) for name, entry in ordered}
        except ValueError as error:
            self.close()
            raise DamagedCheckpointError(path, str(error)) from error
        except BaseException:
            self.close()
            raise

    def pieces(self, name: str) -> Iterator[bytes | memoryview]:
        """Yields the bytes of a tensor; see `Checkpoint`. The file has no checksum to check them."""
        info = self.tensors[name]
        if info.dtype not in TYPES.values():
            remedy = "write it again as a type that TensorFlow has"
            raise UnsupportedCheckpointError(self.path, f"values of type {info.dtype} are not read", remedy, name)
        yield from read_pieces(self._file, self._places[name], info.nbytes)

    def __getitem__(self, name: str) -> NDArray[Any]:
        info = self.tensors[name]
        return array_of(self.pieces(name), info.shape, info.dtype)

    def close(self) -> None:
        self._file.close()


def _info(name: str, stated: dict[str, Any]) -> TensorInfo:
    first, end = stated["data_offsets"]
    kind = TYPES.get(stated["dtype"], stated["dtype"])
    elements(stated["shape"], item_bytes(kind) or 1)
    return TensorInfo(name, tuple(stated["shape"]), kind, end - first)


def _require_sound(path: Path) -> None:
    """The library checks the header: that each tensor has its own place, as large as it says, and none is left over."""
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise MissingExtraError("safetensors", "convert", "a safetensors file") from None
    try:
        with safe_open(path, framework="np"):
            pass
    except (SafetensorError, OSError) as error:
        message = " ".join(str(error).split())[:300]
        raise DamagedCheckpointError(path, f"safetensors cannot read it ({message})") from error
