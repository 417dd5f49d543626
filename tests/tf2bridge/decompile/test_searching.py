"""The search for the places where rules make a package unequal."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tf2bridge.decompile.idioms.raising import Place
from tf2bridge.decompile.searching import MOST_OF_A_RULE, places_that_fail


def of_rules(count: int) -> list[Place]:
    """Returns places of five rules in turn, as in a graph of equal blocks."""
    return [(f"rule_{number % 5}", f"block_{number // 5}/node") for number in range(count)]


def trials_of(bad: set[Place], trials: list[frozenset[Place]]) -> Callable[[frozenset[Place]], str]:
    def fault(kept: frozenset[Place]) -> str:
        trials.append(kept)
        return ", ".join(sorted(f"{rule} {node}" for rule, node in kept & bad))

    return fault


@pytest.mark.parametrize("count", [100, 1000])
@pytest.mark.parametrize("wrong", [1, 2, 5])
def test_a_wrong_place_takes_one_trial_for_each_halving(count: int, wrong: int) -> None:
    places = of_rules(count)
    bad = {places[number * count // wrong + number] for number in range(wrong)}
    trials: list[frozenset[Place]] = []
    assert places_that_fail(places, trials_of(bad, trials), "known").keys() == bad
    assert len(trials) <= wrong * (math.ceil(math.log2(count)) + 1)


def test_a_rule_that_is_wrong_everywhere_falls_after_a_few_places() -> None:
    places = of_rules(1000)
    bad = {place for place in places if place[0] == "rule_3"}
    trials: list[frozenset[Place]] = []
    failing = places_that_fail(places, trials_of(bad, trials))
    assert failing.keys() == bad
    assert len(trials) <= 2 + MOST_OF_A_RULE * (math.ceil(math.log2(1000)) + 1)
    assert failing["rule_3", "block_199/node"] == f"the rule failed at {MOST_OF_A_RULE} other places"


def test_a_place_that_fails_beside_another_alone_is_found() -> None:
    places = of_rules(20)

    def fault(kept: frozenset[Place]) -> str:
        return "both" if {places[3], places[17]} <= kept else ""

    assert places_that_fail(places, fault) == {places[3]: "both"} or places_that_fail(places, fault) == {
        places[17]: "both"
    }
