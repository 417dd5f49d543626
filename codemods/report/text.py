"""Prints one line for each finding, in colour on a terminal."""

from __future__ import annotations

from collections import Counter
from typing import TextIO

from codemods.printable import printable
from codemods.report.summary import Summary, remedy
from codemods.rule import Finding

_COLOURS = {"fixed": "green", "--fix": "green", "--fix --unsafe-fixes": "yellow", "by hand": "red"}


def write(summary: Summary, out: TextIO, statistics: bool) -> None:
    """Prints the findings, or with `statistics` their number by rule."""
    if out.isatty():
        _write_coloured(summary, out, statistics)
    elif statistics:
        out.writelines(f"{number}\t{code}\t{name}\t{action}\n" for (code, name, action), number in _counts(summary))
    else:
        out.writelines(plain(finding) + "\n" for finding in summary.findings)


def plain(finding: Finding) -> str:
    """Returns `path:line:column: CODE message [what to do]`; in a notebook `path:cell 3:line:column`."""
    return printable(f"{place(finding)}: {finding.code} {finding.message} [{remedy(finding)}]")


def place(finding: Finding) -> str:
    """Returns the place of a finding in the form that editors open."""
    cell = f"cell {finding.cell}:" if finding.cell is not None else ""
    return f"{finding.path}:{cell}{finding.line}:{finding.column}"


def _counts(summary: Summary) -> list[tuple[tuple[str, str, str], int]]:
    counts = Counter((finding.code, finding.name, remedy(finding)) for finding in summary.findings)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _write_coloured(summary: Summary, out: TextIO, statistics: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=out, soft_wrap=True, highlight=False, emoji=False, markup=False)
    if statistics:
        table = Table("number", "code", "rule", "what to do", box=None)
        for (code, name, action), number in _counts(summary):
            table.add_row(str(number), code, name, Text(action, _COLOURS[action]))
        console.print(table)
        return
    for finding in summary.findings:
        action = remedy(finding)
        parts = ((place(finding), "bold"), (": ", ""), (finding.code, "cyan"), (f" {finding.message} ", ""))
        shown = [(printable(part), style) for part, style in (*parts, (f"[{action}]", _COLOURS[action]))]
        console.print(Text.assemble(*shown))
