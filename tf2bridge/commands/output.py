"""Exit statuses, shared options and output functions of the commands."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemods.printable import printable, printable_lines, visible
from tf2bridge.whole_file import write_whole

if TYPE_CHECKING:
    from tf2bridge.proof.reporting.page import Page

EQUAL, DIFFERENT, WRONG = 0, 1, 2

output_format = click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The format of standard output.",
)


def file_to_write(_context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Refuses a file that cannot be written, before anything runs."""
    if path is not None and not path.parent.is_dir():
        raise click.BadParameter(f"there is no directory {path.parent}", param=parameter)
    return path


html_option = click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=file_to_write,
    help="Write one HTML page with plots, every tensor and the graph.",
)


def say(text: str) -> None:
    """Prints one line on standard error: a notice, progress or an error."""
    click.echo(printable(text), err=True)


def write_page(path: Path, page: Page) -> None:
    """Writes a page completely or not at all."""
    from tf2bridge.proof.reporting.page import dumps

    write_whole(path, visible(dumps(page), keep="\n\t"))
    say(f"written: {path}")


def print_lines(lines: Iterable[str]) -> None:
    """Prints lines of text on standard output."""
    if texts := list(lines):
        click.echo(printable_lines(texts))


def print_json(value: Any) -> None:
    """Prints the value as JSON."""
    click.echo(json.dumps(value, indent=1, allow_nan=False))
