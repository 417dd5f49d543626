"""Prints a migration: the rewrite, checkpoints and graphs, and the proof."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codemods.printable import printable
from codemods.results import Changed, Failed, FileResult, Skipped
from codemods.rule import Finding
from tf2bridge.migration.steps import Migration
from tf2bridge.printing import OutputConsole
from tf2bridge.proof.replaying.outcomes import Outcome
from tf2bridge.proof.reporting import replay_text as proof_text


def print_text(migration: Migration) -> None:
    """Prints the whole migration on standard output."""
    console = OutputConsole()

    def say(text: str, style: str = "") -> None:
        console.print(printable(text), style=style)

    say(f"{migration.source} -> {migration.output}", "bold")
    _print_files(migration, say)
    if migration.artifacts:
        console.print()
        say("checkpoints and graphs found:")
        for artifact in migration.artifacts:
            say(f"  {artifact.kind.value:18} {artifact.path.as_posix()}  ({size_text(artifact.size)})")
    if migration.fits:
        console.print()
        say("checkpoints and the rewritten program:")
        for fit in migration.fits:
            say(f"  {'fits' if fit.complete else 'OPEN':6} {fit.path.as_posix()}  ({fit.summary})")
    console.print()
    if migration.replay is None:
        say(f"not proven: {migration.unproven}", "bold yellow")
        return
    proof_text.print_text(migration.replay)
    if migration.proven:
        say("proven", "bold green")
    elif migration.replay.outcome is Outcome.ROUNDING:
        say("equal up to rounding", "bold yellow")
    else:
        say("not proven", "bold red")


def as_json(migration: Migration) -> dict[str, Any]:
    """Returns the migration as plain JSON values."""
    return {
        "source": str(migration.source),
        "output": str(migration.output),
        "changed": [result.path for result in migration.files if isinstance(result, Changed)],
        "failed": [{"path": r.path, "error": str(r.error)} for r in migration.files if isinstance(r, Failed)],
        "skipped": [{"path": r.path, "reason": r.reason} for r in migration.files if isinstance(r, Skipped)],
        "findings": [_finding(finding) for finding in left(migration.files)],
        "artifacts": [{"kind": a.kind.value, "path": a.path.as_posix(), "bytes": a.size} for a in migration.artifacts],
        "fits": [
            {"path": fit.path.as_posix(), "complete": fit.complete, "said": fit.summary} for fit in migration.fits
        ],
        "proven": migration.proven,
        "unproven": migration.unproven,
        "proof": None if migration.replay is None else proof_text.as_json(migration.replay),
    }


def left(files: list[FileResult]) -> list[Finding]:
    """Returns the findings that are left for a person."""
    return [finding for result in files for finding in getattr(result, "findings", ()) if not finding.fixed]


def _print_files(migration: Migration, say: Callable[..., None]) -> None:
    changed = [result for result in migration.files if isinstance(result, Changed)]
    fixed = sum(finding.fixed for result in changed for finding in result.findings)
    remaining = left(migration.files)
    say(f"{len(changed)} of {len(migration.files)} files rewritten: {fixed} legacy uses fixed, {len(remaining)} left")
    for finding in remaining:
        say(f"  {finding.path}:{finding.line}:{finding.column}: {finding.code} {finding.message}")
    for result in migration.files:
        if isinstance(result, Failed):
            say(f"  failed, copied unchanged: {result.error}", "bold red")
        elif isinstance(result, Skipped):
            say(f"  skipped: {result.path}: {result.reason}")


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "message": finding.message,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "safety": finding.safety.value,
    }


def size_text(count: int) -> str:
    """Returns a number of bytes as text for people."""
    if count < 1000:
        return f"{count} B"
    if count < 1_000_000:
        return f"{count / 1000:.1f} kB"
    return f"{count / 1_000_000:.1f} MB"
