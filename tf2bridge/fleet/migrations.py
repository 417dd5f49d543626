"""One summary of many migrated repositories: by rule, by repository, and by what needs a person."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tf2bridge.fleet import store
from tf2bridge.whole_file import write_whole

SUMMARY = "migrations.json"
FINDINGS = "findings.sarif"
"""The findings of one repository, in its folder."""


@dataclass
class _Rule:
    """What a rule found: fixed uses, uses that need a person, and in how many repositories these are."""

    fixed: int = 0
    left: int = 0
    repositories: int = 0


@dataclass
class _Seen:
    rules: dict[str, _Rule] = field(default_factory=dict)
    repositories: list[dict[str, Any]] = field(default_factory=list)
    person: Counter[tuple[str, str]] = field(default_factory=Counter)
    first: dict[tuple[str, str], str] = field(default_factory=dict)


def write(out: Path) -> dict[str, Any]:
    """Writes the summary of a run's repositories, and returns it.

    Its keys: `rules` (code -> fixed, left, repositories), `repositories` (path, verdict, error, fixed, left), and
    `person` (code, message, count, first): what is left, most frequent first.
    """
    seen = _Seen()
    with (out / store.RESULTS).open("rb") as lines:
        for line in lines:
            row = json.loads(line)
            if row["output"] is not None and row["same_as"] is None:
                _add(seen, row, out / row["output"] / FINDINGS)
    person = [
        {"code": code, "message": message, "count": count, "first": seen.first[code, message]}
        for (code, message), count in sorted(seen.person.items(), key=lambda entry: (-entry[1], entry[0]))
    ]
    rules = {code: vars(rule) for code, rule in sorted(seen.rules.items())}
    summary = {"rules": rules, "repositories": seen.repositories, "person": person}
    write_whole(out / SUMMARY, json.dumps(summary, indent=1) + "\n")
    return summary


def _add(seen: _Seen, row: dict[str, Any], sarif: Path) -> None:
    findings = json.loads(sarif.read_text("utf-8"))["runs"][0]["results"] if sarif.is_file() else []
    fixed = sum(finding["properties"]["fixed"] for finding in findings)
    seen.repositories.append(
        {name: row[name] for name in ("path", "verdict", "error")} | {"fixed": fixed, "left": len(findings) - fixed}
    )
    for code in {finding["ruleId"] for finding in findings}:
        seen.rules.setdefault(code, _Rule()).repositories += 1
    for finding in findings:
        rule = seen.rules[finding["ruleId"]]
        if finding["properties"]["fixed"]:
            rule.fixed += 1
            continue
        rule.left += 1
        key = finding["ruleId"], finding["message"]["text"]
        seen.person[key] += 1
        place = finding["locations"][0]["physicalLocation"]
        line = place.get("region", {}).get("startLine", 0)
        seen.first.setdefault(key, f"{row['path']}/{place['artifactLocation']['uri']}:{line}")
