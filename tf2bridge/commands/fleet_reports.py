"""The command `tf2bridge fleet report`: what a run of a fleet came to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from tf2bridge.commands.output import DIFFERENT, EQUAL, file_to_write, output_format, print_json, print_lines, say


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--inventory", type=click.Path(path_type=Path, dir_okay=False), help="The inventory of the run, for the sizes."
)
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=file_to_write,
    help="Write one HTML page with all items, which link to their own reports.",
)
@output_format
def report(out: Path, inventory: Path | None, html: Path | None, output_format: str) -> int:
    """Report on a run of `tf2bridge fleet run` whose folder is OUT.

    The report counts items and verdicts, groups the failures by their cause, names the slowest and the largest items,
    and says what needs a person. Status 1 if an item failed or differs.
    """
    from tf2bridge.fleet.reporting import page
    from tf2bridge.fleet.reporting.report import lines, report_of
    from tf2bridge.fleet.reporting.rows import Row, rows
    from tf2bridge.whole_file import write_whole

    kept: list[Row] = []

    def remembered() -> Iterator[Row]:
        for row in rows(out, inventory):
            if html is not None:
                kept.append(row)
            yield row

    result = report_of(remembered())
    if html is not None:
        write_whole(html, page.dumps(result, kept, page.link(html, out)))
        say(f"written: {html}")
    if output_format == "json":
        print_json(page.facts(result))
    else:
        print_lines(lines(result))
    return EQUAL if result.passes else DIFFERENT
