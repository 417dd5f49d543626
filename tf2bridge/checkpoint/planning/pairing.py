"""Which group of a checkpoint is which group of a target, where several have the fitting shapes: by names, then order.

Never by shape alone where a shape is not the only one, and never against what the names say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tf2bridge.checkpoint.planning.by_name import by_same_name, by_shared_words
from tf2bridge.checkpoint.planning.by_number import by_induction, by_like_patterns, by_rank
from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.likeness import alike
from tf2bridge.checkpoint.planning.pools import Found, Pool
from tf2bridge.checkpoint.planning.said import Said, contradict
from tf2bridge.checkpoint.planning.words import numbers, pattern


def pair(pools: Sequence[Pool]) -> None:
    """Pairs what can be paired in all pools: by names, by numbers, the only one, by likeness, by order of creation."""
    said = Said(pools)
    for pool in pools:
        by_same_name(pool, said)
    for pool in pools:
        by_shared_words(pool, said)
    by_rank(pools, said)
    by_like_patterns(pools)
    by_induction(pools)
    for pool in pools:
        if pool.sizes == (1, 1):
            _the_only_one(pool, "the only one of its shape", said)
    for pool in pools:
        if len(pool.sources) + len(pool.targets) > 2 and pool.sources and pool.targets:
            mine, theirs = ({each.name: each for each in side} for side in (pool.sources, pool.targets))
            pairs = [(mine[one], theirs[other]) for one, other in alike(list(mine), list(theirs))]
            pool.take(Found(*each, "the names are most alike", False) for each in pairs if not _shifted(each[0], said))
    _by_creation(pools, said)
    for pool in pools:
        if pool.sizes[0] == pool.sizes[1]:
            _the_only_one(pool, "the only one of its shape that is left", said)


def _shifted(source: Group, said: Said) -> bool:
    """Whether the numbers of a name say nothing, as those of the other side do not begin alike."""
    return pattern(said.sources[source.name]) in said.shifted


def _the_only_one(pool: Pool, why: str, said: Said) -> None:
    if len(pool.sources) == len(pool.targets) == 1 and not contradict(pool.sources[0], pool.targets[0], said):
        pool.take([Found(pool.sources[0], pool.targets[0], why, False)])


def _by_creation(pools: Sequence[Pool], said: Said) -> None:
    """The order in which the programs made them, if it is known and all that is left agrees in it, shape by shape."""
    mine = sorted(_left(pools, "sources"), key=lambda each: each[0])
    theirs = sorted(_left(pools, "targets"), key=lambda each: each[0])
    known = all(place >= 0 for place, _, _ in (*mine, *theirs))
    if not known or not mine or [at for _, at, _ in mine] != [at for _, at, _ in theirs]:
        return
    pairs = [(one, other) for (_, _, one), (_, _, other) in zip(mine, theirs, strict=True)]
    if any(contradict(*each, said) for each in pairs) or not _numbers_go_over(pairs, said):
        return
    for (_, at, source), (_, _, target) in zip(mine, theirs, strict=True):
        pools[at].take([Found(source, target, "made in the same order, shape by shape", False)])


def _numbers_go_over(pairs: Iterable[tuple[Group, Group]], said: Said) -> bool:
    """Whether what is numbered alike on both sides keeps its numbers: a layer 2 is not layer 1 of another stack."""
    numbered = [(said.sources[source.name], said.targets[target.name]) for source, target in pairs]
    return all(
        numbers(mine) == numbers(theirs)
        for mine, theirs in numbered
        if pattern(mine) == pattern(theirs) and pattern(mine) in said.alike
    )


def _left(pools: Sequence[Pool], side: str) -> list[tuple[int, int, Group]]:
    """(order of creation or -1, number of the pool, group) of all that is left."""
    return [
        (-1 if each.order is None else each.order, at, each)
        for at, pool in enumerate(pools)
        for each in getattr(pool, side)
    ]
