"""Errors of running a trace again."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class NotPlayableError(BridgeError):
    """A session of a trace cannot be run again from what the trace holds."""

    def __init__(self, path: Path | str, session: int, call: int, why: str) -> None:
        super().__init__(
            f"{path}: session {session} cannot be run again from its call {call} on ({why}); replay the program itself "
            "with `tf2bridge replay TRACE -- PROGRAM`"
        )
