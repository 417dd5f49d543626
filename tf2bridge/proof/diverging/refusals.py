"""Errors of a search that cannot name the first op that differs."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class NoSearchError(BridgeError):
    """Two traces do not hold enough to find the first op that differs."""

    def __init__(self, why: str, hint: str) -> None:
        super().__init__(f"the first op that differs is not known: {why}; {hint}")


class EachCallAgreesError(NoSearchError):
    """From the same state, each call gives the same on both sides; the difference is accumulated rounding."""
