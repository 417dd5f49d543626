"""The recorded models: fixtures/graphs/RELEASE/MODEL.zip, unpacked once in a test run."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[3] / "fixtures" / "graphs"
ALL = sorted(f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.zip"))


def oldest_and_newest() -> set[str]:
    """Returns each model as the first and the last of the releases wrote it that have it."""
    by_age = sorted(ALL, key=lambda name: [int(part) for part in name.partition("/")[0].split(".")])
    last = {name.partition("/")[2]: name for name in by_age}
    first = {name.partition("/")[2]: name for name in reversed(by_age)}
    return {*first.values(), *last.values()}


@dataclass(frozen=True)
class Recorded:
    """A model, and what the genuine release computed; `folder` holds its files."""

    name: str
    folder: Path
    expected: dict[str, Any]

    def part(self, kind: str) -> dict[str, Any]:
        """What was recorded as "in", "out", "tensor", "grad" or "after", by name."""
        return {key.partition(" ")[2]: value for key, value in self.expected.items() if key.startswith(f"{kind} ")}

    def tensors(self, kind: str) -> dict[str, str]:
        """Name of an input ("in") or output ("out") -> name of its tensor."""
        return {name: str(self.expected[f"tensor {name}"]) for name in self.part(kind)}

    @property
    def py_funcs(self) -> dict[str, Any]:
        """The Python functions that it calls, by its nodes."""
        return GIVEN.get(self.name.partition("/")[2], {})

    @property
    def train(self) -> str:
        """The name of the train op, "" where there is none."""
        return str(self.expected.get("train", ""))


GIVEN: dict[str, dict[str, Any]] = {
    "python_function": {
        "halved": lambda a: np.where(a > 0.0, a * 0.5, a).astype(np.float32),
        "split": lambda a, b: (np.float32(a.sum()), (a + b[0]).astype(np.float32)),
    },
    "python_function_eager": {"cond/EagerPyFunc": lambda a: a * a * a},
}
"""Model -> what its nodes call, for `load(py_funcs=)`: the functions of fixtures/graphs/models/foreign.py."""


def unpacked(name: str, parent: Path) -> Recorded:
    """The model "1.15.5/loop", its files under `parent`."""
    folder = parent / name
    if not folder.exists():
        with zipfile.ZipFile(FOLDER / f"{name}.zip") as archive:
            archive.extractall(folder)
    with np.load(folder / "expected.npz") as values:
        return Recorded(name, folder, dict(values))
