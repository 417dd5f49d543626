"""Writes a run as SARIF 2.1.0, for code scanning (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/)."""

from __future__ import annotations

import json
import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from codemods.printable import unicode_text
from codemods.registry import all_rules
from codemods.report.summary import Summary, remedy
from codemods.results import Failed, Skipped
from codemods.rule import Finding, Rule, Safety

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Safety.SAFE: "warning", Safety.UNSAFE: "warning", Safety.MANUAL: "error"}


def dumps(summary: Summary) -> str:
    """Returns one SARIF run: the rules with findings, the findings, and notifications of skipped and failed files."""
    codes = {finding.code for finding in summary.findings}
    rules = [rule for rule in all_rules() if rule.code in codes]
    passed: list[Failed | Skipped] = [*summary.failed, *summary.skipped]
    index = {rule.code: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "codemods", "version": _version(), "rules": [_rule(rule) for rule in rules]}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, index[finding.code]) for finding in summary.findings],
        "invocations": [
            {
                "executionSuccessful": not summary.failed,
                "exitCode": summary.status,
                "toolExecutionNotifications": [_notification(item) for item in passed],
            }
        ],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _version() -> str:
    try:
        return version("tf2bridge")
    except PackageNotFoundError:
        return "0"


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.why}\n\ncodemods explain {rule.code}"},
        "defaultConfiguration": {"level": _LEVELS[rule.safety]},
        "properties": {"safety": rule.safety.value},
    }


def _result(finding: Finding, index: int) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": _uri(finding.path)}}}
    message = finding.message
    if finding.cell is None:
        location["physicalLocation"]["region"] = {
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": finding.end_line,
            "endColumn": finding.end_column,
        }
    else:  # lines of a cell are not lines of the file
        location["logicalLocations"] = [{"name": f"cell {finding.cell}", "kind": "cell"}]
        message = f"cell {finding.cell}, line {finding.line}: {message}"
    return {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": "note" if finding.fixed else _LEVELS[finding.safety],
        "message": {"text": unicode_text(message)},
        "locations": [location],
        "properties": {"safety": finding.safety.value, "remedy": remedy(finding), "fixed": finding.fixed},
    }


def _uri(path: str) -> str:
    place = Path(path)
    return place.as_uri() if place.is_absolute() else quote(os.fsencode(place.as_posix()))


def _notification(item: Failed | Skipped) -> dict[str, Any]:
    return {
        "level": "error" if isinstance(item, Failed) else "note",
        "message": {"text": unicode_text(item.error if isinstance(item, Failed) else item.reason)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(item.path)}}}],
    }
