"""Which group of a checkpoint is which group of a target, where several have the fitting shapes: by names, then order.

Never by shape alone where a shape is not the only one, and never against what the names say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tf2bridge.checkpoint.groups import Group
from tf2bridge.checkpoint.induction import Induction
from tf2bridge.checkpoint.likeness import alike
from tf2bridge.checkpoint.words import Word, numbers, pattern, shared, shown, texts, without_common_scope, words

Names = Mapping[str, tuple[Word, ...]]
Pattern = tuple[tuple[str, int], ...]


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


def pair(pools: Sequence[Pool]) -> None:
    """Pairs what can be paired in all pools: by names, by numbers, the only one, by likeness, by order of creation."""
    said = _Said(pools)
    for pool in pools:
        _by_same_name(pool, said)
    for pool in pools:
        _by_shared_words(pool, said)
    _by_rank(pools, said)
    _by_like_patterns(pools)
    _by_induction(pools)
    for pool in pools:
        if pool.sizes == (1, 1):
            _the_only_one(pool, "the only one of its shape", said)
    for pool in pools:
        if len(pool.sources) + len(pool.targets) > 2 and pool.sources and pool.targets:
            mine, theirs = ({each.name: each for each in side} for side in (pool.sources, pool.targets))
            pairs = [(mine[one], theirs[other]) for one, other in alike(list(mine), list(theirs))]
            pool.take(Found(*each, "the names are most alike", False) for each in pairs)
    _by_creation(pools, said)
    for pool in pools:
        if pool.sizes[0] == pool.sizes[1]:
            _the_only_one(pool, "the only one of its shape that is left", said)


def _the_only_one(pool: Pool, why: str, said: _Said) -> None:
    if len(pool.sources) == len(pool.targets) == 1 and not _contradict(pool.sources[0], pool.targets[0], said):
        pool.take([Found(pool.sources[0], pool.targets[0], why, False)])


def _by_induction(pools: Sequence[Pool]) -> None:
    """Names whose numbers go over as those of the pairs that are known do."""
    learnt = Induction((each.source.name, each.target.name) for pool in pools for each in pool.found)
    for pool in pools:
        targets = _keyed(pool.targets, {each.name: words(each.name) for each in pool.targets})
        places = {(pattern(name), numbers(name)): each for name, each in targets.items()}
        wanted: dict[object, list[Group]] = defaultdict(list)
        for source in pool.sources:
            wanted[learnt.target_of(words(source.name))].append(source)
        pairs = [
            (each[0], places[key][0]) for key, each in wanted.items() if len(each) == len(places.get(key, ())) == 1
        ]
        pool.take(Found(*each, "its numbers go over as in the other names", False) for each in pairs)


class _Said:
    """What the names of both sides say: without the scopes that all of a side share, in the words that both use."""

    def __init__(self, pools: Sequence[Pool]) -> None:
        sources = _plain(each.name for pool in pools for each in pool.sources)
        targets = _plain(each.name for pool in pools for each in pool.targets)
        both = texts(list(sources.values())) & texts(list(targets.values()))
        self.sources = {name: shared(each, both) for name, each in sources.items()}
        self.targets = {name: shared(each, both) for name, each in targets.items()}
        mine, theirs = _numbered(self.sources.values()), _numbered(self.targets.values())
        self.shifted = {each for each in mine.keys() & theirs.keys() if _least(mine[each]) != _least(theirs[each])}
        """Patterns whose numbers do not begin alike: conv1 is conv2d, and conv2 is conv2d_1."""
        self.apart = {each for each in self.shifted if not (mine[each] <= theirs[each] or theirs[each] <= mine[each])}
        """Those of which neither side has all numbers of the other: dense, dense_1 and dense_1, dense_2."""


def _plain(names: Iterable[str]) -> dict[str, tuple[Word, ...]]:
    return {name: words(rest) for name, rest in without_common_scope(list(names)).items()}


def _numbered(names: Iterable[tuple[Word, ...]]) -> dict[Pattern, set[tuple[int, ...]]]:
    """Pattern -> the numbers of the names that have it."""
    found: dict[Pattern, set[tuple[int, ...]]] = defaultdict(set)
    for name in names:
        found[pattern(name)].add(numbers(name))
    return found


def _least(numbered: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(min, zip(*numbered, strict=True)))


def _by_same_name(pool: Pool, said: _Said) -> None:
    """The same name, or the same but for scopes before it, if only one has it."""
    for length in range(max((each.name.count("/") + 1 for each in (*pool.sources, *pool.targets)), default=0), 0, -1):
        mine, theirs = _by_end(pool.sources, length), _by_end(pool.targets, length)
        pairs = [
            (mine[end][0], theirs[end][0])
            for end in mine.keys() & theirs.keys()
            if len(mine[end]) == len(theirs[end]) == 1 and _agree(mine[end][0], theirs[end][0], said)
        ]
        pool.take(Found(source, target, _reason(source.name, target.name), True) for source, target in pairs)


def _by_end(groups: Iterable[Group], length: int) -> dict[tuple[str, ...], list[Group]]:
    found = defaultdict(list)
    for each in groups:
        segments = tuple(each.name.split("/"))
        if len(segments) >= length:
            found[segments[-length:]].append(each)
    return found


def _agree(source: Group, target: Group, said: _Said) -> bool:
    """Whether nothing in the names speaks against it: words that both sides use are in both, numbers begin alike."""
    mine, theirs = said.sources[source.name], said.targets[target.name]
    return Counter(mine) == Counter(theirs) and pattern(mine) not in said.apart


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


def _by_shared_words(pool: Pool, said: _Said) -> None:
    """The same words and numbers in the same order, of those that both sides use, if only one has them."""
    mine, theirs = _keyed(pool.sources, said.sources), _keyed(pool.targets, said.targets)
    unlike = said.shifted | _telling(pool.sources, said.sources) | _telling(pool.targets, said.targets)
    pairs = [
        (mine[key][0], theirs[key][0])
        for key in mine
        if key and len(mine[key]) == len(theirs.get(key, ())) == 1 and pattern(key) not in unlike
    ]
    pool.take(Found(*each, f"both say {shown(said.sources[each[0].name])}", _mostly(*each, said)) for each in pairs)


def _telling(groups: Iterable[Group], names: Names) -> set[Pattern]:
    """Patterns of the words that both sides use within which the words of one side alone tell names apart."""
    others: dict[Pattern, set[tuple[str, ...]]] = defaultdict(set)
    for each in groups:
        both = {word.text for word in names[each.name]}
        own = tuple(word.text for word in words(each.name) if word.text not in both)
        others[pattern(names[each.name])].add(own)
    return {each for each, found in others.items() if len(found) > 1}


def _mostly(source: Group, target: Group, said: _Said) -> bool:
    """Whether the words that both sides use are at least half of those of each name: a single one may be chance."""
    both = 2 * len(said.sources[source.name])
    return both >= len(words(source.name)) and both >= len(words(target.name))


def _keyed(groups: Iterable[Group], names: Names) -> dict[tuple[Word, ...], list[Group]]:
    found = defaultdict(list)
    for each in groups:
        found[names[each.name]].append(each)
    return found


def _by_rank(pools: Sequence[Pool], said: _Said) -> None:
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


def _by_like_patterns(pools: Sequence[Pool]) -> None:
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
                said = f"{why}: {pairs[0][0].name} ... -> {pairs[0][1].name} ..."
                pool.take(Found(*each, said, False) for each in zip(ranked, other, strict=True))


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


def _by_creation(pools: Sequence[Pool], said: _Said) -> None:
    """The order in which the programs made them, if it is known and all that is left agrees in it, shape by shape."""
    mine = sorted(_left(pools, "sources"), key=lambda each: each[0])
    theirs = sorted(_left(pools, "targets"), key=lambda each: each[0])
    known = all(place >= 0 for place, _, _ in (*mine, *theirs))
    if not known or not mine or [at for _, at, _ in mine] != [at for _, at, _ in theirs]:
        return
    if any(_contradict(one, other, said) for (_, _, one), (_, _, other) in zip(mine, theirs, strict=True)):
        return
    for (_, at, source), (_, _, target) in zip(mine, theirs, strict=True):
        pools[at].take([Found(source, target, "made in the same order, shape by shape", False)])


def _left(pools: Sequence[Pool], side: str) -> list[tuple[int, int, Group]]:
    """(order of creation or -1, number of the pool, group) of all that is left."""
    return [
        (-1 if each.order is None else each.order, at, each)
        for at, pool in enumerate(pools)
        for each in getattr(pool, side)
    ]


def _contradict(source: Group, target: Group, said: _Said) -> bool:
    """Whether both names use words of both sides, and none in common."""
    mine = {word.text for word in said.sources[source.name]}
    theirs = {word.text for word in said.targets[target.name]}
    return bool(mine and theirs and not mine & theirs)
