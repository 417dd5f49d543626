"""Finds the places where a rule makes a package unequal, in few trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tf2bridge.decompile.idioms.raising import Place

MOST_OF_A_RULE = 3
"""After so many places of one rule have failed, the rule does not apply at those that are not known to be equal."""


def places_that_fail(
    places: Sequence[Place], fault: Callable[[frozenset[Place]], str], why: str = ""
) -> dict[Place, str]:
    """Returns the places where a rule makes the model unequal -> how. At all others together, rules may apply.

    The places are in a row, those of one rule beside each other. The shortest beginning of the row that is unequal is
    found by halves: its last place fails. The search goes on without that place, until the row is equal.

    Args:
        places: The places where rules applied.
        fault: Says how the model is unequal if rules apply at these places alone; "" if it is equal.
        why: What it says of all places, if that is known.
    """
    rules = list(dict.fromkeys(rule for rule, _ in places))
    row = sorted(dict.fromkeys(places), key=lambda place: rules.index(place[0]))
    equal: list[Place] = []
    failing: dict[Place, str] = {}
    of_rule: Counter[str] = Counter()
    while row and (why := why or fault(frozenset([*equal, *row]))):
        shortest, longest = 0, len(row)  # the first is equal, the second is not
        while longest - shortest > 1:
            middle = (shortest + longest) // 2
            if fault_here := fault(frozenset([*equal, *row[:middle]])):
                longest, why = middle, fault_here
            else:
                shortest = middle
        (rule, _), rest = row[shortest], row[longest:]
        failing[row[shortest]] = why
        equal += row[:shortest]
        of_rule[rule] += 1
        if of_rule[rule] == MOST_OF_A_RULE:
            others = [place for place in rest if place[0] == rule]
            failing |= dict.fromkeys(others, f"the rule failed at {MOST_OF_A_RULE} other places")
            rest = rest[len(others) :]
        row, why = rest, ""
    return failing
