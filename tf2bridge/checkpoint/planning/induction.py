"""How the numbers in names go over, learnt from the pairs that are known: block1/unit_2/conv1 is conv2_block2_1_conv,
so the numbers b, u, c become b + 1, u, c, and block3/unit_1/conv3 is conv4_block1_3_conv."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tf2bridge.checkpoint.planning.words import Word, numbers, pattern, words

Pattern = tuple[tuple[str, int], ...]
Numbers = tuple[int, ...]
_LEAST = 2
"""Of fewer pairs nothing is learnt."""


class Induction:
    """What the pairs of names say of each two patterns."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        known: dict[tuple[Pattern, Pattern], list[tuple[Numbers, Numbers]]] = defaultdict(list)
        for source, target in pairs:
            one, other = words(source), words(target)
            known[pattern(one), pattern(other)].append((numbers(one), numbers(other)))
        self._rules: dict[Pattern, list[tuple[Pattern, list[list[tuple[int, int]]]]]] = defaultdict(list)
        for (one_pattern, other_pattern), numbered in known.items():
            ways = _ways(numbered)
            if len(numbered) >= _LEAST and all(ways):
                self._rules[one_pattern].append((other_pattern, ways))

    def target_of(self, source: Sequence[Word]) -> tuple[Pattern, Numbers] | None:
        """The pattern and numbers of the name that goes with one of a source; None where several may, or none."""
        mine = numbers(source)
        found = set()
        for other, ways in self._rules.get(pattern(source), ()):
            values = [{(mine[at] if at >= 0 else 0) + more for at, more in each} for each in ways]
            if any(len(each) != 1 for each in values):
                return None
            found.add((other, tuple(each.pop() for each in values)))
        return found.pop() if len(found) == 1 else None


def _ways(numbered: Sequence[tuple[Numbers, Numbers]]) -> list[list[tuple[int, int]]]:
    """For each number of the target: how much more it is than which number of the source, in all pairs; -1: than none.

    One that is the same in all pairs may be any of these; only where they agree is it known.
    """
    width, other_width = len(numbered[0][0]), len(numbered[0][1])
    found = []
    for place in range(other_width):
        theirs = [target[place] for _, target in numbered]
        ways = [(-1, theirs[0])] if len(set(theirs)) == 1 else []
        for at in range(width):
            more = {target - source[at] for target, (source, _) in zip(theirs, numbered, strict=True)}
            if len(more) == 1:
                ways.append((at, more.pop()))
        found.append(ways)
    return found
