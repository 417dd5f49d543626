"""Pairs the calls of the program now with the recorded calls, by their feeds and fetches.

A program that makes one call more, or one less, computes the same before and after it. Therefore calls are paired as
the lines of two texts: the best pairs in their order, with calls of one side alone between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord, Leaf, Pair

_ALONE = -0.3
"""The score of a call without a counterpart; two of them are worse than one pair of calls that share nothing."""
_UNLIKE = -0.5
_OTHER_DATA = -0.2
"""What other fed values take from the score of a pair."""
_RENUMBERED = -0.1
"""What other numbers behind names take from it."""
_NUMBER = re.compile(r"_\d+(?=[/:]|$)")
MANAGER = "session_manager"
"""The module that readies the sessions of Supervisors and MonitoredSessions (training/session_manager.py)."""
_MOST = 4_000_000
"""Pairs that are weighed; longer programs are paired from both ends by names alone, and between them by position."""


@dataclass(frozen=True)
class _Asked:
    """The feeds and fetches of a call, by the names of later releases, and the values that it feeds."""

    feeds: tuple[str, ...]
    fetches: tuple[str, ...]
    fed: tuple[int, ...]

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.feeds, self.fetches


def aligned(actual: Trace, recorded: Trace) -> list[Pair]:
    """Returns the program's own calls of both traces in pairs, in their order.

    If the recorder left calls out, calls are paired by position. Calls after the end of a recording that was cut are
    left out. A trace that has its own pairs, as that of a program without sessions, keeps these.
    """
    if actual.pairs is not None:
        return list(actual.pairs)
    ours, theirs = actual.program_calls, recorded.program_calls
    if recorded.manifest["left_out"]:
        by_position = {call.position: call for call in ours}
        return [(by_position.get(call.position), call) for call in theirs]
    pairs = paired((actual, ours), (recorded, theirs))
    if recorded.stopped or not recorded.ended:
        while pairs and pairs[-1][1] is None:
            pairs.pop()
    return pairs


def paired(ours: tuple[Trace, Sequence[CallRecord]], theirs: tuple[Trace, Sequence[CallRecord]]) -> list[Pair]:
    """Returns the calls of two sides, (its trace, its calls), in pairs."""
    names = [[_asked(trace, call, with_values=False).names for call in calls] for trace, calls in (ours, theirs)]
    if names[0] == names[1]:
        return list(zip(ours[1], theirs[1], strict=True))
    asked = [_without_hooks(trace, calls) for trace, calls in (ours, theirs)]
    begin, end = _alike_ends(asked[0], asked[1])
    middle = [side[begin : len(side) - end] for side in asked]
    if len(middle[0]) * len(middle[1]) > _MOST:
        return list(zip_longest(ours[1], theirs[1]))
    places: list[tuple[int | None, int | None]] = [(at, at) for at in range(begin)]
    places += [_moved(pair, begin) for pair in _best(middle[0], middle[1])]
    lengths = len(asked[0]), len(asked[1])
    places += [(lengths[0] - left, lengths[1] - left) for left in range(end, 0, -1)]
    return [(None if a is None else ours[1][a], None if b is None else theirs[1][b]) for a, b in places]


def _moved(pair: tuple[int | None, int | None], by: int) -> tuple[int | None, int | None]:
    a, b = pair
    return None if a is None else a + by, None if b is None else b + by


def _asked(trace: Trace, call: CallRecord, *, with_values: bool) -> _Asked:
    feeds = sorted((modern(leaf.name), leaf.value) for leaf in call.feeds)
    fed = tuple(_fingerprint(trace, ref) for _, ref in feeds) if with_values else ()
    return _Asked(tuple(name for name, _ in feeds), tuple(sorted(modern(leaf.name) for leaf in call.fetches)), fed)


def managed(trace: Trace) -> set[tuple[int, int]]:
    """Returns the graphs and sessions in which hooks may add fetches to the program's own."""
    return {(call.graph, call.session) for call in trace.calls if call.via == MANAGER}


def _without_hooks(trace: Trace, calls: Sequence[CallRecord]) -> list[_Asked]:
    """Returns the feeds and fetches of calls.

    In a managed session only those that a line always fetches: hooks add others.
    """
    all_asked = [_asked(trace, call, with_values=True) for call in calls]
    sessions = managed(trace)
    always: dict[tuple[int, str, tuple[str, ...]], set[str]] = {}
    for call, asked in zip(calls, all_asked, strict=True):
        line = call.session, call.where, asked.feeds
        always[line] = always.get(line, {*asked.fetches}) & {*asked.fetches}
    for at, (call, asked) in enumerate(zip(calls, all_asked, strict=True)):
        kept = always[call.session, call.where, asked.feeds]
        if kept and (call.graph, call.session) in sessions:
            all_asked[at] = replace(asked, fetches=tuple(name for name in asked.fetches if name in kept))
    return all_asked


def _fingerprint(trace: Trace, ref: int | None) -> int:
    """Returns a number that equal values share."""
    if ref is None:
        return 0
    value = trace.value(ref)
    return hash((value.shape, tuple(value.reshape(-1).tolist()) if value.dtype.hasobject else value.tobytes()))


def _alike_ends(ours: Sequence[_Asked], theirs: Sequence[_Asked]) -> tuple[int, int]:
    """Returns the number of equal calls at the beginning, and at the end of the rest."""
    most = min(len(ours), len(theirs))
    begin = next((at for at in range(most) if ours[at] != theirs[at]), most)
    end = next((at for at in range(most - begin) if ours[-1 - at] != theirs[-1 - at]), most - begin)
    return begin, end


def _best(ours: Sequence[_Asked], theirs: Sequence[_Asked]) -> list[tuple[int | None, int | None]]:
    """Returns the places in pairs whose scores add up to the most (S. B. Needleman and C. D. Wunsch, 1970)."""
    rows = [[_ALONE * b for b in range(len(theirs) + 1)]]
    for mine in ours:
        above, row = rows[-1], [rows[-1][0] + _ALONE]
        for b, other in enumerate(theirs):
            row.append(max(above[b] + _score(mine, other), above[b + 1] + _ALONE, row[b] + _ALONE))
        rows.append(row)
    places: list[tuple[int | None, int | None]] = []
    a, b = len(ours), len(theirs)
    while a or b:
        if a and b and rows[a][b] == rows[a - 1][b - 1] + _score(ours[a - 1], theirs[b - 1]):
            a, b = a - 1, b - 1
            places.append((a, b))
        elif a and rows[a][b] == rows[a - 1][b] + _ALONE:
            a -= 1
            places.append((a, None))
        else:
            b -= 1
            places.append((None, b))
    return places[::-1]


def _score(mine: _Asked, other: _Asked) -> float:
    """Returns how well two calls fit each other: 1 for the same fetches and feeds."""
    if mine.names == other.names:
        return 1.0 if mine.fed == other.fed else 1.0 + _OTHER_DATA
    ours, theirs = ([*map(unnumbered, (*asked.feeds, *asked.fetches))] for asked in (mine, other))
    if sorted(ours) == sorted(theirs):
        return 1.0 + _RENUMBERED + (0.0 if mine.fed == other.fed else _OTHER_DATA)
    shared = len({*ours} & {*theirs}) / max(1, len({*ours} | {*theirs}))
    return _UNLIKE + shared


def namesake(name: str, others: Iterable[str]) -> str:
    """Returns the only other name that has more outer scopes, or fewer, than a name; "" for none."""
    namesakes = [other for other in others if f"/{name}".endswith(f"/{other}") or f"/{other}".endswith(f"/{name}")]
    return namesakes[0] if len(namesakes) == 1 else ""


def unnumbered(name: str) -> str:
    """Returns a name without the numbers that TensorFlow appends to names that are taken: one more op changes them."""
    return _NUMBER.sub("", name)


def by_names(ours: Sequence[Leaf], theirs: Sequence[Leaf]) -> tuple[dict[int, int], list[int], list[int]]:
    """Pairs what two calls feed or fetch by names.

    Names that differ in numbers alone follow an op that one side lacks. They are paired in their order if both sides
    have the same number of them.

    Returns:
        Recorded place -> place now; the places now without a counterpart; the recorded places without one.
    """
    our_names, their_names = ([modern(leaf.name) for leaf in leaves] for leaves in (ours, theirs))
    pairs: dict[int, int] = {}
    for kind in dict.fromkeys(map(unnumbered, their_names)):
        mine, other = (
            [at for at, name in enumerate(names) if unnumbered(name) == kind] for names in (our_names, their_names)
        )
        if sorted(our_names[at] for at in mine) != sorted(their_names[at] for at in other) and len(mine) == len(other):
            pairs |= dict(zip(other, mine, strict=True))
            continue
        for at in other:
            same = next((place for place in mine if our_names[place] == their_names[at]), None)
            if same is not None:
                mine.remove(same)
                pairs[at] = same
    taken = set(pairs.values())
    return (
        pairs,
        [at for at in range(len(our_names)) if at not in taken],
        [at for at in range(len(their_names)) if at not in pairs],
    )
