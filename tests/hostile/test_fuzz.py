"""Altered files end in one clear line, or are read: what the fuzzer found once, and what it finds in some minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.fuzz import fuzz
from tests.hostile.readers import GOOD, outcome
from tests.hostile.seeds.finds import FINDS

MINUTES = 10


@pytest.mark.parametrize("name", FINDS)
def test_what_was_found_once_ends_clearly(name: str, tmp_path: Path) -> None:
    result = outcome(*FINDS[name](tmp_path))
    assert result.startswith(GOOD), result


@pytest.mark.soak
def test_nothing_is_found_in_some_minutes(tmp_path: Path) -> None:
    ends = fuzz(MINUTES, tmp_path / "finds", start=1)
    assert sum(ends.values()) > 1000
    assert not (tmp_path / "finds/finds.jsonl").exists(), (tmp_path / "finds/finds.jsonl").read_text()
