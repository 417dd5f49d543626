"""How many of the recorded models are proven whole: cells.py writes the list, fixtures/graphs/cells.md."""

from __future__ import annotations

import json

import pytest

from tests.tf2bridge.graph.cells import (
    AS_WRITTEN,
    DATA,
    NOT_APPLICABLE,
    PASSES,
    PROOFS,
    Cells,
    as_markdown,
    counts,
    prove,
)
from tests.tf2bridge.graph.recorded import ALL

SAMPLE = ["0.12.1/loop_nested", "1.4.1/loop", "1.12.3/mlp_adam", "1.15.5/condition"]


def check_enough(cells: Cells) -> None:
    """At least 35 models, 120 cases, and 97 of 100 of what applies."""
    result = counts(cells)
    assert result["models"] >= 35
    assert result["cases"] >= 120
    assert result["cells passing"] >= 0.97 * result["cells"]


def test_a_case_of_each_release_is_proven() -> None:
    for case, proofs in prove(SAMPLE).items():
        assert set(proofs) == set(PROOFS)
        assert [
            proof_ for proof_ in proofs.values() if proof_ != PASSES and not proof_.startswith(NOT_APPLICABLE)
        ] == [], case


def test_a_process_that_ends_is_one_case_that_fails() -> None:
    assert prove(["9.9/nothing"]) == {"9.9/nothing": dict.fromkeys(PROOFS, "the process ended with status 1")}


def test_the_table_counts_what_applies() -> None:
    cells = {
        "1.4.1/a": {"output": PASSES, "step": "- it has no train op"},
        "1.12.3/a": {"output": PASSES, "step": f"{AS_WRITTEN}: apart"},
        "1.15.5/a": {"output": "ValueError: no"},
    }
    expected = {"models": 1, "cases": 3, "cases passing": 2, "cells": 4, "cells passing": 3}
    expected["cells passing as written"] = 1
    assert counts(cells) == expected
    table = as_markdown(cells)
    assert "| a | output | output, step as written | not output |" in table
    assert "- 1.12.3/a, step: passes as written: apart" in table
    assert "- 1.15.5/a, output: ValueError: no" in table


def test_the_table_has_every_recorded_model() -> None:
    cells: Cells = json.loads(DATA.read_text())
    print(as_markdown(cells))
    assert sorted(cells) == ALL
    assert all(set(proofs) == set(PROOFS) for proofs in cells.values())
    assert DATA.with_suffix(".md").read_text() == as_markdown(cells)
    check_enough(cells)


@pytest.mark.soak
def test_all_cases() -> None:
    cells = prove(ALL)
    print(as_markdown(cells))
    check_enough(cells)
