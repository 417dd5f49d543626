"""Pairs groups by the numbers in their names, where the words are equal, or correspond row by row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.induction import Induction
from tf2bridge.checkpoint.planning.likeness import alike
from tf2bridge.checkpoint.planning.name_words import numbers, pattern, words
from tf2bridge.checkpoint.planning.pools import Pair, Pool
from tf2bridge.checkpoint.planning.shared_words import Names, Pattern, SharedWords, keyed


def by_rank(pools: Sequence[Pool], shared: SharedWords) -> None:
    """Pairs names that differ only in their numbers, in the order of the numbers: conv1, conv2 -> conv2d, conv2d_1.

    The order must hold over all shapes.
    """
    proposed: dict[object, list[_Offer]] = defaultdict(list)
    for pool in pools:
        mine, theirs = _patterned(pool.sources, shared.sources), _patterned(pool.targets, shared.targets)
        common = [(mine[key], theirs[key]) for key in mine if key in theirs]
        if not common and len(mine) == len(theirs) == 1:
            common = [(next(iter(mine.values())), next(iter(theirs.values())))]
        _propose(proposed, pool, common)
    _accept(proposed, "numbered alike")


def by_like_patterns(pools: Sequence[Pool]) -> None:
    """Pairs rows of names that differ only in their numbers: the most similar rows, then name by name.

    For example, the twelve queries of a transformer's layers are one row, and the twelve keys another.
    """
    proposed: dict[object, list[_Offer]] = defaultdict(list)
    for pool in pools:
        mine, theirs = _rows(pool.sources), _rows(pool.targets)
        if len(pool.sources) < 2 or len(pool.targets) < 2 or not mine or not theirs:
            continue
        _propose(proposed, pool, [(mine[source], theirs[target]) for source, target in alike(list(mine), list(theirs))])
    _accept(proposed, "names alike, and numbered alike")


_Offer = tuple[Pool, list[Group], list[Group]]


def _propose(proposed: dict[object, list[_Offer]], pool: Pool, rows: Iterable[tuple[list[Group], list[Group]]]) -> None:
    """Notes rows of a pool that may correspond one to one in the order of their numbers, by the names of both rows."""
    for sources, targets in rows:
        (ranked, grid), (other, other_grid) = _ranked(sources), _ranked(targets)
        if grid == other_grid:
            key = pattern(words(ranked[0].name)), pattern(words(other[0].name))
            proposed[key].append((pool, ranked, other))


def _accept(proposed: Mapping[object, list[_Offer]], why: str) -> None:
    """Pairs the rows whose order holds over all shapes."""
    for offers in proposed.values():
        pairs = [pair for _, ranked, other in offers for pair in zip(ranked, other, strict=True)]
        if len(pairs) > 1 and _ascending(pairs):
            for pool, ranked, other in offers:
                pool.take(Pair(*pair, why, False) for pair in zip(ranked, other, strict=True))


def _rows(groups: Iterable[Group]) -> dict[str, list[Group]]:
    """Returns the groups by their names without numbers."""
    rows: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        rows["/".join(text for text, _ in pattern(words(group.name)))].append(group)
    return {name: row for name, row in rows.items() if len({pattern(words(group.name)) for group in row}) == 1}


def _ascending(pairs: Iterable[tuple[Group, Group]]) -> bool:
    """Returns whether both sides are in the order of their numbers at the same time."""
    places = sorted((numbers(words(source.name)), numbers(words(target.name))) for source, target in pairs)
    seconds = [second for _, second in places]
    return seconds == sorted(seconds)


def _patterned(groups: Iterable[Group], names: Names) -> dict[object, list[Group]]:
    """Returns groups whose names differ only in numbers, by the words that they share with the other side."""
    by_words: dict[object, list[Group]] = defaultdict(list)
    patterns: dict[object, set[object]] = defaultdict(set)
    for group in groups:
        key = tuple(word.text for word in names[group.name])
        by_words[key].append(group)
        patterns[key].add(pattern(words(group.name)))
    return {key: ranked for key, ranked in by_words.items() if len(patterns[key]) == 1}


def _ranked(groups: Sequence[Group]) -> tuple[list[Group], tuple[int, ...]]:
    """Returns the groups in the order of their numbers, and how many different numbers each varying place has."""
    numbered = {group.name: numbers(words(group.name)) for group in groups}
    varying = [len(set(column)) for column in zip(*numbered.values(), strict=True) if len(set(column)) > 1]
    return sorted(groups, key=lambda group: numbered[group.name]), (len(groups), *varying)


def by_induction(pools: Sequence[Pool]) -> None:
    """Pairs names whose numbers correspond in the same way as in the known pairs."""
    learnt = Induction((pair.source.name, pair.target.name) for pool in pools for pair in pool.pairs)
    for pool in pools:
        targets = keyed(pool.targets, {group.name: words(group.name) for group in pool.targets})
        places = {(pattern(name), numbers(name)): groups for name, groups in targets.items()}
        wanted: dict[tuple[Pattern, tuple[int, ...]], list[Group]] = defaultdict(list)
        for source in pool.sources:
            if key := learnt.target_of(words(source.name)):
                wanted[key].append(source)
        pairs = [
            (groups[0], places[key][0])
            for key, groups in wanted.items()
            if len(groups) == len(places.get(key, ())) == 1
        ]
        pool.take(Pair(*pair, "its numbers go over as in the other names", False) for pair in pairs)
