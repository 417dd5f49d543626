"""Errors of running a legacy program."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class UnreadableProgramError(BridgeError):
    """A file of the program is neither Python 3 nor Python 2, or cannot be read."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; it cannot be run")
