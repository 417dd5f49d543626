"""Groups of a checkpoint and of a target whose shapes fit each other, and the pairs that are found among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tf2bridge.checkpoint.planning.groups import Group


@dataclass(frozen=True)
class Found:
    """A pair of groups, why it is one, and whether names alone say so."""

    source: Group
    target: Group
    why: str
    certain: bool


@dataclass
class Pool:
    """Groups that fit each other by their shapes; what is paired is taken out."""

    sources: list[Group]
    targets: list[Group]
    found: list[Found] = field(default_factory=list)
    sizes: tuple[int, int] = (0, 0)
    """How many there were of each before any was paired."""

    def __post_init__(self) -> None:
        self.sizes = len(self.sources), len(self.targets)

    def take(self, found: Iterable[Found]) -> None:
        """Takes pairs out of what is left."""
        made = list(found)
        gone = {id(each.source) for each in made} | {id(each.target) for each in made}
        self.sources = [each for each in self.sources if id(each) not in gone]
        self.targets = [each for each in self.targets if id(each) not in gone]
        self.found += made
