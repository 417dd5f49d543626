"""Errors of reading, mapping and writing checkpoints."""

from __future__ import annotations

from pathlib import Path

from tf2bridge.errors import BridgeError


class DamagedCheckpointError(BridgeError):
    """A checkpoint is not what its own checksums and sizes say."""

    def __init__(self, path: Path | str, why: str, tensor: str = "") -> None:
        where = f"tensor {tensor!r}: " if tensor else ""
        super().__init__(f"{path}: {where}{why}; copy the checkpoint again from where it came from, all its files")


class IncompletePlanError(BridgeError):
    """A plan leaves something to decide."""

    def __init__(self, source: str, open_questions: list[str]) -> None:
        shown = "; ".join(open_questions[:5]) + ("; ..." if len(open_questions) > 5 else "")
        super().__init__(
            f"{source}: the plan is not complete, {len(open_questions)} to decide ({shown}); answer them by rules, "
            "drop=, keep= or in the plan's file"
        )
