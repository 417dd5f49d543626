"""The result of a search for the worst inputs."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import numpy as np

from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.worst.ranges import Range
from tf2bridge.whole_file import write_bytes


class Way(Enum):
    """How an input is searched."""

    GRADIENT = "gradient ascent"
    SAMPLED = "sampling"
    FIXED = "not searched"


@dataclass(frozen=True)
class SearchedInput:
    """An input of the search.

    Attributes:
        name: its name on the side that is expected; that of the other side, if only this has it.
        dtype: its type, as NumPy calls it.
        range: None for texts, and for inputs that are not searched.
        way: how it is searched.
        why: the reason, if it is not searched, or sampled and not climbed.
        is_whole: True if its numbers are whole, whatever its type.
    """

    name: str
    dtype: str
    range: Range | None
    way: Way
    why: str = ""
    is_whole: bool = False


@dataclass(frozen=True)
class Found:
    """A measured difference of one output.

    Attributes:
        figure: the largest |B - A|, as a part of the largest |A|, on these inputs or on the starts: the larger of both.
        row: the comparison of the output.
        inputs: name of each input -> array, on which both sides were run.
        run: the number of the run that found it, from 1.
    """

    figure: float
    row: Comparison
    inputs: Mapping[str, Array]
    run: int


@dataclass(frozen=True)
class WorstOutput:
    """The worst inputs for one output.

    Attributes:
        start: the greatest difference on the starting inputs.
        worst: the greatest that was found; the start's, if nothing greater was.
        failing: one that is out of tolerance, if `worst` is within it; else None.
    """

    start: Found
    worst: Found
    failing: Found | None = None

    @property
    def name(self) -> str:
        """The output, as the side that is expected calls it."""
        return self.worst.row.tensor

    @property
    def judged(self) -> Found:
        """The difference that decides the verdict: one out of tolerance if there is one, else the greatest."""
        return self.failing or self.worst


@dataclass(frozen=True)
class WorstInputs:
    """The result of a search for the worst inputs.

    Attributes:
        outputs: one for each output of both sides.
        searched: the inputs, and how each was searched.
        starts: the number of starting inputs.
        runs: how often both sides were run.
        ascents: the number of climbs, from the starts and from other points.
        seconds: how long it took.
        seed: of the search.
        failed: reason -> number of inputs that could not be run, and are no candidates.
        progress: (run, greatest figure so far), wherever it grew.
        notes: lines for people.
        start_rows: the comparisons on the starting inputs.
        saved: the file with the worst inputs, if they were saved.
    """

    outputs: tuple[WorstOutput, ...]
    searched: tuple[SearchedInput, ...]
    starts: int
    runs: int
    ascents: int
    seconds: float
    seed: int
    failed: Mapping[str, int]
    progress: tuple[tuple[int, float], ...]
    notes: tuple[str, ...] = ()
    start_rows: tuple[Comparison, ...] = ()
    saved: str = ""

    @property
    def worst(self) -> WorstOutput:
        """The output that differs most; one that is out of tolerance comes first."""
        return max(self.outputs, key=lambda output: (not output.judged.row.passed, output.judged.figure))

    @property
    def start(self) -> float:
        """The greatest figure on the starting inputs."""
        return max(output.start.figure for output in self.outputs)

    @property
    def figure(self) -> float:
        """The greatest figure of the search."""
        return max(output.worst.figure for output in self.outputs)

    @property
    def inputs(self) -> Mapping[str, Array]:
        """The worst inputs: name -> array."""
        return self.worst.judged.inputs

    @property
    def rows(self) -> tuple[Comparison, ...]:
        """The comparisons on the starting inputs, then those on the worst ones."""
        measured = [part for output in self.outputs for part in (output.worst, output.failing) if part is not None]
        return (*self.start_rows, *(part.row for part in measured))

    def save(self, path: str | Path) -> None:
        """Writes the worst inputs as an .npz file, on which `compare --inputs FILE` runs both sides again."""
        archive = io.BytesIO()
        np.savez(archive, **{name: _plain(array) for name, array in self.inputs.items()})  # type: ignore[arg-type]
        write_bytes(Path(path), archive.getvalue())


def _plain(array: Array) -> Array:
    """Returns the array in a type that an .npz file holds without pickles: bfloat16 and float8 as float32, texts as
    bytes.
    """
    if array.dtype.kind == "O":
        texts = [text.encode() if isinstance(text, str) else text for text in array.reshape(-1)]
        return np.asarray(texts, "S").reshape(array.shape)
    return array.astype(np.float32) if array.dtype.kind == "V" else array
