"""Prints a run's outcome in the chosen format: findings to `out`, notices and the sum to stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

import click

from codemods.printable import printable
from codemods.report import text
from codemods.report.summary import Summary, count, sentence, summarize
from codemods.results import FileResult

if TYPE_CHECKING:
    from codemods.baseline import Baseline


def stream(result: FileResult) -> None:
    """Prints one file's findings during the run."""
    lines = [text.plain(finding) + "\n" for finding in summarize([result], written=False).findings]
    if lines:
        sys.stdout.writelines(lines)
        sys.stdout.flush()


def write(summary: Summary, output_format: str, out: TextIO, statistics: bool) -> None:
    """Prints the findings."""
    if output_format == "text":
        text.write(summary, out, statistics)
        return
    if output_format == "json":
        from codemods.report.as_json import dumps
    elif output_format == "sarif":
        from codemods.report.sarif import dumps
    elif output_format == "github":
        from codemods.report.github import dumps
    else:
        from codemods.report.html import dumps
    text_out = dumps(summary) + "\n"
    if output_format == "html" and (out.encoding or "utf-8").lower().replace("_", "-") != "utf-8":
        text_out = text_out.encode("ascii", "xmlcharrefreplace").decode()  # the page declares UTF-8
    out.write(text_out)


def notices(summary: Summary, output_format: str) -> None:
    """Prints a line for each skipped or failed file, and for the text format the sum."""
    for item in summary.skipped:
        say(f"{item.path}: skipped: {item.reason}")
    for failure in summary.failed:
        say(f"codemods: {failure.error}")
    if output_format == "text":
        say(sentence(summary))


def baseline(done: Baseline, output_format: str) -> int:
    """Prints what --add-ignores wrote, and returns the exit status of the findings that are left."""
    summary = Summary(done.left, done.failed, (), done.files, done.files)
    write(summary, output_format, sys.stdout, False)
    for failure in done.failed:
        say(f"codemods: {failure.error}")
    left = f"; {count(len(done.left), 'finding')} could not get a comment" if done.left else ""
    say(f"{count(done.ignored, 'finding')} ignored in {count(done.files, 'file')}{left}")
    return summary.status


def say(text: str) -> None:
    """Prints a line on stderr."""
    click.echo(printable(text), err=True)
