"""Pairs the tensors of two sides, by names of any release or by position."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tf2bridge.formats.checkpoints.names import modern_names

BY_NAME, BY_PLAN, BY_POSITION = "name", "plan", "position"
MATCHES = (BY_NAME, BY_PLAN, BY_POSITION)


@dataclass(frozen=True)
class Matching:
    """The pairs of two sides.

    Attributes:
        pairs: (name on the expected side, name on the other), in the order of the expected side.
        only_a, only_b: names without a counterpart.
        how: rule -> number of pairs, such as "same name" or "name of another release".
    """

    pairs: tuple[tuple[str, str], ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    how: Mapping[str, int]


def by_name(a: Mapping[str, Sequence[str]], b: Mapping[str, Sequence[str]]) -> Matching:
    """Pairs names of the same variable.

    Equal names are paired first, then names that share a further name, then names that later releases made equal.
    A name with several possible partners stays alone.

    Args:
        a, b: name -> further names of the same variable.
    """
    steps: tuple[tuple[str, Callable[[Mapping[str, Sequence[str]]], Mapping[str, Iterable[str]]]], ...] = (
        ("same name", lambda side: {name: [name] for name in side}),
        ("same variable", _known_as),
        ("name of another release", _modern),
    )
    pairs: dict[str, str] = {}
    how: dict[str, int] = {}
    for rule, names_of in steps:
        left_a = {name: further for name, further in a.items() if name not in pairs}
        taken = set(pairs.values())
        left_b = {name: further for name, further in b.items() if name not in taken}
        new = _shared(names_of(left_a), names_of(left_b))
        pairs |= new
        if new:
            how[rule] = len(new)
    taken = set(pairs.values())
    return Matching(
        tuple((name, pairs[name]) for name in a if name in pairs),
        tuple(name for name in a if name not in pairs),
        tuple(name for name in b if name not in taken),
        how,
    )


def without_scope(a: Mapping[str, Sequence[str]], b: Mapping[str, Sequence[str]]) -> Matching | None:
    """Pairs names if all names of one side are in a scope that the other lacks, such as that of a Keras model.

    a, b: as in `by_name`, which paired none of them. None if no scope, or more than one, makes names equal.
    """
    matches: list[tuple[dict[str, str], str]] = []
    for side, (scoped, plain) in (("A", (a, b)), ("B", (b, a))):
        for scope, inner in _opened_up(scoped):
            pairs = by_name(inner, plain).pairs if side == "A" else by_name(plain, inner).pairs
            back = dict(zip(inner, scoped, strict=True))
            names = {back[x]: y for x, y in pairs} if side == "A" else {x: back[y] for x, y in pairs}
            if pairs and names not in (known for known, _ in matches):
                matches.append((names, f"name without the scope {scope}/ of {side}"))
    if len(matches) != 1:
        return None
    a_to_b, rule = matches[0]
    ordered = {name: a_to_b[name] for name in a if name in a_to_b}
    taken = set(a_to_b.values())
    return Matching(
        tuple(ordered.items()),
        tuple(name for name in a if name not in a_to_b),
        tuple(name for name in b if name not in taken),
        {rule: len(a_to_b)},
    )


def _opened_up(side: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Yields each scope that all names of one kind share, and the names without it."""
    known = [(name, *further) for name, further in side.items()]
    for kind in range(min(map(len, known), default=0)):
        paths = [plain_of(names[kind]).split("/") for names in known]
        if len(set(map(tuple, paths))) < len(paths):
            continue
        common = itertools.takewhile(
            lambda parts: len(set(parts)) == 1, zip(*(path[:-1] for path in paths), strict=False)
        )
        for depth in range(1, len(list(common)) + 1):
            yield "/".join(paths[0][:depth]), {"/".join(path[depth:]): [] for path in paths}


def by_position(a: Sequence[str], b: Sequence[str]) -> Matching:
    """Pairs names by position; the rest of the longer side stays alone."""
    pairs = tuple(zip(a, b, strict=False))
    return Matching(pairs, tuple(a[len(pairs) :]), tuple(b[len(pairs) :]), {"position": len(pairs)} if pairs else {})


def _known_as(side: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {name: list(dict.fromkeys(map(plain_of, (name, *further)))) for name, further in side.items()}


def plain_of(name: str) -> str:
    """Returns a name without ":0"; parts of a partitioned variable keep their names."""
    return name.removesuffix(":0")


def _modern(side: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Returns the names of today's releases, computed for all names together, because some depend on the others."""
    known = _known_as(side)
    most = max(map(len, known.values()), default=0)
    modern: dict[str, list[str]] = {name: [] for name in side}
    for place in range(most):
        firsts = {name: names[min(place, len(names) - 1)] for name, names in known.items()}
        today = modern_names(firsts.values())
        for name, spelling in firsts.items():
            modern[name].append(today[spelling])
    return modern


def _shared(a: Mapping[str, Iterable[str]], b: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Returns name -> name, for those that share a name with each other and with no other."""
    theirs = _owners(b)
    ours = _owners(a)
    shared: dict[str, Any] = {}
    for name, names in a.items():
        other = {owner for name_shared in names for owner in theirs.get(name_shared, ())}
        mine = {owner for name_shared in names for owner in ours[name_shared]} if len(other) == 1 else set()
        if len(other) == 1 and mine == {name}:
            shared[name] = other.pop()
    twice = (
        [partner for partner in shared.values() if list(shared.values()).count(partner) > 1] if _repeats(shared) else []
    )
    return {name: other for name, other in shared.items() if other not in twice}


def _repeats(pairs: Mapping[str, str]) -> bool:
    return len(set(pairs.values())) < len(pairs)


def _owners(side: Mapping[str, Iterable[str]]) -> Mapping[str, set[str]]:
    owners: dict[str, set[str]] = defaultdict(set)
    for name, names in side.items():
        for known_as in names:
            owners[known_as].add(name)
    return owners
