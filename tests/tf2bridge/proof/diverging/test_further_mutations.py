"""Faults and harmless twins in models of other kinds: a part is tried always, all of them in the soak."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import drawn_mutations
import further_mutations
import third_mutations
from answers import Answer, answers_to, cause_of, named
from further_mutations import NOT_NAMED, Fault

FAULTS = (*further_mutations.FAULTS, *drawn_mutations.FAULTS, *third_mutations.FAULTS)
TWINS = (*further_mutations.TWINS, *drawn_mutations.TWINS, *third_mutations.TWINS)
RELEASES = {**further_mutations.RELEASES, **drawn_mutations.RELEASES, **third_mutations.RELEASES}

USUAL = (
    "stddev of an initializer, taken over",
    "another op seed",
    "one call more",
    "float64 through float32",
    "size of the heads",
    "one variable clipped less",
    "weights not decayed",
    "assigned, not added",
    "border of the Huber loss",
    "keys mixed, not values",
    "window of pooling",
    "tag of a summary",
    "one tower's gradients alone",
    "fetched in another order",
    "a sum in another order",
    "momentum of Keras",
    "activation of a canned network",
    "elements not scaled",
    "seed of the shuffle",
    "a bucket that evaluation alone reaches",
    "gradients through the advantage",
    "capacity of a queue",
    "a scan unrolled",
    "bags of one element",
    "memory not normalized",
    "labels not smoothed",
    "not centered",
    "branches swapped",
    "gate by a difference",
)


def tried(cases: Sequence[Fault]) -> list[Answer]:
    return answers_to(
        [
            {"program": case.program, "release": RELEASES[case.program], "changes": case.changes, "untouched": True}
            for case in cases
        ]
    )


def wrong(fault: Fault, answer: Answer) -> str:
    """What is not as it has to be in what was found of a fault; empty for nothing."""
    name = named(answer).removeprefix("+")
    if answer.get("outcome") in (None, "equal"):
        return "not caught"
    if fault.op and name not in fault.op.split("|"):
        return f"named at {name}"
    if fault.cause and cause_of(answer) not in fault.cause.split("|"):
        return f"cause {answer.get('cause')}"
    return "" if fault.verdict in json.dumps(answer) else f"nothing is said of {fault.verdict}"


def check(cases: Sequence[Fault]) -> None:
    message = {}
    for case, answer in zip(cases, tried(cases), strict=True):
        if case in TWINS:
            is_alarm = answer.get("outcome") not in ("equal", "equal up to rounding")
            message[f"{case.program}: {case.name}"] = f"alarm: {answer}" if is_alarm else ""
        else:
            message[f"{case.program}: {case.name}"] = wrong(case, answer)
    assert {name: text for name, text in message.items() if text and name not in NOT_NAMED} == {}
    assert not any(text == "not caught" for text in message.values())


def test_faults_of_other_kinds_are_found_and_twins_are_not() -> None:
    check([case for case in (*FAULTS, *TWINS) if case.name in USUAL])


@pytest.mark.soak
def test_all_faults_of_other_kinds_are_found_and_twins_are_not() -> None:
    check([*FAULTS, *TWINS])
