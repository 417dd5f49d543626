"""Which input or output of the one side is which of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tf2bridge.proof.comparing.matching import BY_POSITION, Matching, by_name, by_position
from tf2bridge.proof.comparing.sides import Port


@dataclass(frozen=True)
class Paired:
    """Inputs or outputs of both sides; None on the side that has none."""

    a: Port | None
    b: Port | None

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """What both say of the shape together."""
        known = [each.shape for each in (self.a, self.b) if each is not None and each.shape is not None]
        if len(known) < 2:
            return known[0] if known else None
        return tuple(one if one is not None else other for one, other in zip(*known, strict=False))

    @property
    def limit(self) -> int:
        """The lower of the limits that are known."""
        return min((each.limit for each in (self.a, self.b) if each is not None and each.limit), default=0)

    @property
    def names(self) -> set[str]:
        """All names of both."""
        held = [each for each in (self.a, self.b) if each is not None]
        return {
            name for each in held for said in (each.name, *each.aliases) for name in (said, said.removesuffix(":0"))
        }

    @property
    def said(self) -> str:
        """What it is called, for people."""
        return (self.a or self.b).name  # type: ignore[union-attr]  # one of both is there


def matched(a: Sequence[Port], b: Sequence[Port], match: str) -> Matching:
    """Pairs by names; what is left, where only one of each side is of a type and shape; or all by position."""
    if match == BY_POSITION:
        return by_position([each.name for each in a], [each.name for each in b])
    found = by_name({each.name: each.aliases for each in a}, {each.name: each.aliases for each in b})
    left_a = [each for each in a if each.name in found.only_a]
    left_b = [each for each in b if each.name in found.only_b]
    more = [
        (one.name, fitting[0].name)
        for one in left_a
        if len(fitting := [each for each in left_b if _fit(one, each)]) == 1
        and sum(_fit(each, fitting[0]) for each in left_a) == 1
    ]
    if not more:
        return found
    ours, theirs = {one for one, _ in more}, {other for _, other in more}
    order = [each.name for each in a]
    return Matching(
        tuple(sorted((*found.pairs, *more), key=lambda pair: order.index(pair[0]))),
        tuple(name for name in found.only_a if name not in ours),
        tuple(name for name in found.only_b if name not in theirs),
        {**found.how, "the only one of its type and shape": len(more)},
    )


def paired(a: Sequence[Port], b: Sequence[Port], match: str) -> list[Paired]:
    """All inputs of both sides, those first that both have."""
    found = matched(a, b, match)
    ours, theirs = {each.name: each for each in a}, {each.name: each for each in b}
    return [
        *(Paired(ours[one], theirs[other]) for one, other in found.pairs),
        *(Paired(ours[name], None) for name in found.only_a),
        *(Paired(None, theirs[name]) for name in found.only_b),
    ]


def _fit(one: Port, other: Port) -> bool:
    """Whether both may be the same: whole numbers of any size are given to Keras as floats, too."""
    if one.dtype and other.dtype and _kind(one.dtype) != _kind(other.dtype) and not (one.limit or other.limit):
        return False
    if one.shape is None or other.shape is None:
        return True
    return len(one.shape) == len(other.shape) and all(
        x is None or y is None or x == y for x, y in zip(one.shape, other.shape, strict=True)
    )


def _kind(dtype: str) -> str:
    return "int" if "int" in dtype else "float" if "float" in dtype else dtype
