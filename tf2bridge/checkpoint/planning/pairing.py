"""Pairs groups of a checkpoint with groups of a target if several have fitting shapes: by names, then by order.

Groups are never paired by shape alone unless the shape is unique, and never against their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tf2bridge.checkpoint.planning.by_name import by_same_name, by_shared_words
from tf2bridge.checkpoint.planning.by_number import by_induction, by_like_patterns, by_rank
from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.likeness import alike
from tf2bridge.checkpoint.planning.name_words import numbers, pattern
from tf2bridge.checkpoint.planning.pools import Pair, Pool
from tf2bridge.checkpoint.planning.shared_words import SharedWords, contradict


def pair(pools: Sequence[Pool]) -> None:
    """Pairs what can be paired: by names, by numbers, the only group of a pool, by similarity, by order of creation."""
    shared = SharedWords(pools)
    for pool in pools:
        by_same_name(pool, shared)
    for pool in pools:
        by_shared_words(pool, shared)
    by_rank(pools, shared)
    by_like_patterns(pools)
    by_induction(pools)
    for pool in pools:
        if pool.sizes == (1, 1):
            _the_only_one(pool, "the only one of its shape", shared)
    for pool in pools:
        if len(pool.sources) + len(pool.targets) > 2 and pool.sources and pool.targets:
            mine, theirs = ({group.name: group for group in side} for side in (pool.sources, pool.targets))
            pairs = [(mine[source], theirs[target]) for source, target in alike(list(mine), list(theirs))]
            pool.take(Pair(*pair, "the names are most alike", False) for pair in pairs if not _shifted(pair[0], shared))
    _by_creation(pools, shared)
    for pool in pools:
        if pool.sizes[0] == pool.sizes[1]:
            _the_only_one(pool, "the only one of its shape that is left", shared)


def _shifted(source: Group, shared: SharedWords) -> bool:
    """Returns whether the numbers of a name have no meaning: those of the two sides do not begin alike."""
    return pattern(shared.sources[source.name]) in shared.shifted


def _the_only_one(pool: Pool, why: str, shared: SharedWords) -> None:
    if len(pool.sources) == len(pool.targets) == 1 and not contradict(pool.sources[0], pool.targets[0], shared):
        pool.take([Pair(pool.sources[0], pool.targets[0], why, False)])


def _by_creation(pools: Sequence[Pool], shared: SharedWords) -> None:
    """Pairs what is left by the order of creation, if the order is known and agrees shape by shape."""
    mine = sorted(_left(pools, "sources"), key=lambda item: item[0])
    theirs = sorted(_left(pools, "targets"), key=lambda item: item[0])
    known = all(place >= 0 for place, _, _ in (*mine, *theirs))
    if not known or not mine or [at for _, at, _ in mine] != [at for _, at, _ in theirs]:
        return
    pairs = [(source, target) for (_, _, source), (_, _, target) in zip(mine, theirs, strict=True)]
    if any(contradict(*pair, shared) for pair in pairs) or not _numbers_go_over(pairs, shared):
        return
    for (_, at, source), (_, _, target) in zip(mine, theirs, strict=True):
        pools[at].take([Pair(source, target, "made in the same order, shape by shape", False)])


def _numbers_go_over(pairs: Iterable[tuple[Group, Group]], shared: SharedWords) -> bool:
    """Returns whether names with equal patterns keep their numbers: layer 2 is not layer 1 of another stack."""
    numbered = [(shared.sources[source.name], shared.targets[target.name]) for source, target in pairs]
    return all(
        numbers(mine) == numbers(theirs)
        for mine, theirs in numbered
        if pattern(mine) == pattern(theirs) and pattern(mine) in shared.alike
    )


def _left(pools: Sequence[Pool], side: str) -> list[tuple[int, int, Group]]:
    """Returns (order of creation or -1, number of the pool, group) of all groups that are left."""
    return [
        (-1 if group.order is None else group.order, at, group)
        for at, pool in enumerate(pools)
        for group in getattr(pool, side)
    ]
