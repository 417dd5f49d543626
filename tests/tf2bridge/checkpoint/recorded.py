"""The recorded checkpoints: fixtures/checkpoints/RELEASE/PROGRAM.zip, unpacked once in a test run."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[3] / "fixtures" / "checkpoints"
ALL = sorted(f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.zip"))
RELEASES = ("0.12.1", "1.4.1", "1.12.3", "1.15.5")


@dataclass(frozen=True)
class Recorded:
    """A program's checkpoint, and what the genuine release computed; `folder` holds its files."""

    name: str
    folder: Path
    expected: dict[str, Any]

    @property
    def prefix(self) -> Path:
        """What TensorFlow is given to restore it; of a series, the newest."""
        return self.folder / {"series": "model.ckpt-300", "series_absolute": "model.ckpt-8"}.get(
            self.name.partition("/")[2], "model.ckpt"
        )

    def part(self, kind: str) -> dict[str, Any]:
        """What was recorded as "saved", "in", "out", "after", "hyper" or "tensor", by name."""
        return {key.partition(" ")[2]: value for key, value in self.expected.items() if key.startswith(f"{kind} ")}

    @property
    def hyper(self) -> dict[str, Any]:
        """The numbers that the optimizer was made with, by the names of its arguments."""
        return {name: value.item() for name, value in self.part("hyper").items()}


def unpacked(name: str, parent: Path) -> Recorded:
    """The program "1.15.5/mlp_adam", its files under `parent`."""
    folder = parent / name
    if not folder.exists():
        with zipfile.ZipFile(FOLDER / f"{name}.zip") as archive:
            archive.extractall(folder)
    with np.load(folder / "expected.npz") as values:
        return Recorded(name, folder, dict(values))


def of(program: str) -> list[str]:
    """The recordings of a program, oldest release first: ["0.12.1/mlp_sgd", ...]."""
    return [f"{release}/{program}" for release in RELEASES if f"{release}/{program}" in ALL]
