"""Errors of the evidence and the proof of native programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tf2bridge.errors import BridgeError


class TooMuchEvidenceError(BridgeError):
    """A trace has more kinds of calls than any program."""

    def __init__(self, path: Path | str, kinds: int, work: int) -> None:
        super().__init__(
            f"{path}: {kinds:,} kinds of calls over its graphs would take {work:,} steps, more than any program needs; "
            "record fewer calls with --max-calls"
        )


class NoSuchFunctionError(BridgeError):
    """A map names a function that the program lacks."""

    def __init__(self, path: Path | str, line: int, function: str) -> None:
        super().__init__(
            f"{path}:{line}: no file of the program has the function {function!r}; "
            "name it as module:qualified.name, with its file beside the map"
        )


class ForeignMapError(BridgeError):
    """No call of a trace is in a map: they are of different programs, or of different versions of one."""

    def __init__(self, path: Path | str, trace: Path | str) -> None:
        super().__init__(
            f"{path}: names no call of {trace}, so the trace is of another program or version; record the program that "
            "was rewritten, or rewrite the one that was recorded"
        )


class PythonInGraphError(BridgeError):
    """The recorded graph calls Python functions, which no trace holds."""

    def __init__(self, path: Path | str, nodes: Sequence[str]) -> None:
        super().__init__(
            f"{path}: {', '.join(nodes)} call Python functions, which the trace does not hold; write them with "
            "operations of TensorFlow, or leave --model-from-graph out"
        )
