"""convert: a checkpoint in another format."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import click

from tf2bridge.checkpoint.formats import FORMATS
from tf2bridge.commands.output import EQUAL, output_format, print_json


@click.command()
@click.argument("source", metavar="SRC", type=click.Path(path_type=Path))
@click.argument("destination", metavar="DST", type=click.Path(path_type=Path))
@click.option("--to", "form", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True, help="The format.")
@click.option(
    "--plan", type=click.Path(path_type=Path), help="What becomes of each tensor: a file that `tf2bridge plan` wrote."
)
@click.option("--into", metavar="TARGET", help="What is mapped into: package.module:function, a graph, or shapes.")
@click.option("--link", is_flag=True, help="Share the data with SRC (hard links) where it is the same.")
@click.option("--no-verify", is_flag=True, help="Do not read back what was written.")
@click.option("--force", is_flag=True, help="Replace what is at DST.")
@output_format
def convert(source: Path, destination: Path, output_format: str, no_verify: bool, **options: Any) -> int:
    """Write the checkpoint SRC to DST in another format.

    Without --plan and --into every tensor keeps its name. SRC is never changed; DST is there whole, or not at all.
    """
    from tf2bridge.checkpoint.converting import convert as converted

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    form = options.pop("form")
    found = converted(source, destination, format=form, verify=not no_verify, **options)
    click.echo(_line(found), err=True)
    if output_format == "json":
        print_json(_as_json(found))
    return EQUAL


def _line(found: Any) -> str:
    how = ", only the index is new" if found.kept else ""
    left = f", {len(found.dropped)} dropped" if found.dropped else ""
    checked = "read back" if found.verified else "not read back"
    return f"{found.path}: {found.format}, {found.tensors} tensors, {found.nbytes:,} bytes{left}{how}, {checked}"


def _as_json(found: Any) -> dict[str, Any]:
    said = dataclasses.asdict(found)
    return said | {"source": str(found.source), "path": str(found.path), "dropped": list(found.dropped)}
