"""The result of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tf2bridge.proof.comparing.evidence import nothing_told
from tf2bridge.proof.comparing.rows import Comparison, first_divergence

if TYPE_CHECKING:
    from tf2bridge.proof.worst.outcome import WorstInputs


@dataclass(frozen=True)
class Compared:
    """The result of a comparison.

    Attributes:
        a, b: The names of the sides in reports. A has the expected values; B is compared with A.
        kinds: The kinds of A and B.
        rows: One `Comparison` for each tensor.
        how: Rule that paired tensors -> number of pairs.
        only_a, only_b: Chosen names that only one side has.
        notes: Lines for the report. A line that begins with spaces continues the line before.
        incomplete: Lines that say what was requested but not compared.
        worst: The worst inputs, if they were searched.
    """

    a: str
    b: str
    kinds: tuple[str, str]
    rows: tuple[Comparison, ...]
    how: Mapping[str, int]
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    worst: WorstInputs | None = None

    @property
    def unproven(self) -> str:
        """Why rows that passed prove nothing; "" if they prove that the sides are equal."""
        return "; ".join(dict.fromkeys(filter(None, (*self.incomplete, nothing_told(self.rows)))))

    @property
    def equal(self) -> bool:
        """True if all that was asked for was compared, could differ, and passed."""
        return not self.unproven and first_divergence(self.rows) is None
