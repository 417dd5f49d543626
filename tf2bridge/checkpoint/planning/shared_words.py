"""The words that the names of checkpoint and target share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.name_words import Word, numbers, pattern, shared, texts, without_common_scope, words
from tf2bridge.checkpoint.planning.pools import Pool

Names = Mapping[str, tuple[Word, ...]]
Pattern = tuple[tuple[str, int], ...]


class SharedWords:
    """Name -> its words, without the scopes that all names of a side share, and without words of one side only.

    Attributes:
        sources: Name in the checkpoint -> its shared words.
        targets: Name in the target -> its shared words.
        alike: Patterns that both sides have with the same numbers.
        shifted: Patterns whose numbers do not begin alike: conv1 is conv2d, and conv2 is conv2d_1.
        apart: Those of `shifted` of which each side has a number that the other lacks: dense, dense_1 and dense_1,
            dense_2.
    """

    def __init__(self, pools: Sequence[Pool]) -> None:
        sources = _plain(group.name for pool in pools for group in pool.sources)
        targets = _plain(group.name for pool in pools for group in pool.targets)
        both = texts(list(sources.values())) & texts(list(targets.values()))
        self.sources = {name: shared(name_words, both) for name, name_words in sources.items()}
        self.targets = {name: shared(name_words, both) for name, name_words in targets.items()}
        mine, theirs = numbered(self.sources.values()), numbered(self.targets.values())
        self.alike = {key for key in mine.keys() & theirs.keys() if mine[key] == theirs[key]}
        self.shifted = {key for key in mine.keys() & theirs.keys() if _least(mine[key]) != _least(theirs[key])}
        self.apart = {key for key in self.shifted if not (mine[key] <= theirs[key] or theirs[key] <= mine[key])}


def _plain(names: Iterable[str]) -> dict[str, tuple[Word, ...]]:
    return {name: words(rest) for name, rest in without_common_scope(list(names)).items()}


def numbered(names: Iterable[tuple[Word, ...]]) -> dict[Pattern, set[tuple[int, ...]]]:
    """Returns pattern -> the numbers of the names with this pattern."""
    by_pattern: dict[Pattern, set[tuple[int, ...]]] = defaultdict(set)
    for name in names:
        by_pattern[pattern(name)].add(numbers(name))
    return by_pattern


def _least(numbered: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(min, zip(*numbered, strict=True)))


def keyed(groups: Iterable[Group], names: Names) -> dict[tuple[Word, ...], list[Group]]:
    """Returns the groups by the words of their names."""
    by_words = defaultdict(list)
    for group in groups:
        by_words[names[group.name]].append(group)
    return by_words


def contradict(source: Group, target: Group, shared: SharedWords) -> bool:
    """Returns whether both names have shared words, but none in common."""
    mine = {word.text for word in shared.sources[source.name]}
    theirs = {word.text for word in shared.targets[target.name]}
    return bool(mine and theirs and not mine & theirs)
