"""The errors of the fleet's commands."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class OutputError(BridgeError):
    """The folder of a run cannot be used for this run."""

    def __init__(self, path: Path, why: str, remedy: str) -> None:
        super().__init__(f"{path}: {why}: {remedy}")


class FleetError(BridgeError):
    """A run cannot go on, for a reason that is not about one item."""


class UnreadableError(BridgeError):
    """An item of an inventory cannot be read from here."""


class ChangedItemError(UnreadableError):
    """The files of an item are not those that the inventory says."""

    def __init__(self, path: str, how: str) -> None:
        super().__init__(f"{path}: it has changed since the scan ({how}): scan again")


class InventoryError(BridgeError):
    """A line of an inventory is no item."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        super().__init__(
            f"{path}:{line}: is no item of an inventory: {why}; write the inventory again with `tf2bridge fleet scan`"
        )


class ChangedError(BridgeError):
    """A file changed while it was read."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: changed while it was read; scan it again when nothing writes to it")


class LinkError(BridgeError):
    """A symbolic link is not followed."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: a symbolic link {why}")


class ArchiveError(BridgeError):
    """An archive, or a member of one, cannot be unpacked."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")


class TooLargeItemError(BridgeError):
    """An item has more bytes than are read of one."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"has more than {limit:,} bytes to read for its digest; permit more with --largest, or use --digest none"
        )


class StoreError(BridgeError):
    """A store cannot be reached, or does not give a file."""

    def __init__(self, url: str, error: BaseException) -> None:
        text = next(iter(str(error).splitlines()), "") or type(error).__name__
        super().__init__(f"{url}: {text}")


class MemoryLimitError(BridgeError):
    """Reading an item takes more memory than it may."""

    def __init__(self) -> None:
        super().__init__("reading it takes more memory than it may; permit more with --memory")
