"""The draws of a program, and whether two programs drew the same. Needs no TensorFlow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tf2bridge.proof.randomness.refusals import DrawsDifferError


@dataclass(frozen=True)
class Draw:
    """One execution of a random op.

    Attributes:
        number: its place among all draws, from 0.
        key: what its numbers depend on beside the seed, the shape, the type and the distribution: the place of the
            draw, "3", or the name of its variable or layer, "dense/kernel".
        run: by name, how many draws of the same key came before; by order, 0.
        kind: "uniform", "normal", "truncated normal", "integers", "shuffle", "categorical", "gamma", "poisson",
            "binomial".
        shape: of the draw; None where neither the graph nor the number of elements tells it.
        dtype: "float32".
        name: the op, the Keras variable or the path of the Keras layer.
        where: the nearest line that is no library's, "train.py:12".
    """

    number: int
    key: str
    run: int
    kind: str
    shape: tuple[int | None, ...] | None
    dtype: str
    name: str
    where: str

    def __str__(self) -> str:
        shape = "of unknown shape" if self.shape is None else f"[{', '.join(map(str, self.shape))}]"
        return f"{self.kind} {shape} {self.dtype} for {self.name or 'no name'} ({self.where})"

    def fits(self, other: Draw) -> bool:
        """Returns whether both draw the same numbers: kind, type and, as far as they are known, shapes."""
        return (self.kind, self.dtype) == (other.kind, other.dtype) and _may_be_equal(self.shape, other.shape)


def same_draws(old: Sequence[Draw], new: Sequence[Draw], by: str = "order") -> None:
    """Checks that two programs drew the same; by "order" all draws in their order, by "name" those of each name.

    Raises DrawsDifferError, which names the first draw that differs in kind, type or shape, or that only one program
    made, with the lines of both.
    """
    if by == "order":
        _in_order(old, new, "draw {}")
        return
    old_by, new_by = _by_key(old), _by_key(new)
    for key in [*old_by, *(key for key in new_by if key not in old_by)]:
        _in_order(old_by.get(key, []), new_by.get(key, []), f"{key}, run {{}}")


def _in_order(old: Sequence[Draw], new: Sequence[Draw], place: str) -> None:
    for number, (old_draw, new_draw) in enumerate(zip(old, new, strict=False)):
        if not old_draw.fits(new_draw):
            where, difference = place.format(number), f"the new one {new_draw}"
            raise DrawsDifferError(where, f"the old program draws {old_draw}", difference, _HINT)
    if len(old) != len(new):
        longer, which, lacking = (old, "old", "new") if len(old) > len(new) else (new, "new", "old")
        at = min(len(old), len(new))
        first, second = f"the {which} program draws {longer[at]}", f"the {lacking} one draws nothing more there"
        raise DrawsDifferError(place.format(at), first, second, _HINT)


_HINT = 'draw in the same order (build a Keras model before its first call), or match names with by="name" and names='


def _by_key(draws: Sequence[Draw]) -> dict[str, list[Draw]]:
    by_key: dict[str, list[Draw]] = {}
    for draw in draws:
        by_key.setdefault(draw.key, []).append(draw)
    return by_key


def _may_be_equal(old: tuple[int | None, ...] | None, new: tuple[int | None, ...] | None) -> bool:
    if old is None or new is None:
        return True
    return len(old) == len(new) and all(a is None or b is None or a == b for a, b in zip(old, new, strict=True))
