"""Errors of tolerances."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class ToleranceError(BridgeError, ValueError):
    """A tolerance is no number that differences can be compared with."""

    def __init__(self, name: str, value: object) -> None:
        super().__init__(
            f"{name} is {value}, with which nothing could differ: give a number from 0 on, or leave it out for the "
            "default of each type"
        )
