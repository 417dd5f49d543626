"""codemods/rules/README.md says what the rules say of themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codemods import rules
from codemods.engine import Changed, check_text
from codemods.report.readme import current
from codemods.rule import Rule
from codemods.settings import Settings
from tests.readmes import pages

README = Path(rules.__file__).parent / "README.md"


def test_the_table_of_rules_is_fresh() -> None:
    text = README.read_text("utf-8")
    assert text == current(text), "run: python -m codemods.report.readme codemods/rules/README.md"


def test_a_page_without_marks_is_told() -> None:
    with pytest.raises(ValueError, match="rules"):
        current("nothing here")


def test_the_rule_that_is_shown_does_what_its_examples_say() -> None:
    (block,) = pages.blocks(README.read_text("utf-8"), "python")
    namespace: dict[str, Any] = {}
    exec(block.text, namespace)  # noqa: S102 (the page's own example)
    shown: Rule = namespace["rule"]
    for example in shown.examples:
        result = check_text(example.before, example.path, Settings(select=(shown.code,)), rules=(shown,))
        after = result.after.decode() if isinstance(result, Changed) else example.before
        assert after == (example.after or example.before)
