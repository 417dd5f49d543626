"""Small known faults in migrated programs: each is found, at the right op, with the right cause; and no false alarm."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from answers import answers_to, cause_of, named
from mutations import MUTATIONS, Mutation

from tf2bridge.proof.diverging.causes.table import CAUSES

PROGRAMS = sorted({(mutation.program, mutation.release) for mutation in MUTATIONS})


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    """What was found of every program without a fault, and then of every fault: two processes, each a fork a case."""
    cases = [{"program": program, "release": release, "changes": []} for program, release in PROGRAMS]
    cases += [
        {"program": mutation.program, "release": mutation.release, "changes": mutation.changes}
        for mutation in MUTATIONS
    ]
    return answers_to(cases)


def test_the_programs_without_a_fault_raise_no_alarm(answers: list[dict[str, Any]]) -> None:
    for (program, release), answer in zip(PROGRAMS, answers[: len(PROGRAMS)], strict=True):
        assert answer.get("bad") == 0, f"{program} of {release}: {answer}"


def test_every_fault_is_found_at_its_op_with_its_cause(
    answers: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    result = answers[len(PROGRAMS) :]
    with capsys.disabled():
        print("\n" + table(result))
    wrong = [
        f"{mutation.name}: {named(answer)}, {answer.get('cause') or answer.get('error')}"
        for mutation, answer in zip(MUTATIONS, result, strict=True)
        if named(answer) != mutation.op or cause_of(answer) != mutation.cause
    ]
    assert not wrong, "\n".join(wrong)


def test_every_cause_is_said_of_a_fault_at_least() -> None:
    """Fusion and races are no faults, and are tried in test_roundings; pipelines in test_further_mutations."""
    known = {cause.name for cause in CAUSES}
    assert known == {mutation.cause for mutation in MUTATIONS} | {"fusion", "race", "other elements"}


def table(actual: list[dict[str, Any]]) -> str:
    """Fault, the program and the release, the op that was found, and the cause."""
    rows = [(row(mutation, answer)) for mutation, answer in zip(MUTATIONS, actual, strict=True)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows)


def row(item: Mutation, answer: dict[str, Any]) -> tuple[str, str, str, str]:
    return item.name, f"{item.program} {item.release}", named(answer), cause_of(answer)
