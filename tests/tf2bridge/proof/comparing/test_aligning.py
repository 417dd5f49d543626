"""Calls and what they fetch are paired by names, so that one call or one op more does not shift what follows."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from tf2bridge.proof.comparing.aligning import by_names, paired
from tf2bridge.proof.traces.records import CallRecord, Leaf

Made = tuple[str, Sequence[float]]


def side(*calls: Made) -> tuple[Any, list[CallRecord]]:
    """A trace of calls (names of fetches, what x is fed)."""
    values = [np.asarray(fed) for _, fed in calls]
    made = [
        CallRecord(n, n, "run", 0, 0, "MainThread", "", "", (Leaf("x:0", n),), leaves(*names.split()), (), None)
        for n, (names, _) in enumerate(calls)
    ]
    return SimpleNamespace(value=values.__getitem__, calls=made), made


def leaves(*names: str) -> tuple[Leaf, ...]:
    return tuple(Leaf(name, 0) for name in names)


def places(ours: Sequence[Made], theirs: Sequence[Made]) -> list[tuple[int | None, int | None]]:
    return [(a and a.position, b and b.position) for a, b in paired(side(*ours), side(*theirs))]


INIT, TRAIN, COPY = ("init", [0.0]), ("loss train", [1.0]), ("copy", [0.0])


def test_the_same_calls_are_paired_in_order_whatever_they_feed() -> None:
    assert places([INIT, TRAIN], [INIT, ("loss train", [2.0])]) == [(0, 0), (1, 1)]


def test_one_call_more_stands_alone() -> None:
    assert places([INIT, TRAIN, COPY, COPY, TRAIN], [INIT, TRAIN, COPY, TRAIN]) == [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, None),
        (4, 3),
    ]


def test_one_call_less_stands_alone() -> None:
    assert places([INIT, TRAIN, TRAIN], [INIT, TRAIN, COPY, TRAIN]) == [(0, 0), (1, 1), (None, 2), (2, 3)]


def test_what_is_fed_says_which_of_equal_calls_is_one_more() -> None:
    steps = [("loss train", [float(n)]) for n in range(5)]
    assert places([steps[0], steps[1], steps[3], steps[4]], steps) == [(0, 0), (1, 1), (None, 2), (2, 3), (3, 4)]


def test_calls_that_fetch_renumbered_tensors_stay_at_their_places() -> None:
    theirs = [("add_1:0", [1.0]), ("add_2:0", [2.0]), ("mul:0", [3.0])]
    ours = [("add_2:0", [1.0]), ("add_3:0", [2.0]), ("mul:0", [3.0])]
    assert places(ours, theirs) == [(0, 0), (1, 1), (2, 2)]


def test_fetches_are_paired_by_name_before_position() -> None:
    assert by_names(leaves("acc:0", "loss:0", "x:0"), leaves("loss:0", "acc:0", "y:0")) == ({0: 1, 1: 0}, [2], [2])


def test_fetches_that_are_renumbered_are_paired_in_their_order() -> None:
    assert by_names(leaves("add_1:0", "add_2:0"), leaves("add:0", "add_1:0")) == ({0: 0, 1: 1}, [], [])
