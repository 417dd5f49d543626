"""README.md says what the rules say of themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from codemods.cli import app
from codemods.report.readme import current

README = Path(__file__).parents[2] / "README.md"


def test_the_table_of_rules_is_fresh() -> None:
    text = README.read_text("utf-8")
    assert text == current(text), "run: python -m codemods.report.readme README.md"


def test_a_page_without_marks_is_told() -> None:
    with pytest.raises(ValueError, match="rules"):
        current("nothing here")


def test_options_that_the_readme_names_exist() -> None:
    known = {option for command in app.commands.values() for p in command.params for option in p.opts}
    section = README.read_text("utf-8").partition("### Rules and reports")[2].partition("\n### ")[0]
    assert section
    assert set(re.findall(r"(?<=[ `])--[a-z-]+", section)) <= known
