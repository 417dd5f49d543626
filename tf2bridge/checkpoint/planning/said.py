"""What the names of both sides say, in the words that both use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.pools import Pool
from tf2bridge.checkpoint.planning.words import Word, numbers, pattern, shared, texts, without_common_scope, words

Names = Mapping[str, tuple[Word, ...]]
Pattern = tuple[tuple[str, int], ...]


class Said:
    """Name -> its words, without the scopes that all of a side share, and without words that only one side uses."""

    def __init__(self, pools: Sequence[Pool]) -> None:
        sources = _plain(each.name for pool in pools for each in pool.sources)
        targets = _plain(each.name for pool in pools for each in pool.targets)
        both = texts(list(sources.values())) & texts(list(targets.values()))
        self.sources = {name: shared(each, both) for name, each in sources.items()}
        self.targets = {name: shared(each, both) for name, each in targets.items()}
        mine, theirs = numbered(self.sources.values()), numbered(self.targets.values())
        self.alike = {each for each in mine.keys() & theirs.keys() if mine[each] == theirs[each]}
        """Patterns that both sides have with the same numbers."""
        self.shifted = {each for each in mine.keys() & theirs.keys() if _least(mine[each]) != _least(theirs[each])}
        """Patterns whose numbers do not begin alike: conv1 is conv2d, and conv2 is conv2d_1."""
        self.apart = {each for each in self.shifted if not (mine[each] <= theirs[each] or theirs[each] <= mine[each])}
        """Those of which neither side has all numbers of the other: dense, dense_1 and dense_1, dense_2."""


def _plain(names: Iterable[str]) -> dict[str, tuple[Word, ...]]:
    return {name: words(rest) for name, rest in without_common_scope(list(names)).items()}


def numbered(names: Iterable[tuple[Word, ...]]) -> dict[Pattern, set[tuple[int, ...]]]:
    """Pattern -> the numbers of the names that have it."""
    found: dict[Pattern, set[tuple[int, ...]]] = defaultdict(set)
    for name in names:
        found[pattern(name)].add(numbers(name))
    return found


def _least(numbered: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(min, zip(*numbered, strict=True)))


def keyed(groups: Iterable[Group], names: Names) -> dict[tuple[Word, ...], list[Group]]:
    found = defaultdict(list)
    for each in groups:
        found[names[each.name]].append(each)
    return found


def contradict(source: Group, target: Group, said: Said) -> bool:
    """Whether both names use words of both sides, and none in common."""
    mine = {word.text for word in said.sources[source.name]}
    theirs = {word.text for word in said.targets[target.name]}
    return bool(mine and theirs and not mine & theirs)
