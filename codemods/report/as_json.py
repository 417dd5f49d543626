"""Writes a run as one JSON object, for machines. Later versions add keys, and never remove one."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from codemods.printable import unicode_text
from codemods.report.summary import Summary
from codemods.rule import Finding


def dumps(summary: Summary) -> str:
    """Returns the run as JSON: `findings`, `failed`, `skipped`, `files`, `changed` and the exit `status`."""
    return json.dumps(
        {
            "version": 1,
            "findings": [_finding(finding) for finding in summary.findings],
            "failed": [{"path": unicode_text(item.path), "error": unicode_text(item.error)} for item in summary.failed],
            "skipped": [
                {"path": unicode_text(item.path), "reason": unicode_text(item.reason)} for item in summary.skipped
            ],
            "files": summary.files,
            "changed": summary.changed,
            "status": summary.status,
        },
        indent=1,
    )


def _finding(finding: Finding) -> dict[str, Any]:
    texts = {"path": unicode_text(finding.path), "message": unicode_text(finding.message)}
    return {**asdict(finding), **texts, "safety": finding.safety.value}
