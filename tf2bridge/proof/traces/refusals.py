"""Errors of reading traces."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class DamagedTraceError(BridgeError):
    """A file is not a readable trace."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: not a readable trace ({why}); record it again with `tf2bridge recorder`")
