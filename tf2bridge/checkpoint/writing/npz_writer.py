"""Writes NumPy archives, one array after the other, as `numpy.savez` does, but without a whole array in memory."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy_format

from tf2bridge.checkpoint.writing.outgoing import Outgoing, pieces_of
from tf2bridge.checkpoint.writing.refusals import UnwritableTypeError
from tf2bridge.formats.checkpoints.checksums import extended
from tf2bridge.formats.checkpoints.texts import stored_texts
from tf2bridge.formats.dtypes import STRING, numpy_type, tensorflow_type


def write(path: Path, destination: Path, tensors: Mapping[str, Outgoing]) -> dict[str, int]:
    """Writes tensors under their names in `tensors`; returns the checksum of each tensor's bytes or texts.

    Raises:
        UnwritableTypeError: NumPy's format has no bfloat16, no quantized numbers, and no texts that end in a NUL.
    """
    for name, tensor in tensors.items():
        _require_type(destination, name, tensor.info.dtype)
    sums = {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, tensor in tensors.items():
            # zipfile learns the sizes at the end; without 64 bits for them, 2 GiB would be the limit.
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as file:
                sums[name] = _write(file, destination, name, tensor)
    return sums


def _require_type(destination: Path, name: str, kind: str) -> None:
    dtype = numpy_type(kind)
    if kind == STRING:
        return
    stored = npy_format.descr_to_dtype(npy_format.dtype_to_descr(dtype)) if dtype.kind != "V" else None
    if stored != dtype or tensorflow_type(dtype) != kind:
        remedy = "cast it to a type of NumPy's in a plan (float32 holds every bfloat16), or write safetensors"
        raise UnwritableTypeError(destination, name, kind, "npz", remedy)


def _write(file: Any, destination: Path, name: str, tensor: Outgoing) -> int:
    shape = tensor.info.shape
    if tensor.info.dtype == STRING:
        texts = tensor.texts()
        array = np.array(texts, "S")
        if array.tolist() != texts:
            raise UnwritableTypeError(destination, name, "texts that end in NUL", "npz", "drop it in a plan")
        _write_header(file, array.dtype, shape)
        for piece in pieces_of(array):
            file.write(piece)
        return stored_texts(texts)[1]
    _write_header(file, numpy_type(tensor.info.dtype), shape)
    return _written(file, tensor.pieces())


def _write_header(file: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    header = {"descr": npy_format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    npy_format.write_array_header_1_0(file, header)


def _written(file: Any, pieces: Iterator[bytes | memoryview]) -> int:
    crc = 0
    for piece in pieces:
        crc = extended(crc, piece)
        file.write(piece)
    return crc
