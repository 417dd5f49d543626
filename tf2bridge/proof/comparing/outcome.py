"""The result of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tf2bridge.proof.comparing.evidence import nothing_told
from tf2bridge.proof.comparing.rows import Comparison, first_divergence


@dataclass(frozen=True)
class Compared:
    """What a comparison found.

    Attributes:
        a, b: what was compared, for people; A is what is expected, B what is held against it.
        kinds: what A and B are.
        rows: one `Comparison` for each tensor.
        how: by what tensors were paired -> how many.
        only_a, only_b: names that only one side has, of those that were chosen.
        notes: what a person should know, a line each; one that begins with spaces goes on with the one before.
        incomplete: why equal rows are not all that was asked for, one line each.
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

    @property
    def unproven(self) -> str:
        """Why nothing is proven by rows that passed; empty where it is."""
        return "; ".join(dict.fromkeys(filter(None, (*self.incomplete, nothing_told(self.rows)))))

    @property
    def equal(self) -> bool:
        """Whether all that was asked for was compared, something of it can differ, and all of it passed."""
        return not self.unproven and first_divergence(self.rows) is None
