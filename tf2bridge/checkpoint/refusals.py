"""Errors of reading, mapping and writing checkpoints."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class DamagedCheckpointError(BridgeError):
    """A checkpoint is not what its own checksums and sizes say."""

    def __init__(self, path: Path | str, why: str, tensor: str = "") -> None:
        where = f"tensor {tensor!r}: " if tensor else ""
        super().__init__(f"{path}: {where}{why}; copy the checkpoint again from where it came from, all its files")
