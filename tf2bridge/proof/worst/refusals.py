"""Errors of the search for the worst inputs."""

from __future__ import annotations

from collections.abc import Sequence

from tf2bridge.errors import BridgeError, some

_NAMED = 5


class WorstError(BridgeError, ValueError):
    """The options of the search do not go together."""

    def __init__(self, where: str, why: str, remedy: str) -> None:
        super().__init__(f"{where}: {why}; {remedy}")


class RangeError(BridgeError, ValueError):
    """A stated range is invalid, or does not fit the input."""

    def __init__(self, text: str, why: str, remedy: str = "write NAME=LOW:HIGH, as x=-1:1") -> None:
        super().__init__(f"range {text}: {why}; {remedy}")


def unknown_input(name: str, text: str, known: Sequence[str]) -> RangeError:
    """Returns the error of a range for a name that no input has."""
    return RangeError(text, f"{name!r} is no input of either side", f"their inputs are {some(known, _NAMED) or 'none'}")
