"""Pairs groups by names: the same name, or the same words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.name_words import pattern, shown, words
from tf2bridge.checkpoint.planning.pools import Pair, Pool
from tf2bridge.checkpoint.planning.shared_words import Names, Pattern, SharedWords, keyed, numbered


def by_same_name(pool: Pool, shared: SharedWords) -> None:
    """Pairs groups that alone have the same name, also below different scopes."""
    telling = _telling(pool.sources, shared.sources) | _telling(pool.targets, shared.targets)
    for length in range(max((group.name.count("/") + 1 for group in (*pool.sources, *pool.targets)), default=0), 0, -1):
        mine, theirs = _by_end(pool.sources, length), _by_end(pool.targets, length)
        pairs = [
            (mine[end][0], theirs[end][0])
            for end in mine.keys() & theirs.keys()
            if len(mine[end]) == len(theirs[end]) == 1 and _agree(mine[end][0], theirs[end][0], shared, telling)
        ]
        pool.take(Pair(source, target, _reason(source.name, target.name), True) for source, target in pairs)


def _by_end(groups: Iterable[Group], length: int) -> dict[tuple[str, ...], list[Group]]:
    by_end = defaultdict(list)
    for group in groups:
        segments = tuple(group.name.split("/"))
        if len(segments) >= length:
            by_end[segments[-length:]].append(group)
    return by_end


def _agree(source: Group, target: Group, shared: SharedWords, telling: set[Pattern]) -> bool:
    """Returns whether nothing in the names contradicts a pair.

    Both names have the same shared words, and their numbers begin alike. The scopes before their common end stand on
    one side only, or do not distinguish names.
    """
    mine, theirs = shared.sources[source.name], shared.targets[target.name]
    within = f"/{source.name}".endswith(f"/{target.name}") or f"/{target.name}".endswith(f"/{source.name}")
    told_apart = pattern(mine) in telling and not within
    return Counter(mine) == Counter(theirs) and pattern(mine) not in shared.apart and not told_apart


def _reason(source: str, target: str) -> str:
    if source == target:
        return "same name"
    source_parts, target_parts = source.split("/"), target.split("/")
    same = 0
    while same < min(len(source_parts), len(target_parts)) and source_parts[-1 - same] == target_parts[-1 - same]:
        same += 1
    before, after = (
        "/".join(source_parts[: len(source_parts) - same]),
        "/".join(target_parts[: len(target_parts) - same]),
    )
    if not before or not after:
        return f"same name below {after or before}"
    return f"scope {before} -> {after}"


def by_shared_words(pool: Pool, shared: SharedWords) -> None:
    """Pairs groups with the same words and numbers in the same order, if no other group has them.

    Only words that both sides use count.
    """
    mine, theirs = keyed(pool.sources, shared.sources), keyed(pool.targets, shared.targets)
    unlike = shared.shifted | _telling(pool.sources, shared.sources) | _telling(pool.targets, shared.targets)
    unlike |= _counting_otherwise(pool, shared)
    pairs = [
        (mine[key][0], theirs[key][0])
        for key in mine
        if key and len(mine[key]) == len(theirs.get(key, ())) == 1 and pattern(key) not in unlike
    ]
    pool.take(
        Pair(*pair, f"both names have {shown(shared.sources[pair[0].name])}", _mostly(*pair, shared)) for pair in pairs
    )


def _counting_otherwise(pool: Pool, shared: SharedWords) -> set[Pattern]:
    """Returns the patterns for which each side has numbers that the other lacks: the sides count different things."""
    mine = numbered(shared.sources[group.name] for group in pool.sources)
    theirs = numbered(shared.targets[group.name] for group in pool.targets)
    both = mine.keys() & theirs.keys()
    return {key for key in both if not (mine[key] <= theirs[key] or theirs[key] <= mine[key])}


def _telling(groups: Iterable[Group], names: Names) -> set[Pattern]:
    """Returns the patterns whose names differ in words of one side alone.

    The patterns consist of words of both sides.
    """
    own_words: dict[Pattern, set[tuple[str, ...]]] = defaultdict(set)
    for group in groups:
        both = {word.text for word in names[group.name]}
        own = tuple(word.text for word in words(group.name) if word.text not in both)
        own_words[pattern(names[group.name])].add(own)
    return {key for key, texts in own_words.items() if len(texts) > 1}


def _mostly(source: Group, target: Group, shared: SharedWords) -> bool:
    """Returns whether the shared words are at least half of each name's words: a single shared word may be chance."""
    both = 2 * len(shared.sources[source.name])
    return both >= len(words(source.name)) and both >= len(words(target.name))
