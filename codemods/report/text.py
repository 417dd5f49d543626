"""For people: one line a finding, in colour where a terminal shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TextIO

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from codemods.report.summary import Summary, remedy
from codemods.rule import Finding

_COLOURS = {"fixed": "green", "--fix": "green", "--fix --unsafe-fixes": "yellow", "by hand": "red"}


def write(summary: Summary, out: TextIO, statistics: bool) -> None:
    """Print the findings, or how many of each there are."""
    console = Console(file=out, soft_wrap=True, highlight=False, emoji=False)
    if statistics:
        for line in _statistics(summary, console):
            console.print(line)
        return
    for finding in summary.findings:
        console.print(_line(finding) if console.is_terminal else plain(finding), markup=False)


def plain(finding: Finding) -> Text:
    """path:line:column: CODE message [what to do]."""
    return Text(f"{finding.path}:{finding.line}:{finding.column}: {finding.code} {finding.message} [{remedy(finding)}]")


def _line(finding: Finding) -> Text:
    what = remedy(finding)
    return Text.assemble(
        (f"{finding.path}:{finding.line}:{finding.column}", "bold"),
        ": ",
        (finding.code, "cyan"),
        f" {finding.message} ",
        (f"[{what}]", _COLOURS[what]),
    )


def _statistics(summary: Summary, console: Console) -> Iterator[Table | str]:
    counts = Counter((finding.code, finding.name, remedy(finding)) for finding in summary.findings)
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if not console.is_terminal:
        yield from (escape(f"{number}\t{code}\t{name}\t{what}") for (code, name, what), number in rows)
        return
    table = Table("number", "code", "rule", "what to do", box=None)
    for (code, name, what), number in rows:
        table.add_row(str(number), code, name, what)
    yield table
