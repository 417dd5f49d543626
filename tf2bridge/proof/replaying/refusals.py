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


class ReplayFailedError(BridgeError):
    """A program ended before anything could be compared."""

    def __init__(self, command: str, status: int, printed: str) -> None:
        last = next((line for line in reversed(printed.splitlines()) if line.strip()), "it printed nothing")
        super().__init__(
            f"`{command}` ended with status {status} before it could be compared ({last.strip()}); "
            "run it by hand to see its whole output"
        )
