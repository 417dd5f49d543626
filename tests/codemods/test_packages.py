"""A rule that names the packages it looks at finds no less for it."""

from __future__ import annotations

from dataclasses import replace

from codemods.engine import check_text
from codemods.registry import all_rules
from codemods.settings import Settings
from codemods.source import SourceFile


def test_nothing_is_missed_elsewhere() -> None:
    shown_all = tuple(replace(rule, packages=()) for rule in all_rules())
    for example in (example for rule in all_rules() for example in rule.examples):
        others = [SourceFile(path, text) for path, text in example.files]
        settings = Settings(target=example.target, unsafe_fixes=True)
        results = [check_text(example.before, example.path, settings, others, rules) for rules in (None, shown_all)]
        assert results[0] == results[1]
