"""Small known faults in migrated programs: each is found, at the right op, with the right cause; and no false alarm."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from answers import answers_to, cause_of, named
from mutations import MUTATIONS, Mutation

from tf2bridge.proof.diverging.causes.table import CAUSES

USUAL = tuple({mutation.cause: mutation for mutation in reversed(MUTATIONS)}.values())
"""The first fault of each cause: tried in every run of the tests. The soak tries all of them."""
PROGRAMS = sorted({(mutation.program, mutation.release) for mutation in MUTATIONS})


def cases_of(mutations: Sequence[Mutation]) -> list[dict[str, Any]]:
    return [
        {"program": mutation.program, "release": mutation.release, "changes": mutation.changes}
        for mutation in mutations
    ]


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    """What was found of every program without a fault, and then of the usual faults: each in a fork."""
    unchanged = [{"program": program, "release": release, "changes": []} for program, release in PROGRAMS]
    return answers_to([*unchanged, *cases_of(USUAL)])


def test_the_programs_without_a_fault_raise_no_alarm(answers: list[dict[str, Any]]) -> None:
    for (program, release), answer in zip(PROGRAMS, answers[: len(PROGRAMS)], strict=True):
        assert answer.get("bad") == 0, f"{program} of {release}: {answer}"


def check(mutations: Sequence[Mutation], actual: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    """Each fault is found at its op, with its cause; prints what was found."""
    with capsys.disabled():
        print("\n" + table(mutations, actual))
    wrong = [
        f"{mutation.name}: {named(answer)}, {answer.get('cause') or answer.get('error')}"
        for mutation, answer in zip(mutations, actual, strict=True)
        if named(answer) != mutation.op or cause_of(answer) != mutation.cause
    ]
    assert not wrong, "\n".join(wrong)


def test_a_fault_of_every_cause_is_found_at_its_op(
    answers: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    check(USUAL, answers[len(PROGRAMS) :], capsys)


@pytest.mark.soak
def test_every_fault_is_found_at_its_op_with_its_cause(capsys: pytest.CaptureFixture[str]) -> None:
    check(MUTATIONS, answers_to(cases_of(MUTATIONS)), capsys)


def test_every_cause_is_said_of_a_fault_at_least() -> None:
    """Fusion and races are no faults, and are tried in test_roundings; pipelines in test_further_mutations."""
    known = {cause.name for cause in CAUSES}
    assert known == {mutation.cause for mutation in USUAL} | {"fusion", "race", "other elements"}


def table(mutations: Sequence[Mutation], actual: list[dict[str, Any]]) -> str:
    """Fault, the program and the release, the op that was found, and the cause."""
    rows = [(row(mutation, answer)) for mutation, answer in zip(mutations, actual, strict=True)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows)


def row(item: Mutation, answer: dict[str, Any]) -> tuple[str, str, str, str]:
    return item.name, f"{item.program} {item.release}", named(answer), cause_of(answer)
