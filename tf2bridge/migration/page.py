"""Makes the page `report.html` of a migration: the rewrite, open findings, checkpoints and graphs, and the proof."""

from __future__ import annotations

from html import escape

from codemods.results import Changed, Failed, Skipped
from tf2bridge.html_page import table
from tf2bridge.migration.config import Project
from tf2bridge.migration.report import left, size_text
from tf2bridge.migration.steps import Migration
from tf2bridge.proof.reporting.page import Page
from tf2bridge.proof.reporting.pages import of_replay
from tf2bridge.proof.traces.reader import Trace


def page(migration: Migration, project: Project) -> Page:
    """Returns the page of a migration. Without a proof, the page says why there is none."""
    sections = [
        ("Source", _source(migration)),
        ("Left for a person", _findings(migration)),
        ("Checkpoints and graphs found", _artifacts(migration)),
    ]
    title = f"{migration.source.name} on TensorFlow 2"
    if migration.replay is None or project.trace is None:
        return Page(
            title=title,
            expected=str(migration.source),
            actual=str(migration.output),
            equal=False,
            conclusion=f"not proven: {migration.unproven}",
            rows=(),
            sections=sections,
        )
    return of_replay(migration.replay, Trace(project.trace), project.entry, title=title, sections=sections)


def _source(migration: Migration) -> str:
    changed = [result for result in migration.files if isinstance(result, Changed)]
    rewritten = sum(finding.fixed for result in changed for finding in result.findings)
    lines = [f"{len(changed)} of {len(migration.files)} files rewritten, {rewritten} legacy uses fixed"]
    lines += [f"failed, copied unchanged: {result.error}" for result in migration.files if isinstance(result, Failed)]
    lines += [f"skipped: {result.path}: {result.reason}" for result in migration.files if isinstance(result, Skipped)]
    return f"<ul>{''.join(f'<li>{escape(line)}' for line in lines)}</ul>"


def _findings(migration: Migration) -> str:
    rows = [
        (f"{finding.path}:{finding.line}:{finding.column}", finding.code, finding.safety.value, finding.message)
        for finding in left(migration.files)
    ]
    return table(("place", "rule", "safety", "message"), rows)


def _artifacts(migration: Migration) -> str:
    fits = {fit.path: fit.summary for fit in migration.fits}
    rows = [
        (artifact.path.as_posix(), artifact.kind.value, size_text(artifact.size), fits.get(artifact.path, ""))
        for artifact in migration.artifacts
    ]
    return table(("path", "kind", "size", "in the rewritten program"), rows)
