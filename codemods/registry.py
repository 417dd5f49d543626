"""All rules: every module below `codemods.rules` that binds the name `rule`, and the rules of plugins.

A plugin is an installed distribution with entry points in the group `codemods.rules`. Each entry point is a `Rule`, or
a sequence of rules:

    [project.entry-points."codemods.rules"]
    ours = "our_rules:RULES"
"""

from __future__ import annotations

import ast
import difflib
import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import entry_points

from codemods import rules as package
from codemods.errors import PluginError, UnknownCodeError
from codemods.rule import Rule
from codemods.settings import Settings


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """Returns all rules in the order of their codes."""
    rules: dict[str, Rule] = {}
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        rule = getattr(importlib.import_module(module.name), "rule", None)
        if not isinstance(rule, Rule):
            continue
        if rule.code in rules:
            raise ValueError(f"{module.name}: the code {rule.code} is taken by {rules[rule.code].name!r}")
        rules[rule.code] = rule
    for name, rule in _plugged_in():
        if rule.code in rules:
            raise PluginError(name, f"the code {rule.code} is taken by {rules[rule.code].name!r}")
        rules[rule.code] = rule
    return tuple(rules[code] for code in sorted(rules))


def _plugged_in() -> Iterator[tuple[str, Rule]]:
    """Returns the rules of other distributions, each with the name of its entry point. Raises PluginError."""
    for point in entry_points(group="codemods.rules"):
        try:
            given = point.load()
        except Exception as error:  # any error of the plugin's own modules
            raise PluginError(point.name, f"{type(error).__name__}: {error}") from error
        rules = [given] if isinstance(given, Rule) else list(given) if isinstance(given, Iterable) else []
        if not rules or not all(isinstance(rule, Rule) for rule in rules):
            raise PluginError(point.name, f"{point.value} is neither a Rule nor several")
        yield from ((point.name, rule) for rule in rules)


def rule_of(code: str, further: Iterable[str] = ()) -> Rule:
    """Returns the rule with this code.

    Raises:
        UnknownCodeError: There is none. The error suggests a similar code, also one of `further`.
    """
    by_code = {rule.code: rule for rule in all_rules()}
    if code.upper() not in by_code:
        near = difflib.get_close_matches(code.upper(), [*by_code, *further], n=1)
        raise UnknownCodeError(code, near[0] if near else None)
    return by_code[code.upper()]


def check_codes(codes: tuple[str, ...]) -> None:
    """Raises UnknownCodeError for a code or prefix that no rule has."""
    for code in codes:
        if not any(rule.code.startswith(code) for rule in all_rules()):
            rule_of(code)


@lru_cache(maxsize=64)
def dispatch(
    settings: Settings, rules: tuple[Rule, ...] | None = None, last: bool = False
) -> dict[type[ast.AST], tuple[Rule, ...]]:
    """Returns class of node -> the rules for it, in the order of their codes.

    With None as rules, all rules count. `last` chooses the rules for the finished text; without it, all others are
    returned.
    """
    wanted: dict[type[ast.AST], list[Rule]] = {}
    for rule in all_rules() if rules is None else rules:
        if rule.last == last and settings.target in rule.targets and settings.wants(rule.code):
            for kind in rule.on:
                wanted.setdefault(kind, []).append(rule)
    return {kind: tuple(chosen) for kind, chosen in wanted.items()}
