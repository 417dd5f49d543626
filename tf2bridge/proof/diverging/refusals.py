"""Why no first diverging op can be named."""

from __future__ import annotations

from tf2bridge.errors import BridgeError


class NoSearchError(BridgeError):
    """Two traces hold too little to find the first op that differs."""

    def __init__(self, why: str, hint: str) -> None:
        super().__init__(f"the first op that differs is not known: {why}; {hint}")


class EachCallAgreesError(NoSearchError):
    """Each call gives the same on both sides from the same state; the difference is rounding that has grown."""
