"""Pairs that names tell: the same name, or the same words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from tf2bridge.checkpoint.planning.groups import Group
from tf2bridge.checkpoint.planning.pools import Found, Pool
from tf2bridge.checkpoint.planning.said import Names, Pattern, Said, keyed, numbered
from tf2bridge.checkpoint.planning.words import pattern, shown, words


def by_same_name(pool: Pool, said: Said) -> None:
    """The same name, or the same but for scopes before it, if only one has it."""
    telling = _telling(pool.sources, said.sources) | _telling(pool.targets, said.targets)
    for length in range(max((each.name.count("/") + 1 for each in (*pool.sources, *pool.targets)), default=0), 0, -1):
        mine, theirs = _by_end(pool.sources, length), _by_end(pool.targets, length)
        pairs = [
            (mine[end][0], theirs[end][0])
            for end in mine.keys() & theirs.keys()
            if len(mine[end]) == len(theirs[end]) == 1 and _agree(mine[end][0], theirs[end][0], said, telling)
        ]
        pool.take(Found(source, target, _reason(source.name, target.name), True) for source, target in pairs)


def _by_end(groups: Iterable[Group], length: int) -> dict[tuple[str, ...], list[Group]]:
    found = defaultdict(list)
    for each in groups:
        segments = tuple(each.name.split("/"))
        if len(segments) >= length:
            found[segments[-length:]].append(each)
    return found


def _agree(source: Group, target: Group, said: Said, telling: set[Pattern]) -> bool:
    """Whether nothing in the names speaks against it: words that both sides use are in both, numbers begin alike, and
    what is before the end that they share is on one side only, or says nothing that tells names apart."""
    mine, theirs = said.sources[source.name], said.targets[target.name]
    within = f"/{source.name}".endswith(f"/{target.name}") or f"/{target.name}".endswith(f"/{source.name}")
    told_apart = pattern(mine) in telling and not within
    return Counter(mine) == Counter(theirs) and pattern(mine) not in said.apart and not told_apart


def _reason(source: str, target: str) -> str:
    if source == target:
        return "same name"
    one, other = source.split("/"), target.split("/")
    same = 0
    while same < min(len(one), len(other)) and one[-1 - same] == other[-1 - same]:
        same += 1
    before, after = "/".join(one[: len(one) - same]), "/".join(other[: len(other) - same])
    if not before or not after:
        return f"same name below {after or before}"
    return f"scope {before} -> {after}"


def by_shared_words(pool: Pool, said: Said) -> None:
    """The same words and numbers in the same order, of those that both sides use, if only one has them."""
    mine, theirs = keyed(pool.sources, said.sources), keyed(pool.targets, said.targets)
    unlike = said.shifted | _telling(pool.sources, said.sources) | _telling(pool.targets, said.targets)
    unlike |= _counting_otherwise(pool, said)
    pairs = [
        (mine[key][0], theirs[key][0])
        for key in mine
        if key and len(mine[key]) == len(theirs.get(key, ())) == 1 and pattern(key) not in unlike
    ]
    pool.take(Found(*each, f"both say {shown(said.sources[each[0].name])}", _mostly(*each, said)) for each in pairs)


def _counting_otherwise(pool: Pool, said: Said) -> set[Pattern]:
    """Patterns of which each side has numbers that the other has not: they count something else, as all layers."""
    mine = numbered(said.sources[each.name] for each in pool.sources)
    theirs = numbered(said.targets[each.name] for each in pool.targets)
    both = mine.keys() & theirs.keys()
    return {each for each in both if not (mine[each] <= theirs[each] or theirs[each] <= mine[each])}


def _telling(groups: Iterable[Group], names: Names) -> set[Pattern]:
    """Patterns of the words that both sides use within which the words of one side alone tell names apart."""
    others: dict[Pattern, set[tuple[str, ...]]] = defaultdict(set)
    for each in groups:
        both = {word.text for word in names[each.name]}
        own = tuple(word.text for word in words(each.name) if word.text not in both)
        others[pattern(names[each.name])].add(own)
    return {each for each, found in others.items() if len(found) > 1}


def _mostly(source: Group, target: Group, said: Said) -> bool:
    """Whether the words that both sides use are at least half of those of each name: a single one may be chance."""
    both = 2 * len(said.sources[source.name])
    return both >= len(words(source.name)) and both >= len(words(target.name))
