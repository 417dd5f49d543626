"""`report.html` of a migration: what was rewritten and what is left, what was found, and the proof."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from codemods.results import Changed, Failed, Skipped
from tf2bridge.migration.config import Project
from tf2bridge.migration.report import left, size_said
from tf2bridge.migration.steps import Migration
from tf2bridge.proof.reporting.page import Page
from tf2bridge.proof.reporting.pages import of_replay
from tf2bridge.proof.traces.reader import Trace

_MOST = 500


def page(migration: Migration, project: Project) -> Page:
    """Returns the page of a migration; where there is no proof, it says why."""
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
            found=f"not proven: {migration.unproven}",
            rows=(),
            sections=sections,
        )
    return of_replay(migration.replay, Trace(project.trace), project.entry, title=title, sections=sections)


def _source(migration: Migration) -> str:
    changed = [each for each in migration.files if isinstance(each, Changed)]
    mended = sum(finding.fixed for each in changed for finding in each.findings)
    said = [f"{len(changed)} of {len(migration.files)} files rewritten, {mended} legacy uses mended"]
    said += [f"failed, copied as it was: {each.error}" for each in migration.files if isinstance(each, Failed)]
    said += [f"skipped: {each.path}: {each.reason}" for each in migration.files if isinstance(each, Skipped)]
    return f"<ul>{''.join(f'<li>{escape(each)}' for each in said)}</ul>"


def _findings(migration: Migration) -> str:
    rows = [
        (f"{each.path}:{each.line}:{each.column}", each.code, each.safety.value, each.message)
        for each in left(migration.files)
    ]
    return _table(("where", "rule", "safety", "what"), rows)


def _artifacts(migration: Migration) -> str:
    fits = {each.path: each for each in migration.fits}
    rows = [
        (each.path.as_posix(), each.kind.value, size_said(each.size), fits[each.path].said if each.path in fits else "")
        for each in migration.artifacts
    ]
    return _table(("path", "what it is", "size", "in the program as it is now"), rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}' for cell in row)}" for row in rows[:_MOST])
    more = f"<p>and {len(rows) - _MOST} more</p>" if len(rows) > _MOST else ""
    return f"<table><tr>{''.join(f'<th>{escape(head)}' for head in heads)}</tr>{lines}</table>{more}"
