"""Learns from known pairs how the numbers in names correspond.

If block1/unit_2/conv1 is conv2_block2_1_conv, the numbers b, u, c become b + 1, u, c, and block3/unit_1/conv3 is
conv4_block1_3_conv.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tf2bridge.checkpoint.planning.name_words import Word, numbers, pattern, words

Pattern = tuple[tuple[str, int], ...]
Numbers = tuple[int, ...]
_LEAST = 2
"""The smallest number of pairs from which anything is learnt."""


class Induction:
    """How numbers correspond between each two patterns of names."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        known: dict[tuple[Pattern, Pattern], list[tuple[Numbers, Numbers]]] = defaultdict(list)
        for source, target in pairs:
            source_words, target_words = words(source), words(target)
            known[pattern(source_words), pattern(target_words)].append((numbers(source_words), numbers(target_words)))
        self._rules: dict[Pattern, list[tuple[Pattern, list[list[tuple[int, int]]]]]] = defaultdict(list)
        for (one_pattern, other_pattern), numbered in known.items():
            offsets = _ways(numbered)
            if len(numbered) >= _LEAST and all(offsets):
                self._rules[one_pattern].append((other_pattern, offsets))

    def target_of(self, source: Sequence[Word]) -> tuple[Pattern, Numbers] | None:
        """Returns the pattern and numbers of the target that belongs to a source.

        None if none or several may belong to it.
        """
        mine = numbers(source)
        targets = set()
        for target_pattern, offsets in self._rules.get(pattern(source), ()):
            values = [{(mine[at] if at >= 0 else 0) + more for at, more in choices} for choices in offsets]
            if any(len(numbers_left) != 1 for numbers_left in values):
                return None
            targets.add((target_pattern, tuple(numbers_left.pop() for numbers_left in values)))
        return targets.pop() if len(targets) == 1 else None


def _ways(numbered: Sequence[tuple[Numbers, Numbers]]) -> list[list[tuple[int, int]]]:
    """Returns the explanations of each number of the target that hold in all pairs.

    An explanation is (place of a number in the source, difference). The place -1 means that the number is constant. If
    a number has several explanations, it is known only where they agree.
    """
    width, other_width = len(numbered[0][0]), len(numbered[0][1])
    offsets = []
    for place in range(other_width):
        theirs = [target[place] for _, target in numbered]
        options = [(-1, theirs[0])] if len(set(theirs)) == 1 else []
        for at in range(width):
            more = {target - source[at] for target, (source, _) in zip(theirs, numbered, strict=True)}
            if len(more) == 1:
                options.append((at, more.pop()))
        offsets.append(options)
    return offsets
