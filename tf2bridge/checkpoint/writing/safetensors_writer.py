"""Writes safetensors files: the header first, then the values one by one (github.com/huggingface/safetensors)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path

from tf2bridge.checkpoint.writing.outgoing import Outgoing
from tf2bridge.checkpoint.writing.refusals import NameClashError, UnwritableTypeError
from tf2bridge.formats.checkpoints.checksums import extended
from tf2bridge.formats.checkpoints.safetensors_file import TYPES

_TYPES = {name: type_ for type_, name in TYPES.items()}
_METADATA = "__metadata__"
_ALIGNED = 8
"""Bytes to which the values are aligned."""


def write(path: Path, destination: Path, tensors: Mapping[str, Outgoing]) -> dict[str, int]:
    """Writes tensors under their names in `tensors`; returns the checksum of each tensor's bytes.

    Raises:
        UnwritableTypeError: The format lacks a type.
        NameClashError: The format reserves a name.
    """
    for name, tensor in tensors.items():
        if tensor.info.dtype not in _TYPES:
            remedy = "drop it in a plan, or write an npz file, which has texts"
            raise UnwritableTypeError(destination, name, tensor.info.dtype, "safetensors", remedy)
    if _METADATA in tensors:
        raise NameClashError(destination, _METADATA, _METADATA, "what the format says of itself")
    sums = {}
    with path.open("wb") as file:
        file.write(_header(tensors))
        for name, tensor in tensors.items():
            sums[name] = 0
            for piece in tensor.pieces():
                sums[name] = extended(sums[name], piece)
                file.write(piece)
    return sums


def _header(tensors: Mapping[str, Outgoing]) -> bytes:
    ends = accumulate(tensor.info.nbytes for tensor in tensors.values())
    header: dict[str, object] = {_METADATA: {"format": "tf"}}
    for (name, tensor), end in zip(tensors.items(), ends, strict=True):
        info = tensor.info
        offsets = [end - info.nbytes, end]
        header[name] = {"dtype": _TYPES[info.dtype], "shape": list(info.shape), "data_offsets": offsets}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % _ALIGNED)
    return len(text).to_bytes(8, "little") + text
