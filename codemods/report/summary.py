"""Sums up a run: counts and the exit status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from codemods.results import Changed, Failed, FileResult, Skipped, Unchanged
from codemods.rule import Finding, Safety


@dataclass(frozen=True)
class Summary:
    """The findings of a run, and the files that could not be processed.

    Attributes:
        findings: the findings in order; each says whether it was fixed.
        failed: the files that could not be processed.
        skipped: the files that were left out.
        files: the number of files that were checked.
        changed: the number of files whose text changes.
        befores: the bytes that changed files had, by path.
    """

    findings: tuple[Finding, ...]
    failed: tuple[Failed, ...]
    skipped: tuple[Skipped, ...]
    files: int
    changed: int
    befores: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The exit status: 0 nothing left to do, 1 findings left, 2 a file that could not be processed."""
        if self.failed:
            return 2
        return int(any(not finding.fixed for finding in self.findings))


def summarize(results: Sequence[FileResult], written: bool) -> Summary:
    """Returns the summary of a run. If nothing was `written`, no finding counts as fixed."""
    looked = [result for result in results if isinstance(result, Changed | Unchanged)]
    findings = [finding for result in looked for finding in result.findings]
    if not written:
        findings = [replace(finding, fixed=False) for finding in findings]
    return Summary(
        findings=tuple(findings),
        failed=tuple(result for result in results if isinstance(result, Failed)),
        skipped=tuple(result for result in results if isinstance(result, Skipped)),
        files=len(looked),
        changed=sum(isinstance(result, Changed) for result in looked),
        befores={result.path: result.before for result in looked if isinstance(result, Changed)},
    )


def remedy(finding: Finding) -> str:
    """Returns what to do about a finding, in a few words."""
    if finding.fixed:
        return "fixed"
    if finding.safety is Safety.MANUAL or not finding.fixable:
        return "by hand"
    return "--fix" if finding.safety is Safety.SAFE else "--fix --unsafe-fixes"


def sentence(summary: Summary) -> str:
    """Returns the run in one line."""
    if not summary.findings:
        return f"{count(summary.files, 'file')}: nothing to do" + _failures(summary)
    counts = Counter(remedy(finding) for finding in summary.findings)
    words = {
        "fixed": "fixed",
        "--fix": "can be fixed with --fix",
        "--fix --unsafe-fixes": "can be fixed with --fix --unsafe-fixes (review the result)",
        "by hand": "need a person",
    }
    parts = [f"{counts[key]} {text}" for key, text in words.items() if counts[key]]
    findings = count(len(summary.findings), "finding")
    places = count(len({finding.path for finding in summary.findings}), "file")
    return f"{findings} in {places}: {', '.join(parts)}" + _failures(summary)


def _failures(summary: Summary) -> str:
    if not summary.failed:
        return ""
    return f"; {count(len(summary.failed), 'file')} could not be processed and did not change"


def count(number: int, noun: str) -> str:
    """Returns a number and its noun, "1 file" or "2 files"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
