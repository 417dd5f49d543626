"""Groups of a checkpoint and of a target whose shapes fit each other, and the pairs among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tf2bridge.checkpoint.planning.groups import Group


@dataclass(frozen=True)
class Pair:
    """A group of the checkpoint and a group of the target, why they are a pair, and whether names alone prove it."""

    source: Group
    target: Group
    why: str
    certain: bool


@dataclass
class Pool:
    """Groups that fit each other by their shapes. Paired groups are taken out."""

    sources: list[Group]
    targets: list[Group]
    pairs: list[Pair] = field(default_factory=list)
    sizes: tuple[int, int] = (0, 0)
    """How many sources and targets there were before any was paired."""

    def __post_init__(self) -> None:
        self.sizes = len(self.sources), len(self.targets)

    def take(self, pairs: Iterable[Pair]) -> None:
        """Takes the groups of the pairs out of the pool, and notes the pairs."""
        made = list(pairs)
        gone = {id(pair.source) for pair in made} | {id(pair.target) for pair in made}
        self.sources = [group for group in self.sources if id(group) not in gone]
        self.targets = [group for group in self.targets if id(group) not in gone]
        self.pairs += made
