"""Pairs that the numbers in names tell, where the words are the same or go over row by row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.induction import Induction
from tf2bridge.checkpoint.planning.likeness import alike
from tf2bridge.checkpoint.planning.pools import Found, Pool
from tf2bridge.checkpoint.planning.said import Names, Pattern, Said, keyed
from tf2bridge.checkpoint.planning.words import numbers, pattern, words


def by_rank(pools: Sequence[Pool], said: Said) -> None:
    """Names that differ in their numbers alone, in the order of these: conv1, conv2 -> conv2d, conv2d_1.

    Only where the order holds over all shapes, too.
    """
    proposed: dict[object, list[_Offer]] = defaultdict(list)
    for pool in pools:
        mine, theirs = _patterned(pool.sources, said.sources), _patterned(pool.targets, said.targets)
        common = [(mine[each], theirs[each]) for each in mine if each in theirs]
        if not common and len(mine) == len(theirs) == 1:
            common = [(next(iter(mine.values())), next(iter(theirs.values())))]
        _propose(proposed, pool, common)
    _accept(proposed, "numbered alike")


def by_like_patterns(pools: Sequence[Pool]) -> None:
    """Rows of names that differ in their numbers alone, by which rows are most alike, then by their numbers.

    The twelve queries of a transformer's layers are one row, the twelve keys another.
    """
    proposed: dict[object, list[_Offer]] = defaultdict(list)
    for pool in pools:
        mine, theirs = _rows(pool.sources), _rows(pool.targets)
        if len(pool.sources) < 2 or len(pool.targets) < 2 or not mine or not theirs:
            continue
        _propose(proposed, pool, [(mine[one], theirs[other]) for one, other in alike(list(mine), list(theirs))])
    _accept(proposed, "names alike, and numbered alike")


_Offer = tuple[Pool, list[Group], list[Group]]


def _propose(proposed: dict[object, list[_Offer]], pool: Pool, rows: Iterable[tuple[list[Group], list[Group]]]) -> None:
    """Rows of a pool that may be one for one, in the order of their numbers, kept by what both are called."""
    for sources, targets in rows:
        (ranked, grid), (other, other_grid) = _ranked(sources), _ranked(targets)
        if grid == other_grid:
            key = pattern(words(ranked[0].name)), pattern(words(other[0].name))
            proposed[key].append((pool, ranked, other))


def _accept(proposed: Mapping[object, list[_Offer]], why: str) -> None:
    """Pairs the rows whose order holds over all shapes."""
    for offers in proposed.values():
        pairs = [each for _, ranked, other in offers for each in zip(ranked, other, strict=True)]
        if len(pairs) > 1 and _ascending(pairs):
            for pool, ranked, other in offers:
                pool.take(Found(*each, why, False) for each in zip(ranked, other, strict=True))


def _rows(groups: Iterable[Group]) -> dict[str, list[Group]]:
    """The groups by their names without numbers."""
    found: dict[str, list[Group]] = defaultdict(list)
    for each in groups:
        found["/".join(text for text, _ in pattern(words(each.name)))].append(each)
    return {name: each for name, each in found.items() if len({pattern(words(one.name)) for one in each}) == 1}


def _ascending(pairs: Iterable[tuple[Group, Group]]) -> bool:
    """Whether both sides are in the order of their numbers at once."""
    places = sorted((numbers(words(source.name)), numbers(words(target.name))) for source, target in pairs)
    seconds = [second for _, second in places]
    return seconds == sorted(seconds)


def _patterned(groups: Iterable[Group], names: Names) -> dict[object, list[Group]]:
    """Groups whose whole names differ in numbers alone, by the words they share with the other side."""
    found: dict[object, list[Group]] = defaultdict(list)
    whole: dict[object, set[object]] = defaultdict(set)
    for each in groups:
        key = tuple(word.text for word in names[each.name])
        found[key].append(each)
        whole[key].add(pattern(words(each.name)))
    return {key: each for key, each in found.items() if len(whole[key]) == 1}


def _ranked(groups: Sequence[Group]) -> tuple[list[Group], tuple[int, ...]]:
    """The groups in the order of their numbers, and how many different ones stand in each place that has several."""
    numbered = {each.name: numbers(words(each.name)) for each in groups}
    varying = [len(set(column)) for column in zip(*numbered.values(), strict=True) if len(set(column)) > 1]
    return sorted(groups, key=lambda each: numbered[each.name]), (len(groups), *varying)


def by_induction(pools: Sequence[Pool]) -> None:
    """Names whose numbers go over as those of the pairs that are known do."""
    learnt = Induction((each.source.name, each.target.name) for pool in pools for each in pool.found)
    for pool in pools:
        targets = keyed(pool.targets, {each.name: words(each.name) for each in pool.targets})
        places = {(pattern(name), numbers(name)): each for name, each in targets.items()}
        wanted: dict[tuple[Pattern, tuple[int, ...]], list[Group]] = defaultdict(list)
        for source in pool.sources:
            if key := learnt.target_of(words(source.name)):
                wanted[key].append(source)
        pairs = [
            (each[0], places[key][0]) for key, each in wanted.items() if len(each) == len(places.get(key, ())) == 1
        ]
        pool.take(Found(*each, "its numbers go over as in the other names", False) for each in pairs)
