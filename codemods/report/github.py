"""Writes a workflow command for each finding, which GitHub Actions shows beside the line.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from codemods.printable import visible
from codemods.report.summary import Summary, remedy
from codemods.results import Failed
from codemods.rule import Finding


def dumps(summary: Summary) -> str:
    """Returns the findings that are left: as warnings, or as errors if a person is needed or a file failed."""
    lines = [_finding(finding) for finding in summary.findings if not finding.fixed]
    return "\n".join([*lines, *(_failure(failure) for failure in summary.failed)])


def _finding(finding: Finding) -> str:
    action = remedy(finding)
    level = "error" if action == "by hand" else "warning"
    place = {"file": finding.path, "title": f"codemods {finding.code} {finding.name}"}
    message = f"{finding.message} [{action}]"
    if finding.cell is None:
        place |= {"line": str(finding.line), "col": str(finding.column), "endLine": str(finding.end_line)}
        if finding.line == finding.end_line:
            place["endColumn"] = str(finding.end_column)
    else:
        message = f"cell {finding.cell}, line {finding.line}: {message}"
    properties = ",".join(f"{key}={_property(value)}" for key, value in place.items())
    return f"::{level} {properties}::{_data(message)}"


def _failure(failure: Failed) -> str:
    return f"::error file={_property(failure.path)},title=codemods::{_data(failure.error)}"


def _data(text: str) -> str:
    """Returns the text with GitHub's escapes for newlines and percent signs, and ours for other control characters."""
    shown = visible(text, "\r\n").replace("##[", "#\\x23[")
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
