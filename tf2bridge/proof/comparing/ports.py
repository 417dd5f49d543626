"""Pairs the inputs and outputs of two sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tf2bridge.proof.comparing.matching import BY_POSITION, Matching, by_name, by_position
from tf2bridge.proof.comparing.sides import Port


@dataclass(frozen=True)
class Paired:
    """A pair of inputs or outputs; None for the side that has none."""

    a: Port | None
    b: Port | None

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """The sizes that either side knows."""
        known = [port.shape for port in (self.a, self.b) if port is not None and port.shape is not None]
        if len(known) < 2:
            return known[0] if known else None
        return tuple(first if first is not None else second for first, second in zip(*known, strict=False))

    @property
    def limit(self) -> int:
        """The lower of the limits that are known."""
        return min((port.limit for port in (self.a, self.b) if port is not None and port.limit), default=0)

    @property
    def names(self) -> set[str]:
        """All names of both."""
        ports = [port for port in (self.a, self.b) if port is not None]
        return {
            name
            for port in ports
            for name_known in (port.name, *port.aliases)
            for name in (name_known, name_known.removesuffix(":0"))
        }

    @property
    def label(self) -> str:
        """What it is called, for people."""
        return (self.a or self.b).name  # type: ignore[union-attr]  # one of both is there


def matched(a: Sequence[Port], b: Sequence[Port], match: str) -> Matching:
    """Pairs by names, then those that are the only ones of their type and shape; or all by position."""
    if match == BY_POSITION:
        return by_position([port.name for port in a], [port.name for port in b])
    by_names = by_name({port.name: port.aliases for port in a}, {port.name: port.aliases for port in b})
    left_a = [port for port in a if port.name in by_names.only_a]
    left_b = [port for port in b if port.name in by_names.only_b]
    more = [
        (port.name, fitting[0].name)
        for port in left_a
        if len(fitting := [other for other in left_b if _fit(port, other)]) == 1
        and sum(_fit(other, fitting[0]) for other in left_a) == 1
    ]
    if not more:
        return by_names
    ours, theirs = {name for name, _ in more}, {name for _, name in more}
    order = [port.name for port in a]
    return Matching(
        tuple(sorted((*by_names.pairs, *more), key=lambda pair: order.index(pair[0]))),
        tuple(name for name in by_names.only_a if name not in ours),
        tuple(name for name in by_names.only_b if name not in theirs),
        {**by_names.how, "the only one of its type and shape": len(more)},
    )


def paired(a: Sequence[Port], b: Sequence[Port], match: str) -> list[Paired]:
    """Returns all inputs of both sides; those that both have come first."""
    matching = matched(a, b, match)
    ours, theirs = {port.name: port for port in a}, {port.name: port for port in b}
    return [
        *(Paired(ours[ours_name], theirs[theirs_name]) for ours_name, theirs_name in matching.pairs),
        *(Paired(ours[name], None) for name in matching.only_a),
        *(Paired(None, theirs[name]) for name in matching.only_b),
    ]


def _fit(port_a: Port, port_b: Port) -> bool:
    """Returns True if both may be the same; Keras also takes whole numbers as floats."""
    if (
        port_a.dtype
        and port_b.dtype
        and _kind(port_a.dtype) != _kind(port_b.dtype)
        and not (port_a.limit or port_b.limit)
    ):
        return False
    if port_a.shape is None or port_b.shape is None:
        return True
    return len(port_a.shape) == len(port_b.shape) and all(
        x is None or y is None or x == y for x, y in zip(port_a.shape, port_b.shape, strict=True)
    )


def _kind(dtype: str) -> str:
    return "int" if "int" in dtype else "float" if "float" in dtype else dtype
