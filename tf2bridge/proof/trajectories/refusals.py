"""Errors of trajectories and of many runs."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class TooFewRunsError(BridgeError):
    """So few runs cannot show a difference, however large it is."""

    def __init__(self, old: int, new: int, quantities: int, level: float) -> None:
        many = f" of {quantities} quantities" if quantities > 1 else ""
        super().__init__(
            f"{old} old and {new} new runs{many}: a permutation test of so few can never reach p = {level:g}; "
            "record more of each, 5 and 5 for one quantity, 8 and 8 for many"
        )


class NotFiniteRunError(BridgeError):
    """A run came out as NaN or infinity, which has no mean."""

    def __init__(self, name: str, side: str, runs: list[int]) -> None:
        super().__init__(
            f"{name}: {side} run {', '.join(map(str, runs))} gave NaN or infinity, which has no mean; compare how many "
            "runs of each program end so, and leave them out of both"
        )


class NothingToTestError(BridgeError):
    """The runs of two programs have no quantity in common."""

    def __init__(self, trace: Path | str, command: str) -> None:
        super().__init__(
            f"{trace} and `{command}`: neither a fetched single number, as a loss, nor a trained variable is in both, "
            "so nothing can be tested; let the program fetch its loss"
        )
