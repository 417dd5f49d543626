"""Compares stored values: variables, checkpoints, constants, arrays."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tf2bridge.formats.checkpoints.stored import PIECE
from tf2bridge.proof.comparing.matching import BY_POSITION, Matching, by_name, by_position, without_scope
from tf2bridge.proof.comparing.processes import judged
from tf2bridge.proof.comparing.refusals import NoSuchTensorError
from tf2bridge.proof.comparing.rows import Comparison
from tf2bridge.proof.comparing.sides import Side, Value
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.pieces import Array, Lazy
from tf2bridge.proof.numbers.tolerance import Tolerance, Verdict

Values = Mapping[str, Value]


@dataclass(frozen=True)
class Chosen:
    """The choice of tensors to compare.

    Attributes:
        patterns: shell patterns of names on either side; none for all tensors.
        subset: True if a tensor on one side only is no difference.
    """

    patterns: Sequence[str] = ()
    subset: bool = False

    def has(self, *names: str) -> bool:
        """Returns whether one of the names of a tensor was chosen."""
        return not self.patterns or any(
            fnmatch.fnmatchcase(name, pattern) for name in names for pattern in self.patterns
        )

    def check(self, names: Sequence[str]) -> None:
        """Raises NoSuchTensorError for a pattern that matches no name."""
        for pattern in self.patterns:
            if not fnmatch.filter(names, pattern):
                raise NoSuchTensorError(pattern, names)

    def without_rows(self, rows: Sequence[Comparison]) -> Iterator[str]:
        """Yields a line for each pattern that matches no tensor of both sides."""
        compared = [row for row in rows if row.distance.verdict is not Verdict.MISSING]
        for pattern in self.patterns:
            if not any(fnmatch.fnmatchcase(name, pattern) for row in compared for name in (row.tensor, row.renamed)):
                yield f"--tensors {pattern}: no tensor that both sides have has such a name"


def matched(a: Side, b: Side, match: str) -> Matching:
    """Pairs the values of two sides. Constants that were no variables need a counterpart in another graph only."""
    ours, theirs = a.values or {}, b.values or {}
    if match == BY_POSITION:
        return by_position(
            [n for n, v in ours.items() if not v.incidental], [n for n, v in theirs.items() if not v.incidental]
        )
    matching = by_name(*({name: value.aliases for name, value in side.items()} for side in (ours, theirs)))
    if not matching.pairs:
        telling = (
            {name: value.aliases for name, value in side.items() if not value.incidental} for side in (ours, theirs)
        )
        return without_scope(*telling) or matching
    graphs = any(value.incidental for value in ours.values()) and any(value.incidental for value in theirs.values())
    if graphs:
        return matching
    return Matching(
        matching.pairs,
        tuple(name for name in matching.only_a if not ours[name].incidental),
        tuple(name for name in matching.only_b if not theirs[name].incidental),
        matching.how,
    )


def compared(a: Side, b: Side, matching: Matching, chosen: Chosen, tolerance: Tolerance) -> Iterator[Comparison]:
    """Yields a row for each chosen pair, then for each tensor without a partner; each tensor is read once."""
    ours, theirs = a.values or {}, b.values or {}
    _keep_memory()
    pairs = [pair for pair in matching.pairs if chosen.has(*pair)]

    def judge(number: int) -> Comparison:
        name, other = pairs[number]
        return row("value", name, other, ours[name].read(), theirs[other].read(), tolerance)

    if a.checkpoint is not None and b.checkpoint is not None and a.checkpoint.by_place and b.checkpoint.by_place:
        yield from judged(judge, [b.checkpoint.tensors[other].nbytes for _, other in pairs])
    else:
        yield from map(judge, range(len(pairs)))
    if not chosen.subset:
        yield from alone("value", matching, chosen)


def _keep_memory() -> None:
    """Lets the C library keep the pieces' memory, and not give it back to the system and fetch it again for each.

    glibc takes blocks from the system one by one unless one as large was freed before (man mallopt, M_MMAP_THRESHOLD):
    that is half of the time for two checkpoints that are equal.
    """
    np.empty(2 * PIECE, np.uint8)


def row(
    kind: str,
    name: str,
    other: str,
    expected: Array | Lazy,
    actual: Array | Lazy,
    tolerance: Tolerance,
    call: int | None = None,
    where: str = "",
) -> Comparison:
    """Returns the comparison of two arrays."""
    apart = distance(actual, expected, tolerance)
    return Comparison(kind, call, name, other if other != name else "", where, tuple(expected.shape), apart)


def alone(kind: str, matching: Matching, chosen: Chosen) -> Iterator[Comparison]:
    """Yields a row for each tensor that was chosen and is on one side only."""
    for names, side in ((matching.only_a, "A"), (matching.only_b, "B")):
        for name in names:
            if chosen.has(name):
                yield Comparison(kind, None, name, "", "", (), Distance(Verdict.MISSING, note=f"only in {side}"))
