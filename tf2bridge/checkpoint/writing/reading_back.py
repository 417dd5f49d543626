"""Reads what was written again and compares it, before it is moved to its place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tf2bridge.checkpoint.writing.outgoing import Outgoing
from tf2bridge.checkpoint.writing.refusals import NotWrittenError
from tf2bridge.formats.checkpoints import opening
from tf2bridge.formats.checkpoints.bundle import Bundle
from tf2bridge.formats.checkpoints.checksums import extended
from tf2bridge.formats.checkpoints.objects import OBJECT_GRAPH
from tf2bridge.formats.checkpoints.refusals import DamagedCheckpointError
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo
from tf2bridge.formats.checkpoints.texts import stored_texts
from tf2bridge.formats.dtypes import STRING


def check_bundle(written: Path, destination: Path, tensors: Mapping[str, Outgoing]) -> None:
    """Reads all data of a V2 checkpoint, and compares it with the checksums that were computed before the writing.

    Copied data is compared with the source's own checksums.

    Raises:
        DamagedCheckpointError: The source does not fit its checksums.
        NotWrittenError: The copy does not fit them.
    """
    bundle = Bundle(written)
    try:
        for name, tensor in tensors.items():
            info = bundle.tensors.get(name)
            if name != OBJECT_GRAPH and (info is None or _form(info) != _form(tensor.info)):
                raise NotWrittenError(destination, name, "its name, shape or type is another")
            try:
                _read(bundle, name)
            except DamagedCheckpointError as error:
                if tensor.origin:  # raises the source's own error, if the source is damaged there
                    tensor.texts() if tensor.info.dtype == STRING else list(map(len, tensor.pieces()))
                raise NotWrittenError(destination, name, "its checksum is another") from error
    finally:
        bundle.close()


def _form(info: TensorInfo) -> tuple[tuple[int, ...], str]:
    return info.shape, info.dtype


def _read(checkpoint: Bundle, name: str) -> None:
    """Reads all bytes of a tensor, which checks them. The graph of objects was read when the checkpoint was opened."""
    if name == OBJECT_GRAPH:
        return
    if checkpoint.tensors[name].dtype == STRING:
        checkpoint[name]
        return
    for entry in checkpoint.places(name):
        for _ in checkpoint.stored(name, entry):
            pass


def check_file(written: Path, destination: Path, tensors: Mapping[str, Outgoing], sums: Mapping[str, int]) -> None:
    """Reads a whole file, and compares it with the tensors and their checksums. Raises NotWrittenError."""
    with opening.open(written) as checkpoint:
        for name, tensor in tensors.items():
            info = checkpoint.tensors.get(name)
            if info is None or _form(info) != _form(tensor.info):
                raise NotWrittenError(destination, name, "its name, shape or type is another")
            if _sum(checkpoint, name) != sums[name]:
                raise NotWrittenError(destination, name, "its values are others")


def _sum(checkpoint: Checkpoint, name: str) -> int:
    if checkpoint.tensors[name].dtype == STRING:
        return stored_texts(checkpoint[name].ravel().tolist())[1]
    total = 0
    for piece in checkpoint.pieces(name):
        total = extended(total, piece)
    return total
