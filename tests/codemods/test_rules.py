"""Every rule's examples are true: the text becomes what they say, parses, and does not change a second time."""

from __future__ import annotations

import ast

import pytest

from codemods.engine import Changed, SourceFile, Unchanged, check_text
from codemods.registry import all_rules
from codemods.rule import Example, Finding, Rule
from codemods.settings import Settings

CASES = [
    pytest.param(rule, example, id=f"{rule.code}-{number}")
    for rule in all_rules()
    for number, example in enumerate(rule.examples)
]


def check(rule: Rule, example: Example, text: str) -> tuple[str, tuple[Finding, ...]]:
    """The text after this one rule (Python 2 is converted first), and the rule's own findings."""
    settings = Settings(
        target=example.target,
        from_version=example.from_version,
        select=(rule.code, "PY2001", *example.beside),
        unsafe_fixes=example.unsafe_fixes,
    )
    others = [SourceFile(path, other) for path, other in example.files]
    result = check_text(text, example.path, settings, others)
    assert isinstance(result, Changed | Unchanged), result
    own = tuple(finding for finding in result.findings if finding.code == rule.code)
    return (result.after.decode() if isinstance(result, Changed) else text), own


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_example(rule: Rule, example: Example) -> None:
    after, findings = check(rule, example, example.before)
    assert after == (example.before if example.after is None else example.after)
    if example.path.endswith(".py"):
        ast.parse(after)
    if example.after is None:
        assert bool(findings) == example.reported, findings


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_example_is_not_changed_again(rule: Rule, example: Example) -> None:
    after, _ = check(rule, example, example.before)
    assert check(rule, example, after)[0] == after


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_rule_has_an_example_it_leaves_alone(rule: Rule) -> None:
    assert any(example.after is None and not example.reported for example in rule.examples)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_rule_is_explained(rule: Rule) -> None:
    assert rule.summary and rule.why and rule.name == rule.name.lower()
    assert len({(example.before, example.target) for example in rule.examples}) == len(rule.examples)


@pytest.mark.parametrize(("rule", "example"), CASES)
def test_all_rules_together_leave_nothing_for_a_second_run(rule: Rule, example: Example) -> None:  # noqa: ARG001
    settings = Settings(target=example.target, from_version=example.from_version, unsafe_fixes=example.unsafe_fixes)
    others = [SourceFile(path, other) for path, other in example.files]
    first = check_text(example.before, example.path, settings, others)
    assert isinstance(first, Changed | Unchanged), first
    after = first.after.decode() if isinstance(first, Changed) else example.before
    again = check_text(after, example.path, settings, others)
    assert isinstance(again, Unchanged), again.after.decode()


def test_a_file_has_the_name_of_its_rule() -> None:
    for rule in all_rules():
        assert rule.find.__module__.rpartition(".")[2] == rule.name.replace("-", "_"), rule.code
