"""Files that genuine TensorFlow wrote, to be compared: unpacked once in a test run."""

from __future__ import annotations

from pathlib import Path

from tests.tf2bridge.checkpoint import recorded as checkpoints
from tests.tf2bridge.graph import recorded as graphs

LEGACY = Path(__file__).parents[4] / "fixtures" / "legacy"


def checkpoint(name: str, parent: Path) -> Path:
    """The prefix of a recorded checkpoint: "1.15.5/mlp_adam"."""
    return checkpoints.unpacked(name, parent / "checkpoints").prefix


def graph(name: str, parent: Path) -> Path:
    """The folder of a recorded model: with model.ckpt, frozen.pb and saved_model."""
    return graphs.unpacked(name, parent / "graphs").folder


def trace(program: str) -> Path:
    """What genuine TensorFlow computed of a legacy program."""
    return LEGACY / program / "genuine" / f"{program}.trace"


def written(program: str, name: str) -> Path:
    """A file that the program wrote then."""
    return LEGACY / program / "genuine" / "run" / name
