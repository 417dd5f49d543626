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
        a, b: the names of the sides, for people; A is what is expected, B is compared with it.
        kinds: what A and B are.
        rows: one `Comparison` for each tensor.
        how: rule by which tensors were paired -> number of pairs.
        only_a, only_b: names that only one side has, of those that were chosen.
        notes: lines for people; a line that begins with spaces continues the one before.
        incomplete: lines that say what was asked for and not compared.
        worst: the worst inputs, if they were searched.
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
