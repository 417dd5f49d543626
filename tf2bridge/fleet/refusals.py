"""The errors of the fleet's commands."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class InventoryError(BridgeError):
    """A line of an inventory is no item."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        super().__init__(
            f"{path}:{line}: is no item of an inventory: {why}; write the inventory again with `tf2bridge fleet scan`"
        )
