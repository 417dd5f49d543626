"""Writes a run as one HTML page that needs no other file, to open in a browser or attach to an issue."""

from __future__ import annotations

from collections import Counter

from codemods.report.charts import bars
from codemods.report.excerpts import before, excerpt, open_files
from codemods.report.markup import markup
from codemods.report.style import CSS, SCRIPT
from codemods.report.summary import Summary, count, remedy, sentence
from codemods.rule import Finding
from codemods.source import SourceFile

# What to do about a finding -> its CSS class in the page, and its text.
_KINDS = {
    "fixed": ("fixed", "fixed"),
    "--fix": ("automatic", "automatic: --fix"),
    "--fix --unsafe-fixes": ("unsafe", "needs review: --fix --unsafe-fixes"),
    "by hand": ("person", "needs a person"),
}
_MOST_BARS = 15
_TAB = "\t"
_OPEN_FILES = 12
_OPEN_TROUBLES = 5


def dumps(summary: Summary) -> str:
    """Returns the page: counts, charts, and each file's findings with their source lines."""
    files: dict[str, list[Finding]] = {}
    for finding in summary.findings:
        files.setdefault(finding.path, []).append(finding)
    sources = open_files({path: before(path, summary.befores) for path in files})
    sections = [
        _file(path, findings, sources.get(path), place < _OPEN_FILES)
        for place, (path, findings) in enumerate(files.items())
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>codemods</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{CSS}</style></head><body>\n<h1>codemods check</h1>\n"
        f'<p class="sum">{markup(sentence(summary))}</p>\n{_tiles(summary)}{_charts(summary)}{_troubles(summary)}'
        f"{_filters(summary)}{''.join(sections)}<script>{SCRIPT}</script></body></html>"
    )


def _kind(finding: Finding) -> str:
    return _KINDS[remedy(finding)][0]


def _tiles(summary: Summary) -> str:
    counts = Counter(remedy(finding) for finding in summary.findings)
    tiles = [
        f'<div class="tile {kind}"><b>{counts[action]}</b>{markup(label)}</div>'
        for action, (kind, label) in _KINDS.items()
        if counts[action]
    ]
    tiles.append(f'<div class="tile"><b>{summary.files}</b>files checked, {summary.changed} with changes</div>')
    return f'<div class="tiles">{"".join(tiles)}</div>\n'


def _charts(summary: Summary) -> str:
    by_rule = _counted(summary, lambda finding: f"{finding.code} {finding.name}")
    by_file = _counted(summary, lambda finding: finding.path)
    drawn = [bars(*_first("Findings by rule", by_rule)), bars(*_first("Findings by file", by_file))]
    return f'<div class="charts">{"".join(drawn)}</div>\n'


def _counted(summary: Summary, key: object) -> list[tuple[str, dict[str, int]]]:
    assert callable(key)
    rows: dict[str, Counter[str]] = {}
    for finding in summary.findings:
        rows.setdefault(key(finding), Counter())[_kind(finding)] += 1
    kinds = [kind for kind, _ in _KINDS.values()]
    ordered = sorted(rows.items(), key=lambda row: (-row[1].total(), row[0]))
    return [(label, {kind: parts[kind] for kind in kinds if parts[kind]}) for label, parts in ordered]


def _first(title: str, rows: list[tuple[str, dict[str, int]]]) -> tuple[str, list[tuple[str, dict[str, int]]]]:
    more = len(rows) - _MOST_BARS
    return (f"{title} (the first {_MOST_BARS} of {len(rows)})" if more > 0 else title), rows[:_MOST_BARS]


def _troubles(summary: Summary) -> str:
    lines = [f"<li>{markup(item.error)}</li>" for item in summary.failed]
    lines += [f"<li>{markup(item.path)}: skipped: {markup(item.reason)}</li>" for item in summary.skipped]
    if not lines:
        return ""
    head = f"Not checked <small>{count(len(lines), 'place')}</small>"
    items = "".join(lines)
    is_open = " open" if len(lines) <= _OPEN_TROUBLES else ""
    return f'<details{is_open}><summary>{head}</summary><ul class="failures">{items}</ul></details>\n'


def _filters(summary: Summary) -> str:
    present = {remedy(finding) for finding in summary.findings}
    boxes = [
        f'<label><input type="checkbox" value="{kind}" checked> {markup(label)}</label>'
        for action, (kind, label) in _KINDS.items()
        if action in present
    ]
    return f'<h2>Files</h2><div class="filters">{"".join(boxes)}</div>\n' if boxes else ""


def _file(path: str, findings: list[Finding], source: SourceFile | None, is_open: bool) -> str:
    counts = Counter(_KINDS[remedy(finding)][1] for finding in findings)
    counted = ", ".join(f"{number} {label}" for label, number in counts.items())
    body = "".join(_finding(finding, source) for finding in findings)
    head = f"{markup(path)} <small>{count(len(findings), 'finding')}: {markup(counted)}</small>"
    return f"<details{' open' if is_open else ''}><summary>{head}</summary>{body}</details>\n"


def _finding(finding: Finding, source: SourceFile | None) -> str:
    kind, label = _KINDS[remedy(finding)]
    cell = f"cell {finding.cell}, " if finding.cell is not None else ""
    lines = excerpt(source.lines(finding.cell), finding) if source else []
    code = "".join(
        f"<span{' class=hit' if line.hit else ''}><i>{line.number}</i>{markup(line.text, _TAB) or ' '}</span>"
        for line in lines
    )
    return (
        f'<div class="finding {kind}"><p><span class="mark {kind}">{markup(label)}</span> '
        f"<b>{markup(finding.code)}</b> {markup(finding.message)} "
        f'<span class="place">{cell}line {finding.line}, column {finding.column}</span></p>'
        f"<pre>{code}</pre></div>"
    )
